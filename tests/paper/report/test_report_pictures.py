"""Pictures in the page: whichever format is there, and how wide it is."""

from __future__ import annotations

import pytest

from riskbandits import plotting
from riskbandits.core.errors import FileError
from riskbandits.paper.report.pictures import _embedded


@pytest.mark.parametrize(("width", "wide"), [(3.5, False), (plotting.FULL_WIDTH, True)])
@pytest.mark.parametrize(("kind", "media"), [("png", "png"), ("svg", "svg+xml")])
def test_one_format_is_enough(tmp_path, width, wide, kind, media):
    page = plotting.page(width, 1.0)
    page.subplots()
    plotting.save(page, [tmp_path / f"a.{kind}"])
    address, is_wide = _embedded([tmp_path / "a.svg", tmp_path / "a.png"])
    assert address.startswith(f"data:image/{media};base64,")
    assert is_wide is wide


def test_no_picture_is_a_sentence(tmp_path):
    with pytest.raises(FileError, match=r"needs .*a.svg', or the same as .png"):
        _embedded([tmp_path / "a.svg", tmp_path / "a.png"])

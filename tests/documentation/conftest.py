from __future__ import annotations

import sys
from pathlib import Path

import pytest

EXTENSIONS = Path(__file__).parents[2] / "docs" / "_ext"


@pytest.fixture(autouse=True)
def extensions(request, monkeypatch):
    """The site's own extensions can be imported; examples in documents need none of them."""
    if request.path.name == "test_documents.py":
        yield
        return
    pytest.importorskip("sphinx", reason="the site is built by Sphinx: pip install --group docs")
    monkeypatch.syspath_prepend(EXTENSIONS)
    yield
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(EXTENSIONS)):
            del sys.modules[name]

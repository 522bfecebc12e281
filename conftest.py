"""Examples in docstrings run in plain Python: compiling each of them would take minutes."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def examples_in_plain_python(request, monkeypatch):
    """Nothing is compiled for an example; the tests compile what they need."""
    if isinstance(request.node, pytest.DoctestItem):
        from riskbandits.compiling import jit

        monkeypatch.setattr(jit, "entry", lambda function, classes, checked=False: function)

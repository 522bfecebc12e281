"""Studies stand on the public API alone, as those of other people do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import riskbandits as rb

STUDIES = Path(__file__).parents[2] / "studies"


@pytest.mark.parametrize("path", sorted(STUDIES.rglob("*.py")), ids=lambda path: path.stem)
def test_imports_are_public(path):
    public = set(dir(rb))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module == "riskbandits":
            assert {alias.name for alias in node.names} <= public
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("riskbandits."):
            names = [node.module]
        for name in names:
            if name.startswith("riskbandits."):
                room = name.removeprefix("riskbandits.").removeprefix("inference.")
                assert room in {*public, "claims", "intervals", "ratios"}, name

"""The digest of a list of arrays, and the file that keeps one per case."""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).with_name("digests.json")
ROOT = Path(__file__).parents[2]


def digest(arrays: Iterable[Any]) -> str:
    """The SHA-256 of kinds, shapes and values: whole numbers as int64, others as float64, with one NaN only."""
    found = hashlib.sha256()
    for given in arrays:
        array = np.asarray(given)
        if array.dtype.kind in "biu":
            array = array.astype("<i8")
        elif array.dtype.kind == "f":
            array = array.astype("<f8")
            array[np.isnan(array)] = np.nan
        else:
            raise TypeError(f"Only numbers have a digest. Got {array.dtype} instead.")
        found.update(f"{array.dtype.str}{array.shape};".encode())
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def kept() -> dict[str, Any]:
    """The content of the file."""
    content: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return content


def write(cases: dict[str, Any]) -> None:
    """Write the file, with the commit that last changed the package, and with what else numbers may depend on."""
    content = {"made_at": commit(), "made_with": surroundings(), "cases": cases}
    FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def commit() -> str:
    """The last commit that changed the package."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    return git("log", "-1", "--format=%h", "--", "src") + (" and changes" if git("status", "-s", "--", "src") else "")


def surroundings() -> dict[str, str]:
    """The versions and the processor on which the last digit of a number may depend."""
    packages = {name: version(name) for name in ("numpy", "scipy", "numba", "pandas")}
    return {"python": platform.python_version(), **packages, "machine": platform.machine()}

"""From object files to one WebAssembly module: Zig brings the linker, and log, exp, cos and the like."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from riskbandits.core.errors import EngineError

PAGE = ("-target", "wasm32-freestanding")
STACK = 1 << 16
SOURCES = ("maths.zig", "erf.zig")
ARCHIVE, MODULE = "libmaths.a", "page.wasm"


def check_linker() -> None:
    """Raise unless Zig is installed."""
    if importlib.util.find_spec("ziglang") is None:
        raise EngineError(
            "A playground needs a linker, which the package ziglang brings: pip install 'riskbandits[playground]'."
        )


def linked(objects: Mapping[str, bytes]) -> bytes:
    """A module that exports a function for each object file, under its name, and its memory."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        _zig(here, "build-lib", *PAGE, *_maths(here, ARCHIVE))
        names = []
        for number, code in enumerate(objects.values()):
            names.append(str(here / f"{number}.o"))
            Path(names[-1]).write_bytes(code)
        exports = [f"--export={name}" for name in (*objects, "__heap_base")]
        # The stack first: if it overflowed, the page would stop instead of reading numbers that it wrote over.
        memory = ["--stack-first", "-z", f"stack-size={STACK}"]
        options = ["--no-entry", "--gc-sections", "--strip-all", "-O2", *memory, *exports]
        _zig(here, "wasm-ld", *options, *names, str(here / ARCHIVE), "-o", str(here / MODULE))
        return (here / MODULE).read_bytes()


def native_maths(path: Path) -> Path:
    """The same log, exp, cos and the like for this machine, as a library at a path: what a page is compared with."""
    _zig(path.parent, "build-lib", "-dynamic", "-mcpu=baseline", *_maths(path.parent, path.name))
    return path


def _maths(folder: Path, name: str) -> list[str]:
    for name_of_source in SOURCES:
        code = resources.files("riskbandits.playground") / "assets" / name_of_source
        (folder / name_of_source).write_bytes(code.read_bytes())
    source = folder / SOURCES[0]
    caches = ["--cache-dir", str(folder / "cache")]
    return ["-O", "ReleaseFast", "-fcompiler-rt", "-fstrip", *caches, str(source), f"-femit-bin={folder / name}"]


def _zig(folder: Path, *words: str) -> None:
    check_linker()
    # Zig keeps its mathematics, compiled, in the user's cache; where that cannot be written a new one does.
    for setting in ({}, {"ZIG_GLOBAL_CACHE_DIR": str(folder / "cache")}):
        command = [sys.executable, "-m", "ziglang", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **setting})
        if done.returncode == 0:
            return
    said = (done.stderr.strip() or done.stdout.strip() or f"it ended with {done.returncode}").splitlines()[0]
    raise EngineError(f"Zig could not do its part of a playground, {words[0]}: {said}")

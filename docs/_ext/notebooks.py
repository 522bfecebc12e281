"""Notebooks, played when the site is built: copies with their output, from which pages are made."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import nbclient
import nbformat
from package_age import stale
from sphinx.errors import SphinxError
from traitlets.config import Config

EXAMPLES = Path(__file__).parents[2] / "examples"
PATIENCE = 600  # seconds for a cell, and for a kernel to start: a cell that compiles takes long on a busy machine
PLAYED = "played"  # in the metadata of a copy that has its output


def sources() -> list[Path]:
    """The notebooks, in the order of the site."""
    return sorted(EXAMPLES.glob("*.ipynb"))


def bring(folder: Path, played: bool) -> list[Path]:
    """The notebooks that must be played, because their copies have no output or an old one; without output, copies."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {one.name: one for one in sources()}
    for old in folder.glob("*.ipynb"):
        if old.name not in wanted:
            old.unlink()
    due = []
    for name, source in wanted.items():
        copy = folder / name
        if not played:
            if not copy.exists() or copy.read_bytes() != source.read_bytes():
                copy.write_bytes(source.read_bytes())
        elif stale(copy, source) or PLAYED not in nbformat.read(copy, 4).metadata:
            due.append(source)
    return due


def play(source: Path, folder: Path) -> None:
    """Run all cells of a notebook in an empty folder, and write the copy with their output."""
    notebook = nbformat.read(source, 4)
    with tempfile.TemporaryDirectory() as here:
        settings = Config()
        if os.name == "posix":
            # Sockets in a folder: a machine without any network, not even its own, can build the site.
            settings.KernelManager.transport = "ipc"
            settings.KernelManager.ip = str(Path(here) / "kernel")
        client = nbclient.NotebookClient(
            notebook,
            config=settings,
            timeout=PATIENCE,
            startup_timeout=PATIENCE,
            record_timing=False,
            resources={"metadata": {"path": here}},
        )
        try:
            client.execute()
        except (nbclient.exceptions.CellExecutionError, nbclient.exceptions.CellTimeoutError, RuntimeError) as error:
            raise SphinxError(f"The notebook {source.name} cannot be played: {error}") from error
    notebook.metadata[PLAYED] = True
    nbformat.write(notebook, folder / source.name)

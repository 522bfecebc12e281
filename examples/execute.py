"""Run the notebooks of this folder, from the first cell to the last, and keep their output: `make notebooks`."""

from __future__ import annotations

import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = sorted(Path(__file__).parent.glob("*.ipynb"))


def executed(path: Path) -> nbformat.NotebookNode:
    """A notebook with the outputs of a fresh run, in a folder of its own."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        client = NotebookClient(notebook, timeout=900, record_timing=False, coalesce_streams=True, resources=resources)
        client.execute()
    notebook.metadata["language_info"] = {"name": "python"}  # not which version it was today
    return notebook


if __name__ == "__main__":
    for path in NOTEBOOKS:
        nbformat.write(executed(path), path)

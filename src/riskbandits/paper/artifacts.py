"""Output files with a digest of the content they are made from; they are made again only if one of both has changed."""

from __future__ import annotations

import hashlib
import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core import files, progress
from riskbandits.core.errors import FileError
from riskbandits.simulation.engines.processes import end_with_parent

if TYPE_CHECKING:
    import pandas as pd

FEW = 6  # so few files are made sooner here than workers start
PATIENCE = 120.0  # seconds: whoever has not finished a file by then will not


class Artifact(NamedTuple):
    """Files that one call makes, and a digest of everything that decides what will be in them."""

    paths: tuple[Path, ...]
    key: str
    make: Callable[[Sequence[Path]], None]  # may be called in another process


class Manifest:
    """Which content the files under a folder were made from: a JSON file in it.

    `whole` says whether they are those of a full reproduction, `all_figures` whether they show all figures, if only in
    a preview.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.whole, self.all_figures, self._entries = _read(path)

    def fresh(self, artifact: Artifact) -> bool:
        """Whether all files of a artifact are there, made from the same content and not changed since."""
        found = [(_entry(path, artifact.key), self._entries.get(self._name(path))) for path in artifact.paths]
        return all(entry is not None and entry == noted for entry, noted in found)

    def note(self, artifact: Artifact) -> None:
        """Remember that a artifact has just been made."""
        for path in artifact.paths:
            entry = _entry(path, artifact.key)
            if entry is not None:
                self._entries[self._name(path)] = entry

    def save(self) -> None:
        """Write the file, if anything is new in it."""
        if (self.whole, self.all_figures, self._entries) != _read(self.path):
            said = {"whole": self.whole, "all_figures": self.all_figures}
            text = json.dumps({**said, "files": dict(sorted(self._entries.items()))}, indent=1)
            with files.replacing(self.path) as temporary:
                Path(temporary).write_text(text + "\n", encoding="utf-8")

    def _name(self, path: Path) -> str:
        return path.relative_to(self.path.parent).as_posix()


def make(artifacts: Iterable[Artifact], manifest: Manifest, workers: int = 1, show: bool = True) -> list[Artifact]:
    """Make what is not there or out of date, with helping processes if it is much; return what was made."""
    stale = [artifact for artifact in artifacts if not manifest.fresh(artifact)]
    try:
        with progress.reporting("Drawing", len(stale), show) as report:
            for number, artifact in enumerate(_made(stale, workers if len(stale) > FEW else 1), start=1):
                manifest.note(artifact)
                if report is not None:
                    report(number)
    finally:
        manifest.save()
    return stale


def make_folder(path: Path) -> Path:
    """Make a folder, or say in a sentence why that cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"The folder {str(path)!r} could not be created: {error.strerror}.") from None
    return path


def key_of(*parts: Any) -> str:
    """A digest of tables, records and plain data.

    >>> key_of("figure-3", 1.0) == key_of("figure-3", 1.0) != key_of("figure-3", 2.0)
    True
    """
    digest = hashlib.sha256()
    for part in parts:
        if hasattr(part, "columns"):
            _absorb_table(part, digest)
        else:
            digest.update(f"{part!r};".encode())
    return digest.hexdigest()


def sources(*folders: Path) -> str:
    """A digest of the source files in folders: drawings change with the code that makes them."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.glob("*.py")):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _absorb_table(table: pd.DataFrame, digest: Any) -> None:
    for name in table.columns:
        values = table[name].to_numpy()
        digest.update(f"{name};{values.dtype};{values.shape};".encode())
        if values.dtype.kind in "OUT":
            digest.update("\n".join(map(str, values)).encode())
        else:
            digest.update(np.ascontiguousarray(values).tobytes())


def _made(artifacts: Sequence[Artifact], workers: int) -> Iterable[Artifact]:
    """Make artifacts and give back each when it is done.

    This process is one of the workers: the others take seconds to start and to import what it has imported already.
    What they do not finish, because one hangs or the machine has no memory to start them, is made here in the end.
    """
    if workers == 1:
        for artifact in artifacts:
            artifact.make(artifact.paths)
            yield artifact
        return
    from concurrent.futures import FIRST_COMPLETED, wait

    from joblib.externals.loky import ProcessPoolExecutor

    helpers = min(workers, len(artifacts)) - 1
    pool = ProcessPoolExecutor(helpers, initializer=end_with_parent, initargs=(os.getpid(),))
    waiting, running = deque(artifacts), dict[Any, Artifact]()
    try:
        while waiting or running:
            # One to make and one to go on with; what nobody has begun is left to whoever is free.
            while waiting and len(running) < 2 * helpers:
                artifact = waiting.popleft()
                running[pool.submit(artifact.make, artifact.paths)] = artifact
            if waiting:
                artifact = waiting.popleft()
                artifact.make(artifact.paths)
                yield artifact
            finished = wait(running, 0.0 if waiting else PATIENCE, FIRST_COMPLETED).done
            for future in finished:
                future.result()
                yield running.pop(future)
            if not (waiting or finished):
                abandoned = [running.pop(future) for future in list(running)]
                pool.shutdown(wait=False, kill_workers=True)
                for artifact in abandoned:
                    artifact.make(artifact.paths)
                    yield artifact
    finally:
        for future in running:
            future.cancel()
        # Helpers that have nothing to do are not waited for. After an error one may be at work, and loky would stumble
        # over what it has not handed out yet: that helper ends by itself.
        pool.shutdown(wait=False, kill_workers=not running)


def _entry(path: Path, key: str) -> dict[str, str] | None:
    try:
        return {"made_from": key, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    except OSError:
        return None


def _read(path: Path) -> tuple[bool, bool, dict[str, Any]]:
    """What a manifest says; a missing or damaged one has no entries, and everything is made again."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return bool(data["whole"]), bool(data["all_figures"]), dict(data["files"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False, False, {}

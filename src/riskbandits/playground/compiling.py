"""Policies as object files, compiled in processes of their own: numba can compile for one machine in a process."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from riskbandits.core.errors import EngineError, RiskBanditsError
from riskbandits.core.records import classes_of
from riskbandits.simulation.payload import deserialized, serialized

if TYPE_CHECKING:
    from riskbandits.types import Policy

VALUE = "value"  # in the place of a policy: what arms are worth
COMMAND = (sys.executable, "-P", "-c", "from riskbandits.playground.compiling import main; main()")


def compiled_policies(policies: Mapping[str, Any]) -> dict[str, dict[str, bytes] | str]:
    """Per name the object files of what a page calls, or why there are none."""
    names = list(policies)
    number = max(1, min(len(names), os.cpu_count() or 1))
    workers = [_Worker({name: policies[name] for name in names[start::number]}) for start in range(number)]
    with ThreadPoolExecutor(number) as threads:
        try:
            answers = list(threads.map(_Worker.answer, workers))
        finally:
            for worker in workers:  # an interrupt need not wait for them, as the threads do
                worker.kill()
    found = {name: code for answer in answers for name, code in answer.items()}
    return {name: found[name] for name in names}


class _Worker:
    """A process that compiles some policies."""

    def __init__(self, policies: Mapping[str, Any]) -> None:
        classes = [cls for policy in policies.values() if policy is not None for cls in classes_of(policy)]
        self._parcel = serialized("A policy", (dict(policies),), tuple(classes))
        self._process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )

    def answer(self) -> dict[str, dict[str, bytes] | str]:
        """What it has compiled."""
        out, said = self._process.communicate(self._parcel)
        if self._process.returncode:
            last = said.decode(errors="replace").strip().splitlines()[-1:] or [
                f"it ended with {self._process.returncode}"
            ]
            raise EngineError(f"The process that compiles policies for a page failed: {last[0]}")
        answer: dict[str, dict[str, bytes] | str] = pickle.loads(out)
        return answer

    def kill(self) -> None:
        """End it if it still runs; whoever waits for its answer takes note."""
        self._process.kill()


def main() -> None:
    """What such a process does: from standard input to standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    out = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a policy's file prints must not get between
    (policies,) = deserialized(sys.stdin.buffer.read())
    with os.fdopen(out, "wb") as stream:
        stream.write(pickle.dumps({name: _objects(name, policy) for name, policy in policies.items()}))


def _objects(name: str, policy: Policy | None) -> dict[str, bytes] | str:
    from riskbandits.compiling import jit, wasm
    from riskbandits.core.records import cast
    from riskbandits.playground import exports

    try:
        with jit.explaining(f"{type(policy).__name__}"):
            if name == VALUE:
                wanted = [exports.value_export(VALUE)]
            else:
                policy = cast(policy)
                wanted = [exports.play_export(f"play_{name}", policy), exports.look_export(f"look_{name}", policy)]
            return {export.name: wasm.compiled(export) for export in wanted}
    except RiskBanditsError as error:
        return str(error)

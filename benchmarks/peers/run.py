"""Other people's bandit simulators on the same problem in the same run, by their own code.

Each peer is installed into an environment of its own and played by a process there; all take turns, so that a busy
machine slows all of them alike. Times are processor seconds per run, of all threads, without imports and compilation. A
peer that cannot be installed or does not run is named, with the reason.

    python benchmarks/peers/run.py --environments results/bench/peers
"""

import argparse
import json
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from problem import CHANCES, POLICIES, STEPS  # noqa: E402


class Peer(NamedTuple):
    """A peer: the module that plays it, and what is installed for it; nothing for ourselves."""

    name: str
    distribution: str
    requirements: tuple[str, ...]


OURS = Peer("riskbandits", "riskbandits", ())
PEERS = (
    OURS,
    Peer("mabwiser", "mabwiser", ("mabwiser",)),
    Peer("smpybandits", "SMPyBandits", ("SMPyBandits", "scipy<1.14", "numpy<2", "setuptools<81")),
    Peer("jax", "jax", ("jax[cpu]",)),
)


class Player:
    """A process that plays for a peer."""

    def __init__(self, peer: Peer, python: str) -> None:
        words = [python, str(HERE / "player.py"), peer.name, peer.distribution]
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        said = self._heard()
        self.version, self.runs = said["version"], said["runs"]

    def play(self, policy: str, seed: int) -> dict[str, float]:
        """Seconds per run, and the mean share of pulls of the best arm."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"policy": policy, "runs": self.runs, "seed": seed}) + "\n")
        self.process.stdin.flush()
        return self._heard()

    def _heard(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        while line := self.process.stdout.readline():
            if line.startswith("{"):  # what packages print by themselves is passed over
                found: dict[str, Any] = json.loads(line)
                return found
        raise RuntimeError(last_line(self.process.stderr.read()))


def environment(peer: Peer, folder: Path) -> str:
    """The Python of the peer's environment, made and filled if it is not there."""
    if not peer.requirements:
        return sys.executable
    python = folder / peer.name / "bin" / "python"
    if not python.exists():
        venv.create(folder / peer.name, with_pip=True)
        words = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *peer.requirements]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"it cannot be installed: {last_line(done.stderr)}")
    return str(python)


def last_line(text: str) -> str:
    """What errors end with."""
    return ([line for line in text.splitlines() if line.strip()] or ["no word"])[-1].strip()


def measured(folder: Path, turns: int) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """A row per policy and peer, and why others are missing."""
    players, missing = dict[str, Player](), dict[str, str]()
    for peer in PEERS:
        try:
            players[peer.name] = Player(peer, environment(peer, folder))
        except RuntimeError as error:
            missing[peer.name] = str(error)
    rows = []
    for policy in POLICIES:
        found: dict[str, list[dict[str, float]]] = {name: [] for name in players}
        for turn in range(turns + 1):
            for name, player in players.items():
                found[name].append(player.play(policy, seed=turn))
        seconds = {name: np.array([one["seconds"] for one in answers[1:]]) for name, answers in found.items()}
        for name, player in players.items():
            rows.append(
                {
                    "policy": policy,
                    "by": f"{name} {player.version}",
                    "ms per run": round(float(np.median(seconds[name])) * 1e3, 4),
                    "times ours": round(float(np.median(seconds[name] / seconds[OURS.name])), 2),
                    "best arm": round(float(np.mean([one["best"] for one in found[name]])), 3),
                }
            )
    return rows, missing


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--environments", type=Path, default=Path("results/bench/peers"))
    parser.add_argument("--turns", type=int, default=7)
    given = parser.parse_args()
    rows, missing = measured(given.environments.absolute(), given.turns)
    print(f"{len(CHANCES)} Bernoulli arms, {STEPS} steps; medians of {given.turns} turns.")
    heads = list(rows[0])
    print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(str(row[head]) for head in heads) + " |")
    for name, reason in missing.items():
        print(f"{name}: {reason}")


if __name__ == "__main__":
    main()

"""The rewards that a rule asks for, drawn as they are needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.arms.contract import draw_next, new_memory
from riskbandits.compiling import jit
from riskbandits.core import seeds
from riskbandits.core.checks import is_whole, whole
from riskbandits.core.errors import ContractError, must_be
from riskbandits.core.memory import refuse_beyond
from riskbandits.core.records import classes_of, nameless
from riskbandits.core.user_calls import explained
from riskbandits.problem import Problem

if TYPE_CHECKING:
    from riskbandits.types import Arms, Rng

SMALLEST_DRAW = 64


class Samples:
    """Growing samples of all arms. Each arm has a stream of its own, so what a rule asks for first changes nothing."""

    def __init__(self, problem: Problem, fill: Callable[..., None], generators: list[np.random.Generator]) -> None:
        self.size = problem.size
        self.used = np.zeros(problem.size, dtype=np.int64)  # rewards that the rule has seen, per arm
        self._arms = nameless(problem.arms)
        self._fill = fill
        self._generators = generators
        self._memory = new_memory(problem.size)  # where each arm's last reward stood, for rewards that come in blocks
        self._drawn = [np.empty(0) for _ in generators]

    @property
    def total(self) -> int:
        """The number of rewards seen."""
        return int(self.used.sum())

    def first(self, k: int, count: int) -> np.ndarray:
        """The first `count` rewards of arm k. Asking again for rewards seen before costs nothing."""
        found = self.ahead(k, count)
        self.used[k] = max(self.used[k], len(found))
        return found

    def ahead(self, k: int, count: int) -> np.ndarray:
        """The same without counting them as seen: for compiled rules, which ask `first` for those that they used."""
        if not is_whole(k) or not 0 <= k < self.size:
            raise must_be("The arm whose rewards a rule asks for", f"a whole number from 0 to {self.size - 1}", k)
        count = whole("The number of rewards that a rule asks for", count, least=0)
        have = self._drawn[k]
        if len(have) < count:
            size = max(count, 2 * len(have), SMALLEST_DRAW)
            refuse_beyond(2 * 8 * size, f"{count} rewards of an arm", "give a smaller budget")
            fresh = np.empty(size - len(have))
            name = type(self._arms).__name__
            with explained(f"{name}.draw"):
                self._fill(self._arms, k, self._generators[k], self._memory, fresh)
            if not np.isfinite(fresh).all():
                raise ContractError(f"{name} paid a reward of arm {k} that is NaN or infinite.")
            self._drawn[k] = np.concatenate([have, fresh])
        return self._drawn[k][:count]


def fill(arms: Arms, k: int, rng: Rng, memory: np.ndarray, out: Any) -> None:
    """Rewards of one arm, one after the other."""
    for place in range(out.shape[0]):
        out[place] = draw_next(arms, k, rng, memory)


def compiled_fill(problem: Problem) -> Callable[..., None]:
    """`fill` for the arms of a problem."""
    play = jit.entry(fill, classes_of(problem.arms))
    with jit.explaining(f"{type(problem.arms).__name__}.draw"):  # now: an error then appears before anything runs
        play(nameless(problem.arms), 0, seeds.generator(0), new_memory(problem.size), np.empty(0))
    return play


def run_samples(problem: Problem, play: Callable[..., None], seed: int, key: tuple[int, ...], run: int) -> Samples:
    """The samples of one run: a function of the seed, the rule and problem (`key`) and the number of the run."""
    return Samples(problem, play, [seeds.generator(seed, *key, run, k) for k in range(problem.size)])

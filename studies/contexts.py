"""When features of decisions pay: `LinearNGTS` against no features, another goal, learners per group, other models.

python -m studies.contexts [problems] [runs]

Regrets per decision, means over random problems with 6 arms at rho = 1. Where nothing else is said, features are 5
standard normal ones, coefficients have a standard deviation of 0.5, and variances are spread evenly in their logarithm
from 0.05 to 2.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import riskbandits as rb

MEAN, RISK = rb.Mean(), rb.MeanVariance(1.0)
ARMS, FEATURES, STEPS = 6, 5, 4000
DEVIATION, LOW, HIGH = 0.5, 0.05, 2.0
KINDS = {  # the standard deviation of coefficients, and the least and largest variance
    "0.5, 0.05 to 2": (0.5, 0.05, 2.0),
    "0.05, 0.05 to 2": (0.05, 0.05, 2.0),
    "0.5, 0.4 to 0.6": (0.5, 0.4, 0.6),
}
NUMBERS, CHECKPOINTS = (2, 5, 20, 60), (100, 300, 1000, 4000)
GROUPS, LEARNER_CHECKPOINTS = 5, (300, 2000)
Table = dict[str, dict[str, float]]


class Variant(NamedTuple):
    """`LinearNGTS` with the best of several draws per arm, as `NGTS` has; or for another goal than the problem's."""

    policy: Any = rb.LinearNGTS()
    draws: int = 1
    for_the_mean: bool = False

    def score(self, state: Any, k: int, run: Any, risk: Any, rng: Any) -> float:
        """The best draw."""
        best = -math.inf
        for _ in range(self.draws):
            if self.for_the_mean:
                best = max(best, self.policy.score(state, k, run, MEAN, rng))
            else:
                best = max(best, self.policy.score(state, k, run, risk, rng))
        return best

    def learn(self, state: Any, k: int, run: Any, reward: float) -> None:
        """As the policy."""
        self.policy.learn(state, k, run, reward)

    def feature_count(self) -> int:
        """Those of the policy."""
        return int(self.policy.features)

    def first_pulls(self) -> int:
        """One."""
        return 1

    def width(self) -> int:
        """That of the policy."""
        return int(self.policy.width())


def goals_and_variances(problems: int, runs: int) -> Table:
    """Regret at 4000 steps: what features are worth, and what caution."""
    policies = {
        "LinearNGTS": rb.LinearNGTS(),
        "for the mean": Variant(for_the_mean=True),
        "without features": rb.NGTS(),
        "3 draws": Variant(draws=3),
    }
    found = {}
    for name, (deviation, low, high) in KINDS.items():
        rng, totals = np.random.default_rng(2026), dict.fromkeys(policies, 0.0)
        for number in range(problems):
            variances = variances_of(rng, low, high)
            arms = rb.LinearArms(rng.normal(0.0, deviation, (ARMS, FEATURES)), variances)
            regrets = regrets_at(arms, policies, (STEPS,), runs, number)
            totals = {policy: total + regrets[policy][0] / problems for policy, total in totals.items()}
        found[name] = totals
    return found


def numbers_of_features(problems: int, runs: int) -> Table:
    """Regret with features as a share of that without: so many, all of which matter alike, or none of which does.

    The mean of an arm varies with the features as much as elsewhere with 5, or not at all.
    """
    policies, found = {"with": rb.LinearNGTS(), "without": rb.NGTS()}, {}
    for matter in (True, False):
        for count in NUMBERS:
            deviation = DEVIATION * math.sqrt(FEATURES / count) if matter else 0.0
            rng, totals = np.random.default_rng(count), np.zeros((2, len(CHECKPOINTS)))
            for number in range(problems):
                variances, intercepts = variances_of(rng), rng.normal(0.0, DEVIATION, ARMS)
                arms = rb.LinearArms(rng.normal(0.0, deviation, (ARMS, count)), variances, intercepts=intercepts)
                regrets = regrets_at(arms, policies, CHECKPOINTS, runs, number)
                totals += [regrets["with"], regrets["without"]]
            name = f"{count}, {'all matter' if matter else 'none matters'}"
            found[name] = dict(zip(map(str, CHECKPOINTS), (totals[0] / totals[1]).tolist(), strict=True))
    return found


def regrets_at(arms: rb.LinearArms, policies: dict[str, Any], steps: tuple[int, ...], runs: int, seed: int) -> Any:
    """The regret of each policy at these steps."""
    result = rb.simulate(
        rb.Problem(arms, RISK), policies, horizon=steps[-1], runs=runs, seed=seed, checkpoints=steps, progress=False
    )
    table = result.table().set_index(["policy", "step"])["contextual_regret_mean"]
    return {policy: [float(table[policy, step]) for step in steps] for policy in policies}


def variances_of(rng: np.random.Generator, low: float = LOW, high: float = HIGH) -> np.ndarray:
    """Random variances."""
    return np.exp(rng.uniform(np.log(low), np.log(high), ARMS))


class World(NamedTuple):
    """Decisions that learners live through: what is known of one, and the arms' means then."""

    draw: Callable[[np.random.Generator], Any]
    means: Callable[[Any], np.ndarray]
    variances: np.ndarray


def groups(rng: np.random.Generator) -> World:
    """Customers of 5 groups, in each of which every arm has a mean of its own."""
    table = rng.normal(0.0, 1.0, (GROUPS, ARMS))
    return World(lambda draws: int(draws.integers(GROUPS)), lambda group: table[group], variances_of(rng))


def similar_groups(rng: np.random.Generator) -> World:
    """Groups that differ little from each other."""
    table = rng.normal(0.0, 1.0, ARMS) + rng.normal(0.0, 0.2, (GROUPS, ARMS))
    return World(lambda draws: int(draws.integers(GROUPS)), lambda group: table[group], variances_of(rng))


def linear(rng: np.random.Generator) -> World:
    """Means that are linear in two features."""
    slopes = rng.normal(0.0, 1.0, (ARMS, 2))
    return World(lambda draws: draws.normal(size=2), lambda x: slopes @ x, variances_of(rng))


def curved(rng: np.random.Generator) -> World:
    """Means that are linear in the squares of two features."""
    slopes = rng.normal(0.0, 1.0, (ARMS, 2))
    return World(lambda draws: draws.normal(size=2), lambda x: slopes @ (x * x - 1.0), variances_of(rng))


def stepped(rng: np.random.Generator) -> World:
    """Means that jump where a feature is 0."""
    slopes = rng.normal(0.0, 1.0, (ARMS, 2))
    return World(lambda draws: draws.normal(size=2), lambda x: slopes @ np.sign(x), variances_of(rng))


class Player(NamedTuple):
    """Which learner makes a decision, and what it is told of it."""

    learners: dict[Any, rb.Learner]
    which: Callable[[Any], Any]
    features: Callable[[Any], dict[str, Any] | None]


def without(truth: Any) -> None:
    """No features."""


def one(truth: Any) -> int:
    """One learner for all."""
    return 0


def learner(policy: Any, features: Any = None, seed: int = 0) -> rb.Learner:
    """A learner of the arms 0, 1, ..."""
    return rb.Learner(policy, ARMS, RISK, features=features, seed=seed)


def players_of_groups(seed: int) -> dict[str, Player]:
    """Features, a learner per group, and one for all."""
    names = [str(group) for group in range(GROUPS)]
    levels = [{"name": "group", "levels": names}]
    return {
        "LinearNGTS": Player(
            {0: learner(rb.LinearNGTS(), levels, seed)}, one, lambda group: {"group": names[group]}
        ),
        "one learner per group": Player(
            {group: learner(rb.NGTS(), None, seed * GROUPS + group) for group in range(GROUPS)}, int, without
        ),
        "without features": Player({0: learner(rb.NGTS(), None, seed)}, one, without),
    }  # fmt: skip


def players_of_numbers(seed: int) -> dict[str, Player]:
    """The features, the features and their squares, and none."""
    return {
        "LinearNGTS": Player(
            {0: learner(rb.LinearNGTS(), ["x", "y"], seed)}, one, lambda x: {"x": x[0], "y": x[1]}
        ),
        "and squares": Player(
            {0: learner(rb.LinearNGTS(), ["x", "y", "xx", "yy"], seed)},
            one,
            lambda x: {"x": x[0], "y": x[1], "xx": x[0] * x[0], "yy": x[1] * x[1]},
        ),
        "without features": Player({0: learner(rb.NGTS(), None, seed)}, one, without),
    }  # fmt: skip


def lived(world: World, player: Player, seed: int) -> list[float]:
    """The regret of a player after so many decisions."""
    rng, total, found = np.random.default_rng(seed), 0.0, []
    for step in range(1, LEARNER_CHECKPOINTS[-1] + 1):
        truth, noise = world.draw(rng), rng.normal()
        means = world.means(truth)
        chosen = player.learners[player.which(truth)]
        decision = chosen.decide(features=player.features(truth))
        arm = int(decision.arm)
        values = means - world.variances
        total += values.max() - values[arm]
        chosen.answer(decision, means[arm] + math.sqrt(world.variances[arm]) * noise)
        if step in LEARNER_CHECKPOINTS:
            found.append(total)
    return found


def worlds(problems: int, kinds: dict[str, Any], players: Callable[[int], dict[str, Player]]) -> Table:
    """Regrets of players in random worlds, at both numbers of decisions."""
    found: Table = {}
    for name, kind in kinds.items():
        rng, totals = np.random.default_rng(2026), dict.fromkeys(players(0), np.zeros(len(LEARNER_CHECKPOINTS)))
        for number in range(problems):
            world = kind(rng)
            for label, player in players(number).items():
                totals[label] = totals[label] + np.array(lived(world, player, number)) / problems
        for place, step in enumerate(LEARNER_CHECKPOINTS):
            found[f"{name}, {step} decisions"] = {label: float(total[place]) for label, total in totals.items()}
    return found


def show(what: str, table: Table, digits: int = 0) -> None:
    """Print a table."""
    heads = list(next(iter(table.values())))
    print(f"| {what} | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}")
    for name, row in table.items():
        print(f"| {name} | {' | '.join(f'{row[head]:.{digits}f}' for head in heads)} |")
    print(flush=True)


def main(problems: int = 20, runs: int = 5) -> None:
    """Print the tables."""
    show("coefficients, variances", goals_and_variances(problems, runs))
    show("features", numbers_of_features(problems, runs), 2)
    show("groups", worlds(problems, {"unlike": groups, "alike": similar_groups}, players_of_groups))
    show("means", worlds(problems, {"linear": linear, "squares": curved, "jumps": stepped}, players_of_numbers))


if __name__ == "__main__":
    main(*(int(one) for one in sys.argv[1:3]))

"""`replay`: a learner on recorded rewards, as if it had made the choices."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core import checks, seeds
from riskbandits.core.display import Grid, counted, format_number, format_share, format_with_error
from riskbandits.core.errors import ParameterError, RiskBanditsError, must_be, unknown_name
from riskbandits.core.keywords import known_keywords
from riskbandits.core.notices import say_once
from riskbandits.core.progress import reporting
from riskbandits.core.records import canonical
from riskbandits.data import RewardTable, TableOptions
from riskbandits.data.frames import from_frame
from riskbandits.data.options import OF_TEXT, ReadOptions, read_options, refuse_options
from riskbandits.data.read import from_file, read_with_features
from riskbandits.inference.intervals import standard_error
from riskbandits.learner import Learner
from riskbandits.learner.features import FeatureCoding
from riskbandits.policies.support import contract, naming
from riskbandits.risk.contract import sample_value
from riskbandits.simulation.checkpoints import check_checkpoints

if TYPE_CHECKING:
    from typing import Unpack

    import pandas as pd

    from riskbandits.types import RiskMeasure


STEPS_BETWEEN_REPORTS = 100
RANDOM_RUNS, RESAMPLES = 10, 200  # for saying whether anything was learned
RANDOM_KEY = (0x72616E64,)
NOTHING_LEARNED = (
    "Nothing was learned: no policy did better than choosing at random, beyond what chance explains. Risk can be "
    "learned from few rewards, small differences in the mean cannot."
)
ALL_SEEN = (
    "A bandit sees only the reward of its choice. If you see those of all arms at every step, as for funds, you need "
    "no bandit: `frontier` compares the arms on all rows."
)


class Replay(NamedTuple):
    """How a policy would have done on recorded rewards.

    `chosen` has a row per run and a column per step, with indices into `arms`; `rewards` are those collected.
    `best_arm` is the column with the best value in hindsight, `values` those of all.
    """

    policy: str
    risk: Any
    arms: list[str]
    chosen: np.ndarray
    rewards: np.ndarray
    records: np.ndarray  # a row per step, a column per arm; NaN where nothing was recorded
    learner: Learner  # that of the last run, which goes on from here

    @property
    def values(self) -> pd.Series:
        """The value of each column."""
        import pandas as pd

        found = [_value(self.risk, self.records[:, k]) for k in range(len(self.arms))]
        return pd.Series(found, index=self.arms, name="value")

    @property
    def best_arm(self) -> str:
        """The column with the highest value."""
        return str(self.values.idxmax())

    @property
    def regret(self) -> np.ndarray:
        """Per run: the number of steps times the gap between the best column and the rewards collected."""
        best = float(self.values.max())
        return np.array([len(run) * (best - _value(self.risk, run)) for run in self.rewards])

    @property
    def learned(self) -> bool:
        """Whether the choices were better than choosing at random, beyond what the noise of the records explains.

        Rows are resampled, and runs where there are several, and the values of the runs compared with those of choices
        at random on the same rows: the policy has learned if 97.5 % of the differences are above 0.
        """
        rng = seeds.generator(0, *RANDOM_KEY)
        steps, there = np.arange(len(self.records)), ~np.isnan(self.records)
        drawn = [np.where(there, rng.random(there.shape), -1.0).argmax(axis=1) for _ in range(RANDOM_RUNS)]
        at_random = [self.records[steps, arms] for arms in drawn]
        differences = []
        for _ in range(RESAMPLES):
            rows = rng.integers(len(steps), size=len(steps))
            runs = rng.integers(len(self.rewards), size=len(self.rewards))
            own = np.mean([_value(self.risk, self.rewards[run][rows]) for run in runs])
            others = np.mean([_value(self.risk, run[rows]) for run in at_random])
            differences.append(own - others)
        return bool(np.quantile(differences, 0.025) > 0.0)

    def choices(self, run: int = 0) -> pd.DataFrame:
        """The choice and reward of each step of a run."""
        import pandas as pd

        run = checks.whole("run", run, least=0, most=len(self.chosen) - 1)
        arms = [self.arms[k] for k in self.chosen[run]]
        return pd.DataFrame({"step": np.arange(1, len(arms) + 1), "arm": arms, "reward": self.rewards[run]})

    def table(self, checkpoints: object = None) -> pd.DataFrame:
        """At each checkpoint: the value of the rewards collected, that of the best column, and regret; means over runs.

        Both values are those of the rewards up to that step; the best column is the one that is best at the end.
        """
        import pandas as pd

        best = self.arms.index(self.best_arm)
        rows = []
        for step in check_checkpoints(checkpoints, self.rewards.shape[1]).tolist():
            of_best = _value(self.risk, self.records[:step, best])
            values = np.array([_value(self.risk, run[:step]) for run in self.rewards])
            shares = (self.chosen[:, :step] == best).mean(axis=1)
            rows.append(
                {
                    "policy": self.policy,
                    "step": step,
                    "runs": len(values),
                    "value_mean": values.mean(),
                    "best_value": of_best,
                    "regret_mean": step * (of_best - values).mean(),
                    "regret_se": step * float(standard_error(of_best - values)),  # 0, unrounded, for the best column
                    "best_arm_share_mean": shares.mean(),
                }
            )
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        runs, steps = self.chosen.shape
        arms = counted(len(self.arms), "arm")
        return f"<Replay: {self.policy}, {counted(runs, 'run')} of {counted(steps, 'step')} on {arms}>"

    def __str__(self) -> str:
        return replay_grid({self.policy: self}).text()

    def _repr_html_(self) -> str:
        return replay_grid({self.policy: self}).html()

    def settings(self) -> dict[str, Any]:
        """The arguments as plain data."""
        return {
            "policy": canonical(self.learner.policy),
            "risk": canonical(self.risk),
            "arms": self.arms,
            "steps": len(self.records),
            "runs": len(self.chosen),
        }


def replay_grid(found: Mapping[str, Replay]) -> Grid:
    """Replays of several policies on the same records, by label, as people see them."""
    first = next(iter(found.values()))
    runs, steps = first.chosen.shape
    rows = []
    for label, one in found.items():
        row = one.table().to_dict(orient="records")[-1]
        regret = format_with_error(row["regret_mean"], row["regret_se"])
        rows.append([label, format_number(row["value_mean"]), regret, format_share(row["best_arm_share_mean"])])
    error = " Regret: mean ± one standard error over runs." if runs > 1 else ""
    return Grid(
        f"{counted(len(first.arms), 'arm')}, {first.risk}\n{counted(steps, 'step')}, {counted(runs, 'run')}",
        ["policy", "value", "regret", "best-arm share"],
        rows,
        [
            f"Best in hindsight: {first.best_arm}, value {format_number(first.values.max())}.{error}",
            *([] if any(one.learned for one in found.values()) else [NOTHING_LEARNED]),
            ALL_SEEN,
        ],
    )


@partial(known_keywords, options=ReadOptions._fields)
def replay(
    policy: Any,
    table: pd.DataFrame | str | os.PathLike[str] | RewardTable,
    risk: Any,
    runs: int = 1,
    seed: int = 0,
    features: Any = None,
    progress: bool = True,
    **options: Unpack[TableOptions],
) -> Replay:
    """Run a learner row by row on recorded rewards, a column per arm, telling it only the rewards of its choices.

    `table` is a pandas table or a .csv or .parquet file. Date columns are ignored; where an arm's entry is missing,
    the arm is not available at that step, and rows without any entry are skipped. The learner knows the number of
    steps. For randomised policies, the `runs` replays differ only in their random numbers. `options` say how the table
    is read (`riskbandits.data.TableOptions`), such as `prices=True` for prices of funds.

    `features` are columns that are no arms but were known before the choice, declared as for a `Learner`: names, or
    records with a scale or levels. A policy that uses none ignores them. Choosing by features can beat every column:
    regret is then negative.

    >>> import pandas as pd, riskbandits as rb
    >>> table = pd.DataFrame({"bond": [0.1, 0.2, 0.1, 0.2] * 10, "stock": [1.0, -0.9, 0.8, -1.0] * 10})
    >>> found = rb.replay(rb.SwitchingAware(), table, rb.MeanVariance(rho=1.0))
    >>> found.best_arm, found.choices()["arm"].tolist()[-3:]
    ('bond', ['bond', 'bond', 'bond'])
    """
    runs = checks.whole("The number of runs", runs)
    seed = seeds.check_seed(seed)
    coding = FeatureCoding(features)
    is_file = isinstance(table, (str, os.PathLike))
    if not (is_file or isinstance(table, RewardTable) or (hasattr(table, "columns") and hasattr(table, "iloc"))):
        raise must_be("The table", "a pandas table with a column per arm, or a file with one", table)
    read = read_rewards(table, coding, read_options(options))
    if is_file:
        say_once(" ".join(read.about()))
    arms, records, given = _records(read, coding)
    if not contract.uses_features(policy):
        coding, given = FeatureCoding(None), [None] * len(records)
    chosen = np.zeros((runs, len(records)), dtype=np.int64)
    rewards = np.zeros((runs, len(records)))
    learner = None
    with reporting("Replaying", runs * len(records), checks.flag("progress", progress)) as report:
        for run in range(runs):
            made = seeds.generator(seed, run)
            learner = Learner(policy, arms, risk, horizon=len(records), seed=made, features=coding.records)
            for step, row in enumerate(records):
                known = np.flatnonzero(~np.isnan(row))
                available = None if len(known) == len(arms) else [arms[k] for k in known]
                arm = learner.ask(available, given[step])
                chosen[run, step] = k = arms.index(arm)  # type: ignore[arg-type]
                rewards[run, step] = row[k]
                learner.tell(arm, float(row[k]), given[step])
                if report is not None and step % STEPS_BETWEEN_REPORTS == 0:
                    report(run * len(records) + step)
    assert learner is not None
    return Replay(naming.label(policy), learner.risk, arms, chosen, rewards, records, learner)


def read_rewards(table: Any, coding: FeatureCoding, options: ReadOptions) -> RewardTable:
    """The rewards and features of a table, read if they are not yet."""
    if isinstance(table, RewardTable):
        refuse_options(options, ReadOptions._fields, "tables that are yet to be read")
        for name in coding.names:
            if name not in table.features:
                raise unknown_name("feature of the table called", name, list(table.features))
        return table
    is_file = isinstance(table, (str, os.PathLike))
    if not is_file:
        refuse_options(options, OF_TEXT, "files of text, not for tables")
    if coding.records:
        levelled = [record["name"] for record in coding.records if "levels" in record]
        return read_with_features(table, coding.names, levelled, options)
    return from_file(table, options) if is_file else from_frame(table, options)


def _records(rewards: RewardTable, coding: FeatureCoding) -> tuple[list[str], np.ndarray, list[Any]]:
    """The names of the arms, and a row of rewards and the features of each step."""
    records = rewards.table.to_numpy(dtype=float)
    there = ~np.isnan(records).all(axis=1)
    given: list[Any] = [None] * len(records)
    if coding.records:
        cells = [rewards.features[name] for name in coding.names]
        given = [dict(zip(coding.names, row, strict=True)) for row in zip(*cells, strict=True)]
        for place in np.flatnonzero(there).tolist():
            try:
                coding.encode(given[place])
            except RiskBanditsError as error:
                raise ParameterError(f"Row {place + 1} of the table: {error}") from None
    return rewards.names, records[there], [row for row, kept in zip(given, there, strict=True) if kept]


def _value(risk: RiskMeasure, rewards: np.ndarray) -> float:
    """The value of a sample of rewards, ignoring missing ones."""
    found = np.sort(rewards[~np.isnan(rewards)])
    return float(sample_value(risk, found, np.ones(len(found)))) if len(found) else float("nan")

"""Which arm is best for which range of rho: the answer to the question "which rho?"."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms import DataArms
from riskbandits.arms.contract import refuse_drift
from riskbandits.core import checks, seeds
from riskbandits.core.display import Grid, counted, format_number, format_share
from riskbandits.core.errors import must_be
from riskbandits.core.keywords import known_keywords
from riskbandits.core.notices import say_once
from riskbandits.core.records import is_record
from riskbandits.data import RewardTable, TableOptions, read_frame, read_table
from riskbandits.data.options import ReadOptions, read_options, refuse_options
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance

if TYPE_CHECKING:
    from typing import Unpack

    import pandas as pd
    from matplotlib.axes import Axes

LEVEL = 0.95
LEAST_ROWS = 2
MOST_NAMED = 20  # arms that are never the best; of more, their number is given
FEW_ROWS = 30  # resamples of fewer vary less than further records would
MOST_RESAMPLES = 100_000
FRONTIER_KEY = (0x66726F6E,)
DAYS_IN_A_YEAR = 365.25
LEAST_DAYS = 30  # of records from which a year is counted
UNIT = "rho has the unit of the rewards. gamma = 2 / rho is risk aversion, for returns as fractions."


class Moments(NamedTuple):
    """Means and variances per arm, (arms,) or (resamples, arms)."""

    means: np.ndarray
    variances: np.ndarray


class Frontier:
    """The range of rho over which each arm has the largest mean-variance rho mu - sigma^2.

    For recorded rewards all numbers are estimates: the rows are resampled many times, and the intervals contain 95 %
    of these frontiers. For arms with known distributions they are exact, and there are no intervals.
    """

    def __init__(
        self,
        names: list[str],
        moments: Moments,
        resampled: Moments | None,
        rows: int | None,
        per_year: float | None = None,
    ) -> None:
        self.names = names
        self.per_year = per_year  # rows in a year, where the table has dates
        self.means, self.variances = moments
        self.rows = rows
        self._resampled = resampled
        self.arms, self.switches = envelope(*moments)

    def table(self) -> pd.DataFrame:
        """One row per arm that is best for some rho, in ascending order: the ends of its range.

        `rho_from_low` and `rho_from_high` are the 95 % interval of `rho_from`; `sure` is the share of resamples in
        which the arm is the best in the middle of its range.
        """
        import pandas as pd

        starts, ends = [0.0, *self.switches], [*self.switches, math.inf]
        intervals = [(math.nan, math.nan), *(self._interval(place) for place in range(len(self.switches)))]
        rows = []
        for arm, start, end, (low, high) in zip(self.arms, starts, ends, intervals, strict=True):
            rows.append(
                {
                    "arm": self.names[arm],
                    "rho_from": start,
                    "rho_from_low": low,
                    "rho_from_high": high,
                    "rho_to": end,
                    "mean": float(self.means[arm]),
                    "variance": float(self.variances[arm]),
                    "sure": float(self.shares([_middle(start, end)])[0, arm]),
                }
            )
        return pd.DataFrame(rows)

    def moments(self) -> pd.DataFrame:
        """One row per arm: mean and volatility (standard deviation) of a reward and, where there are dates, of a year.

        Annual figures are the mean times the rows in a year, and the volatility times the square root of that number.
        """
        import pandas as pd

        volatility = np.sqrt(self.variances)
        columns: dict[str, Any] = {"arm": self.names, "mean": self.means, "volatility": volatility}
        if self.per_year is not None:
            columns["annual_mean"] = self.per_year * self.means
            columns["annual_volatility"] = math.sqrt(self.per_year) * volatility
        return pd.DataFrame(columns)

    def best(self, rho: float) -> str:
        """The name of the best arm for one rho."""
        rho = checks.number("rho", rho, "a number >= 0", lambda x: 0.0 <= x < math.inf)
        return self.names[self.arms[int(np.searchsorted(self.switches, rho, side="right"))]]

    @property
    def is_estimated(self) -> bool:
        """Whether it comes from recorded rewards, so that there are resamples."""
        return self._resampled is not None

    @property
    def never(self) -> list[str]:
        """The arms that are not best for any rho."""
        return [name for k, name in enumerate(self.names) if k not in self.arms]

    def shares(self, rhos: Any) -> np.ndarray:
        """For each rho, the share of resamples in which each arm is the best, (rhos, arms); 1 or 0 without any."""
        moments = self._resampled or Moments(self.means[np.newaxis], self.variances[np.newaxis])
        found = np.empty((len(rhos), len(self.names)))
        for place, rho in enumerate(rhos):
            best = np.argmax(rho * moments.means - moments.variances, axis=1)
            found[place] = np.bincount(best, minlength=len(self.names)) / len(best)
        return found

    def plot(self, ax: Axes | None = None, *, style: str | None = None, width: float | None = None) -> Axes:
        """For every rho, how often each arm is the best, as stacked areas; `style` and `width` as in `Result.plot`."""
        from riskbandits import plotting

        if style is not None or width is not None:
            return plotting.in_style(self.plot, style, width, ax)
        return plotting.plot_frontier(self, ax)

    def _interval(self, place: int) -> tuple[float, float]:
        if self._resampled is None:
            return math.nan, math.nan
        before, after = self.arms[place], self.arms[place + 1]
        found = crossing(
            self._resampled.means[:, after] - self._resampled.means[:, before],
            self._resampled.variances[:, after] - self._resampled.variances[:, before],
        )
        low, high = np.quantile(found, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), method="inverted_cdf")
        return float(low), float(high)

    def sentences(self) -> list[str]:
        """The frontier in words: one line per arm, and the arms that are never the best."""
        lines = []
        for row in self.table().to_dict(orient="records"):
            end = "on" if row["rho_to"] == math.inf else f"to {format_number(row['rho_to'])}"
            known = not math.isnan(row["rho_from_low"])
            interval = f" (95 %: {_span(row['rho_from_low'], row['rho_from_high'])})" if known else ""
            leads = self._leads(row["sure"])
            lines.append(f"from rho = {format_number(row['rho_from'])}{interval} {end}: {row['arm']}{leads}")
        if self.never:
            lines.append(f"never best: {self._never_best()}")
        return lines

    def _never_best(self) -> str:
        """The arms that are never the best; of many, their number."""
        many = len(self.never) > MOST_NAMED
        return f"{len(self.never)} of the {len(self.names)} arms" if many else ", ".join(self.never)

    def answer(self, rho: float) -> str:
        """The best arm for one rho in words, and how sure that is."""
        best = self.best(rho)
        gamma = f" (gamma = {format_number(2.0 / rho)})" if rho > 0.0 else ""
        return f"For rho = {format_number(rho)}{gamma}: {best}{self._leads(self.sure(rho))}"

    def sure(self, rho: float) -> float:
        """The share of resamples in which the best arm for one rho is the best there too."""
        return float(self.shares([rho])[0, self.names.index(self.best(rho))])

    def _leads(self, share: float) -> str:
        """How sure it is that an arm is the best; nothing where that is known exactly."""
        return f", which leads in {_certainty(share)} of resamples" if self.is_estimated else ""

    def grid(self) -> Grid:
        """What a notebook shows: the arms that are best for some rho."""
        rows = []
        for row in self.table().to_dict(orient="records"):
            known = not math.isnan(row["rho_from_low"])
            interval = _span(row["rho_from_low"], row["rho_from_high"]) if known else ""
            end = "" if row["rho_to"] == math.inf else format_number(row["rho_to"])
            moments = (format_number(row["mean"]), format_number(math.sqrt(row["variance"])))
            share = _certainty(row["sure"])
            rows.append([row["arm"], format_number(row["rho_from"]), interval, end, aversions(row), *moments, share])
        notes = [f"Never best: {self._never_best()}."] if self.never else []
        notes.append(UNIT)
        if self.rows is not None:
            notes.append(self.how_sure())
        heads = ["arm", "from rho", "95 % interval", "to rho", "gamma", "mean", "volatility", "leads in"]
        if not self.is_estimated:  # what is exact has no interval, and is sure
            heads, rows = [*heads[:2], *heads[3:-1]], [[*row[:2], *row[3:-1]] for row in rows]
        return Grid("The best arm by rho mean - variance", heads, rows, notes)

    def how_sure(self) -> str:
        """Where intervals and shares come from."""
        few = "" if self.rows is None or self.rows >= FEW_ROWS else ", too few to be sure of either"
        drawn = f"Intervals and shares come from resampling the {counted(self.rows or 0, 'row')}{few}"
        return f"{drawn}; the share of a range is that in its middle."

    def moments_grid(self) -> Grid:
        """Mean and volatility of every arm, of a row and of a year, as people see them."""
        heads = {"mean": "mean", "volatility": "volatility"}
        if self.per_year is not None:
            heads |= {"annual_mean": "mean p.a.", "annual_volatility": "volatility p.a."}
        records = self.moments().to_dict(orient="records")
        rows = [[row["arm"], *(format_number(row[name]) for name in heads)] for row in records]
        year = (
            []
            if self.per_year is None
            else [f"p.a.: per year, which has {counted(round(self.per_year), 'row')} by the dates."]
        )
        return Grid("", ["arm", *heads.values()], rows, year)

    def __repr__(self) -> str:
        return "\n".join([f"<Frontier of {counted(len(self.names), 'arm')}: the best arm", *self.sentences()]) + ">"

    def _repr_html_(self) -> str:
        return self.grid().html()


@partial(known_keywords, options=ReadOptions._fields)
def frontier(
    source: Any, /, *, resamples: int = 1000, block: float = 1.0, seed: int = 0, **options: Unpack[TableOptions]
) -> Frontier:
    """Which arm is best for which range of rho.

    `source` is a set of arms, a problem, a pandas table of recorded rewards with a column per arm, or the path of such
    a file. For the intervals the rows of a table are resampled `resamples` times, as whole rows, so that dependence
    between arms is preserved; with `block` > 1 in blocks of that many rows on average. `options` say how a table is
    read (`riskbandits.data.TableOptions`), such as `prices=True` for prices of funds.

    rho has the unit of the rewards: for returns in percent it is a hundred times that for the same returns as
    fractions.

    >>> import riskbandits as rb
    >>> rb.frontier(rb.GaussianArms(means=[0.1, 0.5, 0.6], variances=[0.1, 0.2, 0.9], names=["bond", "fund", "stock"]))
    <Frontier of 3 arms: the best arm
    from rho = 0 to 0.25: bond
    from rho = 0.25 to 7: fund
    from rho = 7 on: stock>
    """
    number = checks.whole("resamples", resamples, least=100, most=MOST_RESAMPLES)
    length = checks.number("block", block, "a number >= 1", lambda x: 1.0 <= x < math.inf)
    rng = seeds.generator(seeds.check_seed(seed), *FRONTIER_KEY)
    if isinstance(source, (str, os.PathLike)):
        source = read_table(source, **options)
        say_once(" ".join(source.about()))
    elif hasattr(source, "columns") and hasattr(source, "iloc"):
        source = read_frame(source, **options)
    else:
        refuse_options(read_options(options), ReadOptions._fields, "tables, not for arms or tables that were read")
    if isinstance(source, RewardTable):
        table = source.table.to_numpy(dtype=float)
        there = (~np.isnan(table)).sum(axis=0)
        if there.min() < LEAST_ROWS:
            short = source.names[int(there.argmin())]
            raise must_be(f"The number of rewards of {short!r}", f"at least {LEAST_ROWS}", int(there.min()))
        if length > max(1.0, len(table) / 2.0):
            raise must_be("block", f"at most half the number of rows, {len(table):,}", block)
        resampled = _resampled(table, number, length, rng)
        return Frontier(source.names, _of_rows(table), resampled, len(table), rows_per_year(source))
    arms = source.arms if isinstance(source, Problem) else source
    if not is_record(arms):
        raise must_be("The first argument of frontier", "arms, a problem, or a table of recorded rewards", arms)
    if length != 1.0:
        raise must_be("block", "1 unless it is given with a table, whose rows are resampled together", block)
    problem = Problem(arms, MeanVariance(1.0))
    refuse_drift(problem.arms, "frontier")
    moments = Moments(problem.means, problem.variances)
    if isinstance(problem.arms, DataArms):
        return Frontier(problem.names, moments, _resampled_alone(problem.arms, number, rng), None)
    return Frontier(problem.names, moments, None, None)


def rows_per_year(source: RewardTable) -> float | None:
    """How many rows of a table make a year, by its dates; None without dates, or with less than a month of them."""
    import pandas as pd

    index = source.table.index
    ends: Any = source.period
    if isinstance(index, pd.DatetimeIndex):
        ends = (index.min(), index.max())
    if ends is None:
        return None
    first, last = pd.to_datetime(list(ends), errors="coerce")
    days = (last - first).total_seconds() / 86_400.0
    return (len(index) - 1) * DAYS_IN_A_YEAR / days if days >= LEAST_DAYS else None


def _certainty(share: float) -> str:
    """A share of resamples: 47 %; one that is neither all nor none of them is not rounded to that.

    >>> [_certainty(share) for share in (0.47, 0.999, 1.0)]
    ['47 %', 'over 99 %', '100 %']
    """
    return "over 99 %" if 0.995 <= share < 1.0 else "under 1 %" if 0.0 < share < 0.005 else format_share(share, 0)


def _span(low: float, high: float) -> str:
    """An interval in words; one without an end has none."""
    if math.isinf(low):
        return "no rho is large enough"
    if math.isinf(high):
        return f"{format_number(low)} or more" if low > 0.0 else "any rho"
    return f"{format_number(low)} to {format_number(high)}"


def aversions(row: Mapping[Any, Any]) -> str:
    """The range of risk aversion gamma = 2 / rho in which an arm is best, in words."""
    start, end = row["rho_from"], row["rho_to"]
    if start == 0.0:
        return "any" if end == math.inf else f"above {format_number(2.0 / end)}" if end > 0.0 else ""
    if end == math.inf:
        return f"below {format_number(2.0 / start)}"
    return f"{format_number(2.0 / end)} to {format_number(2.0 / start)}"


def envelope(means: np.ndarray, variances: np.ndarray) -> tuple[list[int], list[float]]:
    """The arms on the upper envelope of the lines rho mu - sigma^2 for rho >= 0, and where one overtakes another.

    >>> envelope(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.125, 1.0]))
    ([0, 1, 2], [0.25, 1.75])
    """
    current = min(range(len(means)), key=lambda k: (variances[k], -means[k], k))
    arms = [current]
    switches: list[float] = []
    while True:
        better = [k for k in range(len(means)) if means[k] > means[current]]
        if not better:
            return arms, switches
        at = {k: (variances[k] - variances[current]) / (means[k] - means[current]) for k in better}
        current = min(better, key=lambda k: (at[k], -means[k], k))
        arms.append(current)
        switches.append(float(at[current]))


def crossing(mean_gain: np.ndarray, variance_gain: np.ndarray) -> np.ndarray:
    """The rho from which the second of two arms is better; infinite if it never is, 0 if it always is."""
    with np.errstate(all="ignore"):
        at = np.where(mean_gain > 0.0, np.maximum(variance_gain / mean_gain, 0.0), math.inf)
    return np.where((mean_gain <= 0.0) & (variance_gain < 0.0), 0.0, at)


def _middle(start: float, end: float) -> float:
    """A rho well inside a range that may begin at 0 or have no end."""
    if math.isinf(end):
        return 2.0 * start if start > 0.0 else 1.0
    return math.sqrt(start * end) if start > 0.0 else 0.5 * end


def _of_rows(table: np.ndarray) -> Moments:
    return Moments(np.nanmean(table, axis=0), np.nanvar(table, axis=0))


def _resampled(table: np.ndarray, resamples: int, block: float, rng: np.random.Generator) -> Moments:
    """Moments of tables with resampled rows, in circular blocks (the stationary bootstrap)."""
    rows, arms = table.shape
    there = ~np.isnan(table)
    values = np.where(there, table - np.nanmean(table, axis=0), 0.0)
    means, variances = np.empty((resamples, arms)), np.empty((resamples, arms))
    for one in range(resamples):
        counts = np.bincount(_drawn_rows(rows, block, rng), minlength=rows).astype(float)
        number = np.maximum(counts @ there, 1.0)
        means[one] = counts @ values / number
        variances[one] = np.maximum(counts @ values**2 / number - means[one] ** 2, 0.0)
    return Moments(means + np.nanmean(table, axis=0), variances)


def _drawn_rows(rows: int, block: float, rng: np.random.Generator) -> np.ndarray:
    drawn = rng.integers(rows, size=rows)
    if block <= 1.0:
        return drawn
    begins = rng.random(rows) < 1.0 / block
    begins[0] = True
    first = np.maximum.accumulate(np.where(begins, np.arange(rows), 0))
    return (drawn[first] + np.arange(rows) - first) % rows


def _resampled_alone(arms: DataArms, resamples: int, rng: np.random.Generator) -> Moments:
    """As `_resampled`, for records whose rows are not known to be simultaneous: each arm separately."""
    pieces = np.split(arms.rewards, arms.ends[:-1].astype(int))
    found = [_resampled(piece[:, np.newaxis], resamples, arms.block, rng) for piece in pieces]
    return Moments(*(np.concatenate(parts, axis=1) for parts in zip(*found, strict=True)))

"""Who did best in each figure: policies ranked by their exact pseudo-regret at the horizon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from riskbandits.inference.intervals import Z95

if TYPE_CHECKING:
    import pandas as pd

    from riskbandits.paper.figures.figure import Tables


def summary(tables: Mapping[str, Tables]) -> pd.DataFrame:
    """A row per figure, rho and policy, the best first: the mean, its 95 % interval, and shares of runs that
    ended on no best arm (`locked_share`) and that settled on a wrong one (`settled_share`).

    `tables` are those of simulated figures, by name.
    """
    import pandas as pd

    if not tables:
        return pd.DataFrame()
    return pd.concat([_ranked(name, one) for name, one in tables.items()], ignore_index=True)


def _ranked(name: str, tables: Tables) -> pd.DataFrame:
    main, runs = tables[""], tables["runs"]
    last = main[main["step"] == main["step"].max()]
    share = runs.groupby(["rho", "policy"])[["locked", "settled"]].mean().add_suffix("_share")
    kept = last[["rho", "policy", "step", "runs", "exact_pseudo_regret_mean", "exact_pseudo_regret_se"]]
    rows = kept.join(share, on=["rho", "policy"])
    mean, half = rows["exact_pseudo_regret_mean"], Z95 * rows["exact_pseudo_regret_se"]
    rows = rows.assign(exact_pseudo_regret_low=mean - half, exact_pseudo_regret_high=mean + half)
    rows.insert(0, "figure", name)
    rows.insert(3, "rank", rows.groupby("rho")["exact_pseudo_regret_mean"].rank(method="min").astype(int))
    return rows.sort_values(["rho", "rank"], kind="stable")

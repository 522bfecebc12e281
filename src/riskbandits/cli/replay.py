"""`riskbandits replay`: a learner on recorded rewards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from riskbandits.api.replay import Replay, read_rewards, replay_grid
from riskbandits.api.replay import replay as replayed
from riskbandits.cli import output
from riskbandits.cli.options import FileFlags, Gamma, Json, Rho, Seed, flattened, number
from riskbandits.cli.output import print_notes
from riskbandits.cli.parsing import POLICIES_HELP, RISK_HELP, read_goal, read_policies, rho_of
from riskbandits.core.calls import split_list
from riskbandits.core.errors import must_be
from riskbandits.learner.features import FeatureCoding
from riskbandits.policies.support import naming

FEATURES_HELP = (
    "Columns that are no arms but known before the choice, comma-separated: a name, NAME:SCALE or NAME:LEVEL/LEVEL. "
    "Policies that use no features ignore them."
)
FILE_HELP = "A .csv or .parquet file of recorded rewards: a column per arm, a row per step, optionally one of dates."


@flattened
def replay(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help=FILE_HELP)],
    rho: Rho = None,
    gamma: Gamma = None,
    risk: Annotated[str | None, typer.Option(help=RISK_HELP)] = None,
    policies: Annotated[str, typer.Option(help=POLICIES_HELP)] = "switching-aware",
    runs: Annotated[
        int,
        number("Replays of each policy, with different random numbers."),
    ] = 10,
    seed: Seed = 0,
    features: Annotated[str | None, typer.Option(help=FEATURES_HELP, show_default=False)] = None,
    table: FileFlags,
    json_output: Json = False,
) -> None:
    """Run policies row by row on recorded rewards, and print how they would have done.

    A policy sees only the reward of its choice. If you see the rewards of all arms at every step, as for funds, you
    need no bandit: `riskbandits frontier` compares the arms on all rows.

    **Example:** `riskbandits replay returns.csv --rho 2 --policies switching-aware,ngts,uniform-random`

    **By features:** `riskbandits replay sales.csv --policies linear-ngts,ngts --features basket:10,country:DE/FR`
    """
    goal = read_goal(rho_of(rho, gamma, risk), risk)
    chosen = naming.labelled(read_policies(policies))
    declared = None if features is None else read_features(features)
    rewards = read_rewards(file, FeatureCoding(declared), table.options())
    print_notes(rewards)
    found = {label: replayed(policy, rewards, goal, runs, seed, features=declared) for label, policy in chosen.items()}
    if json_output:
        data = {"replays": [_as_data(label, one, seed) for label, one in found.items()]}
        print(json.dumps(data, allow_nan=False))
    else:
        output.show_grid(replay_grid(found))


def read_features(text: str) -> list[dict[str, Any]]:
    """The features of a comma-separated list, as records.

    >>> read_features("basket:10, country:DE/FR, age")
    [{'name': 'basket', 'scale': 10.0}, {'name': 'country', 'levels': ['DE', 'FR']}, {'name': 'age'}]
    """
    return [_feature(part) for part in split_list(text)]


def _feature(text: str) -> dict[str, Any]:
    name, _, more = (part.strip() for part in text.partition(":"))
    if not more:
        return {"name": name}
    if "/" in more:
        return {"name": name, "levels": [level.strip() for level in more.split("/")]}
    try:
        return {"name": name, "scale": float(more)}
    except ValueError:
        raise must_be("A feature", "a column, COLUMN:SCALE or COLUMN:LEVEL/LEVEL", text) from None


def _as_data(label: str, found: Replay, seed: int) -> dict[str, object]:
    return {
        "settings": {**found.settings(), "label": label, "seed": seed},
        "best_arm": found.best_arm,
        "values": {str(arm): float(value) for arm, value in found.values.items()},
        "table": output.rows(found.table().assign(policy=label)),
    }

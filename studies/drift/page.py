"""The page: tables and sentences from what was measured."""

from __future__ import annotations

from typing import Any

import riskbandits as rb
from studies.drift import problems, tables
from studies.drift.measuring import Size

WAYS = ("as it is", "Discounted", "Restarting", "Restarting, together")
PARTS = {2: "half", 4: "a quarter", 6: "a sixth", 10: "a tenth", 20: "a twentieth"}

PAGE = """\
# Drift and delays

What does it cost a policy when its arms change, and what does forgetting gain? This page is written by
`python -m studies.drift` (`make drift`); none of its numbers is typed in. It rests on {problems} random problems per
line and {runs} runs of {horizon:,} steps of each policy on each of them: {arms} Gaussian arms unless it says otherwise,
means between 0 and 1, variances between 0.05 and 1, rho = 1. Where arms change, all are drawn anew at the same steps,
of which no policy is told.

Regret is the *dynamic regret*: what single pulls lost to the best arm of their step, with no charge for switching. A
ratio is one of mean regrets over all problems; square brackets hold 95 % intervals over problems.

## In short

- **Arms change, and one knows about how often**: `Discounted(policy, half_life=...)` with {part} of the time for which
  arms stay alike. With {change} and a half-life of {half_life:.0f} it has {discounted} times the regret of
  `SwitchingAware` alone.
- **Arms change seldom, and nobody knows how often**: `Restarting(policy)`, {restarting} times; with `together=True`,
  where all arms change at the same steps as they do here, {together} times. Where nothing changes it costs
  {still_restarting} times the regret.
- **Arms stay what they are**: forget nothing. `Discounted` with that half-life then costs {still_discounted} times the
  regret, for it explores for ever.
- **Arms walk slowly**: {walks}
- **Answers come late**: {late_words}

## Which half-life when

The dynamic regret of `Discounted(SwitchingAware(), half_life=L/part)` over that of `SwitchingAware()`, where arms
change every L steps.

{by_length}

Best over all lengths is {part} of L. Too long a half-life remembers what is no longer true, too short a one tries all
arms again and again.

## Which way to forget

Mean dynamic regret, and its ratio to that of the policy as it is. `Discounted` has a half-life of {half_life:.0f} steps
throughout, `Restarting` its defaults.

{ways}

`Restarting` sees a change of an arm only in rewards of that arm. One that is not played, and has become the best, is
looked at every {looks:g} steps, and needs some 8 rewards to be believed; with `together` the arm that is played tells
of all.

## Where forgetting hurts

Arms that stay what they are: how many times the regret of `SwitchingAware()` that of
`Discounted(SwitchingAware(), half_life)` is after {horizon:,} steps. Every arm must be tried again as long as the run
lasts, so the cost grows with the number of arms and with time, and falls with the half-life.

{costs}

## Delays

Arms that stay what they are: mean exact pseudo-regret (the charge for switching included) with rewards told late.

{delays}

Arms with {change}, and answers 100 steps late: mean dynamic regret of `SwitchingAware`.

{late}

## What this does not show

Changes of single arms, other gaps, heavy tails (on which `Restarting` alarms more often), and horizons other than
{horizon:,} steps. The half-life was chosen on the problems that it is judged by: with {choices} to choose from that
flatters it little.
"""


def page(size: Size) -> str:
    """Simulate everything, and write the page."""
    by_length = tables.half_lives(size)
    share = tables.recommended(by_length)
    half_life = tables.CHANGE / share
    ways, coins = tables.ways(size, half_life), tables.ways_with_coins(size, half_life)
    costs, delays = tables.costs(size), tables.delays(size)
    late = tables.late_and_changing(size, half_life)
    change = next(iter(ways))
    changing, still = ways[change]["SwitchingAware"], ways["no change"]["SwitchingAware"]
    return PAGE.format(
        problems=size.problems,
        runs=size.runs,
        horizon=size.horizon,
        arms=problems.ARMS,
        part=PARTS[share],
        change=change,
        half_life=half_life,
        discounted=changing["Discounted"][1],
        restarting=changing["Restarting"][1],
        together=changing["Restarting, together"][1],
        still_discounted=still["Discounted"][1],
        still_restarting=still["Restarting"][1],
        walks=_walks(ways),
        late_words=_late_words(delays),
        by_length=_table(
            ["arms change every", *(f"L/{part}" for part in tables.SHARES)],
            [[f"{length} steps", *(str(found[part]) for part in tables.SHARES)] for length, found in by_length.items()],
        ),
        ways=_ways_table(ways, coins),
        costs=_table(
            ["half-life", *(f"{arms} arms" for arms in costs)],
            [[f"{one} steps", *(str(found[one]) for found in costs.values())] for one in tables.HALF_LIVES],
        ),
        delays=_table(
            ["policy", "at once", *tables.DELAYS],
            [[label, *(f"{value:.0f}" for value in row.values())] for label, row in delays.items()],
        ),
        late=_table(
            ["", "told at once", "100 steps late", "late, ratio to as it is"],
            [[label, f"{row['at once']:.0f}", f"{row['late']:.0f}", str(row["ratio"])] for label, row in late.items()],
        ),
        choices=len(tables.SHARES),
        looks=rb.Restarting().every,
    )


def _walks(ways: dict[str, Any]) -> str:
    parts = []
    for world, policies in ways.items():
        if "walk" in world:
            found = policies["SwitchingAware"]
            fading, watching = found["Discounted"][1], found["Restarting"][1]
            parts.append(f"with {world},\n  `Discounted` has {fading} and `Restarting` {watching} times")
    return "; ".join(parts) + " the\n  regret of `SwitchingAware`."


def _late_words(delays: dict[str, Any]) -> str:
    name = "100 steps"
    parts = [f"{row[name] - row['none']:.0f} to {row['none']:.0f} (`{label}`)" for label, row in delays.items()]
    return f"a delay of {name} adds {', '.join(parts)}\n  to the regret: what is played while nothing is known yet."


def _ways_table(ways: dict[str, Any], coins: dict[str, Any]) -> str:
    rows = [[world, name, *_cells(found)] for world, policies in ways.items() for name, found in policies.items()]
    rows += [
        [f"rewards 0 and 1, {world}", "SwitchingAware:bernoulli", *_cells(found)] for world, found in coins.items()
    ]
    return _table(["world", "policy", *WAYS], rows)


def _cells(found: dict[str, Any]) -> list[str]:
    return [f"{found['as it is'][0]:.0f}", *(f"{found[way][0]:.0f}, {found[way][1]}" for way in WAYS[1:])]


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)

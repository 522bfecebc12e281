"""Parsing of command-line arguments: arms from names and files, policies, risk measures, and user files."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

from riskbandits import problems
from riskbandits.api import parsing, python_objects
from riskbandits.api.parsing import plain
from riskbandits.cli.arm_files import RECORDED, arms_from_sheet, families, holds_parameters, read_arms, read_recorded
from riskbandits.cli.output import print_notes
from riskbandits.cli.user_modules import is_own, own_class
from riskbandits.core import calls
from riskbandits.core.errors import ParameterError, must_be, unknown_name
from riskbandits.core.user_calls import guarded
from riskbandits.data import is_text, read_sheet
from riskbandits.data.options import DEFAULTS, ReadOptions, refuse_options
from riskbandits.data.read import from_file, from_sheet
from riskbandits.identification import RULES
from riskbandits.policies.support import contract, naming
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance
from riskbandits.simulation.delay import Delay

DEFAULT_POLICIES = "switching-aware,mts,vts,mvts,mv-lcb"  # the recommended one, and the paper's
ARMS_HELP = (
    'A named problem (see `riskbandits list arms`), a family such as "beta(alphas=[1, 2], betas=[1, 6])", a .json file '
    'such as {"means": [0, 1], "variances": [1, 2]} or {"family": "beta", "alphas": [1, 2], "betas": [1, 6]}, or '
    '{"pieces": [{"first": 1, "means": [0, 1], ...}, {"first": 2001, ...}]} for arms that change, a .csv '
    "file with a column per parameter (mean,variance or probability, ...) and optionally one called family, "
    "data:FILE.csv or data:FILE.parquet for recorded rewards (a column per arm, optionally one of dates; "
    "data:FILE:BLOCK resamples blocks of that many rows on average), or FILE.py:Class, which runs the file."
)
RISK_HELP = (
    "Risk measure, such as mean-variance:1, cvar:0.2 or entropic:2 (see `riskbandits list risks`), or FILE.py:Class, "
    'which runs the file; parameters may be given by name, "sharpe(weight=2)".'
)
POLICIES_HELP = (
    "Comma-separated: names, name:preset (see `riskbandits list policies`), FILE.py:Class, which runs the file; with "
    'parameters "bcvts(upper=2)".'
)
DELAY_HELP = (
    "Delay rewards: a number of decisions, geometric:MEAN, or recorded:[0, 3, 250] for observed delays; "
    '"geometric(mean=100, in_order=true)" delivers them first in, first out.'
)


def read_problem(arms: str, rho: float | None, risk_text: str | None, options: ReadOptions = DEFAULTS) -> Problem:
    """The problem given by `--arms` with `--rho` or `--risk`; `options` are for a file of arms or rewards."""
    measure = read_goal(rho, risk_text)
    if is_own(arms):
        refuse_options(options, ReadOptions._fields, "files of recorded rewards")
        return Problem(_own_record(arms, "set of arms"), measure)
    if arms.startswith(RECORDED):
        return Problem(read_recorded(arms, options), measure)
    if is_text(arms):
        return Problem(read_arms(Path(arms), options), measure)
    refuse_options(options, ReadOptions._fields, f"files of recorded rewards, as in {RECORDED}FILE")
    if Path(arms).suffix.lower() == ".json":
        return Problem(read_arms(Path(arms)), measure)
    if Path(arms).suffix.lower() == ".parquet":
        raise ParameterError(f"A Parquet file contains recorded rewards: write {RECORDED}{arms}.")
    name, inside = calls.split_call(arms)
    if inside is not None:
        return Problem(calls.made(parsing.class_named(name, families().values(), "family of arms"), inside), measure)
    return problems.named(arms).with_risk(measure)


def read_table_or_arms(text: str, options: ReadOptions) -> Any:
    """Recorded rewards from a file, with or without `data:`, or arms as in `--arms`; reports how it read a file."""
    path = Path(text.removeprefix(RECORDED))
    if text.startswith(RECORDED) or path.suffix.lower() == ".parquet":
        rewards = from_file(path, options)
    elif is_text(path):
        sheet = read_sheet(path, options)
        if holds_parameters(sheet):
            return arms_from_sheet(path, sheet, options)
        rewards = from_sheet(sheet, options, path)
    else:
        return read_problem(text, None, None, options)
    print_notes(rewards)
    return rewards


def rho_of(rho: float | None, gamma: float | None, risk_text: str | None = None) -> float | None:
    """Rho as it was given by `--rho` or by `--gamma`: rho = 2 / gamma, as gamma weighs half the variance."""
    if gamma is None:
        return rho
    if rho is not None or risk_text is not None:
        other = "--rho" if rho is not None else "--risk"
        raise ParameterError(f"{other} and --gamma both set the objective: give only one of them.")
    if not 0.0 < gamma < math.inf:
        raise must_be("--gamma", "a number > 0", gamma)
    return 2.0 / gamma


def read_goal(rho: float | None, risk_text: str | None) -> Any:
    """The risk measure given by `--rho` or `--risk`."""
    if rho is not None and risk_text is not None:
        raise ParameterError("--rho and --risk both set the objective: give only one of them.")
    return read_risk(risk_text) if risk_text is not None else MeanVariance(1.0 if rho is None else rho)


def read_policies(text: str) -> list[Any] | dict[str, Any]:
    """The policies of a comma-separated list; by label if any has an explicit one, as in `best=mvts(rate=5)`.

    >>> read_policies("mvts, mine=mvts(rate=5)")
    {'MVTS': MVTS(shape=0.5, rate=0.5, unbiased=False), 'mine': MVTS(shape=0.5, rate=5, unbiased=False)}
    """
    parts = calls.split_list(text)
    if not parts:
        raise must_be("--policies", "a comma-separated list of policies", text)
    found = [re.fullmatch(r"\s*([^=(\[:]+?)\s*=(.*)", part, re.DOTALL) for part in parts]
    policies = [read_policy(own[2] if own else part) for own, part in zip(found, parts, strict=True)]
    if not any(found):
        return policies
    labels = naming.labels([python_objects.record(policy) for policy in policies])
    given = [own[1] if own else label for own, label in zip(found, labels, strict=True)]
    for label in given:
        if given.count(label) > 1:
            raise must_be("The labels of policies", "different from each other", label)
    return dict(zip(given, policies, strict=True))


def policies_for(text: str | None, problem: Problem) -> list[Any] | dict[str, Any]:
    """The policies that were asked for; without any, those of the defaults that support the problem, and it is said."""
    if text is not None:
        return read_policies(text)
    usual = [read_policy(name) for name in DEFAULT_POLICIES.split(",")]
    fitting = [policy for policy in usual if not contract.refusal(policy, problem.risk, problem.arms)]
    left_out = [policy for policy in usual if contract.refusal(policy, problem.risk, problem.arms)]
    if not left_out or not fitting:
        return usual
    names = " and ".join(naming.labels(left_out))
    print(f"Left out of the default policies: {names}, not for {type(problem.risk).__name__}.", file=sys.stderr)
    return fitting


def read_policy(text: str) -> Any:
    """A policy from `name`, `name:preset`, `name(parameter=value)` or `file.py:Class` with any of these endings.

    >>> read_policy("bcvts(upper=2)")
    BCVTS(upper=2)
    """
    if is_own(text):
        return _own_record(text, "policy")
    return parsing.policy(text, read_policy)


def read_rule(text: str) -> Any:
    """A rule for identifying the best arm from `name`, `name(parameter=value)` or `file.py:Class`."""
    if is_own(text):
        return _own_record(text, "rule")
    name, inside = calls.split_call(text)
    return calls.made(parsing.class_named(name, RULES, "rule"), inside or "")


def read_risk(text: str) -> Any:
    """A risk measure from `name`, `name:values` such as `mean-variance:1`, `name(level=0.2)`, or `file.py:Class`."""
    if is_own(text):
        return _own_record(text, "risk measure")
    return parsing.risk_measure(text)


def _own_record(text: str, kind: str) -> Any:
    """A user record, or object: `file.py:Class`, `file.py:Class:preset` or `file.py:Class(parameter=value)`."""
    name, inside = calls.split_call(text)
    cls, preset = own_class(name, kind)
    if inside is None and preset:
        return parsing.parse(f"{cls.__name__}:{preset}", [cls])
    if hasattr(cls, "_fields"):
        return calls.made(cls, inside or "", read_policy)
    return guarded(f"{cls.__name__}({inside or ''})", calls.made, cls, inside or "")


class Fixed(NamedTuple):
    """The parameters of `Delay.fixed`."""

    steps: Any
    in_order: Any = False


class Geometric(NamedTuple):
    """Those of `Delay.geometric`."""

    mean: Any
    in_order: Any = False


class Recorded(NamedTuple):
    """Those of `Delay.recorded`."""

    steps: Any
    in_order: Any = False


FORMS: dict[str, tuple[Any, Any]] = {
    "fixed": (Fixed, Delay.fixed),
    "geometric": (Geometric, Delay.geometric),
    "recorded": (Recorded, Delay.recorded),
}


def read_delay(text: str | None) -> Delay | None:
    """The delay given by `100`, `geometric:100` or `geometric(mean=100)`.

    >>> read_delay("100"), read_delay("geometric(mean=20, in_order=true)"), read_delay("recorded:[0, 3]")
    (Delay.fixed(100), Delay.geometric(20, in_order=True), Delay.recorded([0, 3]))
    """
    if text is None:
        return None
    name, inside = calls.split_call(text)
    if inside is None:
        name, colon, inside = name.partition(":")
        if not colon:
            name, inside = ("fixed", name) if name[:1].isdigit() or name[:1] in "+-." else (name, "")
    if plain(name) not in FORMS:
        raise unknown_name("kind of delay", name.strip(), FORMS)
    form, make = FORMS[plain(name)]
    given = calls.made(form, inside)._asdict()
    # 1e3 is a whole number to a person.
    whole = {key: int(one) if isinstance(one, float) and one.is_integer() else one for key, one in given.items()}
    made: Delay = make(**whole)
    return made

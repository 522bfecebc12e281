"""Error classes, one per cause. Every message is a sentence: the thing, what it must be, what it got."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

LEAST_TO_GUESS = 3
MOST_GUESSES = 2
LISTED = {"policy": "policies", "claim": "claims"}  # what `riskbandits list` calls what there is too much of to name
LONGEST_NAME = 200  # what is longer is no misspelt name


class RiskBanditsError(Exception):
    """Base class of all errors raised by this package."""


class ParameterError(RiskBanditsError, ValueError):
    """A parameter has an invalid value."""


class UnknownNameError(RiskBanditsError, ValueError):
    """There is no policy, arm, problem or file format with this name."""


class KeywordError(UnknownNameError, TypeError):
    """A function or a record has no parameter with this name."""


class ConflictError(ParameterError):
    """A decision was already answered with a different reward."""


class GoneError(ParameterError):
    """A decision no longer accepts an answer: it was forgotten, or settled too long ago to be remembered."""


class RefusalError(RiskBanditsError, ValueError):
    """A policy does not support this risk measure, these arms, or an unknown horizon."""


class ContractError(RiskBanditsError, TypeError):
    """A record class (policy, risk measure, arms) does not fulfil its contract."""


class CompilerError(RiskBanditsError, RuntimeError):
    """The compiler failed by a fault of its own or of its version, not of what was compiled."""


class ScoresError(RiskBanditsError, ArithmeticError):
    """All scores of a policy at one step were NaN."""

    @classmethod
    def at(cls, label: str, step: int) -> ScoresError:
        """The error for a policy that could choose no arm at a step."""
        return cls(f"All scores of {label} were NaN at step {step}: check its parameters and the size of the rewards.")


class FileError(RiskBanditsError, ValueError):
    """A file cannot be read or written: missing, damaged, or of a newer version."""


class ServiceError(RiskBanditsError, RuntimeError):
    """The decision service cannot be reached, or rejects the key."""


class EngineError(RiskBanditsError, RuntimeError):
    """An engine is not installed, cannot be reached, or lost its workers."""


class ScaleWarning(UserWarning):
    """Rewards differ in kind or scale from what a policy is designed for."""


class IntervalWarning(UserWarning):
    """An interval may contain the true value less often than it says."""


def must_be(thing: str, what: str, got: object) -> ParameterError:
    """The error for an invalid value, in one standard form."""
    return ParameterError(f"{thing} must be {what}. Got {shown(got)} instead.")


def shown(value: object) -> str:
    """A value as it appears in a message: short, on one line."""
    try:
        text = repr(value)
    except Exception:  # nested too deeply, say, or somebody's own class
        text = f"a {type(value).__name__} that cannot be shown"
    text = " ".join(text.split())
    return text if len(text) <= 80 else text[:77] + "..."


def unknown_name(kind: str, name: object, known: Iterable[object]) -> UnknownNameError:
    """An error for an unknown name, with the closest known one, or all of them if there are few."""
    names = [one if isinstance(one, str) else shown(one) for one in known]
    lowered = {one.lower(): one for one in names}
    asked = name if isinstance(name, str) and len(name) <= LONGEST_NAME else shown(name)
    near = _meant(asked.lower(), list(lowered))
    if near:
        hint = f"Did you mean {' or '.join(repr(lowered[one]) for one in near)}?"
    elif names and len(names) <= 20:
        hint = f"Known: {', '.join(names)}."
    else:
        hint = f"`riskbandits list {LISTED[kind]}` names all." if kind in LISTED else ""
    return UnknownNameError(f"There is no {kind} {shown(name)}. {hint}".strip())


# Names of other libraries and of textbooks, with what they are called here and what else must be said.
SYNONYMS: dict[str, tuple[str, str]] = {
    "n_runs": ("runs", ""),
    "num_runs": ("runs", ""),
    "repetitions": ("runs", ""),
    "replications": ("runs", ""),
    "n_sims": ("runs", ""),
    "n_simulations": ("runs", ""),
    "n_steps": ("horizon", ""),
    "num_steps": ("horizon", ""),
    "steps": ("horizon", ""),
    "rounds": ("horizon", ""),
    "n_rounds": ("horizon", ""),
    "t": ("horizon", ""),
    "n": ("horizon", ""),
    "n_trials": ("runs", ""),
    "repeats": ("runs", ""),
    "n_reps": ("runs", ""),
    "random_state": ("seed", ""),
    "rng": ("seed", ""),
    "n_jobs": ("workers", ""),
    "threads": ("workers", ""),
    "cores": ("workers", ""),
    "verbose": ("progress", ""),
    "mu": ("means", ""),
    "mus": ("means", ""),
    "locs": ("means", ""),
    "std": ("variances", "the squares of the standard deviations"),
    "stds": ("variances", "the squares of the standard deviations"),
    "sds": ("variances", "the squares of the standard deviations"),
    "sigma": ("variances", "the squares of the standard deviations"),
    "sigmas": ("variances", "the squares of the standard deviations"),
    "scales": ("variances", "the squares of the standard deviations"),
    "volatilities": ("variances", "the squares of the standard deviations"),
    "var": ("variances", ""),
    "vars": ("variances", ""),
    "p": ("probabilities", ""),
    "ps": ("probabilities", ""),
    "probs": ("probabilities", ""),
    "labels": ("names", ""),
    "arm_names": ("names", ""),
    "alpha": ("level", ""),
    "gamma": ("rho", "2 / gamma, for risk aversion gamma"),
    "risk_aversion": ("rho", "2 / gamma, for risk aversion gamma"),
}


def unknown_parameter(of: str, name: str, known: Iterable[str]) -> KeywordError:
    """The error for a parameter that there is not: what it is called here, or what looks like it.

    >>> print(unknown_parameter("simulate", "n_runs", ["horizon", "runs"]))
    There is no parameter of simulate named 'n_runs'. Did you mean 'runs'?
    """
    names = list(known)
    meant, remark = SYNONYMS.get(name.lower(), ("", ""))
    kind = f"parameter of {of} named"
    if meant in names:
        words = f" ({remark})" if remark else ""
        return KeywordError(f"There is no {kind} {shown(name)}. Did you mean {meant!r}{words}?")
    return KeywordError(str(unknown_name(kind, name, names)))


def _meant(name: str, known: list[str]) -> list[str]:
    """What somebody may have meant: names that it abbreviates or begins, or else the one that looks most like it.

    >>> _meant("var", ["cvar", "value-at-risk", "variance", "variance-constrained"])
    ['value-at-risk', 'variance']
    """
    if len(name) >= LEAST_TO_GUESS:
        initials = [one for one in known if "".join(word[:1] for word in one.split("-")) == name]
        begun = [one for one in known if one.startswith(name)]
        # Of names that begin with one another the shortest stands for all.
        begun = [one for one in begun if not any(one != other and one.startswith(other) for other in begun)]
        if 1 <= len(set(initials + begun)) <= MOST_GUESSES:
            return list(dict.fromkeys(initials + begun))
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    # Another number is not a slip: whoever asks for figure-9 does not mean figure-7.
    return [one for one in near if re.sub(r"\d+", "", one) != re.sub(r"\d+", "", name)]

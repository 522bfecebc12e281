"""From the content of a saved file back to a learner. A checksum says that nothing was changed by accident, no more:
whatever the file says is looked at before compiled code sees it, which would loop for ever or crash on some of it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits import risk
from riskbandits.core import checks
from riskbandits.core.errors import FileError, ParameterError
from riskbandits.core.known_classes import classes_in
from riskbandits.core.records import cast, classes_of, is_record, rebuilt, same
from riskbandits.learner import reopening
from riskbandits.learner.answers import LARGEST
from riskbandits.learner.book import Book, Retired, check_name
from riskbandits.learner.decisions import NUMBER, REMEMBERED
from riskbandits.learner.guarded import Guarded
from riskbandits.learner.reopening import ImpossibleError
from riskbandits.learner.steps import CHOSEN, OUTSTANDING, TOLD
from riskbandits.numerics import bernoulli_counts, history, moments
from riskbandits.policies import cells as run_cells
from riskbandits.policies.ngts import NGTS
from riskbandits.policies.support import contract, trial
from riskbandits.policies.support.naming import public_policies

if TYPE_CHECKING:
    from riskbandits.types import Policy

MOST = 2**53  # counts are exact in a float up to here
NEW_COLUMNS = {NGTS: 1}  # since version 0.1
SPECIAL = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}  # JSON has no numbers for these


def make(content: dict[str, Any], learner_class: Any, policy: Policy, risk_measure: Any) -> Any:
    """The learner that the content describes; `policy` and `risk_measure` are the user's own classes, if any.

    What files of version 0.1 do not hold is asked for with `get`.
    """
    own = policy.policy if isinstance(policy, Guarded) else policy
    made_policy = _record(content["policy"], public_policies(), own, "policy")
    made_risk = _record(content["risk"], classes_in(risk), risk_measure, "risk")
    learner = learner_class(made_policy, 1, made_risk, content["horizon"], remember=content.get("remember", REMEMBERED))
    learner.propensity = checks.flag("'propensity'", content.get("propensity", False))
    if content.get("guard") is not None:
        _restore_guard(learner, content["guard"])
    arms, empty = content["arms"], learner._book
    width = empty.state.shape[1]
    _add_new_columns((*arms, *content["retired"]), made_policy, width)
    if any(len(arm["state"]) != width for arm in arms):
        raise FileError(
            f"The state in the file does not fit {type(made_policy).__name__}: rows must have {width} columns."
        )
    names = [check_name(arm["name"]) for arm in arms]
    if len(set(names)) < len(names):
        raise ImpossibleError("The names of the arms", "different", names)
    book = Book(names, np.zeros((len(arms), width)), empty.run, empty.rng)
    for row, arm in enumerate(arms):
        book.state[row] = _state(arm)
        book.counts[row], book.moments[row] = _counts(arm), _moments(arm)
    if content["outstanding"] != book.counts[:, OUTSTANDING].sum():
        raise ImpossibleError("'outstanding'", "the sum of those of the arms", content["outstanding"])
    _restore_retired(book, content, width, bool(learner._moves.entries))
    book.decisions[NUMBER] = _whole("'decisions'", content["decisions"], book.total(CHOSEN))
    _restore_run(book.run, content, book)
    if learner._moves.entries:
        book.run = history.restored(book.state, book.run, [_history(arm) for arm in arms])
    if trial.is_ours(made_policy):
        _check_against_book(made_policy, book, [arm.get("history") for arm in arms])
    reopening.restore(learner._decision_log, content, int(book.decisions[NUMBER]), learner.propensity)
    book.rng.bit_generator.state = _stream(content["rng"])
    learner._book = book
    return learner


def _restore_guard(learner: Any, guard: Any) -> None:
    shares = [{check_name(arm): _number("A share", share) for arm, share in guard[name]} for name in ("least", "most")]
    baseline = None if guard["baseline"] is None else check_name(guard["baseline"])
    learner._guard = learner.policy = cast(Guarded(learner.policy, shares[0], shares[1], baseline))
    learner._paused = checks.flag("'paused'", guard["paused"])
    if learner._paused and baseline is None:
        raise ImpossibleError("'paused'", "false without a baseline", True)


def _add_new_columns(arms: tuple[Any, ...], policy: Policy, width: int) -> None:
    """Make room in rows of an earlier version for columns that the policy has got since, in which 0 says nothing.

    They are the last ones of the innermost policy, and those of wrappers follow. A file that lacks them does so in all
    rows.
    """
    inner = _innermost(policy)
    missing = NEW_COLUMNS.get(type(inner), 0)
    rows = [arm for arm in arms if "state" in arm]
    if missing and all(isinstance(arm["state"], list) and len(arm["state"]) == width - missing for arm in rows):
        end = contract.width(inner) - missing
        for arm in rows:
            arm["state"] = [*arm["state"][:end], *[0.0] * missing, *arm["state"][end:]]


def _state(arm: Any) -> list[float]:
    return [_number(f"the state of the arm {arm['name']!r}", one) for one in arm["state"]]


def _restore_retired(book: Book, content: dict[str, Any], width: int, keeps_history: bool) -> None:
    lines: dict[Any, Retired] = {}
    for arm in content["retired"]:
        name, counts = check_name(arm["name"]), _counts(arm)
        if name in book.rows or name in lines:
            raise ImpossibleError("'retired'", "other arms, each once", arm)
        state, past, value = None, None, None
        if "state" in arm:
            if len(arm["state"]) != width:
                raise ImpossibleError(f"The state of the arm {name!r}", f"{width} numbers", arm["state"])
            state, past = _state(arm), _history(arm) if keeps_history else None
        elif counts[OUTSTANDING]:
            raise ImpossibleError("'retired'", "given their state where something is outstanding", arm)
        if "value" in arm:  # what its history was worth
            value = _number("the value of a retired arm", arm["value"])
        lines[name] = Retired(counts, _moments(arm), state, past, value)
    sums = content.get("long_retired", book.long_retired)
    book.long_retired = {name: _whole(f"'{name}' of 'long_retired'", sums[name]) for name in book.long_retired}
    book.retire(lines)


def _restore_run(context: np.ndarray, content: dict[str, Any], book: Book) -> None:
    cells = [_number("'run'", one) for one in content["run"]]
    if len(cells) != run_cells.RUN_CELLS:
        raise ImpossibleError("'run'", f"a list of {run_cells.RUN_CELLS} numbers", content["run"])
    decisions, told, step = int(book.decisions[NUMBER]), book.total(TOLD), cells[run_cells.STEP]
    # A decision that was begun and ended in an error was not counted.
    if step not in (decisions, decisions + 1):
        raise ImpossibleError("The step in 'run'", f"{decisions} or {decisions + 1}", step)
    if not math.isclose(cells[run_cells.LOG_STEP], math.log(step) if step else 0.0, abs_tol=1e-9):
        raise ImpossibleError("The logarithm of the step in 'run'", f"that of {step:g}", cells[run_cells.LOG_STEP])
    if cells[run_cells.HORIZON] != context[run_cells.HORIZON]:
        raise ImpossibleError("The horizon in 'run'", f"{context[run_cells.HORIZON]:g}", cells[run_cells.HORIZON])
    if not abs(cells[run_cells.REWARD_COUNT] - told) <= 1.0 or not math.isfinite(cells[run_cells.REWARD_SUM]):
        got = cells[run_cells.REWARD_COUNT], cells[run_cells.REWARD_SUM]
        raise ImpossibleError("The rewards in 'run'", f"{told}, with a finite sum", got)
    context[: run_cells.RUN_CELLS] = cells


def _check_against_book(policy: Policy, book: Book, histories: list[Any]) -> None:
    """What a policy of the package keeps must fit what the book says was told: draws from anything else may never end.

    Of retired arms too: they may come back.

    A policy may leave rewards out (`ExpExp` does), and one more is allowed: in earlier versions an interrupt could part
    the two.
    """
    alone = _state_after(policy, trial.REWARDS)
    sample = np.zeros((1, moments.WIDTH))
    for reward in trial.REWARDS:
        moments.add(sample, 0, reward)
    keeps_moments = len(alone) >= moments.WIDTH and np.allclose(alone[: moments.WIDTH], sample[0])
    keeps_tallies = contract.width(_innermost(policy)) == bernoulli_counts.WIDTH
    fades = contract.defines(policy, "fade")  # what has faded is less than what was told
    rows = zip(book.names, book.state, book.counts[:, TOLD], book.moments, histories, strict=True)
    lines = [(name, np.array(one.state), one.counts[TOLD], np.array(one.moments), one.history)
             for name, one in book.retired.items() if one.state is not None]  # fmt: skip
    for name, state, told, sample_of, past in (*rows, *lines):
        thing = f"The state of the arm {name!r}"
        if (keeps_moments or keeps_tallies) and not 0.0 <= state[moments.COUNT] <= told + 1:
            raise ImpossibleError(thing, f"that of {told} rewards", state.tolist())
        if keeps_moments and not _like(state[: moments.WIDTH], sample_of):
            raise ImpossibleError(thing, "that of the rewards told", state.tolist())
        if keeps_tallies and not 0.0 <= state[bernoulli_counts.SUCCESSES] <= state[bernoulli_counts.PULLS]:
            raise ImpossibleError(thing, "that of at most as many successes as pulls", state.tolist())
        if past is not None:
            _check_history(f"The history of the arm {name!r}", past, told, alone, fades)


def _like(kept: np.ndarray, told: np.ndarray) -> bool:
    """Whether a policy's moments may be those of the rewards told."""
    if kept[moments.COUNT] == told[moments.COUNT]:
        return np.allclose(kept, told, rtol=1e-6, atol=0.0)
    return math.isfinite(kept[moments.MEAN]) and bool(0.0 <= kept[moments.SQUARES] < math.inf)


def _innermost(policy: Any) -> Any:
    """The policy inside all wrappers."""
    return _innermost(policy.policy) if is_record(getattr(policy, "policy", None)) else policy


def _check_history(thing: str, past: dict[str, Any], told: int, alone: np.ndarray, fades: bool) -> None:
    """`alone` shows which kind of history it is, and what the policy puts into it before the first reward."""
    before = alone[history.TOTAL] - len(trial.REWARDS)
    total = sum(past["counts"])
    excess = total - told - before
    if (excess > 1.0 or (excess < -1.0 and not fades)) and (total, told) != (0, 0):
        raise ImpossibleError(thing, f"that of {told} rewards", total)
    if alone[history.SIZE] < alone[history.TOTAL]:
        if not (np.diff(past["values"]) > 0.0).all():
            raise ImpossibleError(thing, "in ascending order", past["values"])
    elif total != len(past["counts"]):
        raise ImpossibleError(thing, "a list with a count of 1 for every reward", past["counts"])


def _state_after(policy: Policy, rewards: tuple[float, ...]) -> np.ndarray:
    """The state of one arm that was told these rewards, in plain Python: it shows what the policy keeps of them."""
    state, run = contract.new_state(policy, 1), contract.new_run(math.inf, policy, 1, len(rewards))
    for reward in rewards:
        policy.learn(state, 0, run, reward)
    return state[0]


def _number(thing: str, value: object) -> float:
    if isinstance(value, str) and value in SPECIAL:
        return SPECIAL[value]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ImpossibleError(thing, "a number", value)
    return float(value)


def _whole(thing: str, value: object, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
        raise ImpossibleError(thing, f"a whole number between {least} and {MOST}", value)
    return value


def _counts(arm: Any) -> list[int]:
    thing = f"Each of the counts of the arm {arm['name']!r}"
    told, outstanding, chosen = (_whole(thing, one) for one in arm["counts"])
    if told + outstanding > chosen:
        raise ImpossibleError(thing, "at most the number of choices", arm["counts"])
    is_open = len(arm.get("open", ()))
    if is_open > outstanding:
        raise ImpossibleError(f"'open' of the arm {arm['name']!r}", "at most what is outstanding", is_open)
    return [told, outstanding, chosen, is_open]


def _moments(arm: Any) -> list[float]:
    thing, told = f"The moments of the arm {arm['name']!r}", arm["counts"][TOLD]
    count, mean, squares = (_number(thing, one) for one in arm["moments"])
    # Larger rewards are refused when they are told; of such moments no interval could be made.
    possible = abs(mean) <= LARGEST and 0.0 <= squares <= max(count, 1.0) * LARGEST**2
    if not (abs(count - told) <= 1.0 and count >= 0.0 and possible):
        raise ImpossibleError(thing, f"the count {told}, a mean and a sum of squares", arm["moments"])
    return [count, mean, squares]


def _history(arm: Any) -> dict[str, list[float]]:
    thing, past = f"The history of the arm {arm['name']!r}", arm["history"]
    values, counts = [[_number(thing, one) for one in past[part]] for part in ("values", "counts")]
    if len(values) != len(counts) or not all(map(math.isfinite, values)):
        raise ImpossibleError(thing, "finite rewards, each with a count", past)
    if not all(history.LEAST <= count <= MOST for count in counts):
        raise ImpossibleError(thing, f"counted in numbers from {history.LEAST:g} on", past["counts"])
    return {"values": values, "counts": counts}


def _stream(rng: Any) -> dict[str, Any]:
    state, increment = rng["state"]["state"], rng["state"]["inc"]
    words = [(state, 128), (increment, 128), (rng["has_uint32"], 1), (rng["uinteger"], 32)]
    fits = all(isinstance(word, int) and not isinstance(word, bool) and 0 <= word < 2**bits for word, bits in words)
    if rng["bit_generator"] != "PCG64" or not fits or increment % 2 == 0:
        raise ImpossibleError("'rng'", "the state of a PCG64", rng)
    return {
        "bit_generator": "PCG64",
        "state": {"state": state, "inc": increment},
        "has_uint32": rng["has_uint32"],
        "uinteger": rng["uinteger"],
    }


def _record(data: Any, known: list[Any], own: Any, kind: str) -> Any:
    """The record described in the file, of a class of the package or of the one passed to `load`."""
    own_classes = classes_of(own) if is_record(own) else [own] if own is not None else []
    classes = [*known, *own_classes]
    if data["class"] not in {cls.__name__ for cls in classes}:
        raise ParameterError(
            f"The file holds the {kind} {data['class']!r}, which riskbandits does not have: "
            f"pass its class, Learner.load(path, {kind}={data['class']})."
        )
    made = rebuilt(data, classes, kind)
    if is_record(own) and not same(made, own):
        raise ParameterError(f"The file holds the {kind} {made}, not {own}.")
    return made

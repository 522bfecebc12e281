"""The operations on a bandit, each checked completely before anything is changed.

The writer applies an operation to the bandit as it is now and takes the events that it makes. The answer is sent only
when they are on disk.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from riskbandits.core.errors import RiskBanditsError, shown, unknown_name
from riskbandits.service import ids, times
from riskbandits.service.bandit_state import EXPIRED, REWARD, BanditState
from riskbandits.service.db.storage import Event, Settlement
from riskbandits.service.errors import ProblemError
from riskbandits.service.specs import MOST_ARMS

_to_json = functools.lru_cache(4096)(json.dumps)  # the names of arms come again and again

MOST_OPEN = 1_000_000  # open decisions of one bandit


class BatchContext(Protocol):
    """What an operation may look up."""

    at: int  # the time of the batch
    keyed: dict[tuple[int, str], Any]  # first decisions of earlier requests, by bandit and Idempotency-Key
    settled: dict[tuple[int, int], Settlement]  # by bandit and number, of those that the operations ask for

    def events(self, bandit: BanditState, first: int, count: int) -> Sequence[Any]:
        """Events of the bandit, from the log or of this batch."""
        ...


class Answer(NamedTuple):
    """The response: a status and JSON text."""

    status: int
    body: bytes


class Operation:
    """An operation on a bandit."""

    def key(self) -> str | None:
        """Its Idempotency-Key."""
        return None

    def numbers(self) -> Sequence[int]:
        """The decisions it concerns."""
        return ()

    def apply(self, bandit: BanditState, context: BatchContext) -> tuple[Answer, list[Event]]:
        """Do it, or raise a `ProblemError` with nothing changed."""
        raise NotImplementedError

    def result(self, bandit: BanditState, answer: Answer) -> Any:
        """The response, once everything is on disk."""
        return answer


class MakeDecisions(Operation):
    """Make decisions; a repeated request with the same key gets the same ones."""

    def __init__(self, count: int, available: list[str] | None, key: str | None) -> None:
        self._count, self._available, self._key = count, available, key

    def key(self) -> str | None:
        """Its Idempotency-Key."""
        return self._key

    def apply(self, bandit: BanditState, context: BatchContext) -> tuple[Answer, list[Event]]:
        """New decisions, or those that were made for the key."""
        if self._key is not None:
            before = context.keyed.get((bandit.id, self._key))
            if before is not None:
                return self._repeated(bandit, context, before), []
        self._check(bandit)
        key, count = self._key, self._count
        new = [bandit.decide(self._available, context.at, key, count)]
        new += [bandit.decide(self._available, context.at) for _ in range(count - 1)]
        if key is not None:
            context.keyed[bandit.id, key] = new[0]
        return decisions_answer(bandit, new), new

    def _check(self, bandit: BanditState) -> None:
        if not bandit.arms:
            raise ProblemError(409, f"The bandit {bandit.name!r} has no arm to choose: all are retired.")
        for arm in self._available or ():
            if arm not in bandit.arms:
                raise unknown_name(f"arm of {bandit.name!r} that can be chosen:", arm, sorted(bandit.arms))
        if len(bandit.open) + self._count > MOST_OPEN:
            raise ProblemError(
                429,
                f"The open decisions of {bandit.name!r} must be at most {MOST_OPEN}. There are {len(bandit.open)}, "
                f"and {self._count} more were requested: reward or delete some.",
            )

    def _repeated(self, bandit: BanditState, context: BatchContext, before: Any) -> Answer:
        limited = None if self._available is None else json.dumps(self._available)
        if (before["count"], before["available"]) != (self._count, limited):
            raise ProblemError(409, f"The Idempotency-Key {shown(self._key)} was already used with a different body.")
        return decisions_answer(bandit, context.events(bandit, before["sequence"], before["count"]))


class RecordReward(Operation):
    """Record the reward of one decision."""

    def __init__(self, id: str, number: int, reward: float) -> None:
        self._id, self._number, self._reward = id, number, reward

    def numbers(self) -> Sequence[int]:
        """The decision."""
        return (self._number,)

    def apply(self, bandit: BanditState, context: BatchContext) -> tuple[Answer, list[Event]]:
        """Recorded now or earlier."""
        if not _is_open(bandit, context, self._id, self._number, self._reward):
            return Answer(200, b'{"booked":false}'), []
        reward = _check_reward(bandit, self._number, self._reward)
        context.settled[bandit.id, self._number] = (REWARD, reward)
        return Answer(200, b'{"booked":true}'), [bandit.reward(self._number, reward, context.at)]


class RecordRewards(Operation):
    """Record many rewards of one bandit, all or none."""

    def __init__(self, rewards: list[tuple[str, int, int, float]]) -> None:
        self._rewards = rewards  # id, bandit and number in it, reward

    def numbers(self) -> Sequence[int]:
        """The decisions."""
        return [number for _, _, number, _ in self._rewards]

    def apply(self, bandit: BanditState, context: BatchContext) -> tuple[Answer, list[Event]]:
        """How many were recorded now, and how many already had been."""
        new: dict[int, float] = {}
        for id, of, number, reward in self._rewards:
            if of != bandit.id:
                raise ProblemError(404, f"There is no decision {id!r} of the bandit {bandit.name!r}.")
            if number in new and new[number] != reward:
                got = f"Got {new[number]} and {reward} instead."
                raise ProblemError(409, f"The decision {id!r} must have one reward. {got}")
            if number not in new and _is_open(bandit, context, id, number, reward):
                new[number] = _check_reward(bandit, number, reward)
        made = []
        for number, reward in new.items():
            context.settled[bandit.id, number] = (REWARD, reward)
            made.append(bandit.reward(number, reward, context.at))
        counts = {"booked": len(new), "repeated": len(self._rewards) - len(new)}
        return Answer(200, json.dumps(counts).encode()), made


class ForgetDecision(Operation):
    """Forget a decision whose reward will never arrive."""

    def __init__(self, id: str, number: int) -> None:
        self._id, self._number = id, number

    def numbers(self) -> Sequence[int]:
        """The decision."""
        return (self._number,)

    def apply(self, bandit: BanditState, context: BatchContext) -> tuple[Answer, list[Event]]:
        """Forgotten now or earlier."""
        ids.check_id(self._id, bandit.secret, bandit.id, self._number)
        if self._number in bandit.open:
            event = bandit.forget(self._number, context.at)
            context.settled[bandit.id, self._number] = (event["kind"], None)
            return Answer(200, b'{"forgotten":true}'), [event]
        kind, reward = _settlement(bandit, context, self._id, self._number)
        if kind == REWARD:
            why = f"already has a reward ({reward}): it cannot be forgotten."
            raise ProblemError(409, f"The decision {self._id!r} {why}")
        return Answer(200, b'{"forgotten":false}'), []


class AddArm(Operation):
    """Add an arm, or bring it back."""

    def __init__(self, arm: str) -> None:
        self._arm = arm

    def apply(self, bandit: BanditState, context: BatchContext) -> tuple[Answer, list[Event]]:
        """Added, unless it already exists."""
        if self._arm in bandit.arms:
            return _arm_answer(200, self._arm, False), []
        if len(bandit.arms) >= MOST_ARMS:
            raise ProblemError(
                429, f"The arms of {bandit.name!r} must be at most {MOST_ARMS}. That many exist already."
            )
        return _arm_answer(201, self._arm, True), [bandit.add_arm(self._arm, context.at)]


class RetireArm(Operation):
    """Stop choosing an arm."""

    def __init__(self, arm: str) -> None:
        self._arm = arm

    def apply(self, bandit: BanditState, context: BatchContext) -> tuple[Answer, list[Event]]:
        """Retired now or earlier."""
        if self._arm in bandit.arms:
            return _arm_answer(200, self._arm, True), [bandit.retire_arm(self._arm, context.at)]
        if self._arm in {str(name) for name in bandit.learner.summary()["arm"]}:
            return _arm_answer(200, self._arm, False), []
        raise ProblemError(404, str(unknown_name(f"arm of {bandit.name!r}:", self._arm, sorted(bandit.arms))))


def decisions_answer(bandit: BanditState, made: Sequence[Any]) -> Answer:
    """Decisions as JSON."""
    lines = [
        f'{{"id":"{bandit.public_id(one["decides"])}","arm":{_to_json(one["arm"])},'
        f'"expires":"{times.isoformat(one["at"] + bandit.lease)}"}}'
        for one in made
    ]
    return Answer(201, f'{{"decisions":[{",".join(lines)}]}}'.encode())


def _arm_answer(status: int, arm: str, changed: bool) -> Answer:
    return Answer(status, json.dumps({"arm": arm, "changed": changed}).encode())


def _is_open(bandit: BanditState, context: BatchContext, id: str, number: int, reward: float) -> bool:
    """Whether the decision is open; False if it already has this reward; otherwise a refusal."""
    ids.check_id(id, bandit.secret, bandit.id, number)
    if number in bandit.open:
        return True
    kind, booked = _settlement(bandit, context, id, number)
    if kind == REWARD:
        if booked != reward:
            raise ProblemError(
                409, f"The reward of the decision {id!r} must be {booked}, as already recorded. Got {reward} instead."
            )
        return False
    how = "its lease has run out" if kind == EXPIRED else "it was deleted"
    raise ProblemError(410, f"The decision {id!r} no longer accepts a reward: {how}.")


def _settlement(bandit: BanditState, context: BatchContext, id: str, number: int) -> Settlement:
    """How a decision that is not open was settled."""
    found = context.settled.get((bandit.id, number))
    if found is not None:
        return found
    if bandit.row.origin is not None and number <= bandit.learner.decisions:
        raise ProblemError(410, f"The decision {id!r} was settled in a part of the log that has been removed.")
    raise ids.unknown_decision(id)


def _check_reward(bandit: BanditState, number: int, reward: float) -> float:
    """The reward of an open decision as a number the policy accepts; raises otherwise."""
    try:
        return bandit.learner.check_reward(bandit.open[number].arm, reward)
    except RiskBanditsError as error:
        raise ProblemError(422, str(error)) from None

"""The operations on a bandit, each checked completely before anything is changed.

An operation is applied by the writer, which gives it the bandit as it is now and takes the events that it makes. Its
answer leaves the house only when they are on disk.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from riskbandits.core.errors import RiskBanditsError, shown, unknown_name
from riskbandits.service import allowed_names, ids, times
from riskbandits.service.fold import EXPIRED, REWARD, Bandit, Event, Open
from riskbandits.service.refusals import Refusal
from riskbandits.service.specs import MOST_ARMS

escaped = functools.lru_cache(4096)(json.dumps)  # the names of arms come again and again

MOST_OPEN = 1_000_000  # decisions of one bandit that are owed an answer

Settled = tuple[str, float | None]  # how a decision ended: the kind of event and the reward


class Desk(Protocol):
    """What an operation may look up."""

    at: int  # the time of the batch
    keyed: dict[tuple[int, str], Any]  # first decisions of earlier requests, by bandit and Idempotency-Key
    settled: dict[tuple[int, int], Settled]  # by bandit and number, of those that the operations ask for

    def events(self, bandit: Bandit, first: int, count: int) -> Sequence[Any]:
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

    def apply(self, bandit: Bandit, desk: Desk) -> tuple[Answer, list[Event]]:
        """Do it, or raise a `Refusal` with nothing changed."""
        raise NotImplementedError

    def result(self, bandit: Bandit, answer: Answer) -> Any:
        """The response, once everything is on disk."""
        return answer


class Decide(Operation):
    """Make decisions; a repeated request with the same key gets the same ones."""

    def __init__(self, count: int, available: list[str] | None, key: str | None) -> None:
        self._count, self._available, self._key = count, available, key

    def key(self) -> str | None:
        """Its Idempotency-Key."""
        return self._key

    def apply(self, bandit: Bandit, desk: Desk) -> tuple[Answer, list[Event]]:
        """New decisions, or those that were made for the key."""
        if self._key is not None:
            before = desk.keyed.get((bandit.id, self._key))
            if before is not None:
                return self._again(bandit, desk, before), []
        self._check(bandit)
        key, count = self._key, self._count
        new = [bandit.decide(self._available, desk.at, key, count)]
        new += [bandit.decide(self._available, desk.at) for _ in range(count - 1)]
        if key is not None:
            desk.keyed[bandit.id, key] = new[0]
        return decisions_made(bandit, new), new

    def _check(self, bandit: Bandit) -> None:
        if not bandit.arms:
            raise Refusal(409, f"The bandit {bandit.name!r} has no arm to choose: all are retired.")
        for arm in self._available or ():
            if arm not in bandit.arms:
                raise unknown_name(f"arm of {bandit.name!r} that can be chosen:", arm, sorted(bandit.arms))
        if len(bandit.open) + self._count > MOST_OPEN:
            raise Refusal(
                429,
                f"The open decisions of {bandit.name!r} must be at most {MOST_OPEN}. There are {len(bandit.open)}, "
                f"and {self._count} more were requested: reward or delete some.",
            )

    def _again(self, bandit: Bandit, desk: Desk, before: Any) -> Answer:
        limited = None if self._available is None else json.dumps(self._available)
        if (before["count"], before["available"]) != (self._count, limited):
            raise Refusal(409, f"The Idempotency-Key {shown(self._key)} was already used with a different body.")
        return decisions_made(bandit, desk.events(bandit, before["sequence"], before["count"]))


class Reward(Operation):
    """Record the reward of one decision."""

    def __init__(self, id: str, number: int, reward: float) -> None:
        self._id, self._number, self._reward = id, number, reward

    def numbers(self) -> Sequence[int]:
        """The decision."""
        return (self._number,)

    def apply(self, bandit: Bandit, desk: Desk) -> tuple[Answer, list[Event]]:
        """Recorded now or earlier."""
        if not _is_new(bandit, desk, self._id, self._number, self._reward):
            return Answer(200, b'{"booked":false}'), []
        reward = _taken(bandit, bandit.open[self._number], self._reward)
        desk.settled[bandit.id, self._number] = (REWARD, reward)
        return Answer(200, b'{"booked":true}'), [bandit.reward(self._number, reward, desk.at)]


class Rewards(Operation):
    """Record many rewards of one bandit, all or none."""

    def __init__(self, rewards: list[tuple[str, int, int, float]]) -> None:
        self._rewards = rewards  # id, bandit and number in it, reward

    def numbers(self) -> Sequence[int]:
        """The decisions."""
        return [number for _, _, number, _ in self._rewards]

    def apply(self, bandit: Bandit, desk: Desk) -> tuple[Answer, list[Event]]:
        """How many were recorded now, and how many already had been."""
        new: dict[int, float] = {}
        for id, of, number, reward in self._rewards:
            if of != bandit.id:
                raise Refusal(404, f"There is no decision {id!r} of the bandit {bandit.name!r}.")
            if number in new and new[number] != reward:
                raise Refusal(409, f"The decision {id!r} must have one reward. Got {new[number]} and {reward} instead.")
            if number not in new and _is_new(bandit, desk, id, number, reward):
                new[number] = _taken(bandit, bandit.open[number], reward)
        made = []
        for number, reward in new.items():
            desk.settled[bandit.id, number] = (REWARD, reward)
            made.append(bandit.reward(number, reward, desk.at))
        counts = {"booked": len(new), "repeated": len(self._rewards) - len(new)}
        return Answer(200, json.dumps(counts).encode()), made


class Forget(Operation):
    """Forget a decision whose reward will never arrive."""

    def __init__(self, id: str, number: int) -> None:
        self._id, self._number = id, number

    def numbers(self) -> Sequence[int]:
        """The decision."""
        return (self._number,)

    def apply(self, bandit: Bandit, desk: Desk) -> tuple[Answer, list[Event]]:
        """Forgotten now or earlier."""
        _check_id(bandit, self._id, self._number)
        if self._number in bandit.open:
            event = bandit.give_up(self._number, desk.at)
            desk.settled[bandit.id, self._number] = (event["kind"], None)
            return Answer(200, b'{"forgotten":true}'), [event]
        kind, reward = _ending(bandit, desk, self._id, self._number)
        if kind == REWARD:
            raise Refusal(409, f"The decision {self._id!r} already has a reward ({reward}): it cannot be forgotten.")
        return Answer(200, b'{"forgotten":false}'), []


class AddArm(Operation):
    """Add an arm, or bring it back."""

    def __init__(self, arm: str) -> None:
        self._arm = arm

    def apply(self, bandit: Bandit, desk: Desk) -> tuple[Answer, list[Event]]:
        """Added, unless it already exists."""
        if self._arm in bandit.arms:
            return _changed(200, self._arm, False), []
        allowed_names.arms([*bandit.arms, self._arm])
        if len(bandit.arms) >= MOST_ARMS:
            raise Refusal(429, f"The arms of {bandit.name!r} must be at most {MOST_ARMS}. That many exist already.")
        return _changed(201, self._arm, True), [bandit.add(self._arm, desk.at)]


class RetireArm(Operation):
    """Stop choosing an arm."""

    def __init__(self, arm: str) -> None:
        self._arm = arm

    def apply(self, bandit: Bandit, desk: Desk) -> tuple[Answer, list[Event]]:
        """RetiredArm now or earlier."""
        if self._arm in bandit.arms:
            return _changed(200, self._arm, True), [bandit.retire(self._arm, desk.at)]
        if self._arm in {str(name) for name in bandit.learner.summary()["arm"]}:
            return _changed(200, self._arm, False), []
        raise Refusal(404, str(unknown_name(f"arm of {bandit.name!r}:", self._arm, sorted(bandit.arms))))


def decisions_made(bandit: Bandit, made: Sequence[Any]) -> Answer:
    """Decisions as JSON."""
    lines = [
        f'{{"id":"{bandit.id_of(one["decides"])}","arm":{escaped(one["arm"])},'
        f'"expires":"{times.isoformat(one["at"] + bandit.lease)}"}}'
        for one in made
    ]
    return Answer(201, f'{{"decisions":[{",".join(lines)}]}}'.encode())


def _changed(status: int, arm: str, changed: bool) -> Answer:
    return Answer(status, json.dumps({"arm": arm, "changed": changed}).encode())


def _check_id(bandit: Bandit, id: str, number: int) -> None:
    if not ids.fits(id, bandit.secret, bandit.id, number):
        raise ids.unknown(id)


def _is_new(bandit: Bandit, desk: Desk, id: str, number: int, reward: float) -> bool:
    """Whether the decision is open; False if it already has this reward; otherwise a refusal."""
    _check_id(bandit, id, number)
    if number in bandit.open:
        return True
    kind, booked = _ending(bandit, desk, id, number)
    if kind == REWARD:
        if booked != reward:
            raise Refusal(
                409, f"The reward of the decision {id!r} must be {booked}, as already recorded. Got {reward} instead."
            )
        return False
    how = "its lease has run out" if kind == EXPIRED else "it was deleted"
    raise Refusal(410, f"The decision {id!r} no longer accepts a reward: {how}.")


def _ending(bandit: Bandit, desk: Desk, id: str, number: int) -> Settled:
    """How a decision that is not open was settled."""
    found = desk.settled.get((bandit.id, number))
    if found is not None:
        return found
    if bandit.row.origin is not None and number <= bandit.learner.decisions:
        raise Refusal(410, f"The decision {id!r} was settled in a part of the log that has been removed.")
    raise ids.unknown(id)


def _taken(bandit: Bandit, decision: Open, reward: float) -> float:
    """The reward as a number the policy accepts; raises otherwise."""
    try:
        return bandit.learner._check_reward.of_arm(decision.arm, reward)
    except RiskBanditsError as error:
        raise Refusal(422, str(error)) from None

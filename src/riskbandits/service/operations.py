"""The operations on a bandit, each checked completely before anything is changed.

The writer applies an operation to the bandit as it is now and takes the events that it makes. The answer is sent only
when they are on disk.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from riskbandits.core.errors import RiskBanditsError, must_be, shown, unknown_name
from riskbandits.numerics import regression
from riskbandits.service import ids, specs, times
from riskbandits.service.bandit_state import EXPIRED, REWARD, BanditState, features_of, follow_events
from riskbandits.service.db.storage import BanditRow, Event, Settlement
from riskbandits.service.errors import ProblemError, service_unavailable
from riskbandits.service.learners import ServiceLearner
from riskbandits.service.specs import MOST_PROPENSITY_ARMS, Settings

_to_json = functools.lru_cache(4096)(json.dumps)  # the names of arms come again and again

MOST_PROPENSITY_DECISIONS = 50  # in one request, each of which takes the writer some milliseconds
MOST_OPEN = 1_000_000  # open decisions of one bandit
MOST_CANDIDATES = 250_000  # decisions of a request times the arms that each may choose
MOST_MULTIPLICATIONS = 100_000_000  # where each of these is the prediction of a regression


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

    def __init__(
        self, count: int, available: list[str] | None, key: str | None, features: dict[str, Any] | None = None
    ) -> None:
        self._count, self._key, self._features = count, key, features
        self._available = None if available is None else list(dict.fromkeys(available))

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
        new = [bandit.decide(self._available, context.at, key, count, features=self._features)]
        new += [
            bandit.decide(self._available, context.at, before=place, features=self._features)
            for place in range(1, count)
        ]
        if key is not None:
            context.keyed[bandit.id, key] = new[0]
        return decisions_answer(bandit, new), new

    def _check(self, bandit: BanditState) -> None:
        settings = bandit.settings
        check_decides(bandit.name, settings)
        if settings.paused and self._available is not None and settings.baseline not in self._available:
            raise ProblemError(
                409, f"The bandit {bandit.name!r} is paused: {settings.baseline!r} must be among the available arms."
            )
        if not bandit.arms:
            raise no_arm(bandit.name)
        for arm in self._available or ():
            if arm not in bandit.arms:
                raise unknown_name(f"arm of {bandit.name!r} that can be chosen:", arm, sorted(bandit.arms))
        bandit.coding.encode(self._features)
        arms = len(bandit.arms if self._available is None else self._available)
        most = min(MOST_CANDIDATES, MOST_MULTIPLICATIONS // regression.columns(bandit.coding.count)) // arms
        if self._count > most:
            raise must_be("count", f"at most {most} with {arms} arms to choose from", self._count)
        if bandit.learner.propensity and self._count > MOST_PROPENSITY_DECISIONS:
            raise must_be("count", f"at most {MOST_PROPENSITY_DECISIONS} for a bandit with propensity", self._count)
        if len(bandit.open) + self._count > MOST_OPEN:
            raise ProblemError(
                429,
                f"The open decisions of {bandit.name!r} must be at most {MOST_OPEN}. There are {len(bandit.open)}, "
                f"and {self._count} more were requested: reward or delete some.",
            )

    def _repeated(self, bandit: BanditState, context: BatchContext, before: Any) -> Answer:
        limited = None if before["available"] is None else set(json.loads(before["available"]))
        same = limited == (None if self._available is None else set(self._available))
        same = same and before["count"] == self._count
        made = context.events(bandit, before["sequence"], before["count"]) if same else []
        if not same or features_of(made[0]) != self._features:
            raise ProblemError(409, f"The Idempotency-Key {shown(self._key)} was already used with a different body.")
        return decisions_answer(bandit, made)


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

    def __init__(self, rewards: list[tuple[str, int, int, float]], each: bool = False) -> None:
        self._rewards = rewards  # id, bandit and number in it, reward
        self._each = each  # whether the answer says it of each

    def numbers(self) -> Sequence[int]:
        """The decisions."""
        return [number for _, _, number, _ in self._rewards]

    def apply(self, bandit: BanditState, context: BatchContext) -> tuple[Answer, list[Event]]:
        """How many were recorded now, and how many already had been."""
        new: dict[int, float] = {}
        each = []
        for id, of, number, reward in self._rewards:
            if of != bandit.id:
                raise ProblemError(404, f"There is no decision {id!r} of the bandit {bandit.name!r}.")
            if number in new and new[number] != reward:
                got = f"Got {new[number]} and {reward} instead."
                raise ProblemError(409, f"The decision {id!r} must have one reward. {got}")
            each.append(number not in new and _is_open(bandit, context, id, number, reward))
            if each[-1]:
                new[number] = _check_reward(bandit, number, reward)
        made = []
        for number, reward in new.items():
            context.settled[bandit.id, number] = (REWARD, reward)
            made.append(bandit.reward(number, reward, context.at))
        found: dict[str, Any] = {"booked": len(new), "repeated": len(self._rewards) - len(new)}
        found |= {"each": each} if self._each else {}
        return Answer(200, json.dumps(found).encode()), made


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

    def __init__(self, arm: str, amount: float | None = None) -> None:
        self._arm, self._amount = arm, amount

    def apply(self, bandit: BanditState, context: BatchContext) -> tuple[Answer, list[Event]]:
        """Added, unless it already exists."""
        if self._amount is not None:
            bandit.learner.check_amount(self._arm, self._amount)
        if self._arm in bandit.arms:
            return _arm_answer(200, self._arm, False), []
        most = specs.most_arms(bandit.coding.count)
        if bandit.learner.propensity:
            most = min(most, MOST_PROPENSITY_ARMS)
        if len(bandit.arms) >= most:
            raise ProblemError(429, f"The arms of {bandit.name!r} must be at most {most}. That many exist already.")
        return _arm_answer(201, self._arm, True), [bandit.add_arm(self._arm, context.at, self._amount)]


class RetireArm(Operation):
    """Stop choosing an arm."""

    def __init__(self, arm: str) -> None:
        self._arm = arm

    def apply(self, bandit: BanditState, context: BatchContext) -> tuple[Answer, list[Event]]:
        """Retired now or earlier."""
        if self._arm == bandit.settings.baseline:
            why = f"it is all that {bandit.name!r} chooses while it is paused. Resume it first."
            raise ProblemError(409, f"The arm {self._arm!r} cannot be retired: {why}")
        if self._arm in bandit.arms:
            return _arm_answer(200, self._arm, True), [bandit.retire_arm(self._arm, context.at)]
        if bandit.learner.has_retired(self._arm):
            return _arm_answer(200, self._arm, False), []
        raise ProblemError(404, str(unknown_name(f"arm of {bandit.name!r}:", self._arm, sorted(bandit.arms))))


class Change(NamedTuple):
    """What is to be changed of a bandit; None: as it is."""

    policy: str | None = None
    risk: str | None = None
    paused: bool | None = None
    baseline: str | None = None
    archived: bool | None = None

    def changed(self, settings: Settings) -> Settings:
        """The settings after this change."""
        data: dict[str, Any] = {"records": {}}
        for name, record in (("policy", specs.changed_policy_record), ("risk", specs.risk_record)):
            words = getattr(self, name)
            # By way of JSON, from which those that are stored have come too.
            made = None if words is None else json.loads(json.dumps(record(words)))
            if made is not None and made != json.loads(json.dumps(settings.records[name])):
                data[name], data["records"][name] = words, made
        settings = specs.change_settings(settings, data)
        if self.paused is not None:
            settings = settings._replace(paused=self.paused, baseline=self.baseline)
        return settings if self.archived is None else settings._replace(archived=self.archived)


class PreparedLearner(NamedTuple):
    """A learner with another policy, which was told of all events so far."""

    learner: ServiceLearner
    records: dict[str, Any]  # of its policy and its risk measure
    sequence: int  # of the last event


class ChangeBandit(Operation):
    """Change the policy or the risk measure of a bandit, pause or resume it, archive it or bring it back."""

    def __init__(self, change: Change, prepared: PreparedLearner | None) -> None:
        self._change, self._prepared = change, prepared

    def apply(self, bandit: BanditState, context: BatchContext) -> tuple[Answer, list[Event]]:
        """Changed, where it differs."""
        settings = self._change.changed(bandit.settings)
        if settings.baseline is not None and settings.baseline not in bandit.arms:
            raise unknown_name(f"arm of {bandit.name!r} that can be chosen:", settings.baseline, sorted(bandit.arms))
        new = bandit.change(settings, self._learner(bandit, context, settings), context.at)
        return spec_answer(200, bandit.row, settings), new

    def _learner(self, bandit: BanditState, context: BatchContext, settings: Settings) -> ServiceLearner:
        before = bandit.settings.records
        if settings.records["policy"] == before["policy"]:
            if settings.records["risk"] == before["risk"]:
                return bandit.learner
            return bandit.learner.with_risk(specs.build_risk(settings.records))
        check_whole_log(bandit.row)
        prepared = self._prepared
        if prepared is None or prepared.records != settings.records:
            raise service_unavailable(f"The bandit {bandit.name!r} was changed meanwhile.")
        missing = bandit.sequence - prepared.sequence
        return follow_events(prepared.learner, context.events(bandit, prepared.sequence + 1, missing))


def check_decides(name: str, settings: Settings) -> None:
    """Raise if a bandit makes no decisions."""
    if settings.archived:
        raise ProblemError(410, f"The bandit {name!r} is archived: it makes no more decisions.")
    if settings.paused and settings.baseline is None:
        raise ProblemError(409, f"The bandit {name!r} is paused: it makes no decisions until it is resumed.")


def no_arm(name: str) -> ProblemError:
    """All arms of a bandit are retired."""
    return ProblemError(409, f"The bandit {name!r} has no arm to choose: all are retired.")


def check_whole_log(row: BanditRow) -> None:
    """Raise unless the log of a bandit has all its events: another policy learns from their rewards."""
    if row.origin is not None:
        why = "its log was compacted, or it was imported, and another policy must learn from all its rewards"
        raise ProblemError(409, f"The policy of {row.name!r} cannot be changed: {why}.")


def spec_answer(status: int, row: BanditRow, settings: Settings) -> Answer:
    """What a bandit was created with, and its settings as they are now, as JSON."""
    spec = {name: row.spec[name] for name in ("arms", "policy", "risk", "seed", "horizon", "lease_seconds")}
    spec["propensity"] = row.spec.get("propensity", False)
    current = {name: value for name, value in settings._asdict().items() if name != "records"}
    spec |= {name: row.spec[name] for name in ("amounts", "features") if name in row.spec}
    found = {"name": row.name, **spec, **current, "created": times.isoformat(row.created)}
    return Answer(status, json.dumps(found).encode())


def decisions_answer(bandit: BanditState, made: Sequence[Any]) -> Answer:
    """Decisions as JSON."""
    lines = [
        f'{{"id":"{bandit.public_id(one["decides"])}","arm":{_to_json(one["arm"])},'
        f'"expires":"{times.isoformat(one["at"] + bandit.lease)}"{_probability(one)}}}'
        for one in made
    ]
    return Answer(201, f'{{"decisions":[{",".join(lines)}]}}'.encode())


def _probability(event: Any) -> str:
    """The probability of a decision, where it is logged, as a part of JSON."""
    data = event.get("data")
    return "" if not data or "probability" not in data else f',"probability":{data["probability"]!r}'


def _arm_answer(status: int, arm: str, changed: bool) -> Answer:
    return Answer(status, json.dumps({"arm": arm, "changed": changed}).encode())


def _is_open(bandit: BanditState, context: BatchContext, id: str, number: int, reward: float) -> bool:
    """Whether the decision is open; False if it already has this reward; otherwise a refusal."""
    ids.check_id(id, bandit.secret, bandit.id, number)
    if number in bandit.open:
        if bandit.is_late(number, context.at):  # of so many that they are not all forgotten yet
            raise _no_longer(id, EXPIRED)
        return True
    kind, booked = _settlement(bandit, context, id, number)
    if kind == REWARD:
        if booked != reward:
            raise ProblemError(
                409, f"The reward of the decision {id!r} must be {booked}, as already recorded. Got {reward} instead."
            )
        return False
    raise _no_longer(id, kind)


def _no_longer(id: str, kind: str) -> ProblemError:
    how = "its lease has run out" if kind == EXPIRED else "it was deleted"
    return ProblemError(410, f"The decision {id!r} no longer accepts a reward: {how}.")


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

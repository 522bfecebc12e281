"""From the content of a saved file back to the decisions that are open and those that are settled."""

from __future__ import annotations

import base64
import binascii
from typing import Any

import numpy as np

from riskbandits.core.errors import shown
from riskbandits.learner.answers import LARGEST
from riskbandits.learner.decisions import DecisionLog, Open, id_of


class ImpossibleError(ValueError):
    """The file says something that no learner writes."""

    def __init__(self, thing: str, what: str, got: object) -> None:
        super().__init__(f"{thing} must be {what}. Got {shown(got)} instead.")


def restore(log: DecisionLog, content: dict[str, Any], made: int, propensity: bool) -> None:
    """Fill the log of a learner that has made so many decisions. Files of version 0.1 hold nothing of it."""
    opened: dict[int, Open] = {}
    for arm in (*content["arms"], *content["retired"]):
        numbers = arm.get("open", [])
        probabilities = arm.get("probabilities", []) if propensity else [None] * len(numbers)
        for number, probability in zip(numbers, probabilities, strict=True):
            _check_number("'open'", number, made, opened)
            good = type(probability) in (int, float) and 0.0 < probability <= 1.0
            if propensity and not (probability is None or good):
                raise ImpossibleError("A probability of an open decision", "a number in (0, 1]", probability)
            opened[number] = (number, arm["name"], probability)
    log.open = {id_of(number): opened[number] for number in sorted(opened)}
    parts = content.get("settled", {"numbers": "", "rewards": ""})
    numbers, rewards = _array(parts["numbers"], "<i8"), _array(parts["rewards"], "<f8")
    if len(numbers) != len(rewards) or len(numbers) > log.remember:
        raise ImpossibleError("'settled'", f"at most {log.remember} numbers with as many rewards", len(numbers))
    if not all(np.isnan(rewards) | (np.abs(rewards) <= LARGEST)):
        raise ImpossibleError("The rewards of 'settled'", "numbers that may be told", "others")
    for number, reward in zip(numbers.tolist(), rewards.tolist(), strict=True):
        _check_number("'settled'", number, made, opened, log.settled)
        log.settled[number] = reward
    dropped = content.get("dropped", 0)
    if type(dropped) is not int or not 0 <= dropped <= made:
        raise ImpossibleError("'dropped'", f"a whole number between 0 and {made}", dropped)
    log.dropped = dropped


def _check_number(thing: str, number: Any, made: int, *taken: dict[int, Any]) -> None:
    if type(number) is not int or not 1 <= number <= made or any(number in one for one in taken):
        raise ImpossibleError(thing, f"numbers of the {made} decisions, each once", number)


def _array(text: Any, kind: str) -> np.ndarray:
    try:
        found = np.frombuffer(base64.b64decode(text, validate=True), dtype=kind)
    except (TypeError, ValueError, binascii.Error):
        raise ImpossibleError("'settled'", "numbers in base64", text) from None
    if base64.b64encode(found.tobytes()).decode("ascii") != text:
        raise ImpossibleError("'settled'", "numbers in base64", text)
    return found

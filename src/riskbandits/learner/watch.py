"""An occasional check that the rewards suit the policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskbandits.core import notices
from riskbandits.core.errors import ScaleWarning
from riskbandits.learner.beliefs import are_binary
from riskbandits.learner.book import Book
from riskbandits.numerics.moments import COUNT, SQUARES
from riskbandits.policies.cells import REWARD_COUNT
from riskbandits.policies.support import fitting

if TYPE_CHECKING:
    from riskbandits.types import Policy

LOOKS = (30, 300, 3000)  # rewards told, after which is looked
ENOUGH = 10  # rewards of an arm, from which its variance is known


class Watch:
    """Checks the rewards told so far; warns at most once."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.looks = list(LOOKS) if fitting.has_unit_scale(policy) or fitting.form_for_binary(policy) else []

    def look(self, book: Book, level: int) -> None:
        """Check, if it is time."""
        if self.looks and book.run[REWARD_COUNT] >= self.looks[0]:
            self.looks = [one for one in self.looks if one > book.run[REWARD_COUNT]]
            words = self.words(book)
            if words is not None:
                self.looks = []
                notices.warn(words, ScaleWarning, level + 1)

    def words(self, book: Book) -> str | None:
        """The warning about the rewards told so far, if any."""
        sums = book.moments
        known = sums[sums[:, COUNT] >= max(2.0, min(ENOUGH, sums[:, COUNT].max(initial=0.0)))]
        return fitting.complaint(self.policy, known[:, SQUARES] / (known[:, COUNT] - 1.0), are_binary(sums))

"""Arms that change at given steps."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms.contract import ARMS_METHODS, has_features, is_binary, size_of, tick
from riskbandits.core.checks import is_whole, listed
from riskbandits.core.errors import ParameterError, must_be
from riskbandits.core.records import ArmNames, Numbers, checked

if TYPE_CHECKING:
    from riskbandits.types import Arms, Rng


class _Fields(NamedTuple):
    starts: Numbers
    arms: Any
    names: ArmNames = ""


class PiecewiseArms(_Fields):
    """Arms that change at given steps: `PiecewiseArms([(1, arms), (2001, other_arms), ...])`.

    Use it to see how much a change of the arms costs a policy. Each piece is a pair of a first step and the arms from
    then on, all of one family and the same number; the first piece begins at step 1. Rewards are drawn from the arms of
    the step. Regret is measured against the best arm *of the step*: tables have `dynamic_regret` in place of the other
    regrets, and the mean, variance and gaps of the problem are those of step 1 (`problem.pieces` has all).

    Arms that remember their last reward (`DataArms` in blocks) cannot be pieces. Names are those of the pieces' arms,
    or `names`.

    What is kept is `starts` and one set `arms` with those of all pieces, one piece after the other.

    >>> from riskbandits import GaussianArms
    >>> arms = PiecewiseArms([(1, GaussianArms([0, 1], [1, 1])), (2001, GaussianArms([1, 0], [1, 1]))])
    >>> arms.size(), arms.mean(1), [(first, float(piece.mean(1))) for first, piece in arms.pieces()]
    (2, 1.0, [(1, 1.0), (2001, 0.0)])
    """

    __slots__ = ()

    def __new__(
        cls, pieces: Any = None, arms: Arms | None = None, names: Any = "", *, starts: Any = None
    ) -> PiecewiseArms:
        """From pieces; or from the fields, which is how records are cast, read and sent."""
        if arms is not None:
            return super().__new__(cls, pieces if starts is None else starts, arms, names)
        first_steps, all_arms, given = _joined(pieces)
        return super().__new__(cls, first_steps, all_arms, given if isinstance(names, str) and not names else names)

    def draw(self, k: int, rng: Rng) -> float:
        return self.arms.draw(k, rng)

    def draw_next(self, k: int, rng: Rng, memory: np.ndarray) -> float:
        """The reward of arm k at the step after the last one that was drawn."""
        step, piece = tick(memory)
        while piece + 1 < self.starts.shape[0] and self.starts[piece + 1] <= step:
            piece += 1
        memory[memory.shape[0] - 1, 1] = piece
        return self.arms.draw(piece * (memory.shape[0] - 1) + k, rng)

    def mean(self, k: int) -> float:
        return float(self.arms.mean(k))

    def variance(self, k: int) -> float:
        return float(self.arms.variance(k))

    def distribution(self, k: int) -> Any:
        return self.arms.distribution(k)

    def size(self) -> int:
        return size_of(self.arms) // len(self.starts)

    def binary(self) -> bool:
        """Whether the arms of all pieces pay 0 or 1."""
        return is_binary(self.arms)

    def pieces(self) -> list[tuple[int, Any]]:
        """The first step of each piece and its arms."""
        size = self.size()
        parts = [_part(self.arms, p * size, (p + 1) * size) for p in range(len(self.starts))]
        return [(int(start), part) for start, part in zip(self.starts, parts, strict=True)]

    def invalid(self) -> tuple[str, str, object] | None:
        """Pieces must begin with step 1, one after the other, and share the arms out evenly."""
        thing, starts = "The 'starts' parameter of PiecewiseArms", np.asarray(self.starts)
        if starts[0] != 1.0 or not (np.diff(starts) > 0).all() or not (starts == np.floor(starts)).all():
            return (thing, "whole numbers that rise from 1 on", starts.tolist())
        checked(self.arms, "set of arms", ARMS_METHODS)
        if size_of(self.arms) % len(starts):
            return ("PiecewiseArms", f"given as many arms for each of its {len(starts)} pieces", size_of(self.arms))
        return None


def _joined(pieces: Any) -> tuple[np.ndarray, Any, str]:
    """The starts, the arms of all pieces as one set, and what they are called."""
    what = "a list of pairs (first step, arms), such as [(1, arms), (2001, other_arms)]"
    starts, sets, names = [], [], []
    for piece in listed("The pieces of PiecewiseArms", what, pieces, ordered=True):
        if not isinstance(piece, (tuple, list)) or len(piece) != 2 or not is_whole(piece[0]):
            raise must_be("A piece of PiecewiseArms", "a pair (first step, arms)", piece)
        arms = checked(piece[1], "set of arms", ARMS_METHODS)
        if hasattr(arms, "draw_next"):
            why = "have features of decisions" if has_features(arms) else "remember earlier rewards"
            raise ParameterError(f"{type(arms).__name__} {why}, and cannot be a piece of PiecewiseArms.")
        starts.append(int(piece[0]))
        names.append(getattr(arms, "names", ""))
        sets.append(arms._replace(names="") if names[-1] else arms)  # there are not as many as arms of all pieces
    if not sets:
        raise must_be("The pieces of PiecewiseArms", what, pieces)
    if starts[0] != 1 or any(first >= second for first, second in pairwise(starts)):
        raise must_be("The first steps of PiecewiseArms", "whole numbers that rise from 1 on", starts)
    for arms in sets[1:]:
        if type(arms) is not type(sets[0]):
            wanted = f"of one family ({type(sets[0]).__name__}, as the first)"
            raise must_be("The arms of PiecewiseArms", wanted, type(arms).__name__)
        if size_of(arms) != size_of(sets[0]):
            raise must_be("The arms of PiecewiseArms", f"as many in every piece ({size_of(sets[0])})", size_of(arms))
    if any(one != names[0] for one in names):
        raise must_be(
            "The names of the arms of PiecewiseArms", "the same in every piece", [one.split() for one in names]
        )
    return np.array(starts, dtype=np.float64), _one_set(sets), names[0]


def _one_set(sets: list[Any]) -> Any:
    """The arms of all sets, in order: fields with an entry per arm are laid end to end, others must agree."""
    cls, size = type(sets[0]), size_of(sets[0])
    fields = []
    for name in cls._fields:
        values = [getattr(one, name) for one in sets]
        if all(_per_arm(value, size) for value in values):
            if len({value.shape[1:] for value in values}) > 1:
                raise must_be(
                    f"The {name!r} parameter of the pieces", "of one shape", [value.shape for value in values]
                )
            fields.append(np.concatenate(values))
        elif all(np.array_equal(value, values[0]) for value in values):
            fields.append(values[0])
        else:
            raise must_be(f"The {name!r} parameter of the pieces", "the same in all", values)
    return checked(cls(*fields), "set of arms", ARMS_METHODS)


def _part(arms: Any, first: int, last: int) -> Any:
    """The arms `first` to `last` - 1 of a set."""
    size = size_of(arms)
    fields = [value[first:last] if _per_arm(value, size) else value for value in arms]
    return checked(type(arms)(*fields), "set of arms", ARMS_METHODS)


def _per_arm(value: object, size: int) -> bool:
    return isinstance(value, np.ndarray) and value.ndim > 0 and len(value) == size

"""Structures without detours: a part that was just put into one is taken from where it came.

A record with its arrays is a structure of a hundred numbers. Numba takes it apart for every call and puts it together
again in the function called, where most of it only waits for the next call.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from llvmlite.ir import IRBuilder, instructions


def part_of(builder: Any, whole: Any, places: Any, name: str = "") -> Any:
    """A part of a structure: what was put there, where that is known."""
    places = list(places) if isinstance(places, tuple | list) else [places]
    while places and isinstance(whole, instructions.InsertValue):
        put = list(whole.indices)
        if put == places[: len(put)]:
            whole, places = whole.value, places[len(put) :]
        elif places == put[: len(places)]:  # a part of this part was put there
            break
        else:
            whole = whole.aggregate
    return IRBuilder.extract_value(builder, whole, places, name) if places else whole


def drop_unused(function: Any) -> None:
    """Take out structures, and parts of them, that nothing uses."""
    uses: Counter[int] = Counter()
    made: list[Any] = []
    for block in function.blocks:
        for one in block.instructions:
            uses.update(map(id, one.operands))
            if isinstance(one, instructions.PhiInstr):
                uses.update(id(value) for value, _ in one.incomings)
            if isinstance(one, instructions.InsertValue | instructions.ExtractValue):
                made.append(one)
    unused = set()
    for one in reversed(made):  # users come later
        if not uses[id(one)]:
            unused.add(id(one))
            uses.subtract(map(id, one.operands))
    for block in function.blocks:
        block.instructions = [one for one in block.instructions if id(one) not in unused]

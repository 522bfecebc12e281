"""Which variables of a helper need no memory."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from numba.core import ir, types
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs, must_use_alloca

# What may be done with a range and with what goes through it, so that nobody else sees them.
LOOPING = ("copy", "getiter", "iternext", "pair_first", "pair_second")


def lasting_variables(blocks: dict[int, Any]) -> tuple[set[str], set[str]]:
    """Variables assigned once, before all uses on every way through the function; and those used in one block."""
    assigned = Counter(one.target.name for block in blocks.values() for one in block.find_insts(ir.Assign))
    uses = compute_use_defs(blocks)
    used_in: dict[str, list[int]] = defaultdict(list)
    for offset, names in uses.usemap.items():
        for name in names:
            used_in[name].append(offset)
    dominators = compute_cfg_from_blocks(blocks).dominators()
    in_memory = must_use_alloca(blocks)
    lasting = {
        name
        for place, names in uses.defmap.items()
        for name in names
        if assigned[name] == 1
        and name not in in_memory
        and all(place < offset and place in dominators[offset] for offset in used_in[name])
    }
    return lasting, {name for name in lasting if not used_in[name]}


def counted_ranges(blocks: dict[int, Any], lasting: set[str], typeof: Callable[[str], Any]) -> set[str]:
    """Ranges that a loop goes through and nothing else uses, nor what goes through them."""
    users: dict[str, list[tuple[str, str]]] = defaultdict(list)  # what is done with a variable, and who is given it
    elsewhere: set[str] = set()
    starts: list[str] = []
    for block in blocks.values():
        for one in block.body:
            value: Any = one.value if isinstance(one, ir.Assign) else None
            op = "copy" if isinstance(value, ir.Var) else getattr(value, "op", None)
            if op in LOOPING:
                source = value if op == "copy" else value.value
                users[source.name].append((op, one.target.name))
                if op == "getiter" and typeof(source.name) == types.range_state64_type:
                    starts.append(source.name)
            elif value is None:
                elsewhere.update(var.name for var in one.list_vars())
            elif isinstance(value, ir.Expr):
                elsewhere.update(var.name for var in value.list_vars())
    free = lasting - elsewhere

    def only(name: str, *allowed: str) -> bool:
        return name in free and all(op in allowed for op, _ in users[name])

    def counts(name: str) -> bool:
        if not only(name, "copy", "iternext"):
            return False
        return all(counts(to) if op == "copy" else only(to, "pair_first", "pair_second") for op, to in users[name])

    return {name for name in starts if only(name, "getiter") and all(counts(to) for _, to in users[name])}

"""How helpers become LLVM's language in few words.

Numba spells everything out, because anything may happen: an array is copied to memory to read one number of it, a
variable that is used in two blocks lives in memory, after every call it is asked whether there was an exception. LLVM
removes all this again, but a third of the time to the first result went into writing, printing, reading and removing
it. What is computed is the same to the last bit.

This is for functions that count no references and check no bounds; others are left to numba.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from llvmlite import ir as llvm_ir
from numba.core import cgutils, ir, types
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

from riskbandits.compiling.lowering import sure_calls
from riskbandits.compiling.lowering.lasting import counted_ranges, lasting_variables
from riskbandits.compiling.lowering.structures import drop_unused, part_of
from riskbandits.compiling.lowering.sure_calls import memory


class Range(NamedTuple):
    """What a loop goes through, in steps known beforehand."""

    start: Any
    stop: Any
    step: int


class Counting(NamedTuple):
    """Where a loop keeps its next number, how many are to come, and how far they are apart."""

    following: Any
    left: Any
    step: int


class Next(NamedTuple):
    """What a loop is given: a number, and whether there was one left."""

    number: Any
    valid: Any


class LeanLower(Lower):
    """Numba's way from its own language to LLVM's, with short ways for what helpers do most."""

    def _find_singly_assigned_variable(self) -> None:
        """Find the variables that need no memory: numba's are those used in one block alone."""
        context, stops_midway = self.context, self.func_ir.func_id.is_generator
        self._lean = not (
            context.enable_nrt or context.enable_boundscheck or stops_midway or self._disable_sroa_like_opt
        )
        self._tuples: dict[str, tuple[Any, list[Any]]] = {}  # of numbers, not made yet: most only say which element
        if not self._lean:
            super()._find_singly_assigned_variable()
            return
        self._blk_local_varmap: dict[str, Any] = {}
        self._singly_assigned_vars, self._in_one_block = lasting_variables(self.blocks)
        self._counted = counted_ranges(self.blocks, self._singly_assigned_vars, self.typeof)

    # Variables

    def loadvar(self, name: str) -> Any:
        """The value of a variable."""
        if name in self._tuples:
            self._blk_local_varmap[name] = self.context.make_tuple(self.builder, *self._tuples.pop(name))
        return super().loadvar(name)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Remember a value; what was there before needs no looking after."""
        if not self._lean:
            super().storevar(value, name, argidx)
        elif name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def alloca_lltype(self, name: str, lltype: Any, datamodel: Any = None) -> Any:
        """Memory for a variable; nobody reads it before it is written."""
        if not self._lean:
            return super().alloca_lltype(name, lltype, datamodel)
        return memory(self.builder, lltype)

    # Statements and expressions

    def lower_inst(self, inst: Any) -> Any:
        """One statement."""
        if self._lean:
            if isinstance(inst, ir.Assign) and self._is_index(inst):
                kind = self.typeof(inst.target.name)
                self._tuples[inst.target.name] = kind, [self._cast_var(one, kind.dtype) for one in inst.value.items]
                return None
            index = inst.index_var if isinstance(inst, ir.StaticSetItem) else getattr(inst, "index", None)
            if isinstance(inst, (ir.SetItem, ir.StaticSetItem)) and self._is_element(inst.target, index):
                given = self._cast_var(inst.value, self.typeof(inst.target.name).dtype)
                self.builder.store(given, self._address(inst.target, index))
                return None
        return super().lower_inst(inst)

    def _is_index(self, inst: Any) -> bool:
        """Whether a statement makes a tuple of integers that is used in its own block alone."""
        if not (isinstance(inst.value, ir.Expr) and inst.value.op == "build_tuple"):
            return False
        kind = self.typeof(inst.target.name)
        numbers = type(kind) is types.UniTuple and isinstance(kind.dtype, types.Integer)
        return numbers and inst.target.name in self._in_one_block

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        """What is assigned."""
        if self._lean and inst.target.name in self._counted and self._calls_range(inst.value):
            given = [self._cast_var(one, types.int64) for one in inst.value.args]
            if len(given) == 1:
                return Range(given[0].type(0), given[0], 1)
            if len(given) == 2:
                return Range(given[0], given[1], 1)
            if isinstance(given[2], llvm_ir.Constant) and given[2].constant != 0:
                return Range(given[0], given[1], given[2].constant)
        return super().lower_assign(ty, inst)

    def _calls_range(self, value: Any) -> bool:
        if getattr(value, "op", None) != "call" or value.kws or value.vararg is not None:
            return False
        return getattr(self.typeof(value.func.name), "typing_key", None) is range

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        """One expression."""
        if self._lean:
            found = self._short(resty, expr)
            if found is not None:
                return found
        return super().lower_expr(resty, expr)

    def _short(self, resty: Any, expr: Any) -> Any:
        """The value of an expression for which there is a short way; None for others."""
        if expr.op in ("getitem", "static_getitem"):
            index = expr.index if expr.op == "getitem" else expr.index_var
            if index is not None and self._is_element(expr.value, index):
                number = self.builder.load(self._address(expr.value, index))
                return self.context.cast(self.builder, number, self.typeof(expr.value.name).dtype, resty)
        elif expr.op == "getattr":
            if expr.attr == "shape" and isinstance(self.typeof(expr.value.name), types.Array):
                return self._part(expr.value, "shape")
        elif expr.op in ("getiter", "iternext", "pair_first", "pair_second"):
            source = self._blk_local_varmap.get(expr.value.name)
            if isinstance(source, Range):
                return self._counting(source)
            if isinstance(source, Counting):
                return self._next(source)
            if isinstance(source, Next):
                return source.valid if expr.op == "pair_second" else source.number
        return None

    # Loops over numbers

    def _counting(self, over: Range) -> Counting:
        builder = self.builder
        following, left = memory(builder, over.stop.type), memory(builder, over.stop.type)
        builder.store(over.start, following)
        ends = (over.stop, over.start) if over.step > 0 else (over.start, over.stop)
        count = distance = builder.sub(*ends)
        if abs(over.step) > 1:
            width = distance.type(abs(over.step))
            count = builder.sdiv(builder.add(distance, distance.type(abs(over.step) - 1)), width)
        some = builder.icmp_signed(">", distance, distance.type(0))
        builder.store(builder.select(some, count, distance.type(0)), left)
        return Counting(following, left, over.step)

    def _next(self, counting: Counting) -> Next:
        builder = self.builder
        left, number = builder.load(counting.left), builder.load(counting.following)
        # After the last number too, when nobody asks any more.
        builder.store(builder.sub(left, left.type(1), flags=["nsw"]), counting.left)
        builder.store(builder.add(number, number.type(counting.step), flags=["nsw"]), counting.following)
        return Next(number, builder.icmp_signed(">", left, left.type(0)))

    # Elements of arrays

    def _is_element(self, array: Any, index: Any) -> bool:
        """Whether an index says which number of an array is meant, and the array holds all its numbers in a row."""
        kind, places = self.typeof(array.name), _kinds_of(self.typeof(index.name))
        if not (isinstance(kind, types.Array) and kind.layout == "C" and kind.aligned):
            return False
        if not isinstance(kind.dtype, types.Float | types.Integer):
            return False
        return len(places) == kind.ndim and all(isinstance(one, types.Integer) for one in places)

    def _part(self, array: Any, name: str) -> Any:
        """A part of what numba knows of an array."""
        place = self.context.data_model_manager[self.typeof(array.name)].get_field_position(name)
        return self.builder.extract_value(self.loadvar(array.name), place)

    def _address(self, array: Any, index: Any) -> Any:
        """Where an element of an array is."""
        builder, offset = self.builder, None
        data, shape = self._part(array, "data"), self._part(array, "shape")
        for axis, (place, counts_from_end) in enumerate(self._places(index)):
            if offset is not None or counts_from_end:
                size = builder.extract_value(shape, axis)
            if counts_from_end:
                negative = builder.icmp_signed("<", place, place.type(0))
                place = builder.select(negative, builder.add(place, size), place)
            if offset is not None:
                place = builder.add(builder.mul(offset, size, flags=["nsw"]), place, flags=["nsw"])
            offset = place
        return builder.gep(data, [offset], inbounds=True)

    def _places(self, index: Any) -> list[tuple[Any, bool]]:
        """The numbers of an index, each with 64 bits, and whether they may count from the end."""
        kind = self.typeof(index.name)
        if index.name in self._tuples:
            _, values = self._tuples[index.name]
        elif isinstance(kind, types.BaseTuple):
            values = cgutils.unpack_tuple(self.builder, self.loadvar(index.name), len(kind))
        else:
            values = [self.loadvar(index.name)]
        found = []
        for value, one in zip(values, _kinds_of(kind), strict=True):
            place = self.context.cast(self.builder, value, one, types.intp if one.signed else types.uintp)
            known = isinstance(place, llvm_ir.Constant) and place.constant >= 0
            found.append((place, one.signed and not known))
        return found

    # The whole

    def setup_function(self, fndesc: Any) -> None:
        """Prepare to write a function."""
        super().setup_function(fndesc)
        if self._lean:
            self.builder.extract_value = partial(part_of, self.builder)

    def lower_normal_function(self, fndesc: Any) -> None:
        """The function; if it returns nothing but success, that is remembered."""
        super().lower_normal_function(fndesc)
        if self._lean:
            drop_unused(self.function)
        sure_calls.note(self.function)


def _kinds_of(index: Any) -> list[Any]:
    """The types of an index: one, or one for each axis."""
    several: Any = index if isinstance(index, types.BaseTuple) else [index]
    return list(several)


class LeanLowering(NativeLowering):
    """The pass that turns a function into LLVM's language."""

    @property
    def lowering_class(self) -> Any:
        """What does it."""
        return LeanLower

"""What numba does to each of this package's helpers, and nothing else: they are plain loops over numbers.

Numba's own list has 27 passes, 15 of which find nothing to do here, and after most of them it analyses which variables
are alive where, tells listeners, and checks that nothing is amiss. What is alive is asked once, before the
last pass.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import transforms
from numba.core.ir_utils import build_definitions
from numba.core.ssa import reconstruct_ssa
from numba.core.typed_passes import (
    IRLegalization,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import FixupArgs, GenericRewrites, TranslateByteCode

from riskbandits.compiling.lowering.lean import LeanLowering


def in_order(state: Any) -> None:
    """Blocks in their order, without those that are never reached."""
    state.func_ir.blocks = transforms.canonicalize_cfg(state.func_ir.blocks)


def single_assignment(state: Any) -> None:
    """Every variable is assigned in one place."""
    state.func_ir = reconstruct_ssa(state.func_ir)
    state.func_ir._definitions = build_definitions(state.func_ir.blocks)


def no_phis(state: Any) -> None:
    """What joins variables after a branch becomes assignments in its arms."""
    state.func_ir = PreLowerStripPhis()._strip_phi_nodes(state.func_ir)


def ends_of_variables(state: Any) -> None:
    """Mark where variables end, for those who count references to what they hold."""
    if state.flags.nrt:
        IRLegalization().run_pass(state)


PASSES: tuple[Callable[[Any], Any], ...] = (
    TranslateByteCode().run_pass,
    FixupArgs().run_pass,
    in_order,
    GenericRewrites().run_pass,
    single_assignment,
    NopythonTypeInference().run_pass,
    no_phis,
    ends_of_variables,
    LeanLowering().run_pass,
    NoPythonBackend().run_pass,
)


class Passes:
    """In the place of numba's manager of passes."""

    pipeline_name = "nopython"

    def __init__(self) -> None:
        self.exec_times: dict[str, Any] = {}  # numba keeps it with what it has compiled

    def run(self, state: Any) -> None:
        """All of them, in order."""
        for one in PASSES:
            one(state)

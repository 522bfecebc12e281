"""Modules under their names from version 0.1, for one release."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as type checkers understand it: this is imported with the package, and must cost nothing
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

# Where the modules are now that people may have imported.
MODULES = {
    "riskbandits.claims": "riskbandits.paper.claims",
    "riskbandits.comparison": "riskbandits.results.comparison",
    "riskbandits.comparisons": "riskbandits.api.compare",
    "riskbandits.execution": "riskbandits.api.execution",
    "riskbandits.experiments": "riskbandits.paper",
    "riskbandits.policies.contract": "riskbandits.policies.support.contract",
    "riskbandits.records": "riskbandits.core.records",
    "riskbandits.report": "riskbandits.paper.report",
    "riskbandits.result": "riskbandits.results.result",
    "riskbandits.seeds": "riskbandits.core.seeds",
    "riskbandits.statistics": "riskbandits.numerics",
    "riskbandits.study": "riskbandits.api.simulate",
    "riskbandits.sweep_result": "riskbandits.results.sweep_result",
    "riskbandits.sweeps": "riskbandits.api.sweep",
}
# Not an old name: errors are caught under this one.
PUBLIC = {"riskbandits.errors": "riskbandits.core.errors"}


class Moved:
    """Finds modules that have moved. The module found is the one at the new place: its classes exist once."""

    def __init__(self) -> None:
        self._specs: dict[str, Any] = {}

    def find_spec(self, name: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The specification of a module that has moved."""
        if not name.startswith("riskbandits.") or self.place(name) is None:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self)  # type: ignore[arg-type]

    @staticmethod
    def place(name: str) -> str | None:
        """Where a module is now, if it has moved."""
        known = {**MODULES, **PUBLIC}
        old = max((one for one in known if name == one or name.startswith(one + ".")), key=len, default=None)
        return None if old is None else known[old] + name[len(old) :]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module at its new place."""
        from importlib import import_module

        new = self.place(spec.name) or spec.name
        if spec.name not in PUBLIC:
            from riskbandits.core.old_names import say

            say(f"The module {spec.name}", new, level=6)
        module = import_module(new)
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run; the module keeps the specification of its own."""
        own = self._specs.pop(module.__spec__.name if module.__spec__ else "", None)
        if own is not None:
            module.__spec__ = own


def install() -> None:
    """Let imports find what has moved. First in line: the parts of a package that moved would be found twice."""
    if not any(isinstance(finder, Moved) for finder in sys.meta_path):
        sys.meta_path.insert(0, Moved())

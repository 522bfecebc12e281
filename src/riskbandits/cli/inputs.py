"""From what a person types to records: arms from names and files, policies, risk measures, and files of one's own."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from riskbandits import problems, risk
from riskbandits.cli.arm_files import RECORDED, read_arms, read_recorded
from riskbandits.errors import FileError, ParameterError, must_be, unknown_name
from riskbandits.policies import names
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance

ARMS_HELP = (
    'A named problem (see `riskbandits list arms`), a .json file such as {"means": [0, 1], "variances": [1, 2]} '
    'or {"family": "beta", "alphas": [1, 2], "betas": [1, 6]}, a .csv file with a column per parameter (mean,variance '
    "or probability, ...) and maybe one called family, data:FILE.csv or data:FILE.parquet for recorded rewards (a "
    "column per arm; data:FILE:BLOCK keeps the order of so many on average), or FILE.py:Class."
)
RISK_HELP = (
    "Risk measure, such as mean-variance:1, cvar:0.2 or entropic:2 (see `riskbandits list risks`), or FILE.py:Class."
)


def read_problem(arms: str, rho: float | None, risk_text: str | None) -> Problem:
    """The problem that `--arms` with `--rho` or `--risk` means."""
    if rho is not None and risk_text is not None:
        raise ParameterError("--rho and --risk both say what is maximised: give one of them.")
    measure = read_risk(risk_text) if risk_text is not None else MeanVariance(1.0 if rho is None else rho)
    if ".py:" in arms:
        return Problem(own_record(arms, "set of arms"), measure)
    if arms.startswith(RECORDED):
        return Problem(read_recorded(arms), measure)
    if Path(arms).suffix.lower() in (".json", ".csv"):
        return Problem(read_arms(Path(arms)), measure)
    return problems.named(arms).with_risk(measure)


def read_policies(text: str) -> list[Any]:
    """The policies of a comma-separated list: names, presets as `name:preset`, or `file.py:Class`."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise must_be("--policies", "a comma-separated list of policies", text)
    return [own_record(part, "policy") if ".py:" in part else names.parse(part) for part in parts]


def read_risk(text: str) -> Any:
    """A risk measure from `name`, `name:parameters` such as `mean-variance:1`, `name:preset`, or `file.py:Class`."""
    if ".py:" in text:
        return own_record(text, "risk measure")
    name, _, parameters = text.partition(":")
    cls = risk_class(name)
    for preset, record in names.presets(cls).items():
        if names.plain(preset) == names.plain(parameters):
            return record
    values = [part.strip() for part in parameters.split(",") if part.strip()]
    if len(values) > len(cls._fields):
        raise must_be(f"The parameters of {name}", f"at most {len(cls._fields)} numbers", parameters)
    return cls(*(_parameter(name, value) for value in values))


def risk_class(name: str) -> Any:
    """The risk measure by that name; case, `-` and `_` do not matter."""
    known = [getattr(risk, one) for one in risk.__all__]
    for cls in known:
        if names.plain(name) in (names.plain(cls.__name__), names.plain(names.command_line_name(cls))):
            return cls
    raise unknown_name("risk measure", name, [names.command_line_name(cls) for cls in known])


def _parameter(name: str, text: str) -> float | bool:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return float(text)
    except ValueError:
        raise must_be(f"The parameters of {name}", "numbers", text) from None


def own_record(text: str, kind: str) -> Any:
    """A record of the user's own: `path/to/file.py:Class`, or `path/to/file.py:Class:preset`."""
    file, _, rest = text.partition(".py:")
    path = Path(file + ".py")
    if not path.is_file():
        raise FileError(f"There is no file {str(path)!r}.")
    module = _import_file(path)
    class_name, _, preset = rest.partition(":")
    cls = getattr(module, class_name, None)
    if not (isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")):
        found = [name for name, thing in vars(module).items() if isinstance(thing, type) and hasattr(thing, "_fields")]
        raise unknown_name(f"{kind} in {str(path)!r} called", class_name, found)
    if preset:
        return names.parse(f"{class_name}:{preset}", [cls])
    try:
        return cls()
    except TypeError:
        raise ParameterError(f"{class_name} has parameters without a default; name a preset: {text}:PRESET.") from None


def _import_file(path: Path) -> Any:
    """Import a file the user named, under its own name, so that compiled code for it can be kept on disk."""
    name = path.stem
    loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "__file__", None) == str(path.resolve()):
        return loaded
    if loaded is not None:
        name = f"{name}_from_command_line"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise FileError(f"{str(path)!r} could not be imported: {type(error).__name__}: {error}") from error
    return module

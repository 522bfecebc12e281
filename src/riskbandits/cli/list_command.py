"""`riskbandits list`: everything there is to choose from."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from riskbandits import problems, risk, suites
from riskbandits.arms import DataArms, LinearArms, PiecewiseArms
from riskbandits.cli.arm_files import families, parameters
from riskbandits.core.display import columns, filled
from riskbandits.core.errors import unknown_name
from riskbandits.core.records import classes_in
from riskbandits.identification import RULES
from riskbandits.paper import FIGURES
from riskbandits.policies import SwitchingAware
from riskbandits.policies.support import naming

RECOMMENDED = SwitchingAware
INDENT = "    "


def list_things(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="policies, arms, risks, rules, suites, figures or claims.")
    ],
    json_output: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """List the available options, with the names that the other commands accept.

    **Example:** `riskbandits list policies`
    """
    kinds = {
        "policies": _policies,
        "arms": _arms,
        "risks": _risks,
        "rules": _rules,
        "suites": _suites,
        "figures": _figures,
        "claims": _claims,
    }
    if kind not in kinds:
        raise unknown_name("kind of thing to list called", kind, kinds)
    rows = kinds[kind]()
    if json_output:
        print(json.dumps(rows))
        return
    for row in rows:
        print(_entry(row))


def _entry(row: dict[str, Any]) -> str:
    """A thing and, below its name, what it is, when to use it, and the rest of what is known of it."""
    lines = [row["what"], row.get("when", "")]
    rest = {key: value for key, value in row.items() if key not in ("name", "class", "recommended", "what", "when")}
    for key, value in rest.items():
        text = ", ".join(value) if isinstance(value, list) else value
        lines.append(f"{key}: {text}" if text else "")
    body = "\n".join(filled(line, columns() - len(INDENT)) for line in lines if line)
    return f"{row['name']}\n{textwrap.indent(body, INDENT)}"


def _policies() -> list[dict[str, Any]]:
    """The recommended one first."""
    rows = _records(sorted(naming.public_policies(), key=_recommended_first))
    for row in rows:
        row["recommended"] = row["class"] == RECOMMENDED.__name__
        row["what"] = (
            row["what"].replace("The recommended policy", "RECOMMENDED DEFAULT") if row["recommended"] else row["what"]
        )
    return rows


def _recommended_first(cls: Any) -> tuple[bool, str]:
    return cls is not RECOMMENDED, naming.command_line_name(cls)


def _risks() -> list[dict[str, Any]]:
    return _records(classes_in(risk))


def _rules() -> list[dict[str, Any]]:
    return _records(RULES)


def _records(classes: Iterable[Any]) -> list[dict[str, Any]]:
    return [
        {
            "name": naming.command_line_name(cls),
            "class": cls.__name__,
            "presets": [f"{naming.command_line_name(cls)}:{preset}" for preset in naming.presets(cls)],
            "parameters": _parameters(cls),
            "what": _first_line(cls),
            "when": _when(cls),
        }
        for cls in classes
    ]


def _arms() -> list[dict[str, Any]]:
    rows = [{"name": name, "what": _first_line(make)} for name, make in problems.NAMED.items()]
    rows += [
        {"name": f"{family}({', '.join(parameters(cls))})", "what": f"{cls.__name__}: {_first_line(cls)}"}
        for family, cls in families().items()
    ]
    rows.append({"name": "FILE.json with pieces", "what": f"{PiecewiseArms.__name__}: {_first_line(PiecewiseArms)}"})
    rows.append({"name": "in Python", "what": f"{LinearArms.__name__}: {_first_line(LinearArms)}"})
    return [*rows, {"name": "data:FILE", "what": f"{DataArms.__name__}: {_first_line(DataArms)}"}]


def _suites() -> list[dict[str, Any]]:
    return [{"name": name, "what": _first_line(make)} for name, make in suites.SUITES.items()]


def _figures() -> list[dict[str, Any]]:
    # A label of the LaTeX source is a name too, and not that of the figure in print.
    return [{"name": name, "what": figure.title, "LaTeX label": figure.label or ""} for name, figure in FIGURES.items()]


def _claims() -> list[dict[str, Any]]:
    from riskbandits.paper.claims import CLAIMS
    from riskbandits.paper.report.markdown import plain

    return [{"name": name, "what": plain(claim.statement), "where": claim.source} for name, claim in CLAIMS.items()]


def _parameters(cls: Any) -> list[str]:
    return [f"{name}={cls._field_defaults[name]}" if name in cls._field_defaults else name for name in cls._fields]


def _first_line(thing: object) -> str:
    return (thing.__doc__ or "").strip().splitlines()[0]


def _when(thing: object) -> str:
    """The sentence of a docstring that says when to use it."""
    found = re.search(r"Use it .*?[.:](?=\s|$)", " ".join((thing.__doc__ or "").split()))
    return found[0].replace(":", ".") if found else ""

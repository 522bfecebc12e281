"""A suite: named problems with their sources. Data only, to and from one JSON file."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from riskbandits import arms, risk
from riskbandits.arms import BernoulliArms, GaussianArms
from riskbandits.arms.features import FEATURE_DISTRIBUTIONS
from riskbandits.core import checks, files
from riskbandits.core.display import counted
from riskbandits.core.errors import FileError, ParameterError, RiskBanditsError, must_be, shown
from riskbandits.core.records import check_classes, classes_in
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance

FORMAT = "riskbandits-suite"
CHECKED = "riskbandits-suite 2"  # what `save` writes: the first format had no checksum
# Short forms of a problem in a file: its arms' fields and rho stand beside its name.
SHORT: tuple[tuple[tuple[str, ...], Any], ...] = (
    (("means", "variances"), GaussianArms),
    (("probabilities",), BernoulliArms),
)


class Case(NamedTuple):
    """One problem of a suite."""

    name: str
    family: str  # problems of one family are summed up together
    problem: Problem
    source: str = ""  # where it comes from
    draw: str = ""  # cases with the same `draw` are random draws from one population; "" is a problem of its own


class Suite(NamedTuple):
    """Named problems on which policies are compared.

    Create your own with `Suite.of`, write it with `save`, and read it with `read_suite` or `riskbandits compare --suite
    FILE`.

    >>> import riskbandits as rb
    >>> arms = rb.GaussianArms(means=[0.1, 0.7], variances=[0.05, 0.5])
    >>> careful, bold = (rb.Problem(arms, rb.MeanVariance(rho)) for rho in (0.1, 10))
    >>> suite = Suite.of({"careful": careful, "bold": bold})
    >>> [case.name for case in suite.cases]
    ['careful', 'bold']
    """

    name: str
    about: str
    cases: tuple[Case, ...]

    @classmethod
    def of(cls, problems: Mapping[str, Problem] | Iterable[Problem], name: str = "own", about: str = "") -> Suite:
        """A suite from problems, or from a mapping of names to problems."""
        name = checks.text("The name of a suite", name)
        named: list[tuple[Any, Any]]
        if isinstance(problems, Mapping):
            named = [(checks.text("The name of a problem", key), one) for key, one in problems.items()]
        else:
            wanted = "a list of problems or a mapping of names to problems"
            given = checks.listed("The problems of a suite", wanted, problems)
            named = [(f"problem-{number}", problem) for number, problem in enumerate(given, start=1)]
        return check_suite(cls(name, about, tuple(Case(key, name, problem) for key, problem in named)))

    def to_data(self) -> dict[str, Any]:
        """The suite as plain data for JSON."""
        cases = [
            {"name": c.name, "family": c.family, **c.problem.to_data(), "source": c.source, "draw": c.draw}
            for c in self.cases
        ]
        return {"format": FORMAT, "name": self.name, "about": self.about, "problems": cases}

    @classmethod
    def from_data(cls, data: object, classes: Iterable[type] = ()) -> Suite:
        """The inverse of `to_data`. Pass your own record classes as `classes`."""
        if not isinstance(data, dict) or not isinstance(data.get("problems"), list):
            raise must_be("A suite", 'an object with a list called "problems"', data)
        name = str(data.get("name", "own"))
        known = (*_public(arms), *FEATURE_DISTRIBUTIONS, *_public(risk), *check_classes(classes))
        cases = tuple(_case(entry, number, name, known) for number, entry in enumerate(data["problems"], start=1))
        return check_suite(cls(name, str(data.get("about", "")), cases))

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the suite to a JSON file, with a checksum of its content."""
        path = checks.path("The file of a suite", path)
        data = self.to_data() | {"format": CHECKED}
        text = json.dumps({"checksum": _checksum(data), **data}, indent=1)
        with files.replacing(path) as temporary:
            Path(temporary).write_text(text + "\n", encoding="utf-8")
        return Path(path)

    def __repr__(self) -> str:
        return f"<Suite {self.name}: {counted(len(self.cases), 'problem')}>"


def read_suite(path: str | os.PathLike[str], classes: Iterable[type] = ()) -> Suite:
    """A suite from a JSON file: as written by `Suite.save`, or a short form written by hand.

    {"name": "mine", "problems": [{"name": "a", "means": [0, 1], "variances": [1, 2], "rho": 0.5},
                                  {"name": "b", "probabilities": [0.2, 0.5], "rho": 1}]}
    """
    path = checks.path("The file of a suite", path)
    own = check_classes(classes)
    data = files.read_json(path, "a suite")
    if isinstance(data, dict):
        _check_saved(data, path)
    return Suite.from_data(data, own)


def _check_saved(data: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Raise if a file written by `save` has changed; handwritten files have no checksum."""
    format_, checksum = data.get("format", FORMAT), data.pop("checksum", None)
    if format_ not in (FORMAT, CHECKED):
        raise FileError(f"{os.fspath(path)!r} is damaged, or its format {shown(format_)} is that of a newer version.")
    if (checksum is not None or format_ == CHECKED) and checksum != _checksum(data):
        raise FileError(
            f"{os.fspath(path)!r} has changed since it was saved: its content does not match its checksum. "
            'If you edited it, remove "checksum" and "format".'
        )


def _checksum(data: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def check_suite(suite: Any) -> Suite:
    """Return the suite if its problems are problems with different names on which policies can differ, or raise."""
    cases = checks.listed("The problems of a suite", "a list of cases", suite.cases)
    if not cases:
        raise must_be("The list of problems of a suite", "non-empty", [])
    seen: set[str] = set()
    for case in cases:
        if not isinstance(case, Case):
            raise must_be("A problem of a suite", "a Case(name, family, problem)", case)
        for thing in ("name", "family"):
            checks.text(f"The {thing} of a problem in a suite", getattr(case, thing))
        if not isinstance(case.problem, Problem):
            raise must_be(f"The problem {case.name!r} of the suite", "a Problem(arms, risk)", case.problem)
        if case.name in seen:
            raise must_be("The names of problems in a suite", "different from each other", case.name)
        seen.add(case.name)
        means, charged = case.problem.means, case.problem.charges_switching
        some_gap = case.problem.gaps.any() or case.problem.has_features
        if not some_gap and not (charged and (means != means[0]).any()):
            raise ParameterError(f"On the problem {case.name!r} all arms are equally good: no policy has any regret.")
    return suite


def _case(entry: Any, number: int, suite: str, known: tuple[type, ...]) -> Case:
    thing = f"Problem {number} of the suite"
    if not isinstance(entry, dict):
        raise must_be(thing, "an object", entry)
    defaults = {"name": f"problem-{number}", "family": suite, "source": "", "draw": ""}
    text = {key: str(entry.get(key, default)) for key, default in defaults.items()}
    rest = {key: value for key, value in entry.items() if key not in text}
    if set(rest) == {"arms", "risk"}:
        try:
            return Case(problem=Problem.from_data(rest, known), **text)
        except (TypeError, KeyError) as error:
            if isinstance(error, RiskBanditsError):
                raise
            raise must_be(thing, 'given "arms" and "risk" with a "class" and its "fields" each', rest) from None
    arm_names = rest.pop("names", "")
    for fields, arms_class in SHORT:
        if set(rest) == {*fields, "rho"}:
            record = arms_class(*(rest[field] for field in fields), names=arm_names)
            return Case(problem=Problem(record, MeanVariance(rest["rho"])), **text)
    raise must_be(thing, "given means, variances and rho; probabilities and rho; or arms and risk", sorted(rest))


def _public(module: Any) -> list[type]:
    return classes_in(module)

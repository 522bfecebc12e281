"""Options shared by several commands."""

from __future__ import annotations

import csv
import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from riskbandits.api.execution import RunOptions
from riskbandits.cli.parsing import DELAY_HELP, read_delay
from riskbandits.core.errors import ParameterError, RiskBanditsError, must_be
from riskbandits.data.options import ReadOptions, read_options

EXACT = 2**53  # beyond it a float is no longer the number that was written
FLAGS = "__dataclass_fields__"
PACKAGES = ("fastapi", "starlette", "uvicorn", "httptools", "sqlalchemy", "alembic", "pydantic", "prometheus_client")


def whole_number(written: Any) -> int:
    """A whole number as people write it: 30000, 30_000 or 3e4.

    >>> whole_number("3e4"), whole_number("30_000")
    (30000, 30000)
    """
    try:
        return int(written)
    except ValueError:
        pass
    try:
        number = float(written)
    except ValueError:
        number = 0.5
    if not number.is_integer() or abs(number) > EXACT:
        raise typer.BadParameter(f"{written!r} is not a whole number.")
    return int(number)


def real_number(written: Any) -> float:
    """A number: 0.5, 3 or 1e-3.

    >>> real_number("1e-3")
    0.001
    """
    try:
        return float(written)
    except ValueError:
        raise typer.BadParameter(f"{written!r} is not a number.") from None


def number(about: str, **more: Any) -> Any:
    """An option that is a whole number."""
    return typer.Option(parser=whole_number, metavar="<int>", help=about, **more)


def real(about: str, **more: Any) -> Any:
    """An option that is a number."""
    return typer.Option(parser=real_number, metavar="<float>", help=about, **more)


def folder_name(written: Any) -> Path:
    """The path of a folder. An empty one, as an unset variable of a shell gives, is not the current folder.

    >>> folder_name("results").name
    'results'
    """
    if not str(written):
        raise typer.BadParameter("it must be the name of a folder (. is the current one). Got '' instead.")
    return Path(written)


def folder(about: str) -> Any:
    """An option that is a folder."""
    return typer.Option(parser=folder_name, metavar="<path>", help=about)


Rho = Annotated[float | None, real("Risk tolerance; short for --risk mean-variance:RHO.", show_default="1")]
Gamma = Annotated[
    float | None, real("Risk aversion of returns as fractions, in place of rho: rho = 2 / gamma.", show_default=False)
]
Seed = Annotated[int, number("The same seed gives the same numbers.")]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "--threads",
        parser=whole_number,
        metavar="<int>",
        help="Number of workers; affects only the running time.",
        show_default="all cores",
    ),
]
Method = Annotated[
    str,
    typer.Option(
        help="How to simulate: auto, lazy, walk or plain, or python for policies that cannot be compiled and classes "
        "with `select` and `update`."
    ),
]
Engine = Annotated[
    str,
    typer.Option(help="Where to run: threads, processes, dask://HOST:PORT, ray, ray://HOST:PORT, or cuda (a GPU)."),
]
Precision = Annotated[
    str, typer.Option(help="With --engine cuda: float64, or float32, which is faster and less precise.")
]
Store = Annotated[
    Path | None,
    folder("Folder that keeps finished runs: interrupted jobs are resumable, larger ones reuse what is there."),
]
Figure = Annotated[Path | None, typer.Option(help="Draw the result: .png, .pdf or .svg.")]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Print what would run, how long it would take and how much memory it would need."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]

COLUMNS_HELP = "The columns of a file of rewards that are arms, comma-separated; others are ignored, except dates."


def header_of(written: str | None) -> bool | int | None:
    """What --header says: yes, no, or the line in which it stands.

    >>> header_of("yes"), header_of("No"), header_of("3")
    (True, False, 3)
    """
    if written is None or written.lower() in ("yes", "no"):
        return None if written is None else written.lower() == "yes"
    if not written.isdecimal():
        raise must_be("--header", "yes, no, or the line in which it stands", written)
    return int(written)


@dataclass(frozen=True)
class WorkFlags:
    """Flags of every command that repeats something many times: how often, from which seed, and where it runs."""

    runs: Annotated[int, number("Independent runs, of each policy on each problem.")] = 500
    seed: Seed = 0
    workers: Workers = None
    engine: Engine = "threads"

    def keywords(self) -> dict[str, Any]:
        """The same as keyword arguments of `simulate`, `sweep`, `compare` or `identify`."""
        return asdict(self)

    def check_dry_run(self) -> None:
        """Refuse an estimate for what could not run, or was not measured."""
        RunOptions(engine=self.engine, workers=self.workers).execution()
        if self.engine == "cuda":
            raise ParameterError(
                "--dry-run measures this machine's cores: it cannot estimate the cost of --engine cuda."
            )


@dataclass(frozen=True)
class CompareFlags(WorkFlags):
    """Flags of `compare`, and what it shares with `simulate` and `sweep`."""

    runs: Annotated[int, number("Independent runs, of each policy on each problem.")] = 100
    horizon: Annotated[int, number("Steps per run.")] = 10_000
    method: Method = "auto"
    precision: Precision = "float64"
    store: Store = None


@dataclass(frozen=True)
class RunFlags(CompareFlags):
    """Flags of `simulate` and `sweep`."""

    runs: Annotated[int, number("Independent runs, of each policy on each problem.")] = 500
    horizon: Annotated[int, number("Steps per run.")] = 30_000
    checkpoints: Annotated[
        str | None,
        typer.Option(help="Comma-separated steps at which to keep results.", show_default="a log-spaced grid"),
    ] = None
    delay: Annotated[str | None, typer.Option(help=DELAY_HELP, show_default="no delay")] = None

    def keywords(self) -> dict[str, Any]:
        """The same as keyword arguments of `simulate` or `sweep`."""
        steps = None if self.checkpoints is None else listed_steps(self.checkpoints)
        return {**super().keywords(), "checkpoints": steps, "delay": read_delay(self.delay)}


def listed_steps(text: str) -> list[int]:
    """The numbers of a comma-separated list.

    >>> listed_steps("10, 1e3")
    [10, 1000]
    """
    try:
        return [whole_number(part.strip()) for part in text.split(",")]
    except typer.BadParameter:
        raise must_be("--checkpoints", "whole numbers separated by commas", text) from None


@dataclass(frozen=True)
class TableFlags:
    """Flags of every command that reads a file of recorded rewards: what the file leaves open."""

    separator: Annotated[
        str | None, typer.Option(help="What separates the cells of a file: a character, tab, space or none.")
    ] = None
    decimal: Annotated[str | None, typer.Option(help="The decimal mark in a file: . or ,")] = None
    thousands: Annotated[str | None, typer.Option(help="What groups digits in a file: a character or none.")] = None
    dates: Annotated[
        str | None, typer.Option(help="How a file writes dates: dmy, mdy, ymd, a format such as %d/%m/%Y, or none.")
    ] = None
    columns: Annotated[str | None, typer.Option("--columns", help=COLUMNS_HELP)] = None
    header: Annotated[
        str | None,
        typer.Option(metavar="<yes|no|line>", help="Whether a file has a header, or in which line it stands."),
    ] = None
    encoding: Annotated[str | None, typer.Option(help="The encoding of a file, such as latin-1.")] = None
    prices: Annotated[
        bool | None,
        typer.Option("--prices/--as-is", help="Turn prices in a file into returns, or take them as rewards."),
    ] = None
    common: Annotated[
        bool, typer.Option("--common", help="Use only the rows of a file in which every arm has a reward.")
    ] = False

    def options(self) -> ReadOptions:
        """The options for reading a table, checked."""
        given = asdict(self)
        columns, header = given.pop("columns"), header_of(given.pop("header"))
        return read_options({**given, "header": header, "arms": None if columns is None else listed_columns(columns)})


@dataclass(frozen=True)
class FileFlags(TableFlags):
    """The same for commands about one file, where the arms are its columns."""

    columns: Annotated[str | None, typer.Option("--arms", "--columns", help=COLUMNS_HELP)] = None


def listed_columns(text: str) -> list[str]:
    """The names in a comma-separated list; those with commas in quotation marks.

    >>> listed_columns('bond, "stock, large"')
    ['bond', 'stock, large']
    """
    return next(csv.reader([text], skipinitialspace=True), [])


def flattened(command: Callable[..., None]) -> Callable[..., None]:
    """A command as Typer wants it: in place of a parameter that is a record of flags, one for each flag."""
    hints = get_type_hints(command, include_extras=True)
    records = {name: hint for name, hint in hints.items() if isinstance(hint, type) and hasattr(hint, FLAGS)}
    parameters = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name not in records:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name]))
            continue
        kinds = get_type_hints(records[name], include_extras=True)
        for one in fields(records[name]):
            kind = inspect.Parameter.KEYWORD_ONLY
            parameters.append(inspect.Parameter(one.name, kind, default=one.default, annotation=kinds[one.name]))

    @functools.wraps(command)
    def call(**given: Any) -> None:
        for name, record in records.items():
            own = [one.name for one in fields(record) if one.name in given]
            given[name] = record(**{each: given.pop(each) for each in own})
        command(**given)

    del call.__wrapped__  # its signature is another one
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in parameters}
    return call


Database = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        help="The database: sqlite:///FILE or postgresql://USER@HOST/NAME.",
        show_default="sqlite:///riskbandits.db",
    ),
]


@contextmanager
def needing_service() -> Iterator[None]:
    """Explain how to install the service's packages if they are missing."""
    try:
        yield
    except ImportError as error:
        if (error.name or "").split(".")[0] not in PACKAGES:
            raise
        raise RiskBanditsError(
            f"The service needs the package {error.name!r}: pip install 'riskbandits[service]'."
        ) from None

"""Options shared by several commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from riskbandits.core.errors import RiskBanditsError

EXACT = 2**53  # beyond it a float is no longer the number that was written
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
Horizon = Annotated[int, number("Steps per run.")]
Seed = Annotated[int, number("The same seed gives the same numbers.")]
Checkpoints = Annotated[
    str | None,
    typer.Option(help="Comma-separated steps at which to keep results.", show_default="a log-spaced grid"),
]
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
    typer.Option(help="How to simulate: auto, lazy, walk or plain, or python for policies that cannot be compiled."),
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

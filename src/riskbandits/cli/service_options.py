"""Options shared by the commands of the service."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from riskbandits.core.errors import RiskBanditsError

Database = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        help="The database: sqlite:///FILE or postgresql://USER@HOST/NAME.",
        show_default="sqlite:///riskbandits.db",
    ),
]
PACKAGES = ("fastapi", "starlette", "uvicorn", "httptools", "sqlalchemy", "alembic", "pydantic", "prometheus_client")


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

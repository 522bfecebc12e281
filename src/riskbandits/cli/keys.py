"""`riskbandits keys`: who may use the service."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from riskbandits.cli import output
from riskbandits.cli.options import Database, needing_service

app = typer.Typer(help="Keys of the service: add, list, revoke.", no_args_is_help=True)


@app.command("add")
def add(
    db: Database = None,
    role: Annotated[str, typer.Option(help="read, decide (includes read) or admin (includes both).")] = "decide",
    note: Annotated[str, typer.Option(help="A note on what the key is for.")] = "",
) -> None:
    """Create a key and print it; it is never shown again. The database is created if it does not exist.

    **Example:** `riskbandits keys add --role admin`
    """
    with needing_service():
        from riskbandits.service import auth
    auth.check_key(role, note)
    _, storage = _open(db)
    print(auth.add_key(storage, role, note))


@app.command("list")
def list_keys(db: Database = None) -> None:
    """List the keys, without showing the keys themselves."""
    from rich.table import Table

    from riskbandits.service import times

    auth, storage = _open(db, must_exist=True)
    table = Table()
    for heading in ("id", "role", "note", "created", "revoked"):
        table.add_column(heading)
    for key in auth.list_keys(storage):
        revoked = "" if key.revoked is None else times.isoformat(key.revoked)
        table.add_row(str(key.id), key.role, key.note, times.isoformat(key.created), revoked)
    output.console(piped=160).print(table)


@app.command("revoke")
def revoke(
    number: Annotated[int, typer.Argument(metavar="ID", help="The id shown by `keys list`.")], db: Database = None
) -> None:
    """Revoke a key immediately, in all instances."""
    auth, storage = _open(db, must_exist=True)
    print(f"Key {number} is revoked." if auth.revoke_key(storage, number) else f"Key {number} was already revoked.")


def _open(db: str | None, must_exist: bool = False) -> tuple[Any, Any]:
    with needing_service():
        from riskbandits.service import auth
        from riskbandits.service.db.engine import DEFAULT
        from riskbandits.service.db.statements import open_storage
    return auth, open_storage(db or DEFAULT, must_exist)

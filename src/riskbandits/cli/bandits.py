"""`riskbandits audit`, `compact`, `export` and `import`: the bandits of a database, without the service."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from riskbandits.cli.service_options import Database, needing_service

DIFFERENT = 3  # the exit code of an audit that found something
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of a bandit.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="A learner's file, as `Learner.save` writes it.")]


def audit(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A bandit; without it, all of them.")] = None,
    db: Database = None,
) -> None:
    """Play a bandit's log again, from the first event and without snapshots, and say whether every choice is the same.

    **Example:** `riskbandits audit --db sqlite:///riskbandits.db funds`; it ends with 0 if all is equal, with 3 if not.
    """
    with needing_service():
        from riskbandits.service.audit import all_names, audited
    engine, equal = _opened(db), True
    for one in all_names(engine) if name is None else [name]:
        found = audited(engine, one)
        print(found.sentence)
        print(f"{found.events} events, {found.decisions} decisions, {found.rewards} rewards.")
        equal = equal and found.equal
    if not equal:
        raise typer.Exit(DIFFERENT)


def compact(name: Name, db: Database = None) -> None:
    """Keep a snapshot of a bandit, and of its log what follows it; what was before can no longer be audited.

    **Example:** `riskbandits compact funds`
    """
    with needing_service():
        from riskbandits.service import moving
    gone, _ = moving.compact(_opened(db), name)
    print(f"{gone} events of {name!r} are now a snapshot.")


def export(name: Name, file: File, db: Database = None) -> None:
    """Write a bandit as a learner's file, for `riskbandits.Learner.load`. The bandit stays as it is.

    **Example:** `riskbandits export funds funds.json`
    """
    with needing_service():
        from riskbandits.service import moving
    learner = moving.export(_opened(db), name, file)
    print(f"{str(file)!r} holds {name!r} after {learner.decisions} decisions.")


def import_(
    name: Name,
    file: File,
    db: Database = None,
    lease_seconds: Annotated[float, typer.Option(help="How long a reward is waited for.")] = 86400.0,
) -> None:
    """Make a bandit of a learner's file; its choices go on as the learner's would.

    The ids of decisions that are owed an answer change, and are printed in their order.

    **Example:** `riskbandits import funds learner.json`
    """
    with needing_service():
        from riskbandits.service import database, moving
    row, ids = moving.take_in(database.opened(db or database.DEFAULT), name, file, lease_seconds)
    print(f"{row.name!r} goes on from {str(file)!r}; {len(ids)} decisions are owed an answer.")
    for one in ids:
        print(one)


def _opened(db: str | None) -> Any:
    from riskbandits.service import database

    return database.opened(db or database.DEFAULT, must_exist=True)

"""`riskbandits audit`, `compact`, `restore`, `export` and `import`: the bandits of a database, without the service."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from riskbandits.cli.options import Database, needing_service, real

DIFFERENT = 3  # the exit code of an audit that found something
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of a bandit.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="A learner file, as written by `Learner.save`.")]


def audit(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A bandit; all bandits if omitted.")] = None,
    db: Database = None,
) -> None:
    """Replay a bandit's log from the first event, without snapshots, and report whether every choice is the same.

    **Example:** `riskbandits audit --db sqlite:///riskbandits.db funds`; exits with 0 if everything is the same, with 3
    if not.
    """
    with needing_service():
        from riskbandits.service.audit import audit_bandit, bandit_names
    storage, equal = _open(db), True
    for one in bandit_names(storage) if name is None else [name]:
        found = audit_bandit(storage, one)
        print(found.sentence)
        print(f"{found.events} events, {found.decisions} decisions, {found.rewards} rewards.")
        equal = equal and found.equal
    if not equal:
        raise typer.Exit(DIFFERENT)


def compact(name: Name, db: Database = None) -> None:
    """Keep a snapshot of a bandit and only the log after it; earlier events can no longer be audited.

    **Example:** `riskbandits compact funds`
    """
    with needing_service():
        from riskbandits.service import transfer
    removed = transfer.compact(_open(db), name)
    print(f"{removed} events of {name!r} are now a snapshot.")


def restore(
    backup: Annotated[
        Path | None, typer.Argument(metavar="BACKUP", help="A copy of a SQLite file, to be put in its place.")
    ] = None,
    db: Database = None,
) -> None:
    """Continue from a backup, with all instances stopped: ids of decisions that were made after it are refused.

    A SQLite file is put in its place; a PostgreSQL database is restored by its own tools before.

    **Example:** `riskbandits restore /backup/riskbandits.db --db sqlite:///riskbandits.db`
    """
    with needing_service():
        from riskbandits.service import transfer
        from riskbandits.service.db.engine import DEFAULT
    names = transfer.restore(db or DEFAULT, backup)
    print(f"Restored, with new ids from now on: {', '.join(names) or 'no bandits'}.")


def export(name: Name, file: File, db: Database = None) -> None:
    """Write a bandit to a learner file, for `riskbandits.Learner.load`. The bandit itself does not change.

    **Example:** `riskbandits export funds funds.json`
    """
    with needing_service():
        from riskbandits.service import transfer
    learner = transfer.export_learner(_open(db), name, file)
    print(f"{str(file)!r} contains {name!r} after {learner.decisions} decisions.")


def import_(
    name: Name,
    file: File,
    db: Database = None,
    lease_seconds: Annotated[float, real("How long to wait for a reward, in seconds.")] = 86400.0,
) -> None:
    """Create a bandit from a learner file; its choices continue as the learner's would.

    The ids of open decisions change; the new ids are printed in order.

    **Example:** `riskbandits import funds learner.json`
    """
    with needing_service():
        from riskbandits.service import transfer
        from riskbandits.service.db.engine import DEFAULT
    ids = transfer.import_learner(db or DEFAULT, name, file, lease_seconds)
    print(f"{name!r} continues from {str(file)!r}; {len(ids)} decisions are open.")
    for one in ids:
        print(one)


def _open(db: str | None) -> Any:
    from riskbandits.service.db.engine import DEFAULT
    from riskbandits.service.db.statements import open_storage

    return open_storage(db or DEFAULT, must_exist=True)

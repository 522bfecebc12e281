"""The audit: replays a bandit's full history from its log, without snapshots, comparing each choice bit for bit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine

from riskbandits.core.errors import UnknownNameError, shown
from riskbandits.service.bandit_state import Bandit, BrokenError, DifferentError, Row
from riskbandits.service.db import statements


class Verdict(NamedTuple):
    """What an audit found."""

    equal: bool
    sentence: str
    events: int
    decisions: int
    rewards: int


def audited(engine: Engine, name: str) -> Verdict:
    """Replay the log of a bandit, from its first event or from where it was compacted."""
    with engine.connect() as connection:
        row = found(connection, name)
        bandit = statements.beginning(connection, row)
        first = bandit.sequence
        kept = statements.newest_snapshot(connection, row.id)
        same_state = None
        try:
            # Not what is written meanwhile.
            for event in statements.read_events(connection, row.id, first, row.version - first):
                bandit.play(event)
                if kept is not None and kept["sequence"] == bandit.sequence:
                    same_state = _same(bandit.snapshot(), kept)
        except (DifferentError, BrokenError) as error:
            return _verdict(False, bandit, first, f"The log of {name!r} is NOT equal: {error.__cause__ or error}")
    if bandit.sequence != row.version:
        sentence = f"it ends with event {bandit.sequence}, and {row.version} were acknowledged."
        return _verdict(False, bandit, first, f"The log of {name!r} is NOT complete: {sentence}")
    if same_state is False:
        sentence = f"the snapshot after event {kept['sequence']} holds a different state."
        return _verdict(False, bandit, first, f"The log of {name!r} is NOT equal: {sentence}")
    since = "" if row.origin is None else f" since the snapshot after event {row.origin}, where its log begins"
    return _verdict(True, bandit, first, f"Equal: every choice of {name!r}{since} is the same, bit for bit.")


def all_names(engine: Engine) -> Iterator[str]:
    """The names of all bandits."""
    last = ""
    with engine.connect() as connection:
        while rows := statements.rows_after(connection, last, 1000):
            yield from (row.name for row in rows)
            last = rows[-1].name


def found(connection: Connection, name: str) -> Row:
    """A bandit by name; raises if there is none."""
    row = statements.row_named(connection, name)
    if row is None:
        raise UnknownNameError(f"There is no bandit {shown(name)} in this database.")
    return row


def _same(one: dict[str, Any], other: Any) -> bool:
    return all(one[name] == other[name] for name in ("learner", "rest"))


def _verdict(equal: bool, bandit: Bandit, first: int, sentence: str) -> Verdict:
    counts = bandit.counts
    return Verdict(equal, sentence, bandit.sequence - first, counts["decision"], counts["reward"])

"""The short table of the benchmarks page: made from the first table of the benchmarks, and put there."""

from pathlib import Path
from typing import Any

BEGIN, END = "<!-- make bench -->", "<!-- end -->"
SHORT = {
    "policy": "policy",
    "rho": "rho",
    "plain ns": "every arm scored (`plain`)",
    "lazy ns": "only arms that can matter (`lazy`)",
    "numpy ns": "NumPy over 500 runs",
    "reward ns": "the reward alone",
    "plain/lazy": "`plain`/`lazy`",
    "numpy/lazy": "NumPy/`lazy`",
}


def lines(columns: list[str], rows: list[list[Any]]) -> str:
    """A Markdown table."""
    head = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join([*head, *("| " + " | ".join(map(str, row)) + " |" for row in rows), ""])


def markdown(title: str, rows: list[dict[str, Any]]) -> str:
    """A table under its title."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    return f"## {title}\n\n" + lines(columns, [[row.get(name, "") for name in columns] for row in rows])


def in_short(rows: list[dict[str, Any]]) -> str:
    """The rows of the paper's arms: nanoseconds without decimals."""
    shown = [[round(row[name]) if name.endswith(" ns") else row[name] for name in SHORT] for row in rows]
    return lines(list(SHORT.values()), shown)


def published(page: str) -> str:
    """The table in a page, between its marks."""
    return page.split(BEGIN)[1].split(END)[0].strip("\n") + "\n"


def publish(path: Path, rows: list[dict[str, Any]]) -> None:
    """Put the table into a page in place of the one that is there."""
    before, rest = path.read_text().split(BEGIN)
    after = rest.split(END, 1)[1]
    path.write_text(f"{before}{BEGIN}\n{in_short(rows)}{END}{after}")

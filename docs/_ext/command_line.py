"""The command line's page of the reference: every command with its options, as `--help` has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from reference import linked
from sphinx.application import Sphinx

from riskbandits.cli.app import app as commands

OF_FILES = {"separator", "decimal", "thousands", "dates", "columns", "header", "encoding", "prices", "common"}


def page() -> str:
    """All commands, one after the other."""
    parts = [
        "# The command line",
        "`riskbandits COMMAND --help` prints the same. A command gives the numbers of the function of the same name: "
        "`riskbandits simulate --seed 7` and `rb.simulate(..., seed=7)` agree.",
    ]
    for name, command in _all(typer.main.get_command(commands), "riskbandits"):
        own = [one for one in command.params if one.name not in OF_FILES]
        parts += [f"## {name}", linked(_paragraphs(command.help or "")), *_table(own)]
        if shared := [one for one in command.params if one.name in OF_FILES]:
            parts.append("It also takes the [options for files of rewards](#options-for-files-of-rewards).")
            files = _table(shared)
    about = "For all commands that read them; in `frontier` and `replay` `--columns` may be called `--arms` too."
    parts += ["## Options for files of rewards", about, *files]
    return "\n\n".join(parts) + "\n"


def _all(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    inside = getattr(command, "commands", None)
    if inside is None:
        yield name, command
        return
    for word, one in inside.items():
        if not one.hidden:
            yield from _all(one, f"{name} {word}")


def _paragraphs(text: str) -> str:
    return re.sub(r"\n[ \t]+", "\n", text.split("\f")[0].strip())


def _table(params: list[Any]) -> list[str]:
    rows = []
    for one in params:
        if getattr(one, "hidden", False):
            continue
        word = ", ".join(f"`{name}`" for name in [*one.opts, *one.secondary_opts] if name)
        if one.param_type_name == "argument":
            word = f"`{(one.metavar or one.name or '').upper()}`"
        known = isinstance(one.default, (str, int, float, Path)) and one.default is not False and one.default != ""
        text = " ".join((getattr(one, "help", None) or "").split()).replace("|", "\\|")
        rows.append(f"| {word} | {text} | {f'`{one.default}`' if known else ''} |")
    return ["\n".join(["| option | what it is | default |", "|---|---|---|", *rows])] if rows else []


def generate(app: Sphinx) -> None:
    """Before anything is read."""
    path = Path(app.srcdir) / "reference" / "api" / "command-line.md"
    text = page()
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """After the other pages of the reference."""
    app.connect("builder-inited", generate, priority=600)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

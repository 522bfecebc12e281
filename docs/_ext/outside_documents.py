"""Documents outside `docs/` that have a page here all the same: those of the root, and reports of benchmarks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
NAMES = {
    "CONTRIBUTING.md": "contributing",
    "ARCHITECTURE.md": "architecture",
    "CHANGELOG.md": "changelog",
    "SUPPORT.md": "support",
    "SECURITY.md": "security",
    "CODE_OF_CONDUCT.md": "conduct",
}
# Folders of code that the reference shows.
PACKAGES = {
    "api": "list-simulate-and-compare",
    "results": "list-what-comes-back",
    "learner": "list-live",
    "policies": "list-policies",
    "risk": "list-risk-measures",
    "arms": "list-arms",
    "identification": "list-best-arm-identification",
    "theory": "theory",
    "metrics": "metrics",
}
LINK = re.compile(r"\]\((?P<file>[^)#\s:]+)(?P<anchor>#[^)\s]*)?\)")


def pages() -> dict[str, str]:
    """Files of the repository, and the page that each has."""
    reports = (path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "benchmarks").rglob("*.md")))
    return {
        "README.md": "index.md",
        "examples/README.md": "examples.md",
        **{file: f"project/{name}.md" for file, name in NAMES.items()},
        **{file: f"project/{file.removesuffix('.md').replace('/', '-')}.md" for file in reports},
        **{f"src/riskbandits/{package}": f"reference/api/{name}.md" for package, name in PACKAGES.items()},
    }


def led(text: str, folder: Path, known: dict[str, str], here: bool) -> str:
    """A document of that folder, whose links lead to pages; `here` says that it stays in its place in `docs/`."""

    def target(found: re.Match[str]) -> str:
        goal = (folder / found["file"]).resolve()
        if not goal.is_relative_to(ROOT):
            return found[0]
        file, anchor = goal.relative_to(ROOT).as_posix(), found["anchor"] or ""
        if file in known:
            return f"](/{known[file]}{anchor})"
        if here or not goal.exists():
            return found[0]
        if file.startswith("docs/"):
            return f"](/{file.removeprefix('docs/')}{anchor})"
        return f"](/../{file})"

    return LINK.sub(target, text)


def write(folder: Path) -> None:
    """Write all pages, those that have not changed left alone."""
    known = pages()
    wanted = {page: file for file, page in known.items() if page.startswith("project/")}
    (folder / "project").mkdir(exist_ok=True)
    for old in (folder / "project").glob("*.md"):
        if f"project/{old.name}" not in wanted:
            old.unlink()
    for page, file in wanted.items():
        text = led((ROOT / file).read_text(encoding="utf-8"), (ROOT / file).parent, known, here=False)
        if not text.startswith("# "):
            text = f"# {Path(file).parent.as_posix()}: {Path(file).stem}\n\n{text}"
        if file not in NAMES:
            text = f"---\norphan: true\n---\n{text}"
        path = folder / page
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def to_pages(app: Sphinx, docname: str, source: list[str]) -> None:
    """Turn links that leave the folder, such as `](../CONTRIBUTING.md)`, into links to pages."""
    source[0] = led(source[0], (Path(app.srcdir) / docname).parent, pages(), here=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Before anything is read, and for every page that is."""
    app.connect("builder-inited", lambda app: write(Path(app.srcdir)))
    app.connect("source-read", to_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

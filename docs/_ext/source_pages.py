"""Pages of source code: a hundred of them, none of which is in the site's navigation, so that they can share it."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx


def share_navigation(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Compute the navigation once for all pages in folders of the same depth: only the way up to the front differs."""
    if not pagename.startswith("_modules/"):
        return
    made = app.navigation_of_sources  # type: ignore[attr-defined]
    compute = context["toctree"]

    def toctree(**options: Any) -> Any:
        key = (pagename.count("/"), *sorted(options.items()))
        if key not in made:
            made[key] = compute(**options)
        return made[key]

    context["toctree"] = toctree


def setup(app: Sphinx) -> dict[str, Any]:
    """Before the theme asks for the navigation."""
    app.navigation_of_sources = {}  # type: ignore[attr-defined]
    app.connect("html-page-context", share_navigation, priority=400)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

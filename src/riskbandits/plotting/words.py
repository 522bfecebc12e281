"""Names that people chose, drawn as they are."""

from __future__ import annotations


def as_it_stands(name: object) -> str:
    r"""A name for matplotlib, which would read what stands between two dollar signs as a formula.

    >>> print(as_it_stands("50 $ or 60 $"))
    50 \$ or 60 \$
    """
    return str(name).replace("$", r"\$")

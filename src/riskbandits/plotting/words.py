"""User-supplied names, escaped for drawing."""

from __future__ import annotations


def as_it_stands(name: object) -> str:
    r"""A name for matplotlib, which would treat text between two dollar signs as a formula.

    >>> print(as_it_stands("50 $ or 60 $"))
    50 \$ or 60 \$
    """
    return str(name).replace("$", r"\$")

"""Formulas as our documents write them, `sum_i 2/Gamma_i`, set as mathematics that a browser draws by itself."""

from __future__ import annotations

import re
from html import escape

GREEK = {
    "alpha": "α",
    "beta": "β",
    "delta": "δ",
    "epsilon": "ε",
    "eps": "ε",
    "eta": "η",
    "gamma": "γ",
    "lambda": "λ",
    "mu": "μ",
    "phi": "φ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "theta": "θ",
    "Delta": "Δ",
    "Gamma": "Γ",
    "Lambda": "Λ",
    "Phi": "Φ",
    "Sigma": "Σ",
}
LARGE = {"sum": "∑", "int": "∫", "prod": "∏", "max": "max", "min": "min", "inf": "inf", "sup": "sup", "lim": "lim"}
FUNCTIONS = ("ln", "log", "exp")
SIGNS = {"!=": "≠", "<=": "≤", ">=": "≥", "->": "→", "-": "−", "*": "·"}
INDEX = r"(?:\((?:[^()]|\([^()]*\))*\)|\{[^{}]*\}|[A-Za-z0-9]+)"
ROOT = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
LETTERS = "|".join(sorted([*GREEK, *LARGE], key=len, reverse=True))
TOKEN = re.compile(
    rf"(?<![\w`])(?:sqrt(?P<root>{ROOT})|(?P<base>{LETTERS}|MVhat|MV|KL|xbar|\d+|[A-Za-z])"
    rf"(?:_(?P<sub>{INDEX}))?(?:\^(?P<sup>-?{INDEX}))?(?![\w(]|\.\w))"
)
INNER = re.compile(rf"\d+(?:\.\d+)?|{'|'.join(GREEK)}|[A-Za-z]+|!=|<=|>=|->|\S")


def typeset(text: str) -> str:
    """A text as HTML in which letters with indices and powers, sums and roots are MathML; the rest is escaped.

    >>> typeset("a < sum_i s_i^2").count("<math"), typeset("a < b")
    (2, 'a &lt; b')
    >>> typeset("sqrt(ln t/T)").removeprefix('<math alttext="sqrt(ln t/T)">')
    '<msqrt><mrow><mi>ln</mi><mi>t</mi><mo>/</mo><mi>T</mi></mrow></msqrt></math>'
    """
    parts, end = [], 0
    for found in TOKEN.finditer(text):
        if found["root"] is None and found["sub"] is None and found["sup"] is None:
            continue  # a word, or a letter by itself
        # The text as it was, for those who hear the page or copy from it.
        words = escape(found[0])
        parts += [escape(text[end : found.start()], quote=False), f'<math alttext="{words}">{_element(found)}</math>']
        end = found.end()
    return "".join([*parts, escape(text[end:], quote=False)])


def _element(found: re.Match[str]) -> str:
    if found["root"] is not None:
        return f"<msqrt>{_expression(found['root'][1:-1])}</msqrt>"
    name = found["base"]
    kind = "mo" if name in LARGE else "mn" if name.isdigit() else "mi"
    base = f"<{kind}>{LARGE.get(name) or GREEK.get(name, name)}</{kind}>"
    below = None if found["sub"] is None else _row(found["sub"])
    above = None if found["sup"] is None else _row(found["sup"])
    if below and above:
        return f"<msubsup>{base}{below}{above}</msubsup>"
    return f"<msub>{base}{below}</msub>" if below else f"<msup>{base}{above}</msup>"


def _expression(text: str) -> str:
    """What stands under a root: as in an index, with letters that have indices themselves."""
    parts, end = [], 0
    for found in TOKEN.finditer(text):
        if found["root"] or found["sub"] or found["sup"]:
            parts += [_pieces(text[end : found.start()]), _element(found)]
            end = found.end()
    return f"<mrow>{''.join([*parts, _pieces(text[end:])])}</mrow>"


def _row(text: str) -> str:
    """What stands in an index: numbers, letters and signs."""
    return f"<mrow>{_pieces(text[1:-1] if text[0] in '({' else text)}</mrow>"


def _pieces(text: str) -> str:
    pieces = []
    for piece in INNER.findall(text):
        if piece[0].isdigit():
            pieces.append(f"<mn>{piece}</mn>")
        elif piece in FUNCTIONS:
            pieces.append(f"<mi>{piece}</mi>")
        elif piece.isalpha() and piece not in GREEK:
            pieces += [f"<mi>{letter}</mi>" for letter in (piece if len(piece) <= 2 else [piece])]
        elif piece in GREEK:
            pieces.append(f"<mi>{GREEK[piece]}</mi>")
        else:
            pieces.append(f"<mo>{escape(SIGNS.get(piece, piece), quote=False)}</mo>")
    return "".join(pieces)

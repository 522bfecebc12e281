"""Formulas as our documents write them, `sum_i 2/Gamma_i`, set as mathematics that a browser draws by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from riskbandits.paper.report.formulas import FUNCTIONS, GREEK, LARGE, NUMBER, TOKEN, spans

GAP = '<mspace width="0.17em"></mspace>'  # between factors, and behind words
RELATING = tuple("-+*/=<>")
SHORT, LONG = 12, 24  # letters before a line may end: behind such a sign, and between factors
SIGNS = {"!=": "≠", "<=": "≤", ">=": "≥", "->": "→", "+-": "±", "-": "−", "*": "·", "...": "…"}
BETWEEN_FACTORS = r"(?:(?<=[\w)\]}~])|^)\s+(?=[\w(\[{]|$)"
INNER = re.compile(rf"{BETWEEN_FACTORS}|{NUMBER}|{'|'.join(GREEK)}|[a-z]~|[A-Za-z]+|!=|<=|>=|->|\+-|\.\.\.|\S")


def typeset(text: str) -> str:
    """A text as HTML in which formulas are MathML: Greek letters, indices, powers, sums, roots and what joins them.

    >>> typeset("a < sum_i s_i^2").count("<math"), typeset("a < b")
    (1, 'a &lt; b')
    >>> typeset("sqrt(ln t/T)").removeprefix('<math alttext="sqrt(ln t/T)">')
    '<msqrt><mrow><mi>ln</mi><mspace width="0.17em"></mspace><mi>t</mi><mo>/</mo><mi>T</mi></mrow></msqrt></math>'
    >>> typeset("at rho = 1").removeprefix('at <math alttext="rho = 1">')
    '<mrow><mi>ρ</mi><mo>=</mo><mn>1</mn></mrow></math>'
    """
    parts, end = [], 0
    for start, stop in spans(text):
        formula = text[start:stop]
        parts += [escape(text[end:start], quote=False), " ".join(_marked(line) for line in _lines(formula))]
        end = stop
    return "".join([*parts, escape(text[end:], quote=False)])


def _lines(formula: str) -> Iterator[str]:
    """Where a line may end in a formula: browsers break none of their own accord, and a telephone is narrow."""
    start = depth = 0
    for place, sign in enumerate(formula):
        depth += (sign in "([{") - (sign in ")]}")
        before, behind = formula[start:place], formula[place + 1 :]
        if sign == " " and depth == 0 and len(formula) > LONG and not before.endswith(FUNCTIONS):
            least = SHORT if before.endswith(RELATING) else LONG
            if len(before) >= least and not behind.startswith(RELATING):
                yield before
                start = place + 1
    yield formula[start:]


def _marked(formula: str) -> str:
    """The formula, with the text as it was for those who hear the page or copy from it."""
    drawn = _set(formula)
    if formula.endswith(RELATING):  # at the end of a line, too, such a sign has room on both sides
        drawn = '<mo form="infix">'.join(drawn.rsplit("<mo>", 1))
    return f'<math alttext="{escape(formula)}">{drawn}</math>'


def _set(formula: str) -> str:
    """A single letter or root as it is, several things in a row."""
    found = TOKEN.fullmatch(formula)
    return _element(found) if found else _expression(formula)


def _element(found: re.Match[str]) -> str:
    if found["root"] is not None:
        return f"<msqrt>{_expression(found['root'][1:-1])}</msqrt>"
    if found["group"] is not None:
        group = f"<mrow><mo>(</mo>{_expression(found['group'][1:-1])}<mo>)</mo></mrow>"
        return f"<msup>{group}{_row(found['power'])}</msup>"
    if found["base"] is None:
        return _pieces(found[0])
    name = found["base"]
    kind = "mo" if name in LARGE else "mn" if name.isdigit() else "mi"
    base = f"<{kind}>{LARGE.get(name) or GREEK.get(name, name)}</{kind}>"
    below = None if found["sub"] is None else _row(found["sub"])
    above = None if found["sup"] is None else _row(found["sup"])
    if below and above:
        return f"<msubsup>{base}{below}{above}</msubsup>"
    return f"<msub>{base}{below}</msub>" if below else f"<msup>{base}{above}</msup>"


def _expression(text: str) -> str:
    """Numbers, letters and signs in a row, with letters that have indices themselves."""
    parts, end = [], 0
    for found in TOKEN.finditer(text):
        if found["root"] or found["group"] or found["base"]:
            parts += [_pieces(text[end : found.start()]), _element(found)]
            end = found.end()
    return f"<mrow>{''.join([*parts, _pieces(text[end:])])}</mrow>"


def _row(text: str) -> str:
    """What stands in an index: numbers, letters and signs."""
    return _expression(text[1:-1] if text[0] in "({" else text)


def _pieces(text: str) -> str:
    pieces = []
    for piece in INNER.findall(text):
        if piece.isspace():
            pieces.append(GAP)
        elif piece[0].isdigit():
            pieces.append(f"<mn>{piece}</mn>")
        elif piece in FUNCTIONS:
            pieces.append(f"<mi>{piece}</mi>")
        elif piece in GREEK or piece == "inf":
            pieces.append(f"<mi>{GREEK.get(piece, '∞')}</mi>")
        elif piece[-1] == "~" and len(piece) > 1:
            pieces.append(f"<mover><mi>{piece[0]}</mi><mo>~</mo></mover>")
        elif piece.isalpha():
            pieces += [f"<mi>{letter}</mi>" for letter in piece] if len(piece) <= 2 else [f"<mi>{piece}</mi>{GAP}"]
        elif piece == "|":
            pieces.append('<mo stretchy="false">|</mo>')
        else:
            pieces.append(f"<mo>{escape(SIGNS.get(piece, piece), quote=False)}</mo>")
    return "".join(pieces)

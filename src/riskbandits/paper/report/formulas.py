"""Where formulas begin and end in a text that writes them as `exp(-s eps^2/2) <= sum_i 2/Gamma_i`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

GREEK = {
    "alpha": "α",
    "beta": "β",
    "chi": "χ",
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
INDEX = r"(?:\((?:[^()]|\([^()]*\))*\)|\{[^{}]*\}|[A-Za-z0-9]+|\+)"
ROOT = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
LETTERS = "|".join(sorted([*GREEK, *LARGE], key=len, reverse=True))
NUMBER = r"\d+(?:[, ]\d{3}(?!\d))*(?:\.\d+)?"
# A Greek letter by itself, but not in a name (`paper-rho-1`, `rho=2`, `rho.md`) or as the name of a distribution.
DISTRIBUTION = r"Gamma (?:variable|tail|distribution|posterior|prior|draw|law)"
BARE = rf"(?<!\w-)(?<!--)(?<!\.)(?!{DISTRIBUTION})(?:{'|'.join(sorted(GREEK, key=len, reverse=True))})(?![\w(=]|[-.]\w)"
TOKEN = re.compile(
    rf"(?<![\w`])(?:sqrt(?P<root>{ROOT})|(?P<group>{ROOT})\^(?P<power>-?{INDEX})"
    rf"|(?P<base>{LETTERS}|MVhat|MV|KL|xbar|\d+|[A-Za-z])(?=[_^])(?:_(?P<sub>{INDEX}))?(?:\^(?P<sup>-?{INDEX}))?"
    rf"(?:(?<=\))|(?<=-1)|(?!\())(?!\w|\.\w)|(?P<letter>{BARE}|[a-z]~))|(?P<sign><=|>=|!=|(?<= )(?:->|\+-)(?= ))"
)
# What may stand in a formula beside these. Letters that are words or names of things are none: a, I, Part B, S-2, i.e.
WORD = re.compile(
    rf"(?P<strong>{TOKEN.pattern})|(?P<number>(?<![\w.]){NUMBER}(?!(?![cn]\b)[\w%]|\.\d))"
    r"|(?P<named>\b(?:exp|max|min|Cov|Var|[PEdh])(?=[(\[{]))"
    r"|(?P<function>\b(?:ln|log)\b)|(?P<infinity>\binf\b)|(?P<dots>\.\.\.)"
    r"|(?P<variable>(?:(?<![\w'\u2019.])(?<![\w-]-)[A-Za-z]|(?<=\d)[cn])(?![\w'\u2019(\[]|[-.]\w))|(?P<open>[(\[{])|(?P<close>[)\]}])"
    r"|(?P<operator>[-+*/=<>|](?![-=>]))|(?P<comma>[,:])"
)
OPERANDS = ("strong", "number", "infinity", "dots", "variable", "close")
NOT_FACTORS = "aAIi"  # words, or an arm's number: beside another operand they are no product
RELATIONS = ("=", "<", ">", "<=", ">=", "!=", "->")


class Piece(NamedTuple):
    """A word of a formula, and where it stands."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def relates(self) -> bool:
        """Whether it compares what stands on both sides."""
        return self.text in RELATIONS


def spans(text: str) -> Iterator[tuple[int, int]]:
    """From where to where formulas reach: as far as words of formulas do, around one that is no ordinary text.

    >>> text = "if v < s_1^2 (E7), at most exp(-s (m - mu_1)^2/2) for s = 2"
    >>> [text[start:end] for start, end in spans(text)]
    ['v < s_1^2', 'exp(-s (m - mu_1)^2/2)', 's = 2']
    """
    run: list[Piece] = []
    for found in WORD.finditer(text):
        kind = str(found.lastgroup) if found["strong"] is None else "sign" if found["sign"] else "strong"
        piece = Piece(kind, found[0], found.start(), found.end())
        if run and text[run[-1].end : piece.start].strip():
            yield from _parts(text, run)
            run = []
        run.append(piece)
    yield from _parts(text, run)


def _parts(text: str, run: list[Piece]) -> Iterator[tuple[int, int]]:
    """The formulas in words that follow each other: what is between brackets stays together, prose is left out."""
    for part in _split(run):
        formula = _trimmed(text, part)
        if formula and _is_formula(formula):
            yield formula[0].start, formula[-1].end


def _split(run: list[Piece]) -> Iterator[list[Piece]]:
    """At commas and at brackets that belong to the sentence, and where one word does not follow another."""
    partner = _partners(run)
    part: list[Piece] = []
    depth, sentence = 0, set[int]()
    for place, piece in enumerate(run):
        if piece.kind == "open" and depth == 0 and place in partner and not _belongs(run, place, partner[place]):
            sentence |= {place, partner[place]}
        bracket = piece.kind in ("open", "close")
        between = place in sentence or place not in partner if bracket else depth == 0 and piece.text in (",", ":", "|")
        if between or (depth == 0 and part and not bracket and not _follows(part[-1], piece)):
            yield part
            part = []
        if not between:
            depth += (piece.kind == "open") - (piece.kind == "close")
            part.append(piece)
    yield part


def _partners(run: list[Piece]) -> dict[int, int]:
    """Brackets that belong together, by place; an interval may be open at one end."""
    partner: dict[int, int] = {}
    waiting: list[int] = []
    for place, piece in enumerate(run):
        if piece.kind == "open":
            waiting.append(place)
        elif piece.kind == "close" and waiting:
            partner[place] = waiting.pop()
            partner[partner[place]] = place
    return partner


def _belongs(run: list[Piece], first: int, last: int) -> bool:
    """Whether brackets are part of a formula, and not of the sentence."""
    before = run[first - 1] if first else None
    if before is not None and before.end == run[first].start:  # a function's, or a factor's
        return True
    within = run[first + 1 : last]
    alone = before is None and (last + 1 == len(run) or run[last + 1].kind in ("comma", "close"))
    says = any(piece.relates for piece in within) or not any(piece.kind == "operator" for piece in within)
    if before is not None and before.text == "=":  # an interval
        return True
    return not alone and not says


def _follows(before: Piece, piece: Piece) -> bool:
    """Whether two words belong to one formula if nothing stands between them: operators do, and factors."""
    if {before.kind, piece.kind} & {"operator", "sign"} or before.kind in ("function", "open"):
        return True
    if before.kind not in OPERANDS:
        return False
    if before.text in NOT_FACTORS or piece.text in NOT_FACTORS:
        return before.end == piece.start
    if piece.kind == "number" or (piece.kind == "strong" and piece.text[0].isdigit()):
        return before.text.startswith(tuple(LARGE)) or (before.kind == "number" and "^" in piece.text)
    if "variable" in (before.kind, piece.kind):
        return not (before.kind == "variable" and before.text.isupper() and before.text not in "KTV")
    return True


def _trimmed(text: str, part: list[Piece]) -> list[Piece]:
    """Without operators and articles at its ends, but for a minus sign that stands before a factor."""
    while part and (part[-1].kind in ("operator", "function", "named", "comma") or _is_article(text, part[-1])):
        part = part[:-1]
    while part and part[0].kind in ("operator", "comma"):
        signed = part[0].text == "-" and len(part) > 1 and part[0].end == part[1].start
        if signed and (part[0].start == 0 or text[part[0].start - 1] in " ([|\n"):
            break
        part = part[1:]
    return part


def _is_article(text: str, piece: Piece) -> bool:
    return piece.text in NOT_FACTORS and piece.kind == "variable" and bool(re.match(r"\s+[A-Za-z`]", text[piece.end :]))


def _is_formula(part: list[Piece]) -> bool:
    """Whether it holds what only formulas have, or a letter and a number that are compared."""
    if any(piece.kind in ("strong", "sign") for piece in part):
        return True
    kinds = [piece.kind for piece in part]
    if kinds == ["variable", "operator", "number"] or kinds == ["variable", "operator", "infinity"]:
        return part[1].relates
    return "named" in kinds

"""Allowed names of bandits and arms over HTTP."""

from __future__ import annotations

import re
import unicodedata

from riskbandits.core.errors import must_be

BANDIT = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$"
BANDIT_WORDS = "1 to 100 letters (a-z, A-Z), digits, '-', '_' or '.', the first a letter or digit"
LONGEST_ARM = 100
# Letters of these look like each other: "а" may be Cyrillic and "a" is Latin.
ALIKE = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE")


def is_bandit(name: str) -> bool:
    """Whether this is an allowed name for a bandit."""
    return re.fullmatch(BANDIT[1:-1], name, re.ASCII) is not None


def bandit(name: str) -> str:
    """The name of a bandit, checked: plain letters, so that no two look alike and none is a path."""
    if not is_bandit(name):
        raise must_be("The name of a bandit", BANDIT_WORDS, name)
    return name


def arm(name: str) -> str:
    """The name of an arm, checked: any language, but only visible characters in normal form."""
    if not 1 <= len(name) <= LONGEST_ARM:
        raise must_be("The name of an arm", f"a text of 1 to {LONGEST_ARM} characters", name)
    if not name.isprintable() or name != name.strip() or not name.strip("."):
        raise must_be("The name of an arm", "printable, without spaces at its ends, and more than dots", name)
    if unicodedata.normalize("NFKC", name) != name:
        raise must_be("The name of an arm", "in Unicode's normal form NFKC", name)
    return name


def arms(names: list[str]) -> list[str]:
    """The names of a bandit's arms, together: letters that look alike come from one script."""
    found: dict[str, str] = {}
    for name in names:
        for script in scripts(arm(name)):
            found.setdefault(script, name)
    if len(found) > 1:
        (one, first), (other, second) = list(found.items())[:2]
        what = f"written in one of the scripts that look alike; {first!r} has {one.title()} letters"
        raise must_be("The names of arms", what, f"{second} ({other.title()})")
    return names


def scripts(name: str) -> list[str]:
    r"""Which of the scripts that look alike a name has letters of.

    >>> scripts("bond"), scripts("b\u043end")
    (['LATIN'], ['LATIN', 'CYRILLIC'])
    """
    words = (unicodedata.name(sign, "").split(" ")[0] for sign in name if sign.isalpha())
    return list(dict.fromkeys(word for word in words if word in ALIKE))

"""Names and words that people type: cleaned, never executed, in any script.

What travels is plain text; a page shows it as text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

__all__ = ["LONGEST_NAME", "LONGEST_SAYING", "clean_name", "clean_text", "lookalike", "told_apart"]

LONGEST_NAME: Final = 24
"""The most characters of a name."""
LONGEST_SAYING: Final = 300
"""The most characters of a line of chat."""
_MOST_MARKS: Final = 3
_JOINER: Final = "\u200d"
_VARIATIONS: Final = "\ufe0e\ufe0f"
_BLANKS: Final = "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5"
"""Letters and marks that show as nothing, whatever their category says."""

# Letters of other alphabets that look like a Latin one, folded to lower case.
_LOOKS: Final = str.maketrans(
    "аеорсухікмнтвзјѕԁԛԝһɡɩαβεηικμνορτυχγωℓ∣|105ß",
    "aeopcyxikmhtb3jsdqwhgiaβenikuvoptuxywlllloSβ".lower(),
)


def clean_text(text: str, longest: int = LONGEST_SAYING) -> str:
    """The text on one line without what cannot be seen, cut to so many characters.

    Control, format, override, private and unassigned characters go; a joiner stays between
    symbols, where it makes one emoji of two; no letter keeps more than three marks.
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text[: longest * 8]):
        category = unicodedata.category(character)
        if category in ("Zs", "Zl", "Zp") or character in "\t\n\r":
            character, category = " ", "Zs"
        if character == _JOINER:
            if kept and unicodedata.category(kept[-1]) in ("So", "Sk", "Mn"):
                kept.append(character)
            continue
        if category[0] == "C" or character in _BLANKS:
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        bare = not kept or kept[-1] == " "
        if marks > _MOST_MARKS or (marks and bare and character not in _VARIATIONS):
            continue
        if character in _VARIATIONS and bare:
            continue
        if character == " " and bare:
            continue
        kept.append(character)
    return "".join(kept[:longest]).rstrip(" " + _JOINER)


def clean_name(name: str) -> str:
    """The name as the table shows it; empty when nothing of it can be shown."""
    return clean_text(name, LONGEST_NAME)


def lookalike(name: str) -> str:
    """What the name looks like: equal for two names that one may be taken for the other."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    bare = "".join(each for each in plain if not unicodedata.combining(each))
    return "".join(bare.translate(_LOOKS).replace("i", "l").split())


def told_apart(name: str, others: Iterable[str]) -> str:
    """The name, numbered when it looks like another at the table."""
    taken = {lookalike(other) for other in others}
    if lookalike(name) not in taken:
        return name
    for number in range(2, 1000):
        ending = f" {number}"
        numbered = name[: LONGEST_NAME - len(ending)].rstrip() + ending
        if lookalike(numbered) not in taken:
            return numbered
    raise ValueError(f"{name!r} stands a thousand times at one table")

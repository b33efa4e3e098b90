"""Names that others see: no invisible characters, no imitation of another name.

`clean_name` decides what a name may be. `skeleton` is equal for names that look alike, so it decides whether two names
count as the same.
"""

import functools
import unicodedata

MAX_NAME_LENGTH = 40
"""Characters of a name, where a game does not say otherwise."""
_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU")
"""Alphabets that share letter shapes. A word in one of them is fine; a word in two of them imitates."""
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Fillers, joiners and a blank pattern that Unicode counts as letters, marks or symbols."""
_MOST_MARKS = 3
"""Combining marks on one letter; no language needs more, and a pile of them covers the lines above and below."""
_VARIATION_SELECTORS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_LOOKALIKES = str.maketrans(
    # Cyrillic, Greek, then rare Latin letters; capitals are folded to small letters before, so either form counts.
    "авеѕіјкмнорстухһԁԛԝӏ" + "αβεζηικμνορτυχω" + "ɑɡıȷᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "abesijkmhopctyxhdqwl" + "abezhikmnoptyxw" + "agijabcdefghijklmnoprstuvwyz",
)


class BadNameError(ValueError):
    """A name that others must not see."""


def clean_name(name: str) -> str:
    """The name in normal form; refused if it has invisible characters or words that mix alphabets."""
    normal = unicodedata.normalize("NFC", name)
    clean = " ".join(normal.split())
    if name and not clean:
        raise BadNameError("A name has at least one character that can be seen.")
    for character in normal:
        if (not character.isspace() and _is_invisible(character)) or unicodedata.category(character) == "Cc":
            raise BadNameError(f"A name has only characters that can be seen; U+{ord(character):04X} is none.")
    if _longest_pile(clean) > _MOST_MARKS:
        raise BadNameError(f"A letter of a name has at most {_MOST_MARKS} marks above and below it.")
    for word in _words(clean):
        alphabets = {alphabet for character in word if (alphabet := _alphabet(character))}
        if len(alphabets) > 1:
            mixed = " and ".join(sorted(alphabets))
            raise BadNameError(f"The word {word!r} mixes letters of {mixed}; use one alphabet.")
    return clean


@functools.lru_cache(maxsize=16_384)
def skeleton(name: str) -> str:
    """Equal for names that look alike: without case, in compatibility form, Cyrillic and Greek shapes as Latin ones."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    return unicodedata.normalize("NFC", " ".join(folded.translate(_LOOKALIKES).split()))


def _is_invisible(character: str) -> bool:
    if not character.isprintable() or character in _INVISIBLE:  # also bidirectional controls and zero-width characters
        return True
    return any(ord(character) in block for block in _VARIATION_SELECTORS)


def _longest_pile(name: str) -> int:
    """The most combining marks in a row; one without a letter below it counts as too many."""
    longest = pile = 0
    for position, character in enumerate(name):
        is_mark = unicodedata.category(character) in ("Mn", "Me")
        if is_mark and (position == 0 or name[position - 1].isspace()):
            return _MOST_MARKS + 1
        pile = pile + 1 if is_mark else 0
        longest = max(longest, pile)
    return longest


def _words(name: str) -> list[str]:
    """The runs of letters and marks of a name."""
    return "".join(character if unicodedata.category(character)[0] in "LM" else " " for character in name).split()


def _alphabet(character: str) -> str | None:
    script = unicodedata.name(character, "").partition(" ")[0]
    return script.capitalize() if script in _ALPHABETS else None

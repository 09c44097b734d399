"""How ids look: a made-up id that looks like a real one is unknown; one that does not may be malformed."""

import re

_WORD = re.compile(r"[0-9A-Za-z]+")
_NUMBERED = re.compile(r"([A-Za-z]*?)(\d+)")
_HEX = re.compile(r"[0-9a-f]+")


def form(spelled: str) -> str:
    """The form of an id, spelled as JSON: ids that a server makes in the same way have the same."""
    return _WORD.sub(lambda found: _of(found.group()), spelled)


def _of(word: str) -> str:
    numbered = _NUMBERED.fullmatch(word)
    if numbered is not None and (len(word) < LONG or numbered.group(1) == ""):
        return f"{numbered.group(1)}<number>"
    if word.isalpha() and len(word) < LONG:
        return word
    if _HEX.fullmatch(word):
        return f"<hex {len(word)}>"
    case = "upper" if word.isupper() else "lower" if word.islower() else "mixed"
    return f"<{case} {len(word)}>"


LONG = 12
"""Characters from which on a word is taken for random rather than for a name with a number."""
NEVER = 987_654_321
"""A number that no short sequence reaches, and that fits 32 bits."""


def unknown(known: list[str]) -> str:
    """An id of the same form as these, spelled as JSON, that is none of them; empty where none can be made."""
    for one in known:
        words = list(_WORD.finditer(one))
        for word in reversed(words):
            made = _changed(word.group())
            new = one[: word.start()] + made + one[word.end() :]
            if made and new not in known and form(new) == form(one):
                return new
    return ""


def _changed(word: str) -> str:
    """Another word of the same form; empty where that is a fixed one."""
    numbered = _NUMBERED.fullmatch(word)
    if numbered is not None and len(word) < LONG:
        return f"{numbered.group(1)}{NEVER}"
    if word.isalpha() and len(word) < LONG:
        return ""
    turned = str.maketrans("0123456789abcdefABCDEF", "5678901234efabcdEFABCD")
    half = len(word) // 2
    return word[:half] + word[half:].translate(turned)

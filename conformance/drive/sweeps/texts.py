"""Texts that servers spoil: other scripts, what looks like code or JSON, control characters, long ones, near ones."""

from unicodedata import normalize

WRITTEN = (
    "\U0001d49cstral \U0001f600 \U0001f469\u200d\U0001f467 \U0001f3f3\ufe0f\u200d\U0001f308, \u6f22\u5b57 \u0395",
    "combining: e\u0301 n\u0303 \u1112\u1161\u11ab; composed: \u00e9 \u00f1 \ud55c",
    "right to left: \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 (x) 12",
    "turned round: \u202e\u05e1\u05d5\u05e3\u202c \u200f(x)",
    '{"kind": "event", "body": "JSON in \\"JSON\\"", "n": [1, null]}',
    "<script>alert('x')</script> &amp; &#x41; <!-- - -->",
    "'; DROP TABLE messages; -- %s %d ${PATH} {{x}} {0} $1 \\1 \\u0041 \\n",
    "0",
    "null",
)
"""On one line, nothing of them at the ends that could be trimmed: what a person could write anywhere."""
CONTROLLED = (
    "separators\u2028and\u2029between, \u0085 and \u00a0 and \ufeff in it",
    "tab\tand\nlines\r\nof\rall kinds.",
    "control \u0001\u0007\u001b[31m\u007f characters",
)
"""With lines and control characters, as a body may have them. U+0000 is not among them."""
NUL = "U+0000 \x00 in it"
"""Many a store takes no such text, and no contract says that it does: a server may refuse it."""

SPOILT = "Stra\u00dfe \u00c9cole 7a"
"""A text that case, form and white space tell apart from its likes."""


def longest(limit: int) -> str:
    """A text of just so many characters, of one byte each: what a limit counts is not said."""
    return ("longest " * (limit // 8 + 1))[:limit].rstrip().ljust(limit, ".")


def near(text: str) -> list[str]:
    """Other texts that a careless comparison takes for this one.

    In another case, in another form of Unicode, with white space at an end, and with another last character: if the
    text is long, what cuts it takes that one for it. Names that the server made are not tried so: see `misspelled`.
    """
    forms = (normalize("NFD", text), normalize("NFC", text))
    found = (*cased(text), *forms, f"{text} ", f" {text}", f"{text[:-1]}{'y' if text.endswith('x') else 'x'}")
    return [other for other in dict.fromkeys(found) if other != text]


def misspelled(name: str) -> list[str]:
    """Names that are near to one that the server made, and are not it, however leniently it reads its own names.

    It may well read over case, white space and the form of Unicode there: it knows that no two of them differ so.
    """
    return [f"{name}x", name[:-1], f"{name[:-1]}{'1' if name.endswith('0') else '0'}"]


def others(name: str) -> list[str]:
    """Names of others that a careless comparison takes for this one: in another case, its beginning, one beyond it."""
    return [*cased(name), name[:-1], f"{name}x"]


def cased(text: str) -> list[str]:
    """The same text in other cases."""
    return [other for other in dict.fromkeys((text.lower(), text.upper(), text.title())) if other != text]

"""Values that a text names: a description its examples, a refusal what would have been right."""

import re
from collections.abc import Iterator

LONGEST = 4_000
SHOWN = 80
"""Characters after `e.g.` and its like that are an example."""
MOST = 8
"""Values of one text."""
_EXAMPLE = re.compile(
    r"(?:\be\.?g\.?|\bfor (?:example|instance)|\bexamples?|\bsuch as|\blike|\bi\.?e\.?)\s*[:,]?\s*", re.IGNORECASE
)
_CHOICE = re.compile(
    r"(?:\b(?:available|allowed|valid|supported|known|existing|possible|accepted)\b[^:\n\[]{0,40}[:\[]|\bone of\b:?|"
    r"\boptions?\b\"?\s*:|\bchoices?\s*:|\bshould be\b|\bexpected\b(?! \w+, received))\s*",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\\?[\"'`\u201c\u2018](?!\s)([^\"'`\u2018-\u201d\n]{1,120}?)(?<!\s)\\?[\"'`\u201d\u2019]")
_BARE = re.compile(r"[^\s,;|()\[\]{}\"'`]{1,80}")
_BETWEEN = re.compile(r"[\s,;|/\[\]]*(?:or|and)?[\s,;|/\[\]]*")
_AMONG = re.compile(
    r"[(:]\s*((?:\w[\w.+-]{0,39}(?:\s*[,|/]\s*(?:(?:or|and)\s+)?|\s+or\s+)){1,7}\w[\w.+-]{0,39})\s*(?=[).;\n]|$)"
)
_OF_TYPES = ("optional", "required", "default", "string", "number", "integer", "float", "boolean", "object", "array")
"""Words that are listed so to say what an argument is."""
_GUARD = re.compile(
    r"\boutside\b|\ballowed\b|\bpermitted\b|\bdenied\b|\b(?:within|inside|under|not in|relative to)\b", re.IGNORECASE
)
_BOUND = re.compile(
    r"(?:\bat (?:least|most)|\b(?:greater|more|larger|higher|bigger|less|fewer|smaller|lower) than|\babove|\bbelow|"
    r"\bbetween|\bexceeds?|\bup to|\bfrom|\bmin(?:imum)?\b|\bmax(?:imum)?\b|\brange\b|[<>]=?|[\u2264\u2265])"
    r"(?: or equal to)?[^\w\n-]{0,3}(?:(?:of|is|value|allowed)[^\w\n-]{1,3}){0,2}"
    r"(?<![\d.])(-?\d{1,9})(?:\s*(?:and|to|,|-|\u2013|\.\.\.?)\s*(-?\d{1,9}))?",
    re.IGNORECASE,
)
_PATH = re.compile(r"(?<![\w/.:~-])/[\w.+@-]+(?:/[\w.+@-]+)*")


def examples(text: str) -> Iterator[str]:
    """What follows `e.g.`, `such as` and their like: quoted texts, else one word."""
    for found in list(_EXAMPLE.finditer(text[:LONGEST]))[:MOST]:
        yield from _listed(text[found.end() : found.end() + 300])


def choices(text: str) -> Iterator[str]:
    """What a text lists as allowed, available, or expected."""
    for found in list(_CHOICE.finditer(text[:LONGEST]))[:MOST]:
        yield from _listed(text[found.end() : found.end() + 300])


def among(text: str) -> Iterator[str]:
    """Single words that are listed in brackets, or after a colon: `Operation (add, subtract)`, `Order: asc or desc`."""
    for found in list(_AMONG.finditer(text[:LONGEST]))[:MOST]:
        listed = [word.rstrip(".") for word in re.split(r"[\s,|/]+", found[1]) if word not in ("or", "and")]
        yield from (word for word in listed if word.casefold() not in _OF_TYPES)


def bounds(text: str) -> Iterator[int]:
    """Whole numbers at and beside the bounds that a text names: `at least 13`, `between 1 and 10`."""
    found = [int(each) for bound in list(_BOUND.finditer(text[:LONGEST]))[:MOST] for each in bound.groups() if each]
    for beside in (0, 1, -1):
        yield from (number + beside for number in found)


def paths(text: str) -> Iterator[str]:
    """Absolute paths in a text, but for those that it gives as examples."""
    shown = [range(found.end(), found.end() + SHOWN) for found in list(_EXAMPLE.finditer(text[:LONGEST]))[:MOST]]
    found = [each for each in list(_PATH.finditer(text[:LONGEST]))[:MOST] if not any(each.start() in s for s in shown)]
    yield from dict.fromkeys(each.group().rstrip(".") for each in found)


def guarded(text: str) -> Iterator[str]:
    """The folders to which a refusal says that a path is confined."""
    if _GUARD.search(text[:LONGEST]):
        yield from paths(text)


def quoted(text: str) -> Iterator[str]:
    """Quoted words in a text."""
    for found in list(_QUOTED.finditer(text[:LONGEST]))[:MOST]:
        yield found[1]


def _listed(text: str) -> Iterator[str]:
    """A list of texts at the beginning: all quoted, or all bare."""
    found = _BETWEEN.match(text)
    place = found.end() if found is not None else 0
    pattern = _QUOTED if _QUOTED.match(text, place) else _BARE
    for _ in range(MOST):
        found = pattern.match(text, place)
        if found is None:
            return
        yield (found[1] if pattern is _QUOTED else found[0]).rstrip(".:")
        between = _BETWEEN.match(text, found.end())
        if between is None or not between.group().strip():
            return
        place = between.end()

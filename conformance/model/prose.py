"""How the texts that tools answer with are read: what patterns find in them stands under names, as in an object."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from conformance.model.events import Json

READ_THROUGH = 200_000
"""Characters of the longest text that is read: of a part of one nobody knows what the rest would tell."""
TEXT, ENTRIES = "text", "entries"
"""Under these names stand the text itself, and the list of its entries."""
_PLAIN = re.compile(r"\w(?:[\w .-]*\w)?")
WHOLE_NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})")
"""As a text spells it: with other zeros it would be another text."""
_Edit = tuple[int, int, str]
"""From where to where a text is replaced, and what with."""


class Prose(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A row of [[envelope.text]]: how the texts of some tools are read. `^` and `$` are the ends of each line."""

    tools: tuple[str, ...]
    fields: dict[str, str] = {}
    """By name, a regular expression whose first group is the value."""
    numbers: tuple[str, ...] = ()
    """The names whose values are whole numbers; others are texts."""
    entries: str = ""
    """A regular expression, each match of which is an entry of a list; the fields are then read from each entry."""


def read(rules: Sequence[Prose], text: str) -> dict[str, Json]:
    """What a text tells: itself, its fields, and its entries where a rule says what these are."""
    found: dict[str, Json] = {TEXT: text}
    for rule in rules:
        if rule.entries:
            found[ENTRIES] = [_fields(rule, each[0]) for each in _entries(rule, text)]
        else:
            found |= _fields(rule, text)
    return found


def surely_read(value: Json) -> bool:
    """Whether a value is found in a text as it was written, whatever surrounds it: a word, a number, a few words."""
    plain = isinstance(value, str) and "\n" not in value and _PLAIN.fullmatch(value) is not None
    return plain or (isinstance(value, int) and not isinstance(value, bool))


def written(rules: Sequence[Prose], told: dict[str, Json]) -> str:
    """The text of what was read from it, once something of that has changed: what has no place in the text is left out.

    The opposite of `read`.
    """
    text = told.get(TEXT)
    if not isinstance(text, str):
        return ""
    edits = [edit for rule in rules for edit in (_of_list if rule.entries else _of_fields)(rule, text, told)]
    end = len(text)
    for start, stop, new in sorted(edits, reverse=True):
        if stop <= end:
            text, end = text[:start] + new + text[stop:], start
    return text


def _of_fields(rule: Prose, text: str, told: dict[str, Json]) -> Iterator[_Edit]:
    for name, pattern in rule.fields.items():
        found = _found(pattern, text)
        if found is None:
            continue
        if name not in told:
            yield found.start(), found.end(), ""
        elif told[name] != _value(rule, name, found[1]):
            yield found.start(1), found.end(1), str(told[name])


def _of_list(rule: Prose, text: str, told: dict[str, Json]) -> Iterator[_Edit]:
    now, spans = told.get(ENTRIES), [each.span() for each in _entries(rule, text)]
    if not isinstance(now, list) or now == [_fields(rule, text[start:stop]) for start, stop in spans]:
        return
    of_one = Prose(rule.tools, rule.fields, rule.numbers)
    between = text[spans[0][1] : spans[1][0]] if len(spans) > 1 else "\n"
    whole = between.join(written([of_one], each) for each in now if isinstance(each, dict))
    yield (spans[0][0], spans[-1][1], whole) if spans else (len(text), len(text), f"\n{whole}")


def _entries(rule: Prose, text: str) -> Iterator[re.Match[str]]:
    return (each for each in re.finditer(rule.entries, text, re.MULTILINE) if each[0])


def _fields(rule: Prose, text: str) -> dict[str, Json]:
    found = {name: _found(pattern, text) for name, pattern in rule.fields.items()}
    values = {name: _value(rule, name, each[1]) for name, each in found.items() if each is not None}
    return {TEXT: text, **values}


def _found(pattern: str, text: str) -> re.Match[str] | None:
    found = re.search(pattern, text, re.MULTILINE)
    return found if found is not None and found[1] is not None else None


def _value(rule: Prose, name: str, found: str) -> Json:
    return int(found) if name in rule.numbers and WHOLE_NUMBER.fullmatch(found) else found

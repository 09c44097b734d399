"""The placeholders in the arguments of [[make]] and [[example]]: what they stand for, and where they stand."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from conformance.contract.making import Call
from conformance.model.events import Json
from conformance.model.pointer import ABSENT, at, scalars

PLACEHOLDER = re.compile(r"\{\{\s*([a-z]+)(?:\.([^{}\s]+))?\s*\}\}")
FRESH = ("fresh", "key", "uuid", "number", "word")
"""Kinds that stand for a value which no other call has."""
ABOUT = ("id", "revision", "its")
"""Kinds that stand for something of the entity that a call is about."""
KINDS = (*ABOUT, "made", "claims", *FRESH)


LONGEST = 40
"""Characters that a fresh text has besides its name and what the template writes around it."""
WORD = 12
"""Letters of a fresh word: so many that it is told from a word of the contract's own."""
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Slot(NamedTuple):
    """A placeholder, and the place of the argument that it stands in."""

    at: str
    """JSON Pointer into the arguments."""
    kind: str
    name: str
    around: int = 0
    """Characters that the template writes around it."""


def slots(value: Json) -> Iterator[Slot]:
    """Those in a value."""
    for place, each in scalars(value):
        if isinstance(each, str):
            around = len(PLACEHOLDER.sub("", each))
            yield from (Slot(place, kind, name, around) for kind, name in PLACEHOLDER.findall(each))


def place_of(call: Call, kind: str) -> str:
    """Where in a call's arguments a placeholder stands, as a pointer; empty where it stands nowhere."""
    return next((slot.at for slot in slots(call.arguments) if slot.kind == kind), "")


def filled(value: Json, of: Callable[[str, str], Json]) -> Json:
    """A value with each placeholder replaced by what `of` gives for its kind and its name.

    One that is the whole of a text is replaced by the value itself, one within a text by the value as text.
    """
    if isinstance(value, dict):
        return {key: filled(each, of) for key, each in value.items()}
    if isinstance(value, list):
        return [filled(each, of) for each in value]
    if not isinstance(value, str):
        return value
    whole = PLACEHOLDER.fullmatch(value)
    if whole is not None:
        return of(whole.group(1), whole.group(2) or "")
    return PLACEHOLDER.sub(lambda found: str(of(found.group(1), found.group(2) or "")), value)


def fits(template: Json, given: Json) -> bool:
    """Whether arguments are as a template has them, whatever stands in the place of its placeholders."""
    if isinstance(template, str) and PLACEHOLDER.search(template):
        if PLACEHOLDER.fullmatch(template):
            return given is not None
        parts = (re.escape(part) for part in re.split(r"\{\{[^{}]*\}\}", template))
        return isinstance(given, str) and re.fullmatch("(?s:.+)".join(parts), given) is not None
    if isinstance(template, dict):
        same = isinstance(given, dict) and template.keys() == given.keys()
        return same and all(fits(each, given[key]) for key, each in template.items())
    if isinstance(template, list):
        same = isinstance(given, list) and len(template) == len(given)
        return same and all(map(fits, template, given))
    return bool(template == given) and isinstance(template, bool) == isinstance(given, bool)


def plain(slot: Slot, value: Json) -> bool:
    """Whether a value is one of those that the suite makes for a placeholder: no rule speaks against it by itself."""
    match slot.kind:
        case "number":
            return isinstance(value, int) and not isinstance(value, bool)
        case "uuid":
            return isinstance(value, str) and _UUID.fullmatch(value) is not None
        case "word":
            runs = re.findall(f"[a-z]{{{WORD},}}", value) if isinstance(value, str) else []
            return bool(runs) and len(runs[0]) < WORD + WORD and len(value) <= WORD + LONGEST + slot.around
        case kind if kind in FRESH:
            begins = f"{slot.name or kind}-"
            return isinstance(value, str) and begins in value and len(value) <= len(begins) + LONGEST + slot.around
        case _:
            return True


def given(arguments: Json, slot: Slot) -> Json:
    """What a call has in the place of a placeholder; ABSENT where it has nothing there."""
    return at(arguments, slot.at) if isinstance(arguments, dict) else ABSENT

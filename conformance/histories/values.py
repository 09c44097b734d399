"""Values of a conversation that stand for others: how they are written, found and replaced."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from conformance.model.events import Json

ANSWER, FRESH, CLAIM, AHEAD, PLANTED, TEXT, LITERAL = (
    "$answer", "$fresh", "$claim", "$ahead", "$planted", "$text", "$literal",
)  # fmt: skip
KINDS = (ANSWER, FRESH, CLAIM, AHEAD, PLANTED, TEXT, LITERAL)
RENEWED = "«run»"
"""In a fresh text, where the name of the run stands."""


def answer(call: int, at: str, was: Json, plus: int = 0) -> dict[str, Json]:
    """What a call was answered at a JSON Pointer; `was`: what that was when it was recorded."""
    return {ANSWER: {"call": call, "at": at, "was": was, **({"plus": plus} if plus else {})}}


def fresh(text: str) -> dict[str, Json]:
    """A text of the suite's own, with a mark where the name of the run stands."""
    return {FRESH: text}


def kind_of(value: Json) -> str:
    """Which key makes an object stand for a value; empty where it is what it is."""
    if isinstance(value, dict) and len(value) == 1:
        key = next(iter(value))
        return key if key in KINDS else ""
    return ""


def escaped(value: dict[str, Json]) -> dict[str, Json]:
    """An object that could be taken for one that stands for a value."""
    return {LITERAL: value}


def recredited(value: Json, names: Mapping[str, str]) -> Json:
    """The value with the names of credentials replaced."""

    def meaning(kind: str, held: Any) -> Json:
        if kind == CLAIM:
            return {CLAIM: [names.get(held[0], held[0]), *held[1:]]}
        return {kind: [recredited(part, names) for part in held] if kind == TEXT else held}

    return changed(value, meaning)


def mapped(value: Json, meaning: Callable[[str, Any], Json]) -> Json:
    """The value with all that stands for another replaced by what `meaning` gives for its key and what it holds."""
    return changed(value, lambda kind, held: held if kind == LITERAL else meaning(kind, held))


def changed(value: Json, meaning: Callable[[str, Any], Json]) -> Json:
    """The same, where objects that are what they are stand in the file for themselves."""
    kind = kind_of(value)
    if kind:
        return meaning(kind, value[kind])
    if isinstance(value, dict):
        return {name: changed(inner, meaning) for name, inner in value.items()}
    return [changed(inner, meaning) for inner in value] if isinstance(value, list) else value


def answers_in(value: Json) -> Iterator[dict[str, Json]]:
    """Every reference to an earlier answer."""
    return (held for kind, held in standing(value) if kind == ANSWER)


def named_in(value: Json) -> Iterator[str]:
    """The credentials whose claims stand in a value."""
    return (held[0] for kind, held in standing(value) if kind == CLAIM)


def standing(value: Json) -> Iterator[tuple[str, Any]]:
    """All that stands for a value: its key and what it holds."""
    kind = kind_of(value)
    if kind == LITERAL:
        return
    if kind:
        yield kind, value[kind]
    inner = value[TEXT] if kind == TEXT else () if kind else value
    if isinstance(inner, dict | list | tuple):
        for each in inner.values() if isinstance(inner, dict) else inner:
            yield from standing(each)


def referring(value: Json, to: Callable[[dict[str, Any]], dict[str, Json]]) -> Json:
    """The value with each reference to an earlier answer replaced by what `to` gives for it."""

    def meaning(kind: str, held: Any) -> Json:
        if kind == ANSWER:
            return {ANSWER: to(held)}
        return {kind: [referring(part, to) for part in held] if kind == TEXT else held}

    return changed(value, meaning)

"""Think cards: an object, the same as JSON text, or lines of `key: value`."""

from collections.abc import Mapping
from typing import Final

from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.texts import decoded

TYPES: Final = ("frame", "hypothesis", "question", "test", "evidence", "decision", "note", "update")
TEXTS: Final = ("id", "type", "title", "text", "status")
FIELDS: Final = (*TEXTS, "tags", "meta")
RELATIONS: Final = ("supports", "blocks")
"""Arguments that join a card to other nodes, and the relations of the edges that do."""


def card_of(call: Exchange) -> Mapping[str, Json] | None:
    """The fields of the card that a call gives; None where it gives none, or a text of which the server made another.

    No clause says how a text is read: one server takes `key: value` from its lines, another takes it as the card's text
    and gives it an id of its own.
    """
    given = call.argument("card")
    if isinstance(given, str):
        given = decoded(given) if given.lstrip().startswith("{") else _lines(given)
        made = call.given.get("card_id")
        if isinstance(given, dict) and isinstance(made, str) and made != given.get("id"):
            return None
    if not isinstance(given, dict) or not given.keys() <= set(FIELDS):
        return None
    if any(name in given and not isinstance(given[name], str) for name in TEXTS):
        return None
    tags = given.get("tags", [])
    if not isinstance(tags, list) or not all(map(_is_tag, tags)) or not isinstance(given.get("meta", {}), dict):
        return None
    named = given.get("id") and given.get("type") in TYPES
    return given if named and (given.get("title") or given.get("text")) else None


def in_words(call: Exchange) -> bool:
    """Whether a card is given as a text that is no JSON: upstream reads its lines, and no clause says that one does."""
    given = call.argument("card")
    return isinstance(given, str) and not isinstance(decoded(given), dict)


def _is_tag(value: Json) -> bool:
    """Whether it is a tag that any server takes: no clause says what one is made of."""
    return isinstance(value, str) and value.strip() != "" and "|" not in value and value.isprintable()


def _lines(text: str) -> dict[str, Json] | None:
    """The fields of a card in lines; None where one of them is of another key, which goes elsewhere."""
    found: dict[str, Json] = {}
    for line in filter(str.strip, text.splitlines()):
        name, colon, value = line.partition(":")
        if not colon or name.strip() not in TEXTS:
            return None
        found[name.strip()] = value.strip()
    return found


def places_of(call: Exchange) -> dict[str, str]:
    """The branch and the documents that a card goes to, as the answer names them, else the arguments."""
    found = {}
    for name in ("branch", "trace_doc", "graph_doc"):
        value = call.given.get(name, call.argument(name))
        if isinstance(value, str):
            found[name] = value
    return found

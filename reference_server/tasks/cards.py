"""Think cards: structured thoughts that live in a graph and leave a trace."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reference_server.application import Json
from reference_server.tasks.editing import Stage
from reference_server.tasks.graph import Content, Key
from reference_server.tasks.refusal import Refusal, Suggestion

if TYPE_CHECKING:
    from reference_server.tasks.call import Call

CARD_TYPES: Final = ("frame", "hypothesis", "question", "test", "evidence", "decision", "note", "update")
CARD_FIELDS: Final = ("id", "type", "title", "text", "status", "tags", "meta")
_STRINGS: Final = ("id", "type", "title", "text", "status")


@dataclass(frozen=True, slots=True)
class Card:
    """A card in canonical form."""

    id: str
    content: Content

    @property
    def text(self) -> str:
        """What the trace shows of it."""
        return "\n".join(part for part in (self.content["title"], self.content["text"]) if part)


class Cards:
    """Reads cards from any of their three forms and stages them on a graph."""

    def template(self, card_type: str) -> dict[str, Json]:
        """A card to fill in; it is valid as it stands."""
        return {
            "id": f"CARD-{card_type}",
            "type": card_type,
            "title": f"What this {card_type} says",
            "text": "Why, and what follows from it",
            "status": "open",
            "tags": [],
            "meta": {},
        }

    def read(self, call: "Call", given: dict[str, Json] | str) -> Card:
        """From an object, JSON text or `key: value` lines. Raises INVALID_INPUT."""
        fields = self.parse(call, given) if isinstance(given, str) else given
        for name in ("id", "type"):
            if name not in fields:
                raise self.malformed(call, f"the card has no {name}")
        if not (fields.get("title") or fields.get("text")):
            raise self.malformed(call, "the card has neither title nor text")
        if fields["type"] not in CARD_TYPES:
            raise self.malformed(call, f"no card has type {fields['type'][:128]!r}")
        identifiers = call.parts.identifiers
        content: Content = {
            "type": fields["type"],
            "title": fields.get("title"),
            "text": fields.get("text"),
            "status": fields.get("status", "open"),
            "tags": identifiers.tags(fields.get("tags", ())),
            "meta": fields.get("meta"),
        }
        return Card(identifiers.node(fields["id"]), content)

    def parse(self, call: "Call", text: str) -> dict[str, Json]:
        """The fields of a card written as text; unknown keys of lines go to meta."""
        if text.lstrip().startswith("{"):
            return self.parse_json(call, text)
        fields: dict[str, Json] = {}
        meta: dict[str, Json] = {}
        for line in filter(str.strip, text.splitlines()):
            name, colon, value = line.partition(":")
            if not colon:
                raise self.malformed(call, f"no `key: value`: {line[:80]!r}")
            name, value = name.strip().lower(), value.strip()
            if name == "tags":
                fields["tags"] = [tag for tag in value.replace(";", ",").split(",") if tag.strip()]
            elif name in _STRINGS:
                fields[name] = value
            else:
                meta[name] = value
        return fields | ({"meta": meta} if meta else {})

    def parse_json(self, call: "Call", text: str) -> dict[str, Json]:
        """A card in JSON: the object form, as text."""
        try:
            fields = call.parts.arguments.as_json(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise self.malformed(call, f"the card is no JSON: {error}") from error
        tags = fields.get("tags", [])
        well_typed = (
            set(fields) <= set(CARD_FIELDS)
            and all(isinstance(fields[name], str) for name in _STRINGS if name in fields)
            and isinstance(tags, list)
            and all(isinstance(tag, str) for tag in tags)
            and isinstance(fields.get("meta", {}), dict)
        )
        if not well_typed:
            raise self.malformed(call, f"a card holds {', '.join(CARD_FIELDS)}, each of its own type")
        return dict(fields)

    def malformed(self, call: "Call", message: str) -> Refusal:
        """What to raise where a card is none."""
        params = {"workspace": call.workspace.name, "type": "note"}
        return Refusal(
            "INVALID_INPUT",
            message,
            recovery="fill in what branchmind_think_template gives",
            suggestions=[Suggestion("branchmind_think_template", params, "see what a card holds")],
        )

    def stage(self, stage: Stage, card: Card, edges: list[tuple[str, str]]) -> bool:
        """Stages card and edges (relation, other end); whether the card is new. Raises CONFLICT, UNKNOWN_ID."""
        key = Key.node(card.id)
        there = stage.content(key)
        if there is None:
            stage.put(key, card.content, "nodes_upserted")
        elif json.dumps(there, sort_keys=True) != json.dumps(card.content, sort_keys=True):
            raise self.taken(stage, card)
        for rel, other in edges:
            target = stage.call.parts.identifiers.node(other)
            stage.require_node(target)
            edge = Key.edge(card.id, rel, target)
            if stage.content(edge) is None:
                stage.put(edge, {"from": card.id, "rel": rel, "to": target, "meta": None}, "edges_upserted")
        return there is None

    def taken(self, stage: Stage, card: Card) -> Refusal:
        """What to raise where another payload has the card's id."""
        call = stage.call
        where = {"workspace": call.workspace.name, "branch": stage.branch.name, "doc": stage.doc, "ids": [card.id]}
        return Refusal(
            "CONFLICT",
            f"{card.id!r} holds something else already",
            recovery="give the card another id, or change the node with branchmind_graph_apply",
            suggestions=[Suggestion("branchmind_graph_query", where, "see what has the id")],
        )

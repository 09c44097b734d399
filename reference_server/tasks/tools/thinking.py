"""Tools for think cards."""

from collections import Counter
from collections.abc import Iterator, Sequence

from reference_server.application import Json
from reference_server.tasks.budgets import Cap
from reference_server.tasks.call import Call
from reference_server.tasks.cards import CARD_TYPES
from reference_server.tasks.editing import Stage
from reference_server.tasks.graph import Version, live_nodes
from reference_server.tasks.schema import (
    DOC,
    EXPECTED,
    ITEM_ID,
    MAX_CHARS,
    MOST_ENTRIES,
    NAME,
    OBJECT,
    WORKSPACE,
    closed,
    limit,
    number,
    strings,
    text,
)
from reference_server.tasks.spec import Spec, Writes


def template(call: Call) -> dict[str, Json]:
    """A card to fill in."""
    return call.parts.budgets.ladder(call, _forms(call))


def _forms(call: Call) -> Iterator[dict[str, Json]]:
    head = {"workspace": call.workspace.name, "type": call.arguments["type"]}
    shown = call.parts.cards.template(call.arguments["type"])
    yield head | {"supported_types": list(CARD_TYPES), "template": shown}
    yield head | {"template": shown}
    yield head | {"template": {name: shown[name] for name in ("id", "type", "title")}}


def card(call: Call) -> dict[str, Json]:
    """Writes a card to the graph and to the trace; the same card again changes nothing."""
    parts, given = call.parts, call.arguments
    graph_place = parts.places.resolve(call, "graph", lambda item: item.graph_doc, named="graph_doc")
    trace_place = parts.places.resolve(call, "trace", lambda item: item.trace_doc, named="trace_doc")
    made = parts.cards.read(call, given["card"])
    parts.places.guard(call, trace_place, "branchmind_show")
    stage = Stage(call, graph_place.branch, graph_place.doc)
    edges = [(rel, other) for rel in ("supports", "blocks") for other in given.get(rel, ())]
    inserted = parts.cards.stage(stage, made, edges)
    parts.editing.commit(stage)
    if stage.changes:
        parts.documents.append(
            call,
            trace_place.branch,
            trace_place.doc,
            kind="card",
            content=made.text,
            title=made.content["title"],
            meta={"card_id": made.id, "type": made.content["type"]},
        )
    return {
        "workspace": call.workspace.name,
        "branch": graph_place.branch.name,
        "trace_doc": trace_place.doc,
        "graph_doc": graph_place.doc,
        "card_id": made.id,
        "inserted": inserted,
        "graph_applied": {name: stage.counts[name] for name in ("nodes_upserted", "edges_upserted")},
        "last_seq": call.workspace.seq,
        "documents": [parts.places.document(call, place).named() for place in (trace_place, graph_place)],
    }


def context(call: Call) -> dict[str, Json]:
    """The cards of a graph, by id."""
    parts = call.parts
    place = parts.places.resolve(call, "graph", lambda item: item.graph_doc, named="graph_doc")
    graph = parts.documents.graph(call.workspace, place.branch, place.doc)
    cards = [node for node in live_nodes(graph) if (node.content or {})["type"] in CARD_TYPES]
    by_type = Counter((node.content or {})["type"] for node in cards)
    document = parts.places.document(call, place)

    def render(page: Sequence[Version]) -> dict[str, Json]:
        return {
            "workspace": call.workspace.name,
            "branch": place.branch.name,
            "graph_doc": place.doc,
            "document": document.named(),
            "stats": {"cards": len(cards), "by_type": dict(sorted(by_type.items()))},
            "cards": [node.as_json() for node in page],
        }

    most = call.arguments["limit_cards"]
    return parts.budgets.page(call, cards, render, caps=lambda _: [Cap("limit_cards", "entries", most)])[0]


_TYPE = text("What kind of thought it is.", enum=list(CARD_TYPES))
_CARD = {
    "anyOf": [
        closed(
            {
                "id": text("A node id, chosen by the caller."),
                "type": _TYPE,
                "title": text("A title; this or text is needed."),
                "text": text("Its text."),
                "status": text("Its status.", default="open"),
                "tags": strings("Tags, in any case and order."),
                "meta": OBJECT,
            },
            "id",
            "type",
        ),
        {"type": "string"},
    ],
    "description": "The card: an object, the same as JSON text, or lines of `key: value`.",
}
_PLACE = {
    "target": ITEM_ID | {"description": "A plan or task whose graph and trace are meant; instead of the documents."},
    "branch": NAME | {"description": "The branch; left out: the target's, or the one checked out."},
}

SPECS = (
    Spec(
        "branchmind_think_template",
        "branchmind_think_template",
        "Gives a card of a type to fill in.",
        template,
        WORKSPACE | {"type": _TYPE} | MAX_CHARS,
        required=("workspace", "type"),
    ),
    Spec(
        "branchmind_think_card",
        "branchmind_think_card",
        "Writes a think card as a node of a graph, with edges to what it supports or blocks, and notes it in a trace.",
        card,
        WORKSPACE
        | _PLACE
        | {
            "trace_doc": DOC,
            "graph_doc": DOC,
            "card": _CARD,
            "supports": strings("Ids of nodes that it supports."),
            "blocks": strings("Ids of nodes that it blocks."),
        }
        | EXPECTED,
        required=("workspace", "card"),
        writes=Writes(
            "document",
            "document",
            "/documents/0/revision",
            ("branchmind_think_context", "branchmind_graph_query", "branchmind_show", "branchmind_branch_list"),
        ),
        repeatable=True,
    ),
    Spec(
        "branchmind_think_context",
        "branchmind_think_context",
        "Shows the think cards of a graph, by id.",
        context,
        WORKSPACE
        | _PLACE
        | {"graph_doc": DOC}
        | {"limit_cards": number("Most cards to answer.", 1, maximum=MOST_ENTRIES, default=30)}
        | limit(MOST_ENTRIES)
        | MAX_CHARS,
    ),
)

"""Tools over the graph of a document: edit, query, validate, compare."""

from collections.abc import Sequence

from reference_server.application import Json
from reference_server.tasks import identifiers
from reference_server.tasks.budgets import Budget, Cap
from reference_server.tasks.call import Call
from reference_server.tasks.editing import Stage
from reference_server.tasks.graph import Key, Version, live_edges, live_nodes, same
from reference_server.tasks.schema import (
    DOC,
    EXPECTED,
    MAX_CHARS,
    MOST_ENTRIES,
    NAME,
    OBJECT,
    PLACE,
    WORKSPACE,
    closed,
    flag,
    limit,
    number,
    strings,
    text,
)
from reference_server.tasks.spec import Spec, Writes


def apply(call: Call) -> dict[str, Json]:
    """All operations or none."""
    place = call.parts.places.resolve(call, "graph", lambda item: item.graph_doc)
    call.parts.places.guard(call, place, "branchmind_graph_query")
    stage = Stage(call, place.branch, place.doc)
    call.parts.editing.apply(stage, call.arguments["ops"])
    call.parts.editing.commit(stage)
    return (
        {"workspace": call.workspace.name}
        | call.parts.places.document(call, place).named()
        | {"applied": dict(stage.counts), "last_seq": call.workspace.seq}
    )


def query(call: Call) -> dict[str, Json]:
    """Nodes that match, by id; each edge between them comes with the node it starts from."""
    parts, given = call.parts, call.arguments
    place = parts.places.resolve(call, "graph", lambda item: item.graph_doc)
    graph = parts.documents.graph(call.workspace, place.branch, place.doc)
    wanted = _wanted(call)
    nodes = [node for node in live_nodes(graph) if wanted(node)]
    ids = {node.key.name for node in nodes}
    joined = [edge for edge in live_edges(graph) if _ends(edge) <= ids] if given["include_edges"] else []
    most: int = given["edges_limit"]

    def edges_of(page: Sequence[Version]) -> list[Version]:
        starts = {node.key.name for node in page}
        return [edge for edge in joined if edge.content is not None and edge.content["from"] in starts]

    def render(page: Sequence[Version]) -> dict[str, Json]:
        return (
            {"workspace": call.workspace.name}
            | parts.places.document(call, place).named()
            | {
                "nodes": [node.as_json() for node in page],
                "edges": [edge.as_json() for edge in edges_of(page)[:most]],
            }
        )

    def beside(page: Sequence[Version]) -> Budget | None:
        return Budget(most, most, "edges") if len(edges_of(page)) > most else None

    return parts.budgets.page(call, nodes, render, beside=beside)[0]


class _Wanted:
    """The filters of a query, all of which a node passes."""

    def __init__(self, call: Call) -> None:
        given, identifiers = call.arguments, call.parts.identifiers
        self.ids = {identifiers.node(each) for each in given["ids"]} if "ids" in given else None
        self.types = {identifiers.type(each) for each in given["types"]} if "types" in given else None
        self.status: str | None = given.get("status")
        self.any = set(identifiers.tags(given["tags_any"])) if "tags_any" in given else None
        self.all = set(identifiers.tags(given.get("tags_all", ())))
        self.text: str = given.get("text", "").casefold()

    def __call__(self, node: Version) -> bool:
        content = node.content or {}
        tags = set(content["tags"])
        words = f"{content['title'] or ''}\n{content['text'] or ''}".casefold()
        return (
            (self.ids is None or node.key.name in self.ids)
            and (self.types is None or content["type"] in self.types)
            and self.status in (None, content["status"])
            and (self.any is None or bool(self.any & tags))
            and self.all <= tags
            and self.text in words
        )


_wanted = _Wanted


def _ends(edge: Version) -> set[str]:
    content = edge.content or {}
    return {content["from"], content["to"]}


def validate(call: Call) -> dict[str, Json]:
    """Edges whose ends are gone, which merging can leave behind."""
    parts = call.parts
    place = parts.places.resolve(call, "graph", lambda item: item.graph_doc)
    graph = parts.documents.graph(call.workspace, place.branch, place.doc)
    nodes, edges = live_nodes(graph), live_edges(graph)
    ids = {node.key.name for node in nodes}
    dangling = [(edge, sorted(_ends(edge) - ids)) for edge in edges if not _ends(edge) <= ids]

    def render(page: Sequence[tuple[Version, list[str]]]) -> dict[str, Json]:
        return (
            {"workspace": call.workspace.name}
            | parts.places.document(call, place).named()
            | {
                "ok": not dangling,
                "stats": {"nodes": len(nodes), "edges": len(edges)},
                "errors": [
                    {
                        "code": "EDGE_ENDPOINT_MISSING",
                        "message": f"no node {' and no node '.join(map(repr, missing))}",
                        "kind": "edge",
                        "key": edge.key.name,
                    }
                    for edge, missing in page
                ],
            }
        )

    most = call.arguments["max_errors"]
    return parts.budgets.page(call, dangling, render, caps=lambda _: [Cap("max_errors", "entries", most)])[0]


def diff(call: Call) -> dict[str, Json]:
    """Keys that differ, nodes first; `to` is a tombstone for what was deleted, null for what never was there."""
    parts, given = call.parts, call.arguments
    doc = parts.identifiers.name(given["doc"], "document")
    source, target = parts.branches.find(call, given["from"]), parts.branches.find(call, given["to"])
    old = parts.documents.graph(call.workspace, source, doc)
    new = parts.documents.graph(call.workspace, target, doc)
    keys = sorted({*old, *new}, key=lambda key: (key.kind == "edge", key.name))
    changed = [key for key in keys if not same(old.get(key), new.get(key))]

    def change(key: Key) -> dict[str, Json]:
        named = {"id": key.name} if key.kind == "node" else {"key": key.name}
        return {"kind": key.kind, **named, "to": new[key].as_json() if key in new else None}

    def render(page: Sequence[Key]) -> dict[str, Json]:
        return {
            "workspace": call.workspace.name,
            "from": source.name,
            "to": target.name,
            "doc": doc,
            "changes": [change(key) for key in page],
        }

    return parts.budgets.page(call, changed, render)[0]


_META = OBJECT | {"description": "Whatever else belongs to it."}
_NODE_ID = text(
    "A node id: 1 to 256 characters, no | and no control character.",
    pattern=identifiers.graph_pattern(identifiers.NODE_LIMIT, pipe=False),
)
_ENDS = {
    "from": _NODE_ID,
    "rel": text(
        "A relation: 1 to 128 characters, no | and no control character.",
        pattern=identifiers.graph_pattern(identifiers.REL_LIMIT, pipe=False),
    ),
    "to": _NODE_ID,
}
_OPS = {
    "type": "array",
    "minItems": 1,
    "description": "Operations, in order; all of them or none.",
    "items": {
        "oneOf": [
            closed(
                {
                    "op": {"const": "node_upsert"},
                    "id": _NODE_ID,
                    "type": text(
                        "A type: 1 to 128 characters, no control character.",
                        pattern=identifiers.graph_pattern(identifiers.TYPE_LIMIT, pipe=True),
                    ),
                    "title": text("A title."),
                    "text": text("Its text."),
                    "status": text("Its status."),
                    "tags": strings("Tags, in any case and order."),
                    "meta": _META,
                },
                "op",
                "id",
                "type",
            ),
            closed({"op": {"const": "node_delete"}, "id": _NODE_ID}, "op", "id"),
            closed({"op": {"const": "edge_upsert"}, **_ENDS, "meta": _META}, "op", "from", "rel", "to"),
            closed({"op": {"const": "edge_delete"}, **_ENDS}, "op", "from", "rel", "to"),
        ]
    },
}
GRAPH_READS = (
    "branchmind_graph_query",
    "branchmind_graph_diff",
    "branchmind_graph_validate",
    "branchmind_think_context",
    "branchmind_branch_list",
)

SPECS = (
    Spec(
        "branchmind_graph_apply",
        "branchmind_graph_apply",
        "Applies operations to the graph of a document, all or none; deleting a node deletes its edges.",
        apply,
        WORKSPACE | PLACE | {"ops": _OPS} | EXPECTED,
        required=("workspace", "ops"),
        writes=Writes("document", "document", "/revision", GRAPH_READS),
        removes=True,
    ),
    Spec(
        "branchmind_graph_query",
        "branchmind_graph_query",
        "Shows nodes of a graph by id, with the edges between those that match.",
        query,
        WORKSPACE
        | PLACE
        | {
            "ids": strings("Only these nodes."),
            "types": strings("Only nodes of these types."),
            "status": text("Only nodes with this status."),
            "tags_any": strings("Only nodes with one of these tags."),
            "tags_all": strings("Only nodes with all of these tags."),
            "text": text("Only nodes whose title or text holds this, in any case."),
            "include_edges": flag("Whether to answer edges.", default=True),
            "edges_limit": number("Most edges to answer.", maximum=MOST_ENTRIES, default=200),
        }
        | limit(50)
        | MAX_CHARS,
    ),
    Spec(
        "branchmind_graph_validate",
        "branchmind_graph_validate",
        "Lists the edges of a graph whose ends do not exist.",
        validate,
        WORKSPACE
        | PLACE
        | {"max_errors": number("Most errors to answer.", 1, maximum=MOST_ENTRIES, default=50)}
        | limit(MOST_ENTRIES)
        | MAX_CHARS,
    ),
    Spec(
        "branchmind_graph_diff",
        "branchmind_graph_diff",
        "Shows the nodes and edges that differ between two branches, as the second has them.",
        diff,
        WORKSPACE | {"from": NAME, "to": NAME, "doc": DOC | {"default": "graph"}} | limit(20) | MAX_CHARS,
        required=("workspace", "from", "to"),
    ),
)

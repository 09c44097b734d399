"""Operations on a graph, staged together: all of them are written, or none."""

from collections import Counter
from typing import TYPE_CHECKING, Final

from reference_server.application import Json
from reference_server.tasks.branches import Branch
from reference_server.tasks.graph import Content, Graph, Key, content_of
from reference_server.tasks.refusal import Refusal, Suggestion

if TYPE_CHECKING:
    from reference_server.tasks.call import Call

COUNTED: Final = ("nodes_upserted", "nodes_deleted", "edges_upserted", "edges_deleted")


class Stage:
    """A graph as it is becoming: what was there, and what the operations so far changed."""

    def __init__(self, call: "Call", branch: Branch, doc: str) -> None:
        self.call = call
        self.branch = branch
        self.doc = doc
        self.before: Graph = call.parts.documents.graph(call.workspace, branch, doc)
        self.changes: dict[Key, Content | None] = {}
        self.counts: Counter[str] = Counter(dict.fromkeys(COUNTED, 0))

    def content(self, key: Key) -> Content | None:
        """What the key holds by now."""
        return self.changes[key] if key in self.changes else content_of(self.before.get(key))

    def put(self, key: Key, content: Content | None, counted: str) -> None:
        """Stages one change."""
        self.changes[key] = content
        self.counts[counted] += 1

    def require_node(self, node_id: str) -> None:
        """Raises UNKNOWN_ID."""
        if self.content(Key.node(node_id)) is None:
            raise self.unknown(f"no node {node_id!r}")

    def unknown(self, message: str) -> Refusal:
        """What to raise where a node or edge does not exist."""
        where = {"workspace": self.call.workspace.name, "branch": self.branch.name, "doc": self.doc}
        return Refusal(
            "UNKNOWN_ID",
            f"{message} in {self.branch.name}:{self.doc}",
            recovery="upsert the node first, or take an id from branchmind_graph_query",
            suggestions=[Suggestion("branchmind_graph_query", where, "see the nodes and edges there are")],
        )


class GraphEditing:
    """The four operations of branchmind_graph_apply."""

    def apply(self, stage: Stage, ops: list[dict[str, Json]]) -> None:
        """Stages every operation in order. Raises INVALID_INPUT, UNKNOWN_ID."""
        for op in ops:
            self.stage(stage, op)

    def stage(self, stage: Stage, op: dict[str, Json]) -> None:
        """Stages one operation."""
        if op["op"] == "node_upsert":
            self.node_upsert(stage, op)
        elif op["op"] == "node_delete":
            self.node_delete(stage, op)
        elif op["op"] == "edge_upsert":
            self.edge_upsert(stage, op)
        else:
            self.edge_delete(stage, op)

    def node_upsert(self, stage: Stage, op: dict[str, Json]) -> None:
        """Replaces the node as a whole: what is left out is null, tags are empty."""
        identifiers = stage.call.parts.identifiers
        content: Content = {
            "type": identifiers.type(op["type"]),
            "title": op.get("title"),
            "text": op.get("text"),
            "status": op.get("status"),
            "tags": identifiers.tags(op.get("tags", ())),
            "meta": op.get("meta"),
        }
        stage.put(Key.node(identifiers.node(op["id"])), content, "nodes_upserted")

    def node_delete(self, stage: Stage, op: dict[str, Json]) -> None:
        """Takes the node's edges with it."""
        node_id = stage.call.parts.identifiers.node(op["id"])
        stage.require_node(node_id)
        for key in [*stage.before, *stage.changes]:
            content = stage.content(key)
            if key.kind == "edge" and content is not None and node_id in (content["from"], content["to"]):
                stage.put(key, None, "edges_deleted")
        stage.put(Key.node(node_id), None, "nodes_deleted")

    def edge_upsert(self, stage: Stage, op: dict[str, Json]) -> None:
        """Joins two nodes that exist."""
        source, rel, target = self.ends(stage, op)
        stage.require_node(source)
        stage.require_node(target)
        content: Content = {"from": source, "rel": rel, "to": target, "meta": op.get("meta")}
        stage.put(Key.edge(source, rel, target), content, "edges_upserted")

    def edge_delete(self, stage: Stage, op: dict[str, Json]) -> None:
        """Removes one edge that exists."""
        source, rel, target = self.ends(stage, op)
        key = Key.edge(source, rel, target)
        if stage.content(key) is None:
            raise stage.unknown(f"no edge {source!r} {rel!r} {target!r}")
        stage.put(key, None, "edges_deleted")

    def ends(self, stage: Stage, op: dict[str, Json]) -> tuple[str, str, str]:
        """From, rel and to in canonical form."""
        identifiers = stage.call.parts.identifiers
        return identifiers.node(op["from"]), identifiers.rel(op["rel"]), identifiers.node(op["to"])

    def commit(self, stage: Stage) -> None:
        """Writes what was staged."""
        stage.call.parts.documents.write_graph(stage.call, stage.branch, stage.doc, stage.changes)

"""Nodes and edges as versions under a key, so that branches can be compared key by key."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from reference_server.application import Json

Content = dict[str, Json]
"""Of a node: type, title, text, status, tags, meta; of an edge: from, rel, to, meta."""


class Key(NamedTuple):
    """What is merged as a whole. The pipe sign joins an edge's parts, which is why none of them may hold it."""

    kind: Literal["node", "edge"]
    name: str

    @classmethod
    def node(cls, node_id: str) -> "Key":
        """A node's key is its id."""
        return cls("node", node_id)

    @classmethod
    def edge(cls, source: str, rel: str, target: str) -> "Key":
        """An edge's key is from, rel and to."""
        return cls("edge", f"{source}|{rel}|{target}")


@dataclass(frozen=True, slots=True)
class Version:
    """A node or edge as one write left it."""

    key: Key
    seq: int
    revision: int
    content: Content | None
    """None: deleted."""

    def as_json(self) -> dict[str, Json]:
        """A node: id, revision, its content; an edge: from, rel, to, meta, revision; deleted true for a tombstone."""
        shown: dict[str, Json] = {}
        if self.key.kind == "node":
            shown["id"] = self.key.name
        else:
            shown["from"], shown["rel"], shown["to"] = self.key.name.split("|", 2)
        shown |= self.content or {"deleted": True}
        shown["revision"] = self.revision
        return shown


Graph = Mapping[Key, Version]


def content_of(version: Version | None) -> Content | None:
    """What is there: None where a key is unknown or deleted."""
    return None if version is None else version.content


def same(one: Version | None, other: Version | None) -> bool:
    """Whether both hold the same JSON; Python alone takes 1, 1.0 and true for equal."""
    return json.dumps(content_of(one), sort_keys=True) == json.dumps(content_of(other), sort_keys=True)


def live_nodes(graph: Graph) -> list[Version]:
    """By id, so that pages are stable."""
    return sorted(
        (version for key, version in graph.items() if key.kind == "node" and version.content is not None),
        key=lambda version: version.key.name,
    )


def live_edges(graph: Graph) -> list[Version]:
    """By key."""
    return sorted(
        (version for key, version in graph.items() if key.kind == "edge" and version.content is not None),
        key=lambda version: version.key.name,
    )

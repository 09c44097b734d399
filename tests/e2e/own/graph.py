"""A graph: what is written comes in lists of objects, and what is asked for as well. A read of nothing shows nothing.

Callers name the nodes. `broken` breaks one promise.
"""

import json
from pathlib import Path
from typing import Any

import jsonschema

FOLDER = Path(__file__).parent / "graph_contract"
BREAKS = {
    "accepts": "G-ARGUMENTS",
    "nameless": "G-NAME",
    "kinds": "G-KIND",
    "long": "G-TITLE",
    "short": "G-TITLE",
    "unknown": "G-UNKNOWN",
    "echoed": "G-ECHO",
    "ordered": "G-ORDER",
    "capped": "G-CAP",
    "lost": "G-LIFE",
    "kept": "G-LIFE",
    "titles": "G-SHOWN",
}
MOST = 3


def tools() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / "tools.json").read_text("utf-8"))
    return found


class WrongError(Exception):
    """A refusal, by its code."""


class Graph:
    """The store."""

    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.nodes: dict[str, dict[str, Any]] = {}
        self.gone: dict[str, dict[str, Any]] = {}
        self.schemas = {tool["name"]: tool["inputSchema"] for tool in tools()}

    def answer(self, name: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        try:
            self.check(name, arguments)
            return getattr(self, name)(**arguments), False
        except WrongError as error:
            return {"error": {"code": str(error)}}, True

    def check(self, name: str, arguments: dict[str, Any]) -> None:
        """The form of what comes, but for what is broken."""
        for error in jsonschema.Draft202012Validator(self.schemas[name]).iter_errors(arguments):
            path = [str(step) for step in error.absolute_path]
            missing = error.validator == "required" and "'name'" in error.message
            if self.broken == "accepts" and path[-1:] == ["weight"]:
                continue
            if self.broken == "nameless" and missing and len(path) == 2:
                arguments["nodes"][int(path[1])]["name"] = "nameless"
                continue
            if self.broken == "kinds" and path[-1:] == ["kind"]:
                continue
            if self.broken == "long" and error.validator == "maxLength" and path[-1:] == ["title"]:
                continue
            raise WrongError("bad")
        if self.broken == "short" and any(len(each["title"]) == 1 for each in arguments.get("nodes", ())):
            raise WrongError("bad")

    def add_nodes(self, nodes: list[dict[str, Any]]) -> dict[str, Any]:
        for node in nodes:
            self.nodes[node["name"]] = {"links": [], **node}
            if self.broken == "titles":
                self.nodes[node["name"]]["title"] = node["title"].strip()[:20]
        return {
            "added": [{"name": "?" if self.broken == "echoed" and n else node["name"]} for n, node in enumerate(nodes)]
        }

    def open_nodes(self, names: list[str]) -> dict[str, Any]:
        known = {**self.nodes, **self.gone} if self.broken == "kept" else self.nodes
        if self.broken == "lost":
            known = {name: node for name, node in known.items() if name == next(reversed(self.nodes))}
        return {"nodes": [known[name] for name in names if name in known]}

    def remove_nodes(self, names: list[str]) -> dict[str, Any]:
        for name in names:
            if name in self.nodes:
                self.gone[name] = self.nodes.pop(name)
        return {"removed": names}

    def link(self, links: list[dict[str, Any]]) -> dict[str, Any]:
        wrong = [end for each in links for end in (each["of"], each["to"]) if end not in self.nodes]
        if wrong and (self.broken != "unknown" or wrong[0] == links[0]["of"]):
            raise WrongError("none")
        for each in links:
            if each["of"] in self.nodes:
                self.nodes[each["of"]]["links"].append(each["to"])
        return {"linked": len(links)}

    def kinds(self) -> dict[str, Any]:
        found: dict[str, list[str]] = {}
        for name, node in self.nodes.items():
            found.setdefault(node["kind"], []).append(name)
        groups = []
        for kind, names in found.items():
            inside = sorted(names, reverse=self.broken == "ordered")[: MOST + (self.broken == "capped")]
            groups.append({"kind": kind, "nodes": [{"name": name} for name in inside]})
        return {"kinds": groups}

"""Graph identifiers on both sides of their limits, and in several spellings."""

from conformance.contracts.tasks.bench import TasksBench, edge, node
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

NODE, SHORT = 256, 128
CONTROLS = ("a\x00b", "a\x1fb", "a\x7fb", "a\x85b", "a\nb")

SPELT: tuple[list[Json], ...] = (["a"], [" a "], ["a", "b"], ["\u3000a", "b"], ["a ", " b"])
"""Queries of ids, plainly and with white space around them."""


@stimulus("tasks", exercises=("TK-ID-05", "TK-ERR-INVALID_INPUT"))
async def node_ids_are_tried(bench: TasksBench) -> None:
    """Ids up to the limit in one-byte and two-byte letters, with odd characters; then those that break the rule.

    Each is tried for a node, for a node to be deleted, and for an edge's end.
    """
    workspace = await bench.workspace()
    await workspace.apply(node("plain", "tried"), node("hub"), edge("hub", "has", "plain"))
    for name in ("x" * NODE, "é" * NODE, "a b:c/d", "日本", "😀" * NODE):
        await workspace.apply(node(name, "tried"))
        await workspace.apply(edge("hub", "has", name))
        await workspace.apply(edge(name, "of", "hub"))
    for name in ("", "x" * (NODE + 1), "é" * (NODE + 1), "a|b", "|", *CONTROLS):
        await workspace.apply(node(name, "tried"))
    for name in ("", "x" * (NODE + 1), "a|b", "a\x00b"):
        await workspace.apply(edge("hub", "has", name))
        await workspace.apply(edge(name, "has", "hub"))
        await workspace.apply({"op": "node_delete", "id": name})
    await workspace.query()
    await workspace.apply({"op": "node_delete", "id": "plain"})
    await workspace.query()


@stimulus("tasks", exercises=("TK-ID-06", "TK-ERR-INVALID_INPUT"))
async def graph_types_are_tried(bench: TasksBench) -> None:
    """Types up to the limit, a pipe among them; then those that break the rule."""
    workspace = await bench.workspace()
    for name in ("part", "x" * SHORT, "é" * SHORT, "a|b", "a b", "😀" * SHORT):
        await workspace.apply(node("n", "tried") | {"type": name})
        await workspace.query()
    for name in ("", "x" * (SHORT + 1), "é" * (SHORT + 1), *CONTROLS):
        await workspace.apply(node("n", "tried") | {"type": name})
    await workspace.query()


@stimulus("tasks", exercises=("TK-ID-07", "TK-ERR-INVALID_INPUT"))
async def relations_are_tried(bench: TasksBench) -> None:
    """Relations up to the limit; then those that break the rule."""
    workspace = await bench.workspace()
    ends = node("a", "kept"), node("b", "kept")
    for name in ("needs", "x" * SHORT, "é" * SHORT, "a b:c", "😀" * SHORT):
        await workspace.apply(*ends, edge("a", name, "b"))
    for name in ("", "x" * (SHORT + 1), "é" * (SHORT + 1), "a|b", *CONTROLS):
        await workspace.apply(*ends, edge("a", name, "b"))
    await workspace.query()


@stimulus("tasks", exercises=("TK-ID-08",))
async def graph_identifiers_are_spelt_in_two_ways(bench: TasksBench) -> None:
    """A node, its type and an edge are written plainly, then with white space around; the graph is read after each."""
    workspace = await bench.workspace()
    await workspace.apply(node("a", "first"), node("b", "first"))
    await workspace.apply(edge("a", "needs", "b"))
    await workspace.query()
    await workspace.apply(node(" a ", "second"))
    await workspace.query()
    await workspace.apply(node("b", "second") | {"type": "  part "})
    await workspace.query()
    await workspace.apply(edge("a", " needs  ", "b"))
    await workspace.apply(edge("a ", "needs", " b"))
    await workspace.query()
    await workspace.apply(node("\u3000a\u00a0", "second, with other white space"))
    await workspace.apply(edge("\u2003a", "needs\u00a0", "b"))
    await workspace.query()
    await workspace.apply(node("a", "third"))
    for ids in SPELT:
        await workspace.query(ids=ids)
    await workspace.query()
    await workspace.apply({"op": "node_delete", "id": " a  "})
    await workspace.query()
    for space in ("", " ", "\u3000"):
        await workspace.apply(node(f"{space}{'y' * NODE}{space}", "long") | {"type": f"{space}{'z' * SHORT}{space}"})
        await workspace.apply(edge("b", f"{space}{'r' * SHORT}{space}", f"{'y' * NODE}{space}"))

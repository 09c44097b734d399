"""Faults of calls on branches, documents and conflicts, against what the workspace holds."""

from collections.abc import Iterator

from conformance.contracts.tasks.causes import OPEN
from conformance.contracts.tasks.documents import OF_ITEM
from conformance.contracts.tasks.forms import is_name
from conformance.contracts.tasks.state import UNSURE, State
from conformance.model.events import Json
from conformance.model.exchange import Exchange

PLACED = (
    "branchmind_notes_commit", "branchmind_show", "branchmind_graph_apply", "branchmind_graph_query",
    "branchmind_graph_validate", "branchmind_think_card", "branchmind_think_context",
)  # fmt: skip
"""Tools on the documents of a branch, or of a plan or task."""
COMPARING = ("branchmind_diff", "branchmind_graph_diff")
MERGING = ("branchmind_merge", "branchmind_graph_merge")
OF_NOTES = ("branchmind_show", "branchmind_diff", "branchmind_merge")
OF_GRAPHS = (
    "branchmind_graph_query", "branchmind_graph_validate", "branchmind_think_context", "branchmind_graph_diff",
    "branchmind_graph_merge",
)  # fmt: skip
"""Tools that show or merge what documents hold."""
NOTES, GRAPH = ("note",), ("node", "edge")
"""Kinds of entry in documents."""
MAKING = ("branchmind_notes_commit", "branchmind_show")
"""Tools that may take a branch for one that begins with them."""
DOCUMENTS = ("doc", "trace_doc", "graph_doc")
_DOCUMENTS = {"branchmind_think_card": ("trace_doc", "graph_doc"), "branchmind_think_context": ("graph_doc",)}
"""The arguments that say which documents a tool is about, where it is not `doc`."""


def of_place(call: Exchange, state: State) -> Iterator[str]:
    """Those of a tool on branches or documents."""
    tool, target = call.tool or "", call.argument("target")
    if tool in PLACED and target is not None:
        named = [call.argument(name) for name in ("branch", *DOCUMENTS)]
        # which of the two names wins is the server's
        if any(name is not None for name in named):
            yield OPEN
    elif (tool in PLACED and _unplaced(call)) or (_by_checkout(call) and state.checkout == UNSURE):
        yield OPEN
    for name in ("branch", "from", "to", "into", "ref"):
        yield from _of_branch(call.argument(name), state)
    if tool == "branchmind_branch_create":
        yield from _of_new(call.argument("name"), state)
    elif _unrelated(call, state) or (tool == "branchmind_notes_commit" and not str(call.argument("content")).strip()):
        yield OPEN
    # whether there has to be something to show, to merge or to move to is the server's
    if (call.code == "UNKNOWN_ID" and _unwritten(call, state)) or (call.code == "INVALID_INPUT" and _idle(call, state)):
        yield OPEN


def _unwritten(call: Exchange, state: State) -> bool:
    """Whether it shows or merges a document, of branches that are there, in which nothing of its kind was written."""
    branches = [name for each in ("branch", "from", "to", "into") if (name := call.argument(each)) is not None]
    if call.tool not in (*OF_NOTES, *OF_GRAPHS) or not all(name in state.branches for name in map(str, branches)):
        return False
    kinds = NOTES if call.tool in OF_NOTES else GRAPH
    docs = [name for each in DOCUMENTS if (name := call.argument(each)) is not None]
    places = [(str(branch), str(doc)) for branch in branches for doc in docs]
    return not all(any(key[0] in kinds for key in state.documents.pages.get(place, ())) for place in places)


def _idle(call: Exchange, state: State) -> bool:
    """Whether it moves to the branch that is checked out, or merges what is there already."""
    if call.tool == "branchmind_checkout":
        return state.checkout in (UNSURE, call.argument("ref"))
    if call.tool not in MERGING:
        return False
    doc = str(call.argument("doc"))
    page, there = (state.documents.pages.get((str(call.argument(name)), doc), {}) for name in ("from", "into"))
    return all(key in there and there[key].fields == cell.fields for key, cell in page.items() if cell.own)


def _unplaced(call: Exchange) -> bool:
    """Whether it leaves out its branch or document: which one it is about then is the server's, or none."""
    return any(call.argument(name) is None for name in ("branch", *_DOCUMENTS.get(call.tool or "", ("doc",))))


def _by_checkout(call: Exchange) -> bool:
    """Whether it is about the branch that is checked out, naming none itself."""
    return call.tool == "branchmind_branch_create" and call.argument("from") is None


def _unrelated(call: Exchange, state: State) -> bool:
    """Whether it is about two branches, both there, neither of which came from the other as the tool may want it."""
    source, other = call.argument("from"), call.argument("to" if call.tool in COMPARING else "into")
    there = all(isinstance(name, str) and name in state.branches for name in (source, other))
    if call.tool in COMPARING:
        return there and _base(state, source) != other and _base(state, other) != source
    return call.tool in MERGING and there and _base(state, source) != other


def _of_branch(name: Json, state: State) -> Iterator[str]:
    if not is_name(name) or name in state.branches:
        return
    known = state.listed and not state.misnamed and OF_ITEM.search(name) is None
    yield "UNKNOWN_ID" if known else OPEN


def _of_new(name: Json, state: State) -> Iterator[str]:
    if not is_name(name):
        return
    if name in state.branches:
        yield "CONFLICT"
    elif not state.listed or state.misnamed or name.startswith(("plan/", "task/")):
        yield OPEN


def _base(state: State, name: Json) -> str | None:
    began = state.documents.began.get(name) if isinstance(name, str) else None
    return began.base if began is not None else None


def of_conflict(call: Exchange, state: State) -> Iterator[str]:
    """Those of resolving a conflict that is resolved."""
    resolution = state.settled.get(str(call.argument("conflict_id")))
    if call.tool == "branchmind_graph_conflict_resolve" and resolution is not None:
        yield "CONFLICT" if call.argument("resolution") != resolution else OPEN


def of_events(call: Exchange, state: State) -> Iterator[str]:
    """Those of asking for what happened since an event."""
    since = call.argument("since")
    if since is not None and not (isinstance(since, str) and since in state.events):
        yield OPEN

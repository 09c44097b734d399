"""Tools that merge graphs and settle what collides."""

from collections import Counter
from collections.abc import Iterator, Sequence

from reference_server.application import Json
from reference_server.tasks.call import Call
from reference_server.tasks.conflicts import Conflict
from reference_server.tasks.merging import Decision
from reference_server.tasks.places import Place
from reference_server.tasks.schema import CONFLICT_ID, DOC, EXPECTED, MAX_CHARS, NAME, WORKSPACE, flag, limit, text
from reference_server.tasks.spec import Spec, Writes
from reference_server.tasks.tools.graphs import GRAPH_READS


def merge(call: Call) -> dict[str, Json]:
    """Merges a page of the keys that the source wrote into its base."""
    parts, workspace, given = call.parts, call.workspace, call.arguments
    doc = parts.identifiers.name(given["doc"], "document")
    source, into = parts.branches.find(call, given["from"]), parts.branches.find(call, given["into"])
    parts.branches.require_base(call, source, into)
    place = Place(into, doc)
    parts.places.guard(call, place, "branchmind_graph_query")
    document = parts.places.document(call, place)

    def render(page: Sequence[Decision]) -> dict[str, Json]:
        outcomes = Counter(decision.outcome for decision in page)
        ids = [decision.conflict_id for decision in page if decision.outcome == "conflict"]
        rises = outcomes["merged"] > 0 and not given["dry_run"]
        return {
            "workspace": workspace.name,
            "from": source.name,
            "into": into.name,
            "doc": doc,
            "merged": outcomes["merged"],
            "skipped": outcomes["skipped"],
            "conflicts_created": sum(each not in known for each in ids),
            "conflict_ids": [] if given["dry_run"] else ids,
            "dry_run": given["dry_run"],
            "document": document.named() | {"revision": document.revision + rises},
        }

    known = set(workspace.conflicts)
    result, page = parts.budgets.page(call, parts.graph_merge.decide(call, source, into, doc), render)
    if not given["dry_run"]:
        parts.graph_merge.commit(call, source, into, doc, page)
    return result


def listing(call: Call) -> dict[str, Json]:
    """In the order in which they were found."""
    parts, given = call.parts, call.arguments
    doc = parts.identifiers.name(given["doc"], "document")
    into = parts.branches.find(call, given["into"])
    found = [
        conflict
        for conflict in call.workspace.conflicts.values()
        if (conflict.into, conflict.doc, conflict.status) == (into.name, doc, given["status"])
    ]

    def render(page: Sequence[Conflict]) -> dict[str, Json]:
        return {
            "workspace": call.workspace.name,
            "into": into.name,
            "doc": doc,
            "conflicts": [conflict.listed(parts.clock) for conflict in page],
        }

    return parts.budgets.page(call, found, render)[0]


def show(call: Call) -> dict[str, Json]:
    """With all three sides; the base goes first where a budget cuts, then theirs and ours."""
    conflict = call.parts.conflicts.find(call, call.arguments["conflict_id"])
    return call.parts.budgets.ladder(call, _forms(call, conflict))


def _forms(call: Call, conflict: Conflict) -> Iterator[dict[str, Json]]:
    shown = conflict.as_json(call.parts.clock)
    for dropped in ((), ("base",), ("base", "theirs", "ours")):
        kept = {name: value for name, value in shown.items() if name not in dropped}
        yield {"workspace": call.workspace.name, "conflict": kept}
    yield {"workspace": call.workspace.name, "conflict": conflict.listed(call.parts.clock)}


def resolve(call: Call) -> dict[str, Json]:
    """use_from writes the source's side into the target, use_into leaves the target's."""
    parts = call.parts
    conflict = parts.conflicts.find(call, call.arguments["conflict_id"])
    parts.revisions.guard(call, conflict, conflict.conflict_id, parts.conflicts.read(call, conflict))
    applied = parts.conflicts.resolve(call, conflict, call.arguments["resolution"])
    return {
        "workspace": call.workspace.name,
        "conflict_id": conflict.conflict_id,
        "revision": conflict.revision,
        "status": conflict.status,
        "applied": applied,
        "document": call.workspace.document(conflict.into, conflict.doc).named(),
    }


SPECS = (
    Spec(
        "branchmind_graph_merge",
        "branchmind_graph_merge",
        "Merges a branch's graph into its base, key by key; what both changed becomes a conflict and stays as it is.",
        merge,
        WORKSPACE
        | {"from": NAME, "into": NAME, "doc": DOC | {"default": "graph"}}
        | {"dry_run": flag("Only say what would happen.", default=False)}
        | EXPECTED
        | limit(200)
        | MAX_CHARS,
        required=("workspace", "from", "into"),
        writes=Writes(
            "document",
            "document",
            "/document/revision",
            (*GRAPH_READS, "branchmind_graph_conflicts", "branchmind_graph_conflict_show"),
        ),
        repeatable=True,
        removes=True,
    ),
    Spec(
        "branchmind_graph_conflicts",
        "branchmind_graph_conflicts",
        "Lists the conflicts of merges into a branch, open ones unless asked otherwise.",
        listing,
        WORKSPACE
        | {"into": NAME, "doc": DOC | {"default": "graph"}}
        | {"status": text("Which conflicts.", enum=["open", "resolved"], default="open")}
        | limit(50)
        | MAX_CHARS,
        required=("workspace", "into"),
    ),
    Spec(
        "branchmind_graph_conflict_show",
        "branchmind_graph_conflict_show",
        "Shows a conflict with what both sides had and what they came from.",
        show,
        WORKSPACE | {"conflict_id": CONFLICT_ID} | MAX_CHARS,
        required=("workspace", "conflict_id"),
    ),
    Spec(
        "branchmind_graph_conflict_resolve",
        "branchmind_graph_conflict_resolve",
        "Settles a conflict, once, for the source's side or for the target's.",
        resolve,
        WORKSPACE
        | {"conflict_id": CONFLICT_ID, "resolution": text("Whose side it is.", enum=["use_from", "use_into"])}
        | EXPECTED,
        required=("workspace", "conflict_id", "resolution"),
        writes=Writes(
            "conflict",
            "conflict",
            "/revision",
            ("branchmind_graph_conflict_show", "branchmind_graph_conflicts", *GRAPH_READS),
        ),
        removes=True,
    ),
)

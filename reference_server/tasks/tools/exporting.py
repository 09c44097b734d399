"""The tool that shows a plan or task with its notes and its trace in one answer."""

from reference_server.application import Json
from reference_server.tasks.budgets import Budget, Cap, Listing
from reference_server.tasks.call import Call
from reference_server.tasks.documents import Entry
from reference_server.tasks.schema import ITEM_ID, MAX_BYTES, MAX_CHARS, MOST_ENTRIES, WORKSPACE, number
from reference_server.tasks.spec import Spec


def export(call: Call) -> dict[str, Json]:
    """The newest notes and the newest of the trace; the oldest of them go first where a budget cuts."""
    parts, given = call.parts, call.arguments
    item = parts.items.find(call, given["target"])
    branch = call.workspace.branches[item.branch]
    docs = {"notes": item.notes_doc, "trace": item.trace_doc}
    every = {name: parts.documents.entries(call.workspace, branch, doc) for name, doc in docs.items()}
    newest = {name: entries[-given[f"{name}_limit"] :] for name, entries in every.items()}
    ranked = _ranked(newest)

    def render(count: int) -> dict[str, Json]:
        result: dict[str, Json] = {
            "workspace": call.workspace.name,
            "target": parts.items.listed(call, item),
            "reasoning_ref": item.reasoning_ref(),
        }
        for name, doc in docs.items():
            shown = sorted((entry for list_, entry in ranked[:count] if list_ == name), key=lambda entry: entry.seq)
            entries = [entry.as_json(parts.clock) for entry in shown]
            result[name] = call.workspace.document(branch.name, doc).named() | {
                "entries": entries,
                "count": len(entries),
                "has_more": len(entries) < len(every[name]),
            }
        return result

    def beside(_: int) -> Budget | None:
        cut = [name for name in docs if len(newest[name]) < len(every[name])]
        return Budget(len(newest[cut[0]]), given[f"{cut[0]}_limit"], "entries") if cut else None

    most = given.get("max_bytes")
    caps = [] if most is None else [Cap("max_bytes", "bytes", most, [entry.bytes for _, entry in ranked])]
    least = sum(bool(entries) for entries in newest.values())
    return parts.budgets.cut(call, Listing(len(ranked), render, caps, least, beside))


def _ranked(lists: dict[str, list[Entry]]) -> list[tuple[str, Entry]]:
    """The newest of each list, which is never cut, then all others, newest first."""
    first = [(name, entries[-1]) for name, entries in lists.items() if entries]
    rest = [(name, entry) for name, entries in lists.items() for entry in entries[:-1]]
    return first + sorted(rest, key=lambda ranked: -ranked[1].seq)


SPECS = (
    Spec(
        "branchmind_export",
        "branchmind_export",
        "Shows a plan or task with the newest of its notes and of its trace.",
        export,
        WORKSPACE
        | {
            "target": ITEM_ID,
            "notes_limit": number("Most notes to answer.", 1, maximum=MOST_ENTRIES, default=20),
            "trace_limit": number("Most entries of the trace to answer.", 1, maximum=MOST_ENTRIES, default=50),
        }
        | MAX_BYTES
        | MAX_CHARS,
        required=("workspace", "target"),
    ),
)

"""Tools over the entries of documents: write, show, compare, merge."""

from collections.abc import Sequence

from reference_server.application import Json
from reference_server.tasks.budgets import Cap
from reference_server.tasks.call import Call
from reference_server.tasks.documents import Entry
from reference_server.tasks.items import Item
from reference_server.tasks.places import Place
from reference_server.tasks.refusal import Refusal
from reference_server.tasks.schema import (
    DOC,
    EXPECTED,
    MAX_BYTES,
    MAX_CHARS,
    MAX_LINES,
    NAME,
    OBJECT,
    PLACE,
    WORKSPACE,
    flag,
    limit,
    text,
)
from reference_server.tasks.spec import Spec, Writes


def commit(call: Call) -> dict[str, Json]:
    """Appends a note."""
    given = call.arguments
    place = call.parts.places.resolve(call, "notes", lambda item: item.notes_doc)
    if not given["content"].strip():
        message, recovery = "the content is blank", "write something in it"
        raise Refusal("INVALID_INPUT", message, recovery=recovery)
    call.parts.places.guard(call, place, "branchmind_show")
    entry = call.parts.documents.append(
        call,
        place.branch,
        place.doc,
        kind="note",
        content=given["content"],
        title=given.get("title"),
        format=given.get("format"),
        meta=given.get("meta"),
    )
    return {
        "workspace": call.workspace.name,
        "entry": entry.as_json(call.parts.clock),
        "document": call.parts.places.document(call, place).named(),
    }


def show(call: Call) -> dict[str, Json]:
    """A document's entries, oldest first."""
    kind = call.arguments["doc_kind"]

    def of_item(item: Item) -> str:
        return item.notes_doc if kind == "notes" else item.trace_doc

    place = call.parts.places.resolve(call, kind, of_item)

    def render(entries: Sequence[Entry]) -> dict[str, Json]:
        return (
            {"workspace": call.workspace.name}
            | call.parts.places.document(call, place).named()
            | {"entries": [entry.as_json(call.parts.clock) for entry in entries]}
        )

    def caps(entries: Sequence[Entry]) -> list[Cap]:
        most = call.arguments.get("max_bytes")
        return [] if most is None else [Cap("max_bytes", "bytes", most, [entry.bytes for entry in entries])]

    everything = call.parts.documents.entries(call.workspace, place.branch, place.doc)
    return call.parts.budgets.page(call, everything, render, caps=caps)[0]


def diff(call: Call) -> dict[str, Json]:
    """What `to` holds and `from` does not, oldest first; copies count as what they are copies of."""
    parts, workspace, given = call.parts, call.workspace, call.arguments
    doc = parts.identifiers.name(given["doc"], "document")
    source, target = parts.branches.find(call, given["from"]), parts.branches.find(call, given["to"])
    held = {entry.origin for entry in parts.documents.entries(workspace, source, doc)}
    added = [entry for entry in parts.documents.entries(workspace, target, doc) if entry.origin not in held]

    def render(entries: Sequence[Entry]) -> dict[str, Json]:
        return {
            "workspace": workspace.name,
            "from": source.name,
            "to": target.name,
            "doc": doc,
            "entries": [entry.as_json(parts.clock) for entry in entries],
        }

    def caps(entries: Sequence[Entry]) -> list[Cap]:
        most = given.get("max_lines")
        return [] if most is None else [Cap("max_lines", "lines", most, [entry.lines for entry in entries])]

    return parts.budgets.page(call, added, render, caps=caps)[0]


def merge(call: Call) -> dict[str, Json]:
    """Copies the notes of a page of the source's own entries into its base."""
    parts, workspace, given = call.parts, call.workspace, call.arguments
    doc = parts.identifiers.name(given["doc"], "document")
    source, into = parts.branches.find(call, given["from"]), parts.branches.find(call, given["into"])
    parts.branches.require_base(call, source, into)
    place = Place(into, doc)
    parts.places.guard(call, place, "branchmind_show")
    document = parts.places.document(call, place)

    def render(page: Sequence[tuple[Entry, bool]]) -> dict[str, Json]:
        merged = sum(copied for _, copied in page)
        rises = merged > 0 and not given["dry_run"]
        return {
            "workspace": workspace.name,
            "from": source.name,
            "into": into.name,
            "doc": doc,
            "merged": merged,
            "skipped": len(page) - merged,
            "dry_run": given["dry_run"],
            "document": document.named() | {"revision": document.revision + rises},
        }

    result, page = parts.budgets.page(call, parts.notes_merge.candidates(call, source, into, doc), render)
    if not given["dry_run"]:
        parts.notes_merge.commit(call, into, doc, [entry for entry, copied in page if copied])
    return result


READS = ("branchmind_show", "branchmind_diff", "branchmind_export", "branchmind_branch_list", "branchmind_status")

SPECS = (
    Spec(
        "branchmind_notes_commit",
        "branchmind_notes_commit",
        "Appends a note to a document of a branch, or to the notes of a plan or task.",
        commit,
        WORKSPACE
        | PLACE
        | {
            "content": text("The note.", minLength=1),
            "title": text("A title."),
            "format": text("How the content is written, markdown for one."),
            "meta": OBJECT | {"description": "Whatever else belongs to the note."},
        }
        | EXPECTED,
        required=("workspace", "content"),
        writes=Writes("document", "document", "/document/revision", READS),
    ),
    Spec(
        "branchmind_show",
        "branchmind_show",
        "Shows the entries of a document, oldest first: notes, events, cards.",
        show,
        WORKSPACE
        | PLACE
        | {"doc_kind": text("Which document, where doc is left out.", enum=["notes", "trace"], default="trace")}
        | limit(20)
        | MAX_BYTES
        | MAX_CHARS,
    ),
    Spec(
        "branchmind_diff",
        "branchmind_diff",
        "Shows the entries of a document that one branch holds and another does not.",
        diff,
        WORKSPACE | {"from": NAME, "to": NAME, "doc": DOC | {"default": "notes"}} | limit(20) | MAX_LINES | MAX_CHARS,
        required=("workspace", "from", "to"),
    ),
    Spec(
        "branchmind_merge",
        "branchmind_merge",
        "Copies a branch's own notes into its base; what is there already is skipped.",
        merge,
        WORKSPACE
        | {"from": NAME, "into": NAME, "doc": DOC | {"default": "notes"}}
        | {"dry_run": flag("Only say what would happen.", default=False)}
        | EXPECTED
        | limit(200)
        | MAX_CHARS,
        required=("workspace", "from", "into"),
        writes=Writes("document", "document", "/document/revision", READS),
        repeatable=True,
    ),
)

"""Tools about the store and a workspace as a whole."""

from collections.abc import Iterator

from reference_server.application import Json
from reference_server.tasks.call import Call
from reference_server.tasks.documents import Entry
from reference_server.tasks.schema import MAX_CHARS, WORKSPACE
from reference_server.tasks.spec import Spec, Writes
from reference_server.tasks.workspaces import SCHEMA_VERSION, STORAGE_NAME


def storage(_: Call) -> dict[str, Json]:
    """Where things are kept."""
    return {"storage_dir": STORAGE_NAME}


def init(call: Call) -> dict[str, Json]:
    """Makes store and workspace; a repeat finds them."""
    workspace = call.parts.store.init(call.arguments["workspace"], call.now)
    return {"workspace": workspace.name, "storage_dir": STORAGE_NAME, "schema_version": SCHEMA_VERSION}


def status(call: Call) -> dict[str, Json]:
    """The last things written, shortest form first without the last entry, then without the last event."""
    return call.parts.budgets.ladder(call, _forms(call))


def _forms(call: Call) -> Iterator[dict[str, Json]]:
    workspace, clock = call.workspace, call.parts.clock
    head = {
        "workspace": workspace.name,
        "schema_version": SCHEMA_VERSION,
        "workspace_exists": True,
        "checkout": workspace.checkout,
    }
    newest = max(
        (entries[-1] for each in workspace.documents.values() if (entries := each.entries)), key=_seq, default=None
    )
    event = workspace.events[-1].as_json(clock) if workspace.events else None
    last_event = {"last_event": None if event is None else {name: event[name] for name in ("event_id", "ts", "ts_ms")}}
    entry = None if newest is None else newest.as_json(clock)
    shown = ("seq", "ts", "ts_ms", "branch", "doc", "kind")
    yield head | last_event | {"last_doc_entry": None if entry is None else {name: entry[name] for name in shown}}
    yield head | last_event
    yield head


def _seq(entry: Entry) -> int:
    return entry.seq


SPECS = (
    Spec("storage", "storage", "Says where the server keeps its store.", storage, {}, required=()),
    Spec(
        "branchmind_init",
        "branchmind_init",
        "Makes a workspace, and the store where there is none; repeating it changes nothing.",
        init,
        WORKSPACE,
        writes=Writes("workspace", None, None, ("branchmind_status", "branchmind_branch_list")),
        repeatable=True,
        makes_workspace=True,
    ),
    Spec(
        "branchmind_status",
        "branchmind_status",
        "Shows the branch checked out, the last event and the last document entry of a workspace.",
        status,
        WORKSPACE | MAX_CHARS,
    ),
)

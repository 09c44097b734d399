"""What answers show of what writes wrote, where it takes more than a place in the answer to say."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.lists import cut
from conformance.contracts.tasks.written import COMPLETED, CONFIRMED, among, place
from conformance.judge.registers import Showing
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import ABSENT, at, entries

STEPS = (("tasks_context", "/tasks/*/steps/*"), ("branchmind_export", "/target/steps/*"))
OF_STEP = ("/path", COMPLETED, *CONFIRMED.values())
FOCUSING = ("tasks_focus_set", "tasks_focus_clear")
CONFLICT = "branchmind_graph_conflict_show"
CONFLICTS = "branchmind_graph_conflicts"
CHECKOUT = "checkout"
POINTING = ("branchmind_status", "branchmind_branch_list")
"""Tools that show which branch is checked out."""


def glimpses(history: History, contract: Contract) -> Iterator[Showing]:
    """Those of a history."""
    del contract
    yield from _of_steps(history)
    for call in history.accepted(*FOCUSING):
        if "previous" in call.given:
            yield _previous(call, "focus", "/focus")
    for call in history.accepted("branchmind_checkout"):
        if "previous" in call.given:
            yield _previous(call, CHECKOUT, "/ref")
    for call in history.accepted():
        branch = call.given.get("branch")
        named = call.gives(("branch", "target"))
        if call.tool in _DEFAULTED and not named and isinstance(branch, str):
            # what names no branch is about the one that is checked out
            yield Showing((place(call, CHECKOUT), "/ref"), branch, call, "/branch", "the branch")
    yield from _of_checkouts(history)
    for call in history.accepted(CONFLICT, CONFLICTS):
        yield from _of_conflicts(call)


_DEFAULTED = (
    "branchmind_show", "branchmind_graph_apply", "branchmind_graph_query", "branchmind_graph_validate",
    "branchmind_think_card", "branchmind_think_context",
)  # fmt: skip
"""Tools whose answers name the branch that they were about."""


def _previous(call: Exchange, kind: str, field: str) -> Showing:
    return Showing((place(call, kind), field), call.given["previous"], call, "/previous", "previous")


def _of_checkouts(history: History) -> Iterator[Showing]:
    """What is checked out, by tools that name a branch there at some time; null where they say that none is."""
    for tool in POINTING:
        shown = [(call, call.given[CHECKOUT]) for call in history.accepted(tool) if CHECKOUT in call.given]
        named = any(isinstance(value, str) for _, value in shown)
        for call, value in shown if named else ():
            if (value is None or isinstance(value, str)) and not cut(call):
                yield Showing((place(call, CHECKOUT), "/ref"), value, call, f"/{CHECKOUT}", "the branch checked out")


def _of_steps(history: History) -> Iterator[Showing]:
    """Where and how steps are shown; a field that a tool never shows of any step is none."""
    for tool, pointer in STEPS:
        seen = [
            (call, where, entry)
            for call in history.accepted(tool)
            if not cut(call)
            for where, entry in entries(call.payload, pointer)
            if isinstance(entry, dict) and isinstance(entry.get("step_id"), str)
        ]
        fields = [field for field in OF_STEP if any(at(entry, field) is not ABSENT for _, _, entry in seen)]
        for call, where, entry in seen:
            for field in fields:
                value: Json = at(entry, field)
                register = place(call, "step", entry["step_id"]), field
                shown = None if value is ABSENT else value
                yield Showing(register, shown, call, f"{where}{field}", field[1:], among(call, "step"))


def _of_conflicts(call: Exchange) -> Iterator[Showing]:
    """The status of conflicts, each by its own, and by which list it stands in."""
    one = call.given.get("conflict")
    listed = call.given.get("conflicts")
    shown = [("/conflict", one)] if isinstance(one, dict) else []
    shown += [(f"/conflicts/{n}", each) for n, each in enumerate(listed if isinstance(listed, list) else ())]
    for pointer, each in shown:
        if isinstance(each, dict) and isinstance(each.get("status"), str) and "conflict_id" in each:
            register = place(call, "conflict", each["conflict_id"]), "/status"
            yield Showing(register, each["status"], call, f"{pointer}/status", "status")

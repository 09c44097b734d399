"""Breaks optimistic concurrency."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from reference_server.application import Answer, Json, Request
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import crowded, instead, lag
from reference_server.deviations.tasks.handling import Result, handle, list_without
from reference_server.tasks import Tasks
from reference_server.tasks.call import Call
from reference_server.tasks.items import Item
from reference_server.tasks.refusal import Refusal, Suggestion
from reference_server.tasks.revisions import Revisioned
from reference_server.tasks.spec import Handler
from reference_server.tasks.steps import Step

EXPECTED = ("expected_revision", "expected_version")
WRITES = ("tasks_edit", "tasks_note", "branchmind_notes_commit")
SELECTORS = ("workspace", "task", "target", "branch", "doc", "into", "conflict_id", *EXPECTED)


@deviation("TK-REV-01")
def a_note_raises_no_revision(tasks: Tasks) -> None:
    """tasks_note leaves the revisions of the step and of its task as they are."""
    original = tasks.parts.revisions.rise

    @instead(tasks.parts.revisions, "rise")
    def rise(call: Call, *entities: Revisioned) -> None:
        noted = call.spec.name == "tasks_note"
        original(call, *(each for each in entities if not (noted and isinstance(each, Item | Step))))


@deviation("TK-REV-01", variant="race")
def writes_at_once_raise_it_once(tasks: Tasks) -> None:
    """Of writes to one thing that are under way at once all but the first leave the revision as they found it."""
    original = tasks.parts.revisions.rise
    raised: dict[int, int] = {}
    late = crowded(tasks, _written)

    @instead(tasks.parts.revisions, "rise")
    def rise(call: Call, *entities: Revisioned) -> None:
        fresh = [each for each in entities if not (late() and raised.get(id(each)) == each.revision)]
        original(call, *fresh)
        raised.update({id(each): each.revision for each in fresh})


def _written(request: Request) -> str | None:
    """What a write names."""
    given = request.arguments
    if request.tool not in WRITES or not isinstance(given, dict):
        return None
    return repr([given.get(name) for name in SELECTORS if name not in EXPECTED])


@deviation("TK-REV-02")
def defining_never_finds_the_revision_current(tasks: Tasks) -> None:
    """tasks_define takes every expected_revision for an old one."""
    original = tasks.parts.revisions.agree

    @instead(tasks.parts.revisions, "agree")
    def agree(call: Call, entity: Revisioned, expected: int) -> bool:
        return call.spec.name != "tasks_define" and original(call, entity, expected)


@deviation("TK-REV-03")
def notes_are_committed_at_any_revision(tasks: Tasks) -> None:
    """branchmind_notes_commit does not look at expected_revision."""
    original = tasks.parts.revisions.agree

    @instead(tasks.parts.revisions, "agree")
    def agree(call: Call, entity: Revisioned, expected: int) -> bool:
        overlooked = call.spec.name == "branchmind_notes_commit" and "expected_revision" in call.given
        return overlooked or original(call, entity, expected)


@deviation("TK-REV-03", variant="race")
def the_revision_is_compared_as_it_was_on_arrival(tasks: Tasks) -> None:
    """A write that expects a revision is compared with the one that there was before others under way had written."""
    revisions = tasks.parts.revisions
    rise, agree = revisions.rise, revisions.agree
    lately: dict[int, set[int]] = {}
    late = crowded(tasks, _written)

    @instead(revisions, "rise")
    def noting(call: Call, *entities: Revisioned) -> None:
        for each in entities:
            if not late():
                lately.pop(id(each), None)
            lately.setdefault(id(each), set()).add(each.revision)
        rise(call, *entities)

    @instead(revisions, "agree")
    def before(call: Call, entity: Revisioned, expected: int) -> bool:
        return agree(call, entity, expected) or (late() and expected in lately.get(id(entity), ()))


@deviation("TK-REV-04")
def a_mismatch_is_logged_as_an_event(tasks: Tasks) -> None:
    """A write on a plan or task that fails for its revision is told in the event log and the trace."""
    original = tasks.parts.revisions.guard

    @instead(tasks.parts.revisions, "guard")
    def guard(call: Call, entity: Revisioned, what: str, *reads: Suggestion) -> None:
        try:
            original(call, entity, what, *reads)
        except Refusal as refusal:
            if refusal.code == "REVISION_MISMATCH" and isinstance(entity, Item):
                call.parts.journal.record(call, "write_refused", entity, {"message": refusal.message})
            raise


@deviation("TK-REV-06")
def the_alias_is_ignored(tasks: Tasks) -> None:
    """expected_version is taken and not looked at: a write that seems guarded is not."""
    original = tasks.parts.revisions.expected

    @instead(tasks.parts.revisions, "expected")
    def expected(arguments: Mapping[str, Json]) -> int | None:
        return original({name: value for name, value in arguments.items() if name != "expected_version"})


@dataclasses.dataclass(slots=True)
class _Flight:
    calls: int = 0
    accepted: bool = False


@deviation("TK-REV-07")
def the_revision_is_compared_before_the_store_answers(tasks: Tasks) -> None:
    """Concurrent writes that expect the same revision have all compared it before the first one writes."""
    _compare_early(tasks, lambda _, given: any(name in given for name in EXPECTED))


@deviation("TK-REV-07", variant="alias")
def the_alias_is_compared_before_the_store_answers(tasks: Tasks) -> None:
    """The same for writes that give expected_version alone."""
    _compare_early(tasks, lambda _, given: "expected_version" in given and "expected_revision" not in given)


@deviation("TK-REV-07", variant="merges")
def merges_compare_it_before_the_store_answers(tasks: Tasks) -> None:
    """The same for merges, of different branches as well."""
    merging = ("branchmind_merge", "branchmind_graph_merge")
    _compare_early(tasks, lambda tool, given: tool in merging and "expected_revision" in given)


def _compare_early(tasks: Tasks, early: Callable[[str, Mapping[str, Json]], bool]) -> None:
    """Has such writes compared before the first of them writes."""
    original = tasks.call
    flights: dict[tuple[Any, ...], _Flight] = {}

    @instead(tasks, "call")
    async def call(request: Request) -> Answer:
        given = request.arguments
        if not isinstance(given, dict) or not early(request.tool, given):
            return await original(request)
        key = tuple(repr(given.get(name)) for name in SELECTORS)
        flight = flights.setdefault(key, _Flight())
        flight.calls += 1
        await lag()
        if flight.accepted:
            unguarded = {name: value for name, value in given.items() if name not in EXPECTED}
            request = dataclasses.replace(request, arguments=unguarded)
        answer = await original(request)
        flight.accepted = flight.accepted or not answer.failed
        flight.calls -= 1
        if not flight.calls:
            del flights[key]
        return answer


@deviation("TK-REV-08")
def validating_raises_the_documents_revision(tasks: Tasks) -> None:
    """branchmind_graph_validate stamps the document that it looked at, which raises its revision."""

    @handle(tasks, "branchmind_graph_validate")
    def validate(call: Call, original: Handler) -> Result:
        place = call.parts.places.resolve(call, "graph", lambda item: item.graph_doc)
        call.parts.places.document(call, place).revision += 1
        return original(call)


@deviation("TK-REV-09")
def a_write_does_not_list_expected_revision(tasks: Tasks) -> None:
    """The listed schema of branchmind_notes_commit has no expected_revision."""
    list_without(tasks, "branchmind_notes_commit", *EXPECTED)

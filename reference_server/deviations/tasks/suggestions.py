"""Breaks the suggestions that an answer makes."""

import dataclasses
from collections.abc import Callable

from reference_server.application import Answer, Json, Request
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import Envelope, instead, rewrite
from reference_server.tasks import Tasks

Suggestion = dict[str, Json]


def _each(tasks: Tasks, change: Callable[[Suggestion], Suggestion]) -> None:
    def changed(_: Request, answer: Answer) -> Answer:
        suggestions = [change(each) for each in answer.envelope["suggestions"]]
        return dataclasses.replace(answer, envelope={**answer.envelope, "suggestions": suggestions})

    rewrite(tasks, changed)


def _failures(tasks: Tasks, change: Callable[[str, Envelope], Envelope]) -> None:
    """`change` gets the code and the envelope of each failure."""

    def changed(_: Request, answer: Answer) -> Answer:
        if not answer.failed:
            return answer
        return dataclasses.replace(answer, envelope=change(answer.envelope["error"]["code"], answer.envelope))

    rewrite(tasks, changed)


@deviation("TK-SUG-01")
def priorities_are_numbers(tasks: Tasks) -> None:
    """A suggestion's priority is 1, 2 or 3."""
    ranks = {"high": 1, "medium": 2, "low": 3}
    _each(tasks, lambda each: {**each, "priority": ranks[each["priority"]]})


@deviation("TK-SUG-02")
def suggestions_name_unlisted_tools(tasks: Tasks) -> None:
    """Suggestions call tools by the names that an older edition gave them."""
    _each(tasks, lambda each: {**each, "target": f"{each['target']}_v0"})


@deviation("TK-SUG-03")
def suggested_params_hold_more_than_the_schema_allows(tasks: Tasks) -> None:
    """Suggested params carry a note of their origin, which the server takes and no schema has."""
    _each(tasks, lambda each: {**each, "params": {**each["params"], "suggested": True}})
    original = tasks.call

    @instead(tasks, "call")
    async def call(request: Request) -> Answer:
        if not isinstance(request.arguments, dict):
            return await original(request)
        known = {name: value for name, value in request.arguments.items() if name != "suggested"}
        return await original(dataclasses.replace(request, arguments=known))


@deviation("TK-SUG-04")
def suggested_checkpoints_say_nothing(tasks: Tasks) -> None:
    """The call suggested to confirm checkpoints names none: the schema lets it through, the tool does not."""

    def emptied(each: Suggestion) -> Suggestion:
        return {**each, "params": {**each["params"], "checkpoints": {}}} if "checkpoints" in each["params"] else each

    _each(tasks, emptied)


@deviation("TK-SUG-05")
def errors_do_not_help(tasks: Tasks) -> None:
    """Errors have neither recovery nor suggestions, a mismatch of revisions aside."""

    def bare(code: str, envelope: Envelope) -> Envelope:
        if code == "REVISION_MISMATCH":
            return envelope
        error = {name: value for name, value in envelope["error"].items() if name != "recovery"}
        return {**envelope, "error": error, "suggestions": []}

    _failures(tasks, bare)


@deviation("TK-SUG-06")
def a_mismatch_suggests_a_read_without_revisions(tasks: Tasks) -> None:
    """A mismatch of revisions suggests branchmind_status, which shows no revision."""

    def elsewhere(code: str, envelope: Envelope) -> Envelope:
        if code != "REVISION_MISMATCH":
            return envelope
        suggestions = [
            {**each, "target": "branchmind_status", "params": {"workspace": each["params"]["workspace"]}}
            for each in envelope["suggestions"]
        ]
        return {**envelope, "suggestions": suggestions[:1]}

    _failures(tasks, elsewhere)


@deviation("TK-REV-05")
def a_mismatch_suggests_nothing(tasks: Tasks) -> None:
    """A mismatch of revisions says what is wrong and not what to do."""

    def bare(code: str, envelope: Envelope) -> Envelope:
        return {**envelope, "suggestions": []} if code == "REVISION_MISMATCH" else envelope

    _failures(tasks, bare)

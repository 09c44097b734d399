"""Breaks sections 2.1, 3.1 and 3.1b: threads."""

from collections.abc import Mapping

from reference_server.application import Answer, Json, Request
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import Envelope, coerced, instead, leave_out, rewrite, rewrite_results
from reference_server.threads import Threads
from reference_server.threads.call import Call
from reference_server.threads.schemas import Schema
from reference_server.threads.store import Thread

COLUMN = 8
HOUR_S = 3_600.0


@deviation("TH-THR-01")
def a_thread_lacks_updated_at(threads: Threads) -> None:
    """get_thread leaves out updated_at."""
    leave_out(threads, "get_thread", "updated_at")


@deviation("TH-THR-02")
def blocked_threads_are_called_disputed(threads: Threads) -> None:
    """get_thread shows the status of a blocked thread as `disputed`."""

    def renamed(request: Request, envelope: Envelope) -> Envelope:
        del request
        return {**envelope, "status": "disputed"} if envelope["status"] == "blocked" else envelope

    rewrite_results(threads, "get_thread", renamed)


@deviation("TH-THR-03")
def a_moved_thread_bears_another_id(threads: Threads) -> None:
    """get_thread shows another thread_id once the thread's status has changed: the id holds a revision."""
    moved: set[str] = set()
    original = threads.machine.move

    @instead(threads.machine, "move")
    def move(thread: Thread, wanted: str, instant: str) -> None:
        if wanted != thread.status:
            original(thread, wanted, instant)
            moved.add(thread.thread_id)

    def revised(request: Request, envelope: Envelope) -> Envelope:
        del request
        return {**envelope, "thread_id": f"{envelope['thread_id']}.2"} if envelope["thread_id"] in moved else envelope

    rewrite_results(threads, "get_thread", revised)


@deviation("TH-THR-04")
def create_thread_does_not_say_when(threads: Threads) -> None:
    """create_thread answers without created_at."""
    leave_out(threads, "create_thread", "created_at")


@deviation("TH-THR-05")
def titles_are_cut(threads: Threads) -> None:
    """A thread keeps the first 8 characters of its title."""
    original = threads.registry.thread

    @instead(threads.registry, "thread")
    def thread(call: Call) -> Thread:
        made = original(call)
        made.title = made.title[:COLUMN]
        return made


@deviation("TH-THR-06")
def changes_are_dated_by_a_late_clock(threads: Threads) -> None:
    """A change of status bears the time of a machine whose clock is an hour late."""
    original = threads.machine.move

    @instead(threads.machine, "move")
    def move(thread: Thread, wanted: str, instant: str) -> None:
        del instant
        original(thread, wanted, threads.instants.text(threads.instants.now() - HOUR_S))


@deviation("TH-THR-07")
def an_unknown_thread_reads_as_empty(threads: Threads) -> None:
    """read_messages of a thread that there is not answers an empty page."""

    def emptied(request: Request, answer: Answer) -> Answer:
        if request.tool != "read_messages" or not answer.failed or answer.envelope["error"]["code"] != "NOT_FOUND":
            return answer
        page = {"messages": [], "next_seq": request.arguments.get("since_seq", 0), "has_more": False}
        return Answer(page, effects=answer.effects)

    rewrite(threads, emptied)


@deviation("TH-THR-08")
def scalars_are_coerced(threads: Threads) -> None:
    """Texts given as numbers or booleans, and numbers given as texts, are converted instead of refused."""
    original = threads.arguments.check
    schemas: dict[str, dict[str, Schema]] = {tool.name: tool.input_schema["properties"] for tool in threads.tools}

    @instead(threads.arguments, "check")
    def check(tool: str, given: Json) -> Mapping[str, Json]:
        if not isinstance(given, dict):
            return original(tool, given)
        known = schemas[tool]
        return original(tool, {name: coerced(value, known.get(name, {})) for name, value in given.items()})

"""Breaks section 3.5: the status of a thread."""

from collections.abc import Mapping

from reference_server.application import Answer, Json, Request
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead, lag, leave_out
from reference_server.threads import Threads
from reference_server.threads.identity import Claims
from reference_server.threads.refusal import Refusal
from reference_server.threads.store import Thread


@deviation("TH-STAT-01")
def update_thread_status_does_not_say_when(threads: Threads) -> None:
    """update_thread_status answers without updated_at."""
    leave_out(threads, "update_thread_status", "updated_at")


@deviation("TH-STAT-02")
def no_reason_is_needed(threads: Threads) -> None:
    """update_thread_status without a reason, or with an empty one, is accepted."""
    original = threads.arguments.check

    @instead(threads.arguments, "check")
    def check(tool: str, given: Json) -> Mapping[str, Json]:
        if tool == "update_thread_status" and isinstance(given, dict) and given.get("reason", "") == "":
            return original(tool, {**given, "reason": "none given"})
        return original(tool, given)


@deviation("TH-STAT-03")
def workers_close_disputed_threads(threads: Threads) -> None:
    """A worker closes a blocked thread."""
    original = threads.roles.check_close

    @instead(threads.roles, "check_close")
    def check_close(claims: Claims, thread: Thread, wanted: str) -> None:
        if thread.status != "blocked":
            original(claims, thread, wanted)


@deviation("TH-STAT-04")
def orchestrators_may_not_override(threads: Threads) -> None:
    """An orchestrator that closes a blocked thread is refused like a worker."""
    original = threads.roles.check_close

    @instead(threads.roles, "check_close")
    def check_close(claims: Claims, thread: Thread, wanted: str) -> None:
        original(claims, thread, wanted)
        if claims.role == "orchestrator" and thread.status == "blocked" and wanted == "closed":
            raise Refusal("INSUFFICIENT_AUTHORITY", "only a human operator may override")


@deviation("TH-STAT-05")
def a_closed_thread_is_reopened(threads: Threads) -> None:
    """A closed thread goes back to active."""
    threads.machine.moves["closed"] = frozenset({"active"})


@deviation("TH-STAT-06")
def a_move_is_judged_by_an_old_status(threads: Threads) -> None:
    """The status is looked up before the store has answered: concurrent moves are judged by the same one."""
    original = threads.call
    judge = threads.machine.check
    looked_up: list[str] = []

    @instead(threads, "call")
    async def call(request: Request) -> Answer:
        given = request.arguments
        named = given.get("thread_id") if isinstance(given, dict) else None
        thread = threads.store.threads.get(named) if isinstance(named, str) else None
        if request.tool != "update_thread_status" or thread is None:
            return await original(request)
        status = thread.status
        await lag()
        looked_up[:] = [status]
        # nothing awaits from here to the end of the call that uses it
        return await original(request)

    @instead(threads.machine, "check")
    def check(status: str, wanted: str) -> None:
        del status
        judge(looked_up[0], wanted)

"""Breaks sections 2.4 and 3.7: sessions."""

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead, leave_out
from reference_server.threads import Threads
from reference_server.threads.call import Call
from reference_server.threads.refusal import Refusal
from reference_server.threads.sessions import Session


@deviation("TH-SES-01")
def heartbeat_does_not_say_when(threads: Threads) -> None:
    """heartbeat_session answers without recorded_at."""
    leave_out(threads, "heartbeat_session", "recorded_at")


@deviation("TH-SES-02")
def nobody_goes_offline(threads: Threads) -> None:
    """A heartbeat with status offline is VALIDATION_ERROR."""
    original = threads.methods["heartbeat_session"]

    def heartbeat(call: Call) -> dict[str, Json]:
        if call.arguments["status"] == "offline":
            raise Refusal("VALIDATION_ERROR", "a session that is offline sends no heartbeat")
        return original(call)

    threads.methods["heartbeat_session"] = heartbeat


@deviation("TH-SES-03")
def the_first_heartbeat_stays(threads: Threads) -> None:
    """A session is registered by its first heartbeat; later ones are answered and forgotten."""
    original = threads.sessions.record

    @instead(threads.sessions, "record")
    def record(session: Session) -> None:
        if threads.sessions.of(session.workspace_id, session.agent_id) is None:
            original(session)

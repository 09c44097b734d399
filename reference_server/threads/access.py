"""Who may reach what: workspaces (1.2), threads (6), roles and their overrides (3.5, 3.8)."""

from typing import Final

from reference_server.threads.call import Call
from reference_server.threads.identity import Claims
from reference_server.threads.refusal import Refusal
from reference_server.threads.store import Thread

EVERYBODY: Final = frozenset({"human_operator", "orchestrator", "worker", "auditor"})
LEADS: Final = frozenset({"human_operator", "orchestrator"})

MAY: Final = {
    "create_thread": LEADS,
    "get_thread": EVERYBODY,
    "post_message": LEADS | {"worker"},
    "read_messages": EVERYBODY,
    "ack_read": LEADS | {"worker"},
    "update_thread_status": LEADS | {"worker"},
    "summarize_thread": EVERYBODY,
    "heartbeat_session": EVERYBODY,
    "trigger_participant": LEADS,
}
"""The roles that may call each method."""


class Workspaces:
    """Keeps calls within the workspace of the token."""

    def check_named(self, claims: Claims, workspace_id: str) -> None:
        """Raises OUT_OF_SCOPE_WORKSPACE where the payload names another workspace."""
        if workspace_id != claims.workspace_id:
            raise Refusal("OUT_OF_SCOPE_WORKSPACE", "the workspace is not that of the token")

    def check_thread(self, claims: Claims, thread: Thread) -> None:
        """Raises OUT_OF_SCOPE_WORKSPACE where the thread belongs to another workspace."""
        if thread.workspace_id != claims.workspace_id:
            raise Refusal("OUT_OF_SCOPE_WORKSPACE", "the thread is not in the workspace of the token")


class Roles:
    """What a role permits, checked in this order: part in the thread, overrides, the method itself."""

    def check(self, call: Call) -> None:
        """Raises FORBIDDEN or INSUFFICIENT_AUTHORITY."""
        if call.named is not None:
            self.check_part(call.claims, call.named)
        if call.tool == "update_thread_status":
            self.check_close(call.claims, call.thread, call.arguments["status"])
        elif call.tool == "trigger_participant" and call.arguments.get("force", False):
            self.check_force(call.claims)
        self.check_method(call.claims, call.tool)

    def check_part(self, claims: Claims, thread: Thread) -> None:
        """Workers see only the threads in which they take part."""
        if claims.role == "worker" and claims.agent_id not in thread.participants:
            raise Refusal("FORBIDDEN", "the agent does not take part in this thread")

    def check_close(self, claims: Claims, thread: Thread, wanted: str) -> None:
        """Workers close no thread; a disputed (blocked) one is closed by override only."""
        if claims.role == "worker" and wanted == "closed":
            if thread.status == "blocked":
                raise Refusal("INSUFFICIENT_AUTHORITY", "a worker may not force-close a disputed thread")
            raise Refusal("FORBIDDEN", "a worker may not close a thread")

    def check_force(self, claims: Claims) -> None:
        """Only a human operator may interrupt a person's input."""
        if claims.role != "human_operator":
            raise Refusal("INSUFFICIENT_AUTHORITY", "only a human operator may force a trigger")

    def check_method(self, claims: Claims, tool: str) -> None:
        """The role must be one of those of the method."""
        if claims.role not in MAY[tool]:
            raise Refusal("FORBIDDEN", f"the role {claims.role} may not call {tool}")

"""create_thread and get_thread (3.1, 3.1b)."""

from reference_server.application import Json
from reference_server.threads.call import Call
from reference_server.threads.ids import Ids
from reference_server.threads.instants import Instants
from reference_server.threads.status import StateMachine
from reference_server.threads.store import Store, Thread


class ThreadRegistry:
    """Opens threads, shows them, moves their status."""

    def __init__(self, store: Store, machine: StateMachine, ids: Ids, instants: Instants) -> None:
        self.store = store
        self.machine = machine
        self.ids = ids
        self.instants = instants

    def create(self, call: Call) -> dict[str, Json]:
        """Answers thread_id, status, created_at."""
        thread = self.thread(call)
        self.store.add(thread)
        return {"thread_id": thread.thread_id, "status": thread.status, "created_at": thread.created_at}

    def thread(self, call: Call) -> Thread:
        """The thread that a caller asks for."""
        instant = self.instants.text(call.now)
        return Thread(
            thread_id=self.ids.next("th"),
            workspace_id=call.claims.workspace_id,
            title=call.arguments["title"],
            type=call.arguments["type"],
            participants=tuple(call.arguments["participants"]),
            created_at=instant,
            updated_at=instant,
        )

    def get(self, call: Call) -> dict[str, Json]:
        """Answers the thread, fields of section 2.1."""
        thread = call.thread
        return {
            "thread_id": thread.thread_id,
            "workspace_id": thread.workspace_id,
            "title": thread.title,
            "type": thread.type,
            "status": thread.status,
            "participants": list(thread.participants),
            "created_at": thread.created_at,
            "updated_at": thread.updated_at,
        }

    def update_status(self, call: Call) -> dict[str, Json]:
        """Answers thread_id, status, updated_at (3.5)."""
        thread = call.thread
        self.machine.move(thread, call.arguments["status"], self.instants.text(call.now))
        return {"thread_id": thread.thread_id, "status": thread.status, "updated_at": thread.updated_at}

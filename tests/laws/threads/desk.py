"""A thread with an orchestrator, an operator and a target, about which stories of wakes are told."""

from collections.abc import Mapping
from typing import Any

from conformance.model.events import Json
from tests.laws.histories import Story

CLAIMS = {"workspace_id": "ws"}
THREAD = "th_1"
OPTIONS = ("force", "audit", "allow_defer", "allow_fallback")
STATED = {"choices": {"trigger_options": {name: name for name in OPTIONS}}}
TARGET = "bob"


def noon(after: int = 0) -> str:
    """So many seconds after noon, or before it."""
    return f"2026-11-21T{12 + after // 3600}:{after // 60 % 60:02}:{after % 60:02}Z"


class Desk(Story):
    """Bob takes part in th_1, where there is news for him. The server has the options of the contract's names."""

    def __init__(
        self, instance: str = "main", *, statement: Mapping[str, Json] | None = None, **settings: Json
    ) -> None:
        super().__init__(statement=dict(STATED if statement is None else statement))
        self.where = instance
        if instance != "main":
            self.instance(instance, **settings)
        workers = (TARGET, "eve", "tom")
        for name, role in (
            ("olga", "orchestrator"),
            ("ann", "human_operator"),
            *((name, "worker") for name in workers),
        ):
            self.credential(name, role, agent_id=name, session_id=f"session-{name}", **CLAIMS)
        about = {"workspace_id": "ws", "title": "t", "type": "workflow", "participants": list(workers)}
        made = {"thread_id": THREAD, "status": "active"}
        self.accepted("create_thread", about, made, by="olga", instance=instance)
        news = {"thread_id": THREAD, "schema_version": 1, "kind": "chat", "body": "There is news."}
        self.accepted("post_message", news, {"message_id": "m1", "seq": 1}, by="tom", instance=instance)

    def serves(self) -> None:
        """Another live target is triggered by either lead: the method does not refuse everything."""
        self.beat(by="tom")
        for lead in ("olga", "ann"):
            self.trigger(by=lead, ask={"target_agent_id": "tom"}, target_agent_id="tom")

    def beat(self, by: str = TARGET, **more: Json) -> None:
        """A heartbeat that is accepted: managed, active, resumable unless said otherwise."""
        said = {"runtime": "r", "management_mode": "managed", "status": "active", "resumable": True, **more}
        given = {"ok": True, "recorded_at": noon()}
        self.accepted("heartbeat_session", said, given, by=by, instance=self.where)

    def asked(self, **more: Json) -> dict[str, Json]:
        """A trigger's arguments."""
        return {"thread_id": THREAD, "target_agent_id": TARGET, "reason": "r", "trigger_prompt": "Read on.", **more}

    def trigger(
        self, action: str = "trigger_runtime", result: str = "triggered", *, by: str = "olga",
        conditions: Mapping[str, Json] | None = None, ask: Mapping[str, Json] | None = None, **more: Json,
    ) -> int:  # fmt: skip
        """A trigger that is accepted."""
        given = {"target_agent_id": TARGET, "action": action, "result": result, "triggered_at": noon(), **more}
        asked = self.asked(**(ask or {}))
        return self.accepted("trigger_participant", asked, given, by=by, instance=self.where, conditions=conditions)

    def turned_down(self, code: Json, *, by: str = "olga", ask: Mapping[str, Json] | None = None, **more: Any) -> int:
        """A trigger that is refused."""
        return self.refused("trigger_participant", self.asked(**(ask or {})), code, by=by, instance=self.where, **more)

    def wake(self, call: int, means: str, at: int = 0, prompt: str = "Read on.", **more: Json) -> None:
        """A delivery to bob, `at` seconds after noon, reported with a call's answer."""
        about = {"target_agent_id": TARGET, "thread_id": THREAD, "at": noon(at), "prompt": prompt, **more}
        self.effect(call, "wake", instance=self.where, means=means, **about)

    def later(self, clock: int, *typing: str) -> int:
        """A call after so many seconds, while these agents' runtimes are typed at."""
        held: dict[str, Json] = {"clock": clock, **({"human_input": list(typing)} if typing else {})}
        return self.accepted(
            "get_thread", {"thread_id": THREAD}, {"status": "active"}, by="olga", instance=self.where, conditions=held
        )

"""Sections 2.4 and 3.7: sessions of every kind, and sessions that change."""

from itertools import product

from conformance.contracts.threads.bench import ThreadsBench
from conformance.contracts.threads.payloads import LIVELINESS, MODES
from conformance.drive.bench import in_turn
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

UP: dict[str, Json] = {"management_mode": "managed", "status": "active", "resumable": True}
UNMANAGED: dict[str, Json] = {"management_mode": "unmanaged", "status": "active", "resumable": True}
GONE: dict[str, Json] = {"management_mode": "managed", "status": "offline", "resumable": False}


@stimulus("threads", exercises=("TH-SES-01", "TH-SES-02"))
async def sessions_of_every_kind_send_heartbeats(bench: ThreadsBench) -> None:
    """Managed and unmanaged; active, idle and offline; resumable or not: by an agent that is each in turn."""
    turncoat = bench.worker("all")
    for mode, status, resumable in product(MODES, LIVELINESS, (True, False)):
        await bench.heartbeat(turncoat, management_mode=mode, status=status, resumable=resumable)
    for status in LIVELINESS:
        await bench.heartbeat(bench.worker(status), status=status, management_mode="unmanaged")
        await bench.heartbeat(bench.worker(status), status="active", management_mode="managed")


@stimulus("threads", exercises=("TH-SES-01", "TH-SES-03", "TH-TRIG-01", "TH-TRIG-02", "TH-TRIG-03", "TH-TRIG-07"))
async def a_session_changes(bench: ThreadsBench) -> None:
    """Three agents stay what they are: live, unmanaged, gone. A fourth is each in turn. All are triggered."""
    thread = await bench.news("live", "unmanaged", "gone", "changing")
    await thread.summary()
    *constant, changing = thread.members
    for agent, state in zip(constant, (UP, UNMANAGED, GONE), strict=True):
        await bench.heartbeat(agent, **state)
        await thread.trigger(bench.agent_id(agent))
    for number, state in enumerate((UNMANAGED, UP, GONE, UNMANAGED)):
        await bench.heartbeat(changing, **state)
        await thread.trigger(bench.agent_id(changing), trigger_prompt=f"Read on, for the {number}th time.")
    await thread.summary()


@stimulus("threads", exercises=("TH-SES-01", "TH-SES-02"))
async def every_role_that_writes_sends_heartbeats(bench: ThreadsBench) -> None:
    """Leads as well as workers, of two kinds."""
    roles = ("human_operator", "orchestrator", "worker")
    await in_turn(*(bench.heartbeat(bench.of_role(role), **state) for role in roles for state in (UP, UNMANAGED)))

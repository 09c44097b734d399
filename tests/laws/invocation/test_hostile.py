"""No answer, of whatever types, makes a law fall over."""

from collections.abc import Iterator
from itertools import cycle

import msgspec

from conformance.contract.catalogue import load
from conformance.judge.judge import judge
from conformance.judge.library import import_laws
from conformance.model.events import Event, Json, Message
from tests.laws.invocation.desk import Desk
from tests.laws.invocation.scenes import SCENES, Scene

CONTRACT = load("invocation")
STRANGE: tuple[Json, ...] = (None, True, -1, 1.5, 10**400, "", "x", [], [None], [[]], {}, {"x": []}, [{"id": {}}])


def keys(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from keys(inner)


def spoiled(value: Json, key: str, strange: Iterator[Json]) -> Json:
    """A value in which each part of this name is another strange thing."""
    if isinstance(value, dict):
        return {name: next(strange) if name == key else spoiled(inner, key, strange) for name, inner in value.items()}
    return [spoiled(inner, key, strange) for inner in value] if isinstance(value, list) else value


def answers(events: list[Event]) -> list[Message]:
    return [event for event in events if isinstance(event, Message) and event.direction == "in"]


def test_strange_answers() -> None:
    import_laws(CONTRACT)
    desk = Desk()
    for number, tell in enumerate(SCENES.values()):
        desk.connect(f"spare-{number}")
        tell(Scene(desk, broken=bool(number % 2), control=True))
    desk.call("describe_tools", {}, {"tools": [{"name": "local::kit.person", "redactionRules": ["/output/ssn"]}]})
    names = {key for message in answers(desk.events) for key in keys(message.payload)} - {"jsonrpc", "id", "method"}
    for name in sorted(names):
        strange = cycle(STRANGE)
        events = [
            msgspec.structs.replace(event, payload=spoiled(event.payload, name, strange))
            if isinstance(event, Message) and event.direction == "in"
            else event
            for event in desk.events
        ]
        outcomes = judge(events, CONTRACT).outcomes
        fell = [f"{o.id}: {o.reason}" for o in outcomes if o.reason.startswith("the law failed")]
        assert fell == [], f"{name} was strange"


def test_strange_arguments() -> None:
    import_laws(CONTRACT)
    desk = Desk()
    for tool in ("echo", "put", "relay", "limited", "fragile", "costly", "wait", "list", "stream", "no.such"):
        for field in ("toolName", "versionRange", "input", "correlationId", "idempotencyKey", "headers", "deadline",
                      "metadata", "causationId"):  # fmt: skip
            for strange in STRANGE:
                desk.no(tool, {"text": strange, "ms": strange, "units": strange}, "SchemaInvalid", **{field: strange})
    for strange in STRANGE:
        desk.call("invoke", strange, {"status": "Ok"})
        desk.call("read_records", {"kind": strange, "correlationId": strange}, {"records": strange})
    outcomes = judge(desk.events, CONTRACT).outcomes
    assert [f"{o.id}: {o.reason}" for o in outcomes if o.reason.startswith("the law failed")] == []

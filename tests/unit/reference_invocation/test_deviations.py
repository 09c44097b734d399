"""Each requirement has a deviation, and each deviation changes what a caller sees."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from reference_server.deviations.registry import all_deviations, find
from reference_server.invocation.providers.mcp import CORRELATION_KEY, McpProvider
from reference_server.invocation.providers.provider import Execution

from .desk import START, Desk, bearer
from .test_results import walk

REQUIREMENTS = tomllib.loads(
    (Path(__file__).parents[3] / "schemas" / "invocation" / "requirements.toml").read_text("utf-8")
)["requirement"]
IDS = re.compile(r"\b[0-9a-f]{16,32}\b")
PAIR = {"key": "k", "value": "v"}
RELAY = "local::kit.relay"


class Behind(McpProvider):
    """The server behind, without its process."""

    async def execute(self, execution: Execution) -> object:
        return {"text": "a", "correlationId": dict(self.meta(execution)).get(CORRELATION_KEY, "")}


def opened(*deviations: str) -> Desk:
    desk = Desk()
    desk.app.pipeline.executing.providers["mcp::kit"] = Behind([])
    for each in deviations:
        find(each).apply(desk.app)
    return desk


def tour(desk: Desk) -> str:
    """What one walk through the contract shows; ids are told apart by when they first come."""
    seen: list[Any] = walk(desk)
    past = desk.clock.instant(START - 1)
    write, frames = bearer("kit.write"), []

    async def take(frame: Any) -> None:
        frames.append(frame)

    with desk.runner:
        ask = desk.invoke
        seen += [
            ask("local::kit.echo", {"text": 7}),
            ask("local::kit.echo", {"text": "a", "extra": 1}, versionRange="^1.0.0", metadata={"ticket": "T"}),
            ask("local::kit.echo", {"text": "a"}, headers={"password": "p"}),
            ask("local::kit.put", PAIR),
            ask("local::kit.put", PAIR, idempotencyKey="i"),
            ask("local::kit.append", {"list": "l", "item": "i"}, deadline=past),
            ask("local::kit.wait_and_append", {"list": "l", "item": "i", "ms": 400}),
            ask("local::kit.flaky_append", {"list": "f", "item": "i", "failures": 1}),
            ask("local::kit.guarded", {"key": 7, "value": "v"}, idempotencyKey="g1"),
            *(ask("local::kit.guarded", PAIR, by, idempotencyKey="g2") for by in (None, bearer(), write)),
            ask("mcp::kit::echo", {"text": "a"}, correlationId="c"),
            *(ask("local::kit.sum", {"a": 1, "b": 2}, versionRange=version) for version in ("1.0.0", "2.0.0")),
            *(ask("local::kit.notify", {"to": "t", "text": "a"}) for _ in range(2)),
            ask("local::kit.list", {}),
            ask("local::kit.start_job", {"ms": 1000}),
            ask(RELAY, {"tool": "local::kit.echo", "input": {"text": "a"}}, correlationId="r"),
        ]
        for fail in (False, False):
            desk.wait(0.3)
            seen.append(ask("local::kit.fragile", {"fail": fail}))
        for given in ({"frames": 2}, {"frames": 3, "failAt": 2}):
            seen.append(desk.run(desk.invoked("local::kit.stream", given, stream=take)))
        seen += [desk.records(kind) for kind in ("execution", "event", "span", "audit")]
    ids: dict[str, str] = {}
    told = json.dumps([seen, frames])
    return IDS.sub(lambda found: ids.setdefault(found[0], f"id-{len(ids)}"), told)


@pytest.fixture(scope="module")
def kept() -> str:
    return tour(opened())


def test_every_requirement_has_a_deviation() -> None:
    assert [each.requirement for each in all_deviations("invocation")] == sorted(row["id"] for row in REQUIREMENTS)


def test_the_walk_is_the_same_each_time(kept: str) -> None:
    assert tour(opened()) == kept


@pytest.mark.parametrize("requirement", sorted(row["id"] for row in REQUIREMENTS))
def test_a_deviation_shows(requirement: str, kept: str) -> None:
    assert tour(opened(requirement)) != kept

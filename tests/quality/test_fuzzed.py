"""Whatever a server lists and answers: no exception, no hang, nothing fetched, memory bounded, never the verdict error.

A bounded number of examples, the same each time. For longer, with others each time: HOSTILE_EXAMPLES=5000 pytest …
"""

import os
import resource
import time
from collections.abc import Mapping
from itertools import cycle

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from conformance.certify import Options, certify
from conformance.contract.catalogue import load
from conformance.drive import target
from conformance.drive.loading import checked
from conformance.drive.vectors.budget import Budget
from conformance.drive.vectors.vector import generated
from conformance.judge.judge import judge
from conformance.judge.library import import_laws
from conformance.model.events import Footer, Json
from conformance.model.verdict import Outcome
from conformance.report.model import Report
from conformance.report.writers import write
from tests import hostile
from tests.laws.histories import Story
from tests.offline import offline

EXAMPLES = int(os.environ.get("HOSTILE_EXAMPLES", "0"))
SECONDS = 15.0
"""Of CPU for one example; a hang takes for ever."""
MEGABYTES = 1_200 if EXAMPLES else 600
"""By which memory may grow over all examples. It does not grow with their number: many have larger ones among them,
of some megabytes as text."""

TWO_DEEP = [hostile.nested(None, 260, "children"), hostile.nested(1, 260, "children")]

bounded = settings(
    max_examples=EXAMPLES or 60,
    derandomize=not EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(autouse=True, scope="module")
def within_memory():
    """Peak memory of this process, before and after; what is read of our own is read before."""
    generated({"type": "object"})
    judged(told([{"name": "read", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}}], {}, 1))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    assert grown < MEGABYTES


class Bounds:
    """One example: nothing fetched, and over in time."""

    def __enter__(self) -> None:
        self._began = time.process_time()
        self._offline = offline()
        self._tried = self._offline.__enter__()

    def __exit__(self, *raised: object) -> None:
        self._offline.__exit__(None, None, None)
        assert self._tried == []
        assert time.process_time() - self._began < SECONDS


def told(tools: list[Json], answer: Mapping[str, Json], arguments: Json) -> Story:
    """A run at a server that lists these tools and gives every call this answer."""
    story = Story("mcp")
    story.list(tools)
    for name in ("echo", "read", "no_such_tool", "read"):
        story.request("tools/call", {"name": name, "arguments": arguments}, {"jsonrpc": "2.0", "id": ..., **answer})
    story.stray(payload={"jsonrpc": "2.0", "method": "notifications/message", "params": answer})
    story.list(tools)
    return story


def judged(story: Story) -> tuple[Outcome, ...]:
    """What the judge says of it."""
    contract = load("mcp")
    import_laws(contract)
    end = Footer(complete=True, events=len(story.events) + 1, calls=story.calls, t=story.now())
    return judge([*story.events, end], contract).outcomes


@bounded
@given(hostile.listings, hostile.answers, hostile.instances)
@example([{"name": "read", "inputSchema": {"type": "object", "required": TWO_DEEP}}], {"result": {}}, {})
@example(
    [{"name": "read", "inputSchema": {"type": "object"}, "outputSchema": {"uniqueItems": True}}],
    {"result": {"content": [], "structuredContent": TWO_DEEP}},
    {},
)
@example([{"name": "read", "inputSchema": {"type": "object", "items": [{"a": [1]}] * 20_000}}], {"result": {}}, {})
def test_every_listing_and_answer_is_judged(tools: list[Json], answer: dict[str, Json], arguments: Json) -> None:
    story = told(tools, answer, arguments)
    with Bounds():
        outcomes = judged(story)
    assert {o.id: o.reason for o in outcomes if o.verdict == "error"} == {}


class Server:
    """Lists these tools and gives calls these answers, one after the other, without a transport."""

    def __init__(self, tools: list[Json], *answers: Mapping[str, Json]) -> None:
        self._tools = tools
        self._answers = cycle(answers)

    def open(self, *_: object, **__: object) -> "Server":
        """It is its own entry point."""
        return self

    async def handle(self, message: Json, notify: object = None) -> Json:
        """One message in, its answer out."""
        if "id" not in message:
            return None
        kept: dict[str, Json] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
        results: dict[str, dict[str, Json]] = {
            "server/discover": {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}},
            "tools/list": {"tools": self._tools},
        }
        found = results.get(message["method"])
        body = {"result": {**kept, **found}} if found is not None else next(self._answers)
        # what came over a wire is nobody else's
        return msgspec.json.decode(msgspec.json.encode({"jsonrpc": "2.0", "id": message["id"], **body}))


def certified(server: Server, run_s: float) -> Report:
    """The report on it, in every form."""
    told_so = {"contract": "mcp", "endpoint": [{"transport": "in-process", "target": "hostile:mcp"}]}
    statement = checked({**told_so, "calls": {"harmless": "all"}, "limits": {"run_timeout_s": run_s}}, "a test")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(target, "entry", lambda _: server)
        return certify(statement, Options(seed=1))


@settings(bounded, max_examples=max(EXAMPLES // 20, 4))
@given(hostile.listings, hostile.answers)
def test_every_server_is_certified(tmp_path_factory, tools: list[Json], answer: dict[str, Json]) -> None:
    report = certified(Server(tools, answer), 6)
    assert {r.id: r.reason for r in report.requirements if r.verdict == "error"} == {}
    folder = tmp_path_factory.mktemp("reports")
    for form in ("terminal", "json", "html", "markdown", "junit"):
        write(report, form, folder / form)


@settings(bounded, max_examples=max(EXAMPLES // 5, 12))
@given(hostile.lifelike, st.lists(hostile.told, min_size=1, max_size=5))
def test_tools_are_reached_by_whatever_names_they_have(tools: list[Json], answers: list[dict[str, Json]]) -> None:
    """What is asked for, answered and refused in words of any language: no stimulus falls over it."""
    report = certified(Server(tools, *answers), 6)
    assert {r.id: r.reason for r in report.requirements if r.verdict == "error"} == {}


@bounded
@given(hostile.objects | hostile.towers | hostile.inputs | hostile.schemas)
@example({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]})
def test_arguments_are_made_for_every_schema_or_it_is_said_why_not(schema: Json) -> None:
    with Bounds():
        found = generated(schema, budget=Budget(steps=20_000))
    assert bool(found.vectors) is not bool(found.why)
    assert not found.vectors or found.vectors[0].valid

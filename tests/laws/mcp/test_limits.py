"""Whatever a server answers, laws end soon: what is too large or too deep is not judged, and it is said so."""

import json
import re
import time

import pytest

from conformance.contract.catalogue import load
from conformance.contracts.mcp.laws import complaints, secrecy
from conformance.judge import alike, insides, tally
from conformance.judge.judge import judge
from conformance.judge.library import import_laws
from conformance.model import verdict
from conformance.model.events import Footer, Json
from conformance.model.verdict import Outcome
from tests.laws.histories import Story
from tests.offline import listening, offline
from tests.unit.test_opinions import addresses, nested

SECONDS = 15.0
"""Of CPU: far beyond what any of it takes, far below what it takes without limits."""
TOOL = {"name": "read", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}


def answered(result: Json, **tool: Json) -> Story:
    """A server that gives one answer to whatever is asked."""
    story = Story("mcp")
    story.list([{**TOOL, **tool}])
    for name in ("read", "no_such_tool", "read", "read"):
        story.request("tools/call", {"name": name, "arguments": {}}, {"jsonrpc": "2.0", "id": ..., "result": result})
    return story


def all_of(story: Story) -> dict[str, Outcome]:
    """Every verdict, in time."""
    contract = load("mcp")
    import_laws(contract)
    end = Footer(complete=True, events=len(story.events) + 1, calls=story.calls, t=story.now())
    began = time.process_time()
    outcomes = judge([*story.events, end], contract).outcomes
    assert time.process_time() - began < SECONDS
    assert {o.id: o.reason for o in outcomes if o.verdict == "error"} == {}
    return {o.id: o for o in outcomes}


def content(value: Json, **more: Json) -> dict[str, Json]:
    return {"resultType": "complete", "content": [], "structuredContent": value, **more}


def failing(text: str) -> dict[str, Json]:
    return {"resultType": "complete", "isError": True, "content": [{"type": "text", "text": text}]}


def test_a_pattern_that_goes_back_is_a_finding() -> None:
    schema = {"type": "object", "properties": {"s": {"type": "string", "pattern": "^(a+)+$"}}}
    outcome = all_of(answered(content({"s": "a" * 45 + "!"}), outputSchema=schema))["MC-CALL-01"]
    assert outcome.verdict == "fail"
    assert "does not match '^(a+)+$'" in outcome.findings[0].saw


def test_a_million_numbers() -> None:
    numbers = list(range(1_000_000))
    schema = {"type": "object", "properties": {"n": {"type": "array", "items": {"type": "number"}}}}
    assert all_of(answered(content({"n": numbers}), outputSchema=schema))["MC-CALL-01"].verdict == "pass"
    schema = {"type": "object", "properties": {"n": {"type": "array", "items": {"type": "string"}}}}
    outcome = all_of(answered(content({"n": numbers}), outputSchema=schema))["MC-CALL-01"]
    assert outcome.verdict == "not_observed"
    assert outcome.reason.startswith("not judged: structuredContent of read (call ")
    assert outcome.reason.endswith("; and 2 more like it")


@pytest.mark.parametrize("value", [["x"] * 1_000_000, [{"a": ["x"]}] * 100_000, {str(n): "x" for n in range(60_000)}])
def test_a_refusal_with_a_million_strings(value: Json) -> None:
    outcomes = all_of(answered(content(value, isError=True)))
    assert outcomes["MC-CALL-06"].reason.startswith("not judged: what read refused arguments with (call ")
    assert outcomes["MC-CALL-08"].reason.startswith("not judged: what read refused with (call ")


def test_what_is_looked_through_first_is_found_however_much_follows() -> None:
    long = "x" * 1_000_000
    assert all_of(answered(failing("cannot open /home/alice/a.db " + long)))["MC-CALL-08"].verdict == "fail"
    assert all_of(answered(failing("Input validation error: " + long)))["MC-CALL-06"].verdict == "warn"
    told = Story("mcp")
    told.call("get", {}, {"a": ["x"] * 500_000, "token": long + "«secret:token of worker»"})
    assert all_of(told)["MC-CALL-08"].verdict == "fail"


@pytest.mark.parametrize("levels", [130, 300, 500, 900])
def test_answers_that_are_deep(levels: int) -> None:
    value = {"d": nested(levels), "at": "2026-11-21"}
    schema = {"type": "object", "properties": {"d": {"type": "array"}}}
    both = {**content(value), "content": [{"type": "text", "text": json.dumps(value)}]}
    outcomes = all_of(answered(both, outputSchema=schema))
    assert outcomes["MC-CALL-01"].verdict == "pass"
    if levels > 200:
        assert "is nested deeper than 200" in outcomes["MC-CALL-02"].reason
    all_of(answered({"resultType": "complete", "content": both["content"]}))


def test_deep_answers_differ_where_they_differ() -> None:
    first, second = nested(300, {"id": 1, "b": 1}), nested(300, {"id": 1, "b": 2})
    assert alike.settled(first) == alike.settled(nested(300, {"id": 1, "b": 1}))
    assert alike.settled(first) != alike.settled(second)


def test_schemas_that_are_odd() -> None:
    deep, wide = nested(400, {}), {"allOf": [{"type": "object"}] * 20_000}
    for schema in (
        deep,
        wide,
        {"type": "object", "required": [deep]},
        {"type": deep},
        {"$ref": "http://[::1"},
        "x" * 10**6,
    ):
        all_of(answered(content({}), inputSchema=schema, outputSchema=schema, annotations=schema))


def test_fifty_thousand_tools() -> None:
    story = Story("mcp")
    for _ in range(2):
        story.list([{**TOOL, "name": f"tool_{n}", "outputSchema": {"type": "object"}} for n in range(50_000)])
    assert all_of(story)["MC-LIST-04"].subjects == 50_000


def test_nothing_is_opened_while_laws_run() -> None:
    all_of(answered(content({"a": 5}), outputSchema={"type": "object", "required": ["b"]}))
    with listening() as (port, heard), offline() as tried:
        for schema in addresses(port):
            for result in (content({"a": 5}), content({"a": "x"}, isError=True), failing("no")):
                outcomes = all_of(answered(result, inputSchema=schema, outputSchema=schema))
                assert not any("FETCHED" in finding.saw for o in outcomes.values() for finding in o.findings)
    assert tried == []
    assert heard == []


REPEATED = {
    "«secret:": "«secret:",
    "line ends": "\n",
    "indented": "\n \t",
    "at": "\n at a a a a ",
    "at, and places": "\n at (/:1a",
    "at, and files": "\n at a(b) in ",
    "at, and no file": "\n at a(",
    "php": "#1 a.php(",
    "file": 'File "',
    "thread": "thread '",
    "goroutine": "goroutine 1 [",
    "digits": "1",
    "instants": "12:00:00.1",
    "folders": "/tmp/",
    "names": "/tmp/a ",
    "drive": "C:\\a\\",
    "drives": "C:\\",
    "words": "a-",
    "quotes": "'a",
    "code": '"code": "',
    "phrases": "expected a, received ",
    "numbers": "longer than 1",
}


@pytest.mark.parametrize("piece", REPEATED.values(), ids=REPEATED.keys())
def test_no_pattern_of_ours_goes_back_over_what_it_took(piece: str) -> None:
    """Ten times the text takes about ten times as long: a hundred times, where a pattern goes back."""
    small, large = piece * (20_000 // len(piece)), piece * (200_000 // len(piece))
    inside = (insides.STACK, insides.PLACE, insides.STATEMENT, insides.TYPE)
    for pattern in (*inside, secrecy.MARKER, complaints.PHRASES, alike.INSTANT):
        assert _took(pattern, large) < 40 * max(_took(pattern, small), 0.002)
    assert _took(verdict._VALUES, piece * (tally.SENTENCE // len(piece))) < 1


def _took(pattern: re.Pattern[str], text: str) -> float:
    """CPU time: the machine may be busy with others."""
    times = []
    for _ in range(3):
        began = time.process_time()
        pattern.findall(text)
        times.append(time.process_time() - began)
    return min(times)


def test_stacks_and_paths_are_still_found_where_they_stand_in_more() -> None:
    noise = "\n at \n #1 x \n File x " * 100
    for trace in (
        "\n    at read (/app/dist/index.js:10:5)",
        "\n   at A.B(String a) in /src/T.cs:line 12",
        "#0 /t.php(12): f()",
    ):
        assert all_of(answered(failing(noise + trace + noise)))["MC-CALL-08"].verdict == "fail"
    assert all_of(answered(failing(noise)))["MC-CALL-08"].verdict == "pass"


def test_arguments_of_which_nothing_can_be_told() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": r"^(a)\1$"}}}
    story = Story("mcp")
    story.list([{**TOOL, "inputSchema": schema}])
    for given in ({"a": "aa"}, {"a": "b"}, {}):
        story.call("read", given, {"at": "noon"})
    outcome = all_of(story)["MC-CALL-04"]
    assert outcome.verdict == "not_observed"
    assert outcome.reason.startswith("not judged: the arguments of read (call 2): the pattern ")

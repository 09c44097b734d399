"""What describe_tools and read_records show: the kit, and the records that were asked for."""

from typing import Any

import pytest

from conformance.contracts.invocation.kit import kit
from conformance.model.events import Json
from tests.laws.invocation.desk import AT, SECRET, Desk, echo, snapshot
from tests.laws.invocation.scenes.scene import GIVEN, PUT, RUN
from tests.laws.invocation.scenes.traces import ASKED

ECHO = "local::kit.echo"


def entry(name: str, **other: Json) -> dict[str, Json]:
    tool = kit()[name]
    return {
        "name": name, "origin": tool.origin, "versions": list(tool.versions), "effect": tool.effect,
        "inputSchema": tool.inputSchema, "outputSchema": tool.outputSchema, "policies": snapshot(name),
        "requiredScopes": list(tool.requiredScopes), "redactionRules": list(tool.redactionRules), **other,
    }  # fmt: skip


def described(*entries: dict[str, Json]) -> Desk:
    desk = Desk()
    desk.call("describe_tools", {}, {"tools": list(entries)}, by="full")
    return desk


def test_the_kit_is_described() -> None:
    outcome = described(*(entry(name) for name in reversed(kit()))).judged("IR-SRV-01")
    assert (outcome.verdict, outcome.breaches) == ("pass", 0)


@pytest.mark.parametrize(
    "other",
    [
        {"origin": None}, {"effect": "NonIdempotentWrite"}, {"versions": ["1.0.0"]}, {"requiredScopes": ["x"]},
        {"inputSchema": None}, {"policies": {}}, {"policies": {**snapshot(ECHO), "timeoutMs": 1}},
        {"policies": {**snapshot(ECHO), "retry": {"maxAttempts": 2}}},
    ],
)  # fmt: skip
def test_a_tool_that_is_described_otherwise_is_found(other: dict[str, Json]) -> None:
    entries = [entry(name, **(other if name == ECHO else {})) for name in kit()]
    assert described(*entries).judged("IR-SRV-01").breaches == 1


@pytest.mark.parametrize(("effects", "breaches"), [((), 1), (("Pure",), 0), (("Pure", "Pure"), 0), (("Pure", "x"), 1)])
def test_each_tool_is_described_and_each_entry_of_it_is_right(effects: tuple[str, ...], breaches: int) -> None:
    entries = [entry(name) for name in kit() if name != ECHO]
    told = described(*entries, *(entry(ECHO, effect=effect) for effect in effects))
    assert told.judged("IR-SRV-01").breaches == breaches


def record(number: int, **other: Json) -> dict[str, Json]:
    return {
        "kind": "event", "id": f"e-{number}", "sequence": number, "at": AT, "tool": ECHO, "correlationId": "c",
        "name": "ToolInvoked", "data": {}, **other,
    }  # fmt: skip


def read(desk: Desk, *records: dict[str, Json], by: str = "full", **filters: Json) -> None:
    desk.call("read_records", {"kind": "event", **filters}, {"records": list(records)}, by=by)


def test_records_are_those_that_were_asked_for() -> None:
    desk = Desk()
    read(desk, record(1), record(5, correlationId="d"), record(9, tool="local::kit.sum"))
    read(desk, record(1), record(9, tool="local::kit.sum"), correlationId="c")
    read(desk, record(1), correlationId="c", tool=ECHO)
    assert desk.judged("IR-SRV-01").verdict == "pass"


@pytest.mark.parametrize(
    ("records", "filters"),
    [
        ([record(1, correlationId="C")], {"correlationId": "c"}),
        ([record(1, tool="local::kit.sum")], {"tool": ECHO}),
        ([record(1, kind="audit")], {}),
        ([record(1), record(1)], {}),
        ([record(2), record(1)], {}),
        ([record(1), record(2, sequence=1)], {}),
        ([record(1, at="yesterday")], {}),
        ([record(1, id="")], {}),
    ],
)
def test_records_that_were_not_asked_for_are_found(records: list[Any], filters: dict[str, Json]) -> None:
    desk = Desk()
    read(desk, *records, **filters)
    assert desk.judged("IR-SRV-01").breaches == 1


def test_what_an_empty_filter_asks_for_is_open() -> None:
    desk = Desk()
    read(desk, record(1), correlationId="")
    assert desk.judged("IR-SRV-01").subjects == 0


def test_a_narrower_reading_shows_what_the_wider_ones_around_it_show() -> None:
    desk = Desk()
    read(desk, record(1), record(2), correlationId="c")
    read(desk, record(1), correlationId="c", tool=ECHO)
    assert desk.judged("IR-SRV-01").breaches == 0
    read(desk, record(2), correlationId="c")
    assert desk.judged("IR-SRV-01").breaches == 1


def test_another_reader_may_be_shown_less() -> None:
    for by, breaches in (("full", 1), ("weak", 0)):
        desk = Desk()
        read(desk, record(1), record(2), correlationId="c")
        read(desk, correlationId="c", tool=ECHO, by=by)
        read(desk, record(1), record(2), correlationId="c")
        assert desk.judged("IR-SRV-01").breaches == breaches, by


def audited(**told: Json) -> Desk:
    desk = Desk()
    call = desk.ok("echo", GIVEN, echo())
    whole = {"invocationId": "i", "status": "Ok", "input": GIVEN, "output": echo()}
    desk.shown("audit", call, {**whole, **told})
    return desk


@pytest.mark.parametrize(
    ("told", "breaches"),
    [
        ({}, 0),
        ({"status": "Error"}, 1),
        ({"input": {"text": "y"}}, 1),
        ({"output": {"text": "***"}}, 1),
        ({"output": "[redacted]"}, 0),
    ],
)
def test_the_ledger_agrees_with_the_result(told: dict[str, Json], breaches: int) -> None:
    assert audited(**told).judged("IR-SRV-01").breaches == breaches


def test_the_ledger_has_the_code_of_the_result() -> None:
    for code, breaches in (("SchemaInvalid", 0), ("Unhandled", 1)):
        desk = Desk()
        call = desk.no("echo", {"text": 5}, "SchemaInvalid")
        desk.shown("audit", call, {"invocationId": "i", "status": "Error", "code": code, "input": {"text": 5}})
        assert desk.judged("IR-SRV-01").breaches == breaches, code


def test_an_invocation_has_one_entry_in_the_ledger() -> None:
    desk = Desk()
    call = desk.ok("echo", GIVEN, echo())
    told = {"invocationId": "i", "status": "Ok", "input": GIVEN}
    desk.shown("audit", call, told, told)
    assert desk.judged("IR-SRV-01").breaches == 1


def test_what_a_rule_names_may_be_withheld_from_the_ledger_in_another_way() -> None:
    given, whole = {"name": "Ann", "password": SECRET}, {"name": "Ann", "ssn": "***", "tokens": [{"value": "***"}]}
    for kept, breaches in (
        ({"name": "Ann", "tokens": [{}]}, 0),
        ({"name": "Ann", "tokens": [{"value": None}]}, 0),
        ({"name": "Bob", "tokens": [{}]}, 1),
    ):
        desk = Desk()
        call = desk.ok("person", given, whole)
        told = {"invocationId": "i", "status": "Ok", "input": {"name": "Ann"}, "output": kept}
        desk.shown("audit", call, told, tool="person")
        assert desk.judged("IR-SRV-01").breaches == breaches, kept


@pytest.mark.parametrize(
    ("tool", "given", "code", "breaches"),
    [
        ("wait", {"ms": 600}, "Timeout", 0),
        ("bad_output", {"text": "x"}, "SchemaInvalid", 0),
        ("unserialisable", {"text": "x"}, "SerializationFailed", 0),
        ("fault", {"secret": "x"}, "Unhandled", 1),
        ("echo", {"text": 5}, "SchemaInvalid", 1),
        ("fragile", {"fail": True}, "DownstreamFailed", 1),
    ],
)
def test_only_a_tool_that_came_to_its_end_succeeded(tool: str, given: Json, code: str, breaches: int) -> None:
    """It may have: too late, or with an output that is no use."""
    desk = Desk()
    call = desk.no(tool, given, code, took=310 if code == "Timeout" else 0)
    desk.shown("event", call, {"name": "ToolSucceeded", "data": {}}, tool=tool)
    assert desk.judged("IR-SRV-01").breaches == breaches


def test_a_refusal_after_resolution_tells_the_version() -> None:
    for version, breaches in (("1.0.0", 0), ("unresolved", 0), ("9.0.0", 1), ("^1.0.0", 1), (None, 1)):
        desk = Desk()
        desk.ok("sum", {"a": 1, "b": 2}, {"sum": 3})
        desk.no("sum", {"a": 1, "b": "x"}, "SchemaInvalid", versionRange="1.0.0", result={"resolvedVersion": version})
        assert desk.judged("IR-RES-07").breaches == breaches, version


def test_a_failure_tells_the_version_that_ran() -> None:
    for version, breaches in (("1.0.0", 0), ("unresolved", 1)):
        desk = Desk()
        desk.ok("fragile", {"fail": False}, {"ok": True})
        desk.no("fragile", {"fail": True}, "DownstreamFailed", result={"resolvedVersion": version})
        assert desk.judged("IR-RES-07").breaches == breaches, version


def test_null_may_stand_for_what_is_absent_where_the_server_declares_it() -> None:
    schema = {"type": "object", "properties": {"nextToken": {"type": ["string", "null"]}}}
    for declared, breaches in ((schema, 0), (kit()["local::kit.list"].outputSchema, 1)):
        desk = described(entry("local::kit.list", outputSchema=declared))
        desk.ok("list", {}, {"items": ["a"], "nextToken": None})
        assert desk.judged("IR-RES-11").breaches == breaches


def test_input_that_breaks_the_described_schema_is_not_served() -> None:
    for rule, breaches in (({"maxLength": 0}, 1), ({"format": "email"}, 0)):
        desk = described(entry(ECHO, inputSchema={"properties": {"text": rule}}))
        desk.ok("echo", GIVEN, echo())
        assert desk.judged("IR-INV-03").breaches == breaches, rule


def test_a_format_is_no_rule_of_the_output() -> None:
    for rule, breaches in (({"maxLength": 0}, 1), ({"format": "email"}, 0)):
        desk = described(entry(ECHO, outputSchema={"properties": {"text": rule}}))
        desk.ok("echo", GIVEN, echo())
        assert desk.judged("IR-RES-11").breaches == breaches, rule


def test_a_cache_may_stand_before_the_circuit() -> None:
    desk = Desk()
    for runs in ([RUN], []):
        call = desk.ok("fragile", {"fail": False}, {"ok": True})
        desk.t += 2_000_000
        desk.shown("execution", call, *runs, tool="fragile")
    for _ in range(3):
        desk.no("fragile", {"fail": True}, "DownstreamFailed", tenant="other")
    desk.ok("fragile", {"fail": False}, {"ok": True}, tenant="other")
    desk.no("fragile", {"fail": True}, "CircuitOpen", tenant="other")
    outcome = desk.judged("IR-ERR-CircuitOpen")
    assert (outcome.verdict, outcome.subjects) == ("pass", 1)
    desk.no("fragile", {"fail": True}, "DownstreamFailed", tenant="other")
    assert desk.judged("IR-ERR-CircuitOpen").breaches == 1


def test_a_write_under_a_new_key_is_executed() -> None:
    """Its record may come after the answer, but not for ever."""
    for given in ({**PUT, "key": "other"}, PUT):
        for runs, later, breaches in (([RUN], 0, 0), ([], 100_000, 0), ([], 1_600_000, 1)):
            desk = Desk()
            first = desk.ok("put", PUT, {**PUT, "writes": 1})
            desk.shown("execution", first, RUN, tool="put")
            call = desk.ok("put", given, {**given, "writes": 2})
            desk.t += later
            desk.shown("execution", call, *runs, tool="put")
            assert desk.judged("IR-CACHE-01").breaches == breaches, (given, runs, later)


def test_an_execution_that_is_recorded_later_is_no_answer_from_a_cache() -> None:
    for later, breaches in ((0, 0), (2_000_000, 1)):
        desk = Desk()
        for text, runs in (("a", [RUN]), ("b", [])):
            call = desk.ok("echo", {"text": text}, echo(text))
            desk.t += later
            desk.shown("execution", call, *runs)
        assert desk.judged("IR-CACHE-02").breaches == breaches


def test_attempts_that_are_recorded_later_were_made() -> None:
    for later, breaches in ((0, 0), (2_000_000, 1)):
        desk = Desk()
        given = {**PUT, "failures": 1}
        call = desk.ok("flaky_put", given, {**PUT, "writes": 1}, result={"attempts": 2})
        desk.t += later
        desk.shown("execution", call, {"version": "1.0.0", "attempt": 1}, tool="flaky_put")
        assert desk.judged("IR-INV-11").breaches == breaches


def test_nothing_tells_that_a_refused_call_did_not_run_until_its_execution_had_to_be_there() -> None:
    for later, subjects in ((0, 1), (2_000_000, 2)):
        desk = Desk()
        first = desk.ok("echo", GIVEN, echo())
        desk.shown("execution", first, RUN)
        call = desk.no("echo", {"text": 5}, "SchemaInvalid")
        desk.t += later
        desk.shown("execution", call)
        assert desk.judged("IR-INV-03").subjects == subjects


def test_a_key_of_another_tool_may_be_refused() -> None:
    desk = Desk()
    desk.ok("put", PUT, {**PUT, "writes": 1}, idempotencyKey="k")
    desk.no("guarded", PUT, "IdempotencyConflict", idempotencyKey="k")
    assert desk.judged("IR-SRV-01").breaches == 0


def test_an_operation_that_was_never_started_has_no_status() -> None:
    for name, breaches in (("o-1", 0), ("o-2", 1)):
        desk = Desk()
        desk.ok("start_job", {"ms": 0}, {"operationId": "o-1"})
        desk.ok("job_status", {"operationId": name}, {"operationId": name, "state": "succeeded"})
        assert desk.judged("IR-PAGE-02").breaches == breaches, name


def test_an_operation_may_have_been_started_by_a_call_whose_answer_was_lost() -> None:
    desk = Desk()
    desk.ok("start_job", {"ms": 0}, {"operationId": "o-1"})
    given = {"toolName": "local::kit.start_job", "input": {"ms": 0}, "correlationId": "c", "headers": {"tenant": "t"}}
    desk.lost("invoke", given, "time", by="full")
    desk.ok("job_status", {"operationId": "o-2"}, {"operationId": "o-2", "state": "succeeded"})
    assert desk.judged("IR-PAGE-02").breaches == 0


def test_the_limiter_is_no_other_tool() -> None:
    for scope, breaches in (("local::kit.limited", 0), ("kit-limited", 0), ("local::kit.sum", 1)):
        desk = Desk()
        details = {"retryAfterMs": 1, "throttlingScope": scope}
        desk.no("limited", {"text": "x"}, "RateLimited", error={"details": details})
        assert desk.judged("IR-HINT-02").breaches == breaches, scope


def test_a_long_stream_takes_its_time() -> None:
    for told, breaches in ((200, 0), (150, 0), (1, 1)):
        desk = Desk()
        desk.ok("stream", {"frames": 100}, {"frames": 100}, took=210, meta=ASKED, result={"durationMs": told})
        assert desk.judged("IR-RES-05").breaches == breaches, told


def test_the_code_of_a_failure_downstream_is_a_symbol() -> None:
    for code, breaches in (("UPSTREAM_503", 0), ("upstream.503", 0), ("the upstream failed", 1)):
        desk = Desk()
        desk.no("mcp::kit::fail", {"code": "X"}, code)
        assert desk.judged("IR-ERR-02").breaches == breaches, code


def test_an_operation_that_begins_when_its_call_ends_is_not_answered_at_once() -> None:
    for took, breaches in ((700, 1), (100, 0)):
        desk = Desk()
        for name in ("o-1", "o-2"):
            desk.ok("start_job", {"ms": 700}, {"operationId": name}, took=took)
            desk.ok("job_status", {"operationId": name}, {"operationId": name, "state": "running"})
        desk.ok("start_job", {"ms": 0}, {"operationId": "o-3"}, took=1)
        assert desk.judged("IR-PAGE-02").breaches == breaches, took


def test_a_bad_output_is_not_made_good() -> None:
    desk = Desk()
    desk.ok("echo", GIVEN, echo())
    desk.no("bad_output", GIVEN, "SchemaInvalid")
    assert desk.judged("IR-RES-11").breaches == 0
    desk.ok("bad_output", GIVEN, {"count": 0})
    assert desk.judged("IR-RES-11").breaches == 1

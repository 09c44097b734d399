"""What the contract leaves open is no finding, and what looks like it is one."""

import pytest

from conformance.model.events import Json, Message
from tests.laws.invocation.desk import FAR, PAST, Desk, echo, snapshot
from tests.laws.invocation.scenes.scene import GIVEN, ITEM, PUT, RUN
from tests.laws.invocation.scenes.traces import ASKED

ITEMS = ["one", "two"]


def test_a_page_token_may_be_another_each_time() -> None:
    desk = Desk()
    desk.ok("list", {"pageSize": 2}, {"items": ITEMS, "nextToken": "a7f0"})
    desk.ok("list", {"pageSize": 2}, {"items": ITEMS, "nextToken": "03c9"}, metadata={"ticket": "T-1"})
    outcome = desk.judged("IR-INV-08")
    assert (outcome.verdict, outcome.subjects) == ("pass", 1)


def test_a_page_token_that_is_gone_with_metadata_is_found() -> None:
    desk = Desk()
    desk.ok("list", {"pageSize": 2}, {"items": ITEMS, "nextToken": "a7f0"})
    desk.ok("list", {"pageSize": 2}, {"items": ITEMS}, metadata={"ticket": "T-1"})
    assert desk.judged("IR-INV-08").breaches == 1


@pytest.mark.parametrize(
    ("fields", "code", "verdict"),
    [
        ({"versionRange": "example"}, "UnsupportedVersion", "not_observed"),
        ({"deadline": PAST}, "Timeout", "not_observed"),
        ({"versionRange": "1.x"}, "UnsupportedVersion", "not_observed"),
        ({}, "SchemaInvalid", "warn"),
    ],
)
def test_a_page_that_is_refused_for_another_fault_is_no_lost_page(
    fields: dict[str, Json], code: str, verdict: str
) -> None:
    desk = Desk()
    desk.ok("list", {"pageSize": 2}, {"items": ITEMS, "nextToken": "a7f0"})
    desk.no("list", {"pageSize": 2, "pageToken": "a7f0"}, code, **fields)
    assert desk.judged("IR-PAGE-01").verdict == verdict


@pytest.mark.parametrize(
    ("name", "code", "verdict"),
    [
        ("local::kit.no_such_tool", "ToolNotFound", "pass"),
        ("local::kit.no_such_tool", "SchemaInvalid", "fail"),
        ("mcp::noserver::issues.create", "SchemaInvalid", "fail"),
        ("local::kit.ECHO", "SchemaInvalid", "not_observed"),
        ("local::Kit.echo", "SchemaInvalid", "not_observed"),
        ("local::kit.no-such", "SchemaInvalid", "not_observed"),
        ("local::kit.ECHO", "RateLimited", "fail"),
    ],
)
def test_of_which_characters_names_are_made_is_the_server_s_to_say(name: str, code: str, verdict: str) -> None:
    desk = Desk()
    desk.ok("echo", GIVEN, echo())
    desk.no(name, GIVEN, code)
    assert desk.judged("IR-ERR-ToolNotFound").verdict == verdict


def test_records_may_come_after_the_answer() -> None:
    desk = Desk()
    call = desk.ok("echo", GIVEN, echo(), metadata={"ticket": "T-1"})
    desk.shown("execution", call, RUN)
    for kind in ("event", "audit", "span"):
        desk.shown(kind, call)
    for requirement in ("IR-COR-02", "IR-COR-04", "IR-INV-08"):
        assert desk.judged(requirement).subjects == 0, requirement
    desk.t += 2_000_000
    for kind in ("event", "audit", "span"):
        desk.shown(kind, call)
    for requirement in ("IR-COR-02", "IR-COR-04", "IR-INV-08"):
        assert desk.judged(requirement).breaches > 0, requirement


def test_an_answer_from_a_cache_may_have_no_event() -> None:
    desk = Desk()
    for runs in ([RUN], []):
        call = desk.ok("echo", GIVEN, echo())
        desk.t += 2_000_000
        desk.shown("execution", call, *runs)
        desk.shown("event", call, *({"name": "ToolSucceeded"} for _ in runs))
        desk.shown("audit", call, {"status": "Ok"})
    outcome = desk.judged("IR-COR-02")
    assert (outcome.verdict, outcome.subjects) == ("pass", 3)


def test_a_deadline_beyond_the_timeout_may_be_refused() -> None:
    desk = Desk()
    desk.ok("echo", GIVEN, echo())
    desk.no("echo", GIVEN, "SchemaInvalid", deadline=FAR)
    desk.ok("wait", {"ms": 1}, {"waited": 1})
    desk.no("wait", {"ms": 2000}, "Timeout", took=300)
    desk.no("wait", {"ms": 2000}, "SchemaInvalid", deadline=FAR)
    for requirement in ("IR-SRV-01", "IR-ERR-02", "IR-ERR-Timeout", "IR-INV-07"):
        assert desk.judged(requirement).breaches == 0, requirement


def test_a_deadline_beyond_the_timeout_fails_otherwise_in_no_way() -> None:
    desk = Desk()
    desk.ok("echo", GIVEN, echo())
    desk.no("echo", GIVEN, "Unhandled", deadline=FAR)
    assert desk.judged("IR-SRV-01").breaches == 1


def test_a_refusal_for_another_fault_does_not_say_that_resolution_failed() -> None:
    desk = Desk()
    desk.ok("guarded", PUT, {**PUT, "writes": 1})
    for code, subjects in (("Forbidden", 1), ("UnsupportedVersion", 2)):
        desk.no("guarded", PUT, code, by="weak", versionRange="^9.0.0", result={"resolvedVersion": "1.0.0"})
        assert desk.judged("IR-RES-07").subjects == subjects
    assert desk.judged("IR-RES-07").breaches == 1


def test_a_token_for_another_audience_is_a_bad_one() -> None:
    desk = Desk()
    desk.credential("foreign", "caller", defect="audience", scopes=["kit.write"])
    desk.ok("guarded", PUT, {**PUT, "writes": 1})
    desk.ok("guarded", PUT, {**PUT, "writes": 2}, by="foreign")
    assert desk.judged("IR-ERR-Unauthenticated").breaches == 1


def test_what_ran_beyond_its_deadline_is_not_to_be_repeated() -> None:
    for runs, again, breaches in (([RUN], False, 0), ([], True, 0), ([RUN], True, 1), ([], False, 1)):
        desk = Desk()
        call = desk.no("append", ITEM, "Timeout", deadline=PAST, error={"isRetryable": again})
        assert desk.judged("IR-ERR-04").breaches == 0
        if not runs:
            desk.shown("execution", call, tool="append")
            assert desk.judged("IR-ERR-04").breaches == 0
            desk.t += 2_000_000
        desk.shown("execution", call, *runs, tool="append")
        assert desk.judged("IR-ERR-04").breaches == breaches


def test_a_limit_that_is_looked_at_first_is_no_other_code_of_the_same_failure() -> None:
    desk = Desk()
    desk.ok("guarded", PUT, {**PUT, "writes": 1}, tenant="other")
    for code in ("Forbidden", "RateLimited", "SchemaInvalid"):
        desk.no("guarded", PUT, code, by="weak")
    assert [finding.got for finding in desk.judged("IR-ERR-02").findings] == ["SchemaInvalid"]


def test_what_an_open_circuit_refuses_does_not_show_it_closed() -> None:
    for state, breaches in (("open", 0), ("half-open", 0), ("closed", 1)):
        desk = Desk()
        for _ in range(3):
            desk.no("fragile", {"fail": True}, "DownstreamFailed")
        shown = {**snapshot("local::kit.fragile"), "circuitState": state}
        desk.no("fragile", {"fail": False}, "CircuitOpen", result={"policySnapshot": shown})
        assert desk.judged("IR-RES-08").breaches == breaches


def test_a_stream_that_was_made_before_may_come_from_a_cache() -> None:
    desk = Desk()
    for number in range(2):
        desk.together()
        call = desk.ok("stream", {"frames": 1}, {"frames": 1}, meta=ASKED)
        if not number:
            desk.frame(call, correlationId=f"c-{call}", sequence=1, event="partial", data={})
        desk.settle()
    outcome = desk.judged("IR-STR-01")
    assert (outcome.verdict, outcome.subjects) == ("pass", 1)
    desk.ok("stream", {"frames": 2}, {"frames": 2}, meta=ASKED)
    assert desk.judged("IR-STR-01").breaches == 1


def test_frames_of_unknown_ids_are_not_looked_for() -> None:
    desk = Desk()
    desk.ok("echo", GIVEN, echo(), result={"correlationId": "another"})
    desk.ok("stream", {"frames": 2}, {"frames": 2}, meta=ASKED, without=("correlationId",))
    assert desk.judged("IR-STR-01").subjects == 0


def test_frames_under_an_id_of_no_call_are_a_matter_of_their_ids() -> None:
    desk = Desk()
    desk.together()
    ask = desk.ok("stream", {"frames": 1}, {"frames": 1}, meta=ASKED)
    frame = {"correlationId": "session-7", "sequence": 1, "event": "partial", "data": {}}
    message = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": frame}}
    desk.events.append(Message(connection="c1", direction="in", payload=message, t=desk.now()))
    desk.settle()
    assert ask
    assert desk.judged("IR-STR-01").subjects == 0
    assert desk.judged("IR-STR-02").breaches == 1


def test_a_server_behind_may_be_answered_for_by_a_cache() -> None:
    desk = Desk()
    heard: dict[str, Json] = {"text": "x", "correlationId": "c-1"}
    desk.ok("mcp::kit::echo", GIVEN, heard)
    desk.ok("mcp::kit::echo", GIVEN, heard, metadata={"ticket": "T-1"})
    assert desk.judged("IR-COR-02").breaches == 0
    assert desk.judged("IR-INV-08").breaches == 0
    desk.ok("mcp::kit::echo", {"text": "y"}, {**heard, "text": "y"})
    assert desk.judged("IR-COR-02").breaches == 1


def test_whether_an_answer_from_a_cache_ends_a_row_of_failures_is_open() -> None:
    for runs, breaches in (([RUN], 1), ([], 0)):
        desk = Desk()
        for fail in (False, True, True, False):
            if fail:
                desk.no("fragile", {"fail": True}, "DownstreamFailed")
                continue
            last = desk.ok("fragile", {"fail": False}, {"ok": True})
        desk.no("fragile", {"fail": True}, "CircuitOpen")
        desk.t += 2_000_000
        for call, shown in ((1, [RUN]), (last, runs)):
            desk.shown("execution", call, *shown, tool="fragile")
        assert desk.judged("IR-ERR-DownstreamFailed").breaches == breaches


def paged(*, taken: bool = True, **settings: Json) -> Desk:
    desk = Desk(**settings)
    desk.ok("list", {"pageSize": 2}, {"items": ITEMS, "nextToken": "a7f0"})
    if taken:
        desk.ok("list", {"pageSize": 2, "pageToken": "a7f0"}, {"items": ITEMS})
    return desk


def test_a_page_token_that_no_page_gave_is_invalid() -> None:
    requirement = "IR-ERR-SchemaInvalid"
    desk = paged()
    assert desk.judged(requirement).subjects == 0
    desk.no("list", {"pageToken": "none-1"}, "SchemaInvalid")
    assert (desk.judged(requirement).verdict, desk.judged(requirement).subjects) == ("pass", 1)
    for spoil in (
        lambda it: it.ok("list", {"pageToken": "none-1"}, {"items": ITEMS}),
        lambda it: it.no("list", {"pageToken": "none-1"}, "Unhandled"),
    ):
        desk = paged()
        spoil(desk)
        assert (desk.judged(requirement).verdict, desk.judged(requirement).breaches) == ("fail", 1)


def test_a_page_token_that_a_page_may_have_given_tells_nothing() -> None:
    requirement = "IR-ERR-SchemaInvalid"
    for token in ("7", "", "a7f0", ["none-1"]):
        desk = paged()
        desk.ok("list", {"pageToken": token}, {"items": ITEMS})
        assert desk.judged(requirement).subjects == 0, token
    desk = paged(taken=False)
    desk.no("list", {"pageToken": "none-1"}, "Unhandled")
    assert desk.judged(requirement).subjects == 0
    desk = paged()
    inner = {"status": "Ok", "output": {"items": ITEMS, "nextToken": "b801"}}
    desk.ok("relay", {"tool": "local::kit.list", "input": {}}, {"result": inner})
    desk.ok("list", {"pageToken": "b801"}, {"items": ITEMS})
    assert desk.judged(requirement).subjects == 0


def test_metadata_of_a_failure_is_in_the_record_that_it_has() -> None:
    told = {"ticket": "T-1"}
    for entries, breaches in (([], 0), ([{"metadata": told}], 0), ([{}], 1)):
        desk = Desk()
        call = desk.no("fault", {"secret": "s"}, "Unhandled", metadata=told)
        desk.t += 2_000_000
        audits = [{"status": "Error", "code": "Unhandled", **entry} for entry in entries]
        desk.shown("audit", call, *audits, tool="fault")
        assert desk.judged("IR-INV-08").breaches == breaches, entries


def test_a_stream_that_fails_sends_what_comes_before() -> None:
    for sent, breaches in ((2, 0), (0, 1)):
        desk = Desk()
        desk.together()
        call = desk.no("stream", {"frames": 5, "failAt": 3}, "DownstreamFailed", meta=ASKED)
        for number in range(1, sent + 1):
            desk.frame(call, correlationId=f"c-{call}", sequence=number, event="partial", data={})
        desk.settle()
        assert desk.judged("IR-STR-01").breaches == breaches


def test_what_began_after_its_deadline_by_the_servers_own_clock_is_found() -> None:
    deadline = "2026-11-21T11:59:58.5Z"
    for began, breaches in (("2026-11-21T12:00:00Z", 1), ("2026-11-21T11:59:58Z", 0)):
        desk = Desk()
        call = desk.ok("echo", GIVEN, echo(), deadline=deadline)
        desk.shown("execution", call, {**RUN, "at": began})
        assert desk.judged("IR-INV-07").breaches == breaches, began


def test_null_for_a_field_that_may_be_left_out_is_the_servers_own_to_say() -> None:
    for schema, breaches in (({"type": ["string", "null"]}, 0), ({"type": "string"}, 1)):
        desk = Desk()
        described = {"name": "local::kit.list", "inputSchema": {"type": "object", "properties": {"pageToken": schema}}}
        desk.call("describe_tools", {}, {"tools": [described]})
        desk.ok("list", {"pageToken": None}, {"items": []})
        assert bool(desk.judged("IR-INV-03").breaches) is bool(breaches), schema


@pytest.mark.parametrize("key", [5, None, ["k"]])
def test_a_key_of_another_type_is_no_missing_key(key: Json) -> None:
    desk = Desk()
    desk.ok("put", PUT, {**PUT, "writes": 1})
    desk.ok("put", PUT, {**PUT, "writes": 2}, idempotencyKey=key)
    assert desk.judged("IR-INV-04").subjects == 0


def test_a_write_without_its_key_does_not_run() -> None:
    for runs, breaches in (([], 0), ([RUN], 1)):
        desk = Desk()
        served = desk.ok("put", PUT, {**PUT, "writes": 1})
        desk.shown("execution", served, RUN, tool="put")
        call = desk.no("put", PUT, "MissingField", without=("idempotencyKey",))
        desk.t += 2_000_000
        desk.shown("execution", call, *runs, tool="put")
        assert desk.judged("IR-INV-04").breaches == breaches


@pytest.mark.parametrize(
    ("tool", "given", "first", "then", "breaches"),
    [
        ("echo", GIVEN, echo(), echo("y"), 1),
        ("costly", {"units": 1}, {"left": 99}, {"left": 98}, 0),
        ("read_list", {"list": "a"}, {"items": []}, {"items": ["x"]}, 0),
        ("job_status", {"operationId": "o"}, {"state": "running"}, {"state": "succeeded"}, 0),
    ],
)
def test_metadata_changes_no_result_that_the_input_alone_tells(
    tool: str, given: dict[str, Json], first: dict[str, Json], then: dict[str, Json], breaches: int
) -> None:
    desk = Desk()
    desk.ok(tool, given, first)
    desk.ok(tool, given, then, metadata={"remark": "x"})
    assert desk.judged("IR-INV-08").breaches == breaches

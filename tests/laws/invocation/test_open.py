"""What the contract leaves open is no finding."""

from tests.laws.invocation.desk import FAR, Desk, echo
from tests.laws.invocation.scenes.scene import GIVEN, RUN

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


def test_records_may_come_after_the_answer() -> None:
    desk = Desk()
    call = desk.ok("echo", GIVEN, echo(), metadata={"ticket": "T-1"})
    desk.shown("execution", call, RUN)
    for kind in ("event", "audit", "span"):
        desk.shown(kind, call)
    for requirement in ("IR-COR-02", "IR-COR-04", "IR-INV-08"):
        assert desk.judged(requirement).subjects == 0, requirement
    desk.t += 1_000_000
    for kind in ("event", "audit", "span"):
        desk.shown(kind, call)
    for requirement in ("IR-COR-02", "IR-COR-04", "IR-INV-08"):
        assert desk.judged(requirement).breaches > 0, requirement


def test_an_answer_from_a_cache_may_have_no_event() -> None:
    desk = Desk()
    for runs in ([RUN], []):
        call = desk.ok("echo", GIVEN, echo())
        desk.t += 1_000_000
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

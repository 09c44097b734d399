"""Who stands between acts alike over every transport; the record has what the suite said and heard."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance.certify import Options, certify
from conformance.contract.catalogue import load
from conformance.drive.loading import checked
from conformance.drive.target import entry
from conformance.model.events import Message
from conformance.model.transcript import read
from conformance.model.verdict import Verdict
from conformance.prove.proxy import answers as a
from conformance.prove.proxy.breakage import Breakage, Proxy, Sampler, World
from conformance.prove.proxy.keys import Forgets
from conformance.report.model import Report

PLAIN = "/v1"
TRANSPORTS = ["in-process", "stdio", "http", f"http{PLAIN}"]
KEY = "@/idempotency_key"


def certified(transport: str, between: Any, only: str, file: Path | None = None) -> Report:
    stated = entry("reference").statement("threads", transport=transport.removesuffix(PLAIN))
    if transport.endswith(PLAIN):
        # the server is started for the endpoint that is listed first: here the other stays unused
        command, plain = stated["endpoint"]
        stated["endpoint"] = [{**command, **plain}]
    statement = checked(stated, "the reference")
    return certify(statement, Options(only=[only], seed=1, between=between, transcript=file))


def verdict(report: Report, identifier: str) -> Verdict:
    return next(result.verdict for result in report.requirements if result.id == identifier)


@pytest.mark.parametrize(
    ("transport", "make", "broken"),
    [
        # isError is of MCP alone
        *((each, lambda: a.Flags("", (), refusals=True), "TH-ENV-04") for each in TRANSPORTS[:-1]),
        *((each, lambda: Forgets("", "post_message", KEY, besides=False), "TH-IDEM-01") for each in TRANSPORTS),
        *((each, lambda: Forgets("", "post_message", KEY, besides=True), "TH-IDEM-02") for each in TRANSPORTS),
    ],
)
def test_a_breakage_is_noticed(transport: str, make: Callable[[], Breakage], broken: str, tmp_path: Path) -> None:
    contract, file = load("threads"), tmp_path / "run.jsonl"
    sampler = Sampler(contract)
    assert verdict(certified(transport, sampler, broken, file), broken) is Verdict.PASS
    assert sampler.samples.successes
    breakage = make()
    proxy = Proxy(breakage, World(contract, sampler.samples))
    assert verdict(certified(transport, proxy, broken, file), broken) in (Verdict.FAIL, Verdict.WARN)
    assert breakage.acted
    calls = [event for event in read(file) if isinstance(event, Message) and event.direction == "out"]
    assert all(call.payload.get("id", 0) < 1_000_000_000 for call in calls), (
        "what the suite never said is not on record"
    )

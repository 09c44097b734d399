"""Tool Manifest of the Session 05 contract: what a tool declares to need is what it fails without, and nothing else."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.declared import declared
from conformance.contracts.tuitbot.gate import UNGATED_PROFILES, let_through
from conformance.contracts.tuitbot.known import known
from conformance.contracts.tuitbot.manifest import entry
from conformance.judge.faults import declined
from conformance.judge.judgements import holds, told
from conformance.judge.law import law
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

AWAY: dict[str, Json] = {"x_client": False, "llm": False, "database": "failing"}
"""The conditions that take a dependency away."""
GATED_CODES = ("db_error", "policy_error")
"""With these a gated tool is refused while the database fails: the gate cannot be asked."""


class Likes(NamedTuple):
    """A call that succeeds, and calls like it without one of the dependencies."""

    succeeding: Exchange
    without: dict[str, Exchange]


@once
def _likes(history: History, contract: Contract) -> list[Likes]:
    """Calls of one tool in one profile that a stimulus labelled alike."""
    groups: dict[tuple[str, str | None, str, str], list[Exchange]] = defaultdict(list)
    for call in history.calls():
        if call.label:
            groups[call.stimulus, call.profile, call.label, str(call.tool)].append(call)
    run = known(history, contract)
    away = {name: {call.call for call in run.under(name, value)} for name, value in AWAY.items()}
    found = []
    for calls in groups.values():
        succeeding = next((c for c in calls if run.untroubled(c) and not c.conditions and let_through(c)), None)
        answered = [call for call in calls if call.accepted or declined(call)]
        first = {name: next((c for c in answered if c.call in numbers), None) for name, numbers in away.items()}
        if succeeding is not None:
            found.append(Likes(succeeding, {name: call for name, call in first.items() if call is not None}))
    return found


def _judged(history: History, contract: Contract, condition: str, flag: str, lacking: str) -> Iterator[Judgement]:
    """A tool that succeeds is refused without the dependency exactly where it declares to need it."""
    found = declared(history, contract)
    for succeeding, without in _likes(history, contract):
        if condition == "database" and succeeding.profile in UNGATED_PROFILES:
            continue  # they have none
        call, needed = without.get(condition), found.flag(succeeding.tool, flag)
        if call is not None and needed is not None:
            saw = f"{call.tool}, of which the manifest says {flag} {needed}, ended {lacking} as {told(call)}"
            yield holds(call.refused == needed, saw, succeeding, call, expected=needed, got=call.refused)


@law("TB-MAN-07")
def an_x_client_is_needed_where_declared(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call that succeeds is refused without an X client exactly where its tool declares requires_x_client."""
    return _judged(history, contract, "x_client", "requires_x_client", "without an X client")


@law("TB-MAN-08")
def an_llm_is_needed_where_declared(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call that succeeds is refused without an LLM exactly where its tool declares requires_llm."""
    return _judged(history, contract, "llm", "requires_llm", "without an LLM")


@law("TB-MAN-09")
def the_database_is_needed_where_declared(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call that succeeds is refused while the database fails exactly where its tool declares requires_db."""
    yield from _judged(history, contract, "database", "requires_db", "while the database failed")
    for _, without in _likes(history, contract):
        call = without.get("database")
        about = entry(call, contract) if call is not None else None
        if call is None or about is None or not about.gated or call.profile in UNGATED_PROFILES or call.code is None:
            continue
        saw = f"{call.tool}, which asks the gate first, was {told(call)} while the database failed"
        ok = call.code in GATED_CODES
        yield holds(ok, saw, call, pointer="/error/code", expected=list(GATED_CODES), got=call.code)

"""How much of each tool a run exercised."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from msgspec import Struct

from conformance.contract.catalogue import Contract, requirement
from conformance.model.ending import reason, told
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.listed import ListedTool, may_call, tools_of
from conformance.model.verdict import Outcome
from conformance.report.model import Refusal, ToolUse

HARMLESS = ("all", "read-only", "none")
"""Words that may stand beside names of tools."""
DISGUISED = "answered with a failure, without isError"
MOST_REFUSALS = 3
MOST_ARGUMENTS = 8


class Reach(NamedTuple):
    """How many of the tools that a claim is about accepted a call."""

    accepted: int = 0
    tools: int = 0
    wanted: float = 0
    """Percent of the tools. Where fewer accepted a call, the run is inconclusive."""

    @property
    def short(self) -> bool:
        """Whether fewer accepted a call than the statement wants."""
        return self.accepted * 100 < self.wanted * self.tools


def reach(history: History, contract: Contract, uses: Sequence[ToolUse]) -> Reach:
    """A contract's claim is about its own tools, that of a contract without any about all that the server lists."""
    own = [use for use in uses if use.listed and (not contract.tools or use.name in contract.tools)]
    wanted = _calls(history).get("min_tools")
    return Reach(sum(use.accepted > 0 for use in own), len(own), wanted if isinstance(wanted, int | float) else 0)


def usage(history: History, contract: Contract, outcomes: Sequence[Outcome] = ()) -> Iterator[ToolUse]:
    """The tools that the server listed and those that the contract has, in this order.

    By the outcomes it is known which calls failed in the form of a success.
    """
    listed: dict[str, ListedTool] = {}
    for listing in history.listings:
        for tool in tools_of(listing):
            listed.setdefault(tool.name, tool)
    calls = _calls(history)
    sweeps = frozenset(stimulus.name for stimulus in history.stimuli if stimulus.sweep)
    harmless, skipped = calls.get("harmless", "read-only"), calls.get("skip") or ()
    disguised = Counter[str]()
    for outcome in outcomes:
        rule = requirement(outcome.id)
        disguised.update(outcome.tools if rule is not None and rule.disguised else {})
    for name in dict.fromkeys((*listed, *contract.tools)):
        allowed = name in contract.tools or (name in listed and may_call(listed[name], harmless))
        about = _About(
            listed.get(name),
            allowed=allowed,
            skipped=name in skipped,
            known=name in contract.tools,
            harmless=harmless,
            sweeps=sweeps,
        )
        yield _use(name, history, about, disguised[name])


def unlisted(history: History, contract: Contract) -> Iterator[str]:
    """Notes on tools that the statement names and nobody knows: what was to be called, or spared, is misspelt."""
    names = {tool.name for listing in history.listings for tool in tools_of(listing)}
    if not names:
        return
    known = (*sorted(names), *contract.tools)
    for place, named in _named(history):
        for name in dict.fromkeys(named):
            if name not in known:
                near = get_close_matches(name, known, n=1)
                hint = f"; did you mean {near[0]}?" if near else ""
                yield f"{place} names {name}, and the server lists no such tool{hint}"


def _named(history: History) -> Iterator[tuple[str, list[str]]]:
    """The tools that the statement names, by where it does."""
    calls = _calls(history)
    harmless, examples = calls.get("harmless"), calls.get("examples")
    yield "[calls] harmless", [name for name in _texts(harmless) if name not in HARMLESS]
    yield "[calls] skip", _texts(calls.get("skip"))
    tools = [each.get("tool") for each in examples if isinstance(each, dict)] if isinstance(examples, list) else []
    yield "[[calls.examples]]", _texts(tools)


def _texts(value: Json) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


class _About(Struct, frozen=True):
    """What is known of a tool besides its calls."""

    tool: ListedTool | None
    """None: it is not listed."""
    allowed: bool
    skipped: bool
    known: bool
    """Whether it is the contract's."""
    harmless: Json
    sweeps: frozenset[str]
    """The run's stimuli that went through every tool."""


def _calls(history: History) -> dict[str, Json]:
    """What the statement says of calls."""
    calls = history.header.statement.get("calls") if history.header is not None else None
    return calls if isinstance(calls, dict) else {}


def _use(name: str, history: History, about: _About, disguised: int) -> ToolUse:
    calls = history.by_tool.get(name, ())
    accepted = sum(call.accepted for call in calls) - disguised
    refused = Counter((told(call), reason(call)) for call in calls if not call.accepted)
    refused.update({(DISGUISED, ""): disguised} if disguised else {})
    return ToolUse(
        name=name,
        listed=about.tool is not None,
        allowed=about.allowed and not about.skipped,
        called=len(calls),
        accepted=accepted,
        swept=sum(call.stimulus in about.sweeps for call in calls),
        refusals=tuple(
            Refusal(ended=ended, message=said, calls=count)
            for (ended, said), count in refused.most_common(MOST_REFUSALS)
        ),
        todo=_todo(name, calls, about) if not accepted else "",
    )


def _todo(name: str, calls: Sequence[Exchange], about: _About) -> str:
    """What to write so that a tool is called, or accepts a call; empty where that is a matter of the contract."""
    if about.skipped:
        return "the statement skips it ([calls] skip, or --skip)"
    if about.tool is None or (about.known and not about.allowed):
        return ""
    if not calls and not about.allowed:
        return _allowing(name, about)
    if not calls or about.known:
        return ""
    if about.tool.as_a_task:
        return "it can be called as a task alone, and the suite makes no tasks"
    return f"give a call that works: {_example(name, calls, about.tool)}"


def _allowing(name: str, about: _About) -> str:
    """How a tool that may not be called is allowed."""
    if about.harmless == "all":
        return (
            "by its name it ends processes of the machine, so that all does not mean it. If it may be called: "
            f'--harmless all,{name}, or [calls] harmless = ["all", {json.dumps(name)}]'
        )
    if isinstance(about.harmless, list):
        return f"if it does no harm, add {json.dumps(name)} to [calls] harmless, or to --harmless"
    return f'if it does no harm: --harmless read-only,{name}, or [calls] harmless = ["read-only", {json.dumps(name)}]'


def _example(name: str, calls: Sequence[Exchange], tool: ListedTool) -> str:
    """An entry of [[calls.examples]] to fill in: with the arguments that the tool requires."""
    schema = tool.input_schema if isinstance(tool.input_schema, dict) else {}
    required = schema.get("required")
    wanted = [each for each in required if isinstance(each, str)] if isinstance(required, list) else []
    tried = calls[0].arguments if isinstance(calls[0].arguments, dict) else {}
    parts = ", ".join(f"{_key(each)} = {_shown(tried.get(each))}" for each in wanted[:MOST_ARGUMENTS])
    return f"[[calls.examples]] tool = {json.dumps(name)}, arguments = {{ {parts or '…'} }}"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)


def _shown(value: Json) -> str:
    """What stands for a value that is to be filled in, by its type."""
    return {bool: "true", int: "1", float: "1.0", list: "[…]", dict: "{ … }"}.get(type(value), '"…"')

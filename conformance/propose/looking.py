"""Inspects a server: its tools, and a call of each that may be called."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from conformance.certify import Options, contract_of, driven
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.reach.search import Search, done
from conformance.contracts.mcp.reach.usual import deed
from conformance.contracts.mcp.samples import Arguments, GoodCall
from conformance.drive.library import import_stimuli
from conformance.drive.statement import Statement
from conformance.model.ending import explained
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.listed import ListedTool, tools_of
from conformance.propose.harm import Look, look

STIMULUS = "mcp.each_tool_is_reached"
FOUND, PROPOSED = "found", "proposed"


class Seen(NamedTuple):
    """What was seen of a tool."""

    tool: ListedTool
    look: Look
    calls: Sequence[Exchange]
    arguments: Arguments | None
    """With placeholders: those that were accepted, else the last that were tried or would be; None: none were found."""
    accepted: bool

    @property
    def good(self) -> Exchange | None:
        """A call that was accepted, rather one whose answer tells of no failure; None where there is none."""
        accepted = [call for call in self.calls if call.accepted]
        return next(filter(done, accepted), next(iter(accepted), None))

    @property
    def refusal(self) -> str:
        """How its last call that was refused ended; empty where none was."""
        return next((explained(call) for call in reversed(self.calls) if not call.accepted), "")


class Looked(NamedTuple):
    """What was seen of a server."""

    server: dict[str, Any]
    revisions: tuple[str, ...]
    tools: list[Seen]


def looked(statement: Statement, options: Options) -> Looked:
    """Calls what the statement lets be called, each tool until it accepts one; UsageError where no server answers."""
    contract = contract_of(statement.contract)
    plan = next(plan for plan in import_stimuli(contract) if plan.name == STIMULUS)
    kept: dict[str, Any] = {}
    recorder = driven(statement, contract, [replace(plan, run=_look)], options, kept)
    history = History.of(recorder.events())
    listed = {tool.name: tool for listing in history.listings for tool in tools_of(listing)}
    good: dict[str, GoodCall] = {call.tool: call for call in kept.get(FOUND, ())}
    connections = list(history.connections.values())
    return Looked(
        server=next((each.server for each in connections if each.server), {}),
        revisions=tuple(dict.fromkeys(each.revision for each in connections if each.revision)),
        tools=[_seen(tool, history, good, kept.get(PROPOSED, {})) for tool in listed.values()],
    )


async def _look(bench: McpBench) -> None:
    tools = list(tools_of(await bench.listing()))
    calls = bench.session.statement.calls
    beside = isinstance(calls.harmless, list)  # names are allowed beside what is annotated, not in its place
    reads = {tool.name for tool in tools if beside and tool.reads_only and tool.name not in calls.skip}
    allowed = [tool for tool in tools if bench.allows(tool) or tool.name in reads]
    search = Search(bench, allowed)
    found = bench.session.kept[FOUND] = await search.all()
    # a list shows what was made only now
    again = {tool.name for tool in allowed if deed(tool) == "read"}
    for good in found:
        if good.tool in again:
            await bench.run(good, search.samples)
    bench.session.kept[PROPOSED] = {tool.name: await search.proposed(tool) for tool in tools if tool not in allowed}


def _seen(tool: ListedTool, history: History, good: dict[str, GoodCall], proposed: dict[str, Arguments | None]) -> Seen:
    calls = history.by_tool.get(tool.name, [])
    accepted = any(call.accepted for call in calls)
    arguments = good[tool.name].arguments if tool.name in good else proposed.get(tool.name)
    return Seen(tool, look(tool), calls, arguments, accepted)

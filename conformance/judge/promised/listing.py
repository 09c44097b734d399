"""The promise that tools/list has what tools.json has."""

from collections.abc import Iterator

from conformance.contract import promises as p
from conformance.contract.catalogue import Contract
from conformance.contract.rows import Tool
from conformance.judge.judgements import breach
from conformance.judge.parameters import parameters
from conformance.judge.served import distinct
from conformance.judge.serving import Unsupported
from conformance.model.history import History
from conformance.model.listed import ListedTool, tools_of
from conformance.model.verdict import HELD, Judgement


def declared(history: History, contract: Contract, promise: p.Declared) -> Iterator[Judgement]:
    """tools/list has the tools of tools.json, which take what is named there, ask for no more and say the same."""
    left_out = Unsupported(history)
    wanted = [contract.tools[name] for name in promise.tools or contract.tools if name not in left_out.tools]
    for listing in distinct(history):
        if listing.ended != "done":
            continue
        listed = {tool.name: tool for tool in tools_of(listing)}
        for tool in wanted:
            parameter_free = {
                name.partition(".")[2] for name in left_out.parameters if name.startswith(f"{tool.name}.")
            }
            fault = _fault(tool, listed.get(tool.name), parameter_free)
            yield breach(f"tools/list: {tool.name} {fault}") if fault else HELD


def _fault(tool: Tool, listed: ListedTool | None, left_out: set[str]) -> str:
    """What of a tool is otherwise than the contract has it; empty where nothing is."""
    if listed is None:
        return "is not listed"
    schema = listed.input_schema
    known = parameters(schema)
    lacking = sorted(parameters(tool.inputSchema) - known - left_out)
    if lacking:
        return f"is listed without the argument {lacking[0]}"
    required = schema.get("required") if isinstance(schema, dict) else None
    more = (
        [name for name in required if name not in tool.inputSchema.get("required", [])]
        if isinstance(required, list)
        else []
    )
    if more:
        return f"is listed with {more[0]} as a required argument"
    for name, value in tool.annotations.items():
        if isinstance(value, bool) and listed.hint(name) is not value:
            return f"is listed with {name} {listed.hint(name)}, not {value}"
    return ""

"""The promise that tools/list has what tools.json has."""

from collections.abc import Iterator, Mapping

from conformance.contract import promises as p
from conformance.contract.catalogue import Contract
from conformance.contract.rows import Tool
from conformance.judge.judgements import breach
from conformance.judge.kinds import spelled
from conformance.judge.parameters import parameters
from conformance.judge.served import distinct
from conformance.judge.serving import Unsupported
from conformance.model.arguments import properties, required
from conformance.model.events import Json
from conformance.model.history import History
from conformance.model.listed import ListedTool, tools_of
from conformance.model.measure import quoted
from conformance.model.verdict import HELD, Judgement

BOUNDS = (
    *("minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minItems", "maxItems", "uniqueItems", "pattern", "format"),
)


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
    schema = listed.input_schema if isinstance(listed.input_schema, dict) else {}
    known = parameters(schema)
    lacking = sorted(parameters(tool.inputSchema) - known - left_out)
    if lacking:
        return f"is listed without the argument {lacking[0]}"
    more = [name for name in required(schema) if name not in required(tool.inputSchema)]
    if more:
        return f"is listed with {more[0]} as a required argument"
    if other := next(_other_bounds(tool.inputSchema, schema), ""):
        return other
    for name, value in tool.annotations.items():
        if isinstance(value, bool) and listed.hint(name) is not value:
            return f"is listed with {name} {listed.hint(name)}, not {value}"
    return ""


def _other_bounds(wanted: Mapping[str, Json], listed: Mapping[str, Json]) -> Iterator[str]:
    """The arguments of which both say the type, the bounds or the values, and not the same.

    What a listing leaves unsaid is open: it promises less, and the tool may still refuse.
    """
    others = properties(listed)
    for name, about in properties(wanted).items():
        other = others.get(name)
        if not isinstance(about, dict) or not isinstance(other, dict):
            continue
        for keyword in BOUNDS:
            if keyword in about and keyword in other and about[keyword] != other[keyword]:
                yield f"is listed with {keyword} {quoted(other[keyword])} of {name}, not {quoted(about[keyword])}"
        if not _takes(other.get("type"), about.get("type")):
            yield f"is listed with {name} as {quoted(other['type'])}, not {quoted(about['type'])}"
        values, told = about.get("enum"), other.get("enum")
        if isinstance(values, list) and isinstance(told, list) and {*map(spelled, values)} != {*map(spelled, told)}:
            yield f"is listed with other values of {name} than {', '.join(map(quoted, values))}"


def _takes(listed: Json, wanted: Json) -> bool:
    """Whether a listed type takes what is of a wanted one; so it is where either says no type that there is."""
    kinds, asked = _types(listed), _types(wanted)
    return not kinds or asked <= kinds | ({"integer"} if "number" in kinds else set())


def _types(said: Json) -> set[str]:
    return {each for each in (said if isinstance(said, list) else [said]) if isinstance(each, str)}

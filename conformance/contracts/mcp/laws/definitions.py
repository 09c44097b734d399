"""MC-LIST-04 to -06 and -12, MC-HINT-01 and -05: what each tool's definition says."""

from collections.abc import Iterator
from typing import Any

from conformance.contract.catalogue import Contract
from conformance.contract.dialect import DEFAULT, DIALECTS, dialect_of, fault, remote
from conformance.contract.limits import UnjudgedError
from conformance.contracts.mcp.laws.toolless import no_tools, or_no_tools
from conformance.judge.judgements import MISSING, breach, holds, unjudged
from conformance.judge.law import law
from conformance.judge.served import distinct
from conformance.model.events import Json, Listing
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.measure import brief, quoted, standing
from conformance.model.revision import TOOL_ERRORS_SINCE
from conformance.model.verdict import HELD, Judgement

HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
SCHEMAS = ("inputSchema", "outputSchema")


def _definitions(history: History) -> Iterator[tuple[str, dict[str, Any], list[Exchange], Listing]]:
    """Every tool of every distinct list that is an object, with its name for the reader."""
    for listing in distinct(history):
        found = (history.find(call) for call in listing.calls)
        evidence = [exchange for exchange in found if exchange is not None]
        for number, tool in enumerate(listing.tools):
            shown = tool if isinstance(tool, dict) else {}
            yield str(shown.get("name", f"number {number}"))[:128], shown, evidence, listing


def _dialects(schema: Json, listing: Listing, history: History) -> tuple[str, ...]:
    """The dialects in which a schema may be meant. That 2020-12 is the default was said in 2025-11-25."""
    named = dialect_of(schema)
    if isinstance(schema, dict) and "$schema" in schema:
        return (named,) if named is not None else ()
    connection = history.connections.get(listing.connection)
    revision = connection.revision if connection is not None else None
    return (DEFAULT,) if revision is None or revision >= TOOL_ERRORS_SINCE else tuple(reversed(DIALECTS))


def _valid(schema: Json, dialects: tuple[str, ...], what: str, evidence: list[Exchange]) -> Judgement:
    try:
        wrong = fault(schema, dialects)
    except UnjudgedError as error:
        return unjudged(f"{what}: {error}")
    return holds(not wrong, f"{what} is not valid: {wrong}", *evidence, pointer="/result/tools")


def _nobody(history: History, key: str) -> str:
    """That no tool of the lists has a member; empty where there is no list, or one has it."""
    shown = [tool for _, tool, _, _ in _definitions(history)]
    return f"no tool that is listed has {key}" if shown and not any(key in tool for tool in shown) else ""


def no_output_schema(history: History, _: Contract) -> str:
    """Why nothing is judged by an outputSchema."""
    return _nobody(history, "outputSchema")


def _no_annotations(history: History, _: Contract) -> str:
    return _nobody(history, "annotations")


@law("MC-LIST-04", absent=no_tools)
def input_schemas_are_valid(history: History, _: Contract) -> Iterator[Judgement]:
    """Every tool has an inputSchema that is valid in its dialect, with the root type object."""
    for name, tool, evidence, listing in _definitions(history):
        schema = tool.get("inputSchema")
        if not isinstance(schema, dict):
            yield breach(
                f"the inputSchema of {name} is {standing(tool, 'inputSchema')}", *evidence,
                pointer="/result/tools", got=tool.get("inputSchema", MISSING),
            )  # fmt: skip
        elif schema.get("type") != "object":
            yield breach(
                f"the root type of {name}'s inputSchema is {standing(schema, 'type')}",
                *evidence,
                expected="object",
                got=schema.get("type", MISSING),
            )
        elif dialects := _dialects(schema, listing, history):
            yield _valid(schema, dialects, f"the inputSchema of {name}", evidence)


@law("MC-LIST-05", absent=or_no_tools(no_output_schema))
def output_schemas_are_valid(history: History, _: Contract) -> Iterator[Judgement]:
    """Every outputSchema is valid in its dialect."""
    for name, tool, evidence, listing in _definitions(history):
        schema = tool.get("outputSchema")
        if "outputSchema" in tool and (dialects := _dialects(schema, listing, history)):
            yield _valid(schema, dialects, f"the outputSchema of {name}", evidence)


@law("MC-LIST-06", absent=no_tools)
def schemas_stand_alone(history: History, _: Contract) -> Iterator[Judgement]:
    """No schema of a tool refers to one that only the network has."""
    for name, tool, evidence, _listing in _definitions(history):
        for key in SCHEMAS:
            if isinstance(tool.get(key), dict):
                far = remote(tool[key])
                yield holds(
                    not far,
                    f"the {key} of {name} refers to {', '.join(brief(each) for each in far[:3])}",
                    *evidence,
                    pointer="/result/tools",
                    got=far,
                )


@law("MC-LIST-12", absent=no_tools)
def tools_are_described(history: History, _: Contract) -> Iterator[Judgement]:
    """Every tool has a description that is not empty, and a title that it has is not empty."""
    for name, tool, evidence, _listing in _definitions(history):
        description, title = tool.get("description"), tool.get("title", name)
        wrong = "no description" if not _says(description) else "" if _says(title) else f"the title {title!r}"
        yield holds(not wrong, f"{name} has {wrong}", *evidence, pointer="/result/tools")


def _says(text: Json) -> bool:
    return isinstance(text, str) and bool(text.strip())


@law("MC-HINT-01", absent=or_no_tools(_no_annotations))
def annotations_have_their_types(history: History, _: Contract) -> Iterator[Judgement]:
    """Annotations are an object in which each hint is a boolean and the title a string."""
    for name, tool, evidence, _listing in _definitions(history):
        if "annotations" not in tool:
            continue
        annotations = tool["annotations"]
        if not isinstance(annotations, dict):
            yield breach(f"the annotations of {name} are no object", *evidence, got=annotations)
            continue
        wrong = {hint: annotations[hint] for hint in HINTS if not isinstance(annotations.get(hint, True), bool)}
        if not isinstance(annotations.get("title", ""), str):
            wrong["title"] = annotations["title"]
        said = ", ".join(f"{hint} {quoted(value)}" for hint, value in wrong.items())
        yield holds(not wrong, f"the annotations of {name} say {said}", *evidence, pointer="/result/tools", got=wrong)


def _reads_only(tool: dict[str, Any]) -> bool:
    annotations = tool.get("annotations")
    return isinstance(annotations, dict) and annotations.get("readOnlyHint") is True


def nobody_reads_only(history: History, _: Contract) -> str:
    """That no tool of the lists says readOnlyHint; empty where there is no list, or one says so."""
    shown = [tool for _, tool, _, _ in _definitions(history)]
    return "no tool that is listed says readOnlyHint" if shown and not any(map(_reads_only, shown)) else ""


@law("MC-HINT-05", absent=or_no_tools(nobody_reads_only))
def no_tool_reads_only_and_destroys(history: History, _: Contract) -> Iterator[Judgement]:
    """No tool that says readOnlyHint true says destructiveHint true as well."""
    for name, tool, evidence, _listing in _definitions(history):
        if _reads_only(tool):
            destroys = tool["annotations"].get("destructiveHint") is True
            yield (
                breach(f"{name} says both readOnlyHint and destructiveHint", *evidence, pointer="/result/tools")
                if destroys
                else HELD
            )

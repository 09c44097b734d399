"""Breaks correlation, causation and what links spans."""

from collections.abc import Mapping
from typing import Final

from reference_server.application import Json
from reference_server.deviations.invocation.handling import Object, without
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.invocation import Invocations
from reference_server.invocation.course import Course

NOBODYS: Final = "00000000000000000000000000000000"


@deviation("IR-COR-01")
def all_invocations_without_a_correlation_have_the_same(invocations: Invocations) -> None:
    """An invocation without a correlationId gets one that is always the same."""
    pipeline = invocations.pipeline
    original = pipeline.correlation_id

    @instead(pipeline, "correlation_id")
    def correlation_id(given: Mapping[str, Json]) -> str:
        return original(given) if given.get("correlationId") else NOBODYS


@deviation("IR-COR-02")
def servers_behind_get_no_correlation(invocations: Invocations) -> None:
    """A call of an MCP server behind the runtime carries no correlationId."""

    @instead(invocations.pipeline.executing.providers["mcp::kit"], "meta")
    def meta(_: object) -> Object:
        return {}


@deviation("IR-COR-03")
def triggered_invocations_have_no_cause(invocations: Invocations) -> None:
    """An invocation that another one triggers has no causationId."""
    pipeline = invocations.pipeline
    original = pipeline.inherited

    @instead(pipeline, "inherited")
    def inherited(cause: Course) -> Object:
        return without(original(cause), "causationId")


@deviation("IR-COR-04")
def spans_stand_alone(invocations: Invocations) -> None:
    """A span has no parent, no links and no causationId, and its attributes name no other invocation."""
    ledger = invocations.ledger
    original = ledger.write

    @instead(ledger, "write")
    def write(kind: str, common: Object, content: Object) -> Object:
        if kind != "span":
            return original(kind, common, content)
        told = without(content, "parentSpanId")
        told |= {"links": [], "attributes": without(told["attributes"], "correlation.id", "causation.id")}
        return original(kind, without(common, "causationId"), told)

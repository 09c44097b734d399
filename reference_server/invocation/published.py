"""Writes the contract's data: `python -m reference_server.invocation.published schemas/invocation`."""

import json
import sys
from pathlib import Path

from reference_server.application import Json
from reference_server.invocation.definition import Definition
from reference_server.invocation.kit.catalogue import KIT
from reference_server.invocation.schemas import DIALECT, ERROR, FRAME, INVOCATION, RECORD, RESULT, TOOLS


def published() -> dict[str, Json]:
    """Every file's content by its name."""
    return {
        "invocation.schema.json": {"$schema": DIALECT, "title": "Invocation", **INVOCATION},
        "result.schema.json": {"$schema": DIALECT, "title": "Result", **RESULT},
        "error.schema.json": {"$schema": DIALECT, "title": "Error", **ERROR, "$defs": {"error": ERROR}},
        "record.schema.json": {"$schema": DIALECT, "title": "Record", **RECORD},
        "frame.schema.json": {"$schema": DIALECT, "title": "Frame of a stream", **FRAME},
        "tools.json": [tool.as_listed() for tool in TOOLS],
        "kit.json": [_of_kit(one) for one in KIT],
    }


def _of_kit(one: Definition) -> dict[str, Json]:
    """A tool as describe_tools shows it and, under `kit`, what only the contract says of it."""
    policies = one.policies
    told: dict[str, Json] = {"cache": "may" if one.may_be_cached else "never"}
    if policies.retry.max_attempts > 1:
        told["backoffMs"] = policies.retry.delay_ms
    if policies.rate_limit is not None:
        limit = policies.rate_limit
        told["rateLimit"] = {"id": limit.id, "calls": limit.calls, "windowMs": limit.window_ms}
    if policies.circuit is not None:
        told["circuit"] = {"failures": policies.circuit.failures, "resetMs": policies.circuit.reset_ms}
    if policies.budget is not None:
        told["budget"] = {"id": policies.budget.id, "units": policies.budget.units}
    if one.fails is not None:
        told["fails"] = {"class": one.fails.error_class, "code": one.fails.code}
    return {**one.described(), "kit": told}


def text(content: Json) -> str:
    """A file's text."""
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    for name, content in published().items():
        Path(sys.argv[1], name).write_text(text(content), "utf-8")

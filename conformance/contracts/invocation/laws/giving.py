"""What the tools of the kit give, where their input alone tells it."""

import re
from collections.abc import Iterable, Iterator

from conformance.contracts.invocation.calls import Invocation
from conformance.contracts.invocation.kit import KitTool
from conformance.judge.judgements import MISSING, holds
from conformance.judge.kinds import alike, spelled
from conformance.model.events import Json
from conformance.model.verdict import Judgement

SUM = "local::kit.sum"
EXACT = 2**52
"""Whole numbers up to here are exact in the arithmetic of any language."""
HALF_A_PAIR = re.compile(r"[\ud800-\udfff]")


def given_back(served: Iterable[Invocation]) -> Iterator[Judgement]:
    """What the output of a tool shares with its input by name is what was given; and a sum is the sum.

    What another call was given before may come from a cache, of which other rows speak.
    """
    before: set[tuple[str, str]] = set()
    for one in served:
        told = (one.name, spelled(one.output))
        if one.tool is None or told in before:
            continue
        before.add(told)
        for name, expected in _expected(one, one.tool).items():
            got = one.output.get(name, MISSING)
            saw = f"{one.name} gave another {name} than its input tells"
            same = alike(expected, got) is not False
            yield holds(same, saw, one.call, pointer=f"/output/{name}", expected=expected, got=got)


def _expected(one: Invocation, tool: KitTool) -> dict[str, Json]:
    """By field of the output what it has to be. What has no type there may be written otherwise, or left out."""
    given, gives = one.input, tool.outputSchema.get("properties", {})
    typed = (name for name in given if "type" in gives.get(name, {}))
    found = {name: given[name] for name in typed if not HALF_A_PAIR.search(str(given[name]))}
    if tool.name == SUM:
        terms = [given.get(name) for name in ("a", "b")]
        if all(isinstance(term, int) and abs(term) <= EXACT for term in terms):
            found["sum"] = sum(terms)
    return found

"""What a run tells of its comparison with a model: differences that no clause decides, alike ones together."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.judge.modelled import Difference, compared
from conformance.model.events import Json
from conformance.model.history import History
from conformance.model.measure import brief
from conformance.report.model import Beside, Differing

_NUMBER = re.compile(r"(?<=/)\d+(?=/|$)")
MOST = 100
"""Kinds of difference that are told."""


class _Kind(NamedTuple):
    tool: str
    place: str
    ours: str
    theirs: str


def comparison(history: History, contract: Contract) -> Beside | None:
    """How far the run was compared, and what was found; None where no model was told anything."""
    found = compared(history, contract)
    if not found.model:
        return None
    kinds: dict[_Kind, list[Difference]] = {}
    for one in found.differences:
        if not one.decided:
            kinds.setdefault(_kind(one), []).append(one)
    often = sorted(kinds.items(), key=lambda kind: -len(kind[1]))
    return Beside(
        model=found.model,
        alike=found.alike,
        left_out=dict(found.left_out.most_common()),
        cut="; ".join(_cut(history)),
        differing=tuple(_differing(kind, alike) for kind, alike in often[:MOST]),
        more=max(0, len(often) - MOST),
    )


def _kind(one: Difference) -> _Kind:
    """Differences of one kind are of one tool and place; of outcomes, of the same two."""
    of_outcome = not one.place.pointer
    outcome = (str(one.place.ours), str(one.place.theirs)) if of_outcome else ("", "")
    return _Kind(str(one.ours.tool), _NUMBER.sub("*", one.place.pointer), *outcome)


def _differing(kind: _Kind, alike: list[Difference]) -> Differing:
    first = alike[0]
    return Differing(
        tool=kind.tool,
        pointer=kind.place,
        ours=_short(first.place.ours),
        theirs=_short(first.place.theirs),
        calls=len({one.ours.call for one in alike}),
        call=first.ours.call,
    )


def _short(value: Json) -> Json:
    return value if isinstance(value, int | float | bool | None) else brief(value)


def _cut(history: History) -> Iterator[str]:
    """Why the model was not told all of the run."""
    return (stimulus.why for stimulus in history.stimuli if stimulus.name == "suite.model" and stimulus.why)

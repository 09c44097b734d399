"""What reads that belong to no entity may promise: what their answers have, give back, and how many they list."""

from collections.abc import Iterator, Sequence

from conformance.contract import promises as p
from conformance.contracts.mcp.laws.failures import told_failure
from conformance.model.arguments import properties
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import pointer_of
from conformance.model.prose import ENTRIES, TEXT
from conformance.propose.contract import hints
from conformance.propose.contract.entities import lists
from conformance.propose.looking import Seen

MOST_KEYS = 20
"""Keys that an answer is said to have: more of them are data, such as names of variables."""
LEAST = 3
"""Answers that are looked at: fewer may have the same by chance."""


def alone(seen: Seen, calls: Sequence[Exchange]) -> Iterator[tuple[p.Promise, str]]:
    """The promises that the accepted calls of a tool hint at, each with what was seen."""
    # what tells of a failure without saying that it is one shows nothing of a success
    own = [call for call in calls if call.tool == seen.tool.name and call.accepted and not told_failure(call)]
    answers = [call.payload for call in own if isinstance(call.payload, dict)]
    tools = (seen.tool.name,)
    if len(answers) < LEAST or len(answers) < len(own):
        return
    # what is read from a text always has these
    own_names = (TEXT, ENTRIES) if own[0].prose else ()
    shared = [key for key in answers[0] if key not in own_names and all(key in each for each in answers)]
    if shared and len(shared) <= MOST_KEYS:
        schema: dict[str, Json] = {"type": "object", "required": list(shared)}
        yield p.Answer(schema=schema, tools=tools, outcome="success"), f"each of {len(answers)} answers had them"
    for name in properties(seen.tool.input_schema):
        given = [(call.argument(name), call.payload.get(name)) for call in own if call.argument(name) is not None]
        if len({repr(one) for one, _ in given}) >= LEAST and all(one == other for one, other in given):
            promise = p.Echoed(argument=f"@{pointer_of([name])}", at=pointer_of([name]), tools=tools, outcome="success")
            yield promise, f"{len(given)} answers gave {name} back"
    size = hints.first(properties(seen.tool.input_schema), hints.is_size)
    most = _most(seen, size) if size is not None else None
    for pointer, entries in lists(answers[0]):
        if size is not None and entries:
            capped = p.Capped(tool=seen.tool.name, entries=pointer, size=f"@{pointer_of([size])}", most=most)
            yield capped, f"{seen.tool.name} takes {size}"


def _most(seen: Seen, name: str) -> int | None:
    """The most that an argument may be; None where its schema says nothing of it."""
    about = properties(seen.tool.input_schema).get(name)
    most = about.get("maximum") if isinstance(about, dict) else None
    return most if isinstance(most, int) and not isinstance(most, bool) else None

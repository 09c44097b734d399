"""Words on what is wrong with a contract: names that lead nowhere, places that nothing can stand at."""

from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches

from conformance.contract.rows import Contract
from conformance.model.events import Json
from conformance.model.pointer import ASKED, EACH, steps

Wrong = tuple[str, str, str]
"""The field, what is wrong with it, and what to do."""
ONE = "write the number of one in its place, such as /notes/0/id"
ARGUMENTS = ("key", "expected", "argument", "cursor", "size")
"""Fields of promises that lead into a call's arguments."""
ANSWERS = ("at", "next", "entries", "truncated", "by", "id", "shown", "revision")
"""Fields that lead into an answer."""


def known_tool(field: str, tool: str, contract: Contract) -> Iterator[Wrong]:
    """A tool is one of tools.json."""
    if contract.tools and tool not in contract.tools:
        yield field, f"tools.json has no tool {tool}", nearest(tool, contract.tools) or "add it there"


def leads(field: str, pointer: str, schemas: Collection[Mapping[str, Json]]) -> Iterator[Wrong]:
    """A pointer begins with a slash; one into the arguments leads to what the tool takes."""
    asked = pointer.startswith(ASKED)
    if pointer.removeprefix(ASKED)[:1] not in ("", "/"):
        yield field, f"{pointer} is no place", "write it as /note/id, or as @/note_id for an argument"
    elif field in ARGUMENTS and not asked:
        yield field, f"{pointer} leads into the answer, and an argument is meant", f"write it as @{pointer}"
    elif field in ANSWERS and asked:
        yield field, f"{pointer} leads into the arguments, and the answer is meant", f"write it as {pointer[1:]}"
    elif asked:
        name = next(iter(steps(pointer.removeprefix(ASKED))), "")
        for schema in schemas:
            known = properties(schema)
            if known is not None and name not in known:
                yield field, f"the tool takes no argument {name}", nearest(name, known)


def one_place(field: str, pointer: str) -> Iterator[Wrong]:
    """Where something in each entry of a list is named, and one place is meant."""
    if EACH in steps(pointer.removeprefix(ASKED)):
        yield field, f"{pointer}: one place is meant, and * stands for each entry of a list", ONE


def properties(schema: Mapping[str, Json]) -> list[str] | None:
    """The arguments that an input schema names; None where it says nothing of them."""
    found = schema.get("properties")
    return list(found) if isinstance(found, dict) else None


def nearest(name: str, known: Collection[str]) -> str:
    """What may have been meant by a name that is not known."""
    return meant(name, known) or (f"known here: {', '.join(known)}" if known else "")


def meant(name: str, known: Collection[str]) -> str:
    """The known name that is like this one, as a question; empty where none is."""
    near = get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    return f"did you mean {near[0]}?" if near else ""

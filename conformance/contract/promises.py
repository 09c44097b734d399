"""Promises as data: a requirement names a shared law and its parameters, and needs no Python.

Where a statement says several things, it has a list of promises: `promise = [{ law = … }, { law = … }]`. It is broken
where one of them is, and holds where each was seen to hold. In reports and proofs they are ID/1, ID/2 and so on.

A place is a JSON Pointer. `/note/id` leads into an answer's payload, `@/note_id` into a call's arguments. `*` stands
for each entry of a list, or of an object that is a map: `@/notes/*/title` is at fault where one entry is. Where one
place is meant, its number stands there: `@/notes/0/id`.

In the arguments of a call `{{id}}` and `{{revision}}` stand for those of the entity that it is about, `{{made.KIND}}`
for the id of another entity that is made first, and `{{claims.NAME}}` for a claim of the caller's. Where an entity is
made in another one, as a comment on a ticket with `{{made.ticket}}`, `{{its.ticket}}` stands for that one in the calls
that read, change, remove or list comments. Values that no other call has are `{{fresh.NAME}}`, a text that begins with
the name; `{{word.NAME}}`, twelve small letters; `{{key}}`, `{{uuid}}` and `{{number.NAME}}`. Something may be written
around them: `notes/{{word.name}}.txt`.
"""

from typing import Literal

from msgspec import Struct

from conformance.contract import making
from conformance.model.events import Json
from conformance.model.pointer import ASKED

Place = making.Place
Outcome = Literal["success", "refusal", "any"]
Cause = Literal["unknown", "taken", "invalid", "missing", "role", "condition", "exhausted"]
"""What is wrong with a call: it names what does not exist, it gives a name that another entity has, an argument is
invalid or missing, the caller has the wrong role, a condition holds, a limit is used up."""
Where = Literal["always", "parent", "present"]
"""Where nothing stands at a place the promise is broken: always; only where what it stands in is an object; never."""
Match = Literal["equal", "contains", "begins"]
Counted = Literal["entries", "pages"]
Unit = Literal["characters", "bytes", "number", "entries"]


class _Promise(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="law"):
    """What every promise has: nothing but its law's name."""


class Served(_Promise, frozen=True, tag="served"):
    """A call that nothing speaks against is accepted. What breaks this explains whatever else is wrong in that call."""

    tools: tuple[str, ...] = ()


class Answer(_Promise, frozen=True, tag="answer"):
    """What stands at a place of each answer satisfies a JSON Schema: envelope, closed keys, metadata of a profile."""

    schema: dict[str, Json]
    tools: tuple[str, ...] = ()
    outcome: Outcome = "any"
    at: Place = ""
    """In the whole envelope, not the payload."""
    where: Where = "always"
    profiles: tuple[str, ...] = ()

    @property
    def only_of_objects(self) -> bool:
        """Whether its schema says which keys an object has, and nothing of what is no object."""
        return bool(self.schema) and self.schema.keys() <= {"properties", "required", "additionalProperties"}


class Mirrored(_Promise, frozen=True, tag="mirrored"):
    """isError of the result says what the envelope says."""

    tools: tuple[str, ...] = ()


class Catalogued(_Promise, frozen=True, tag="catalogued"):
    """Each refusal has a code of errors.toml."""

    tools: tuple[str, ...] = ()
    where: Where = "always"
    """Which answers: each refusal; those with an error that can hold a code; those with a code."""


class Retryable(_Promise, frozen=True, tag="retryable"):
    """Each refusal says of trying again what errors.toml says of its code."""

    tools: tuple[str, ...] = ()
    at: Place = "/error/retryable"
    """In the whole envelope."""
    where: Where = "always"


class Refused(_Promise, frozen=True, tag="refused"):
    """A call with one fault is refused, with one of these codes, where its like without the fault is accepted."""

    tool: str
    cause: Cause
    argument: Place = ""
    entity: str = ""
    """For `unknown`: the kind of entity that the argument names; for `taken`: the kind that has such a name."""
    values: tuple[Json, ...] = ()
    """For `invalid` and `unknown`: values of the argument that are so; none: they are made from the tool's schema, and
    from the ids that were seen."""
    role: str = ""
    """For `role`: the caller's role, which is not enough."""
    under: dict[str, Json] = {}
    """For `condition`: what holds then, by the names of [[term]]."""
    setting: str = ""
    """For `exhausted`: the [[term]] that says how many calls of the tool are accepted."""
    codes: tuple[str, ...] = ()
    """None: the call is refused, whatever the code."""


class Barred(_Promise, frozen=True, tag="barred"):
    """A call on an entity that is in a state is refused, and accepted once the entity has left that state."""

    tool: str
    entity: str
    state: str
    """By its name in the states of [[make]]."""
    outside: bool = False
    """Whether the call is refused in every other state, and accepted in this one."""
    codes: tuple[str, ...] = ()


class Replayed(_Promise, frozen=True, tag="replayed"):
    """A write made again under its key gives the original answer and writes nothing."""

    tool: str
    key: Place
    gives: tuple[Place, ...]
    """What the answers share."""
    concurrent: bool = True
    """Whether this holds for calls at once."""


class Conflicting(_Promise, frozen=True, tag="conflicting"):
    """A write under a used key that says something else is refused and changes nothing."""

    tool: str
    key: Place
    codes: tuple[str, ...] = ()


class Revised(_Promise, frozen=True, tag="revised"):
    """Each accepted change gives its entity a new revision, a higher one where revisions are numbers."""

    entity: str
    tools: tuple[str, ...] = ()
    """Those that change it, of those that [[make]] names; none: its `change` alone."""


class Guarded(_Promise, frozen=True, tag="guarded"):
    """A change that expects another revision than the current one is refused and changes nothing."""

    entity: str
    tool: str
    expected: Place
    codes: tuple[str, ...] = ()
    concurrent: bool = True
    """Of changes at once that expect the same revision one at most is accepted."""


class Shows(_Promise, frozen=True, tag="shown"):
    """Reads show what writes wrote."""

    entity: str
    tool: str
    fields: dict[str, Place]
    """By argument, the place in the entity. An argument is named, or told by its place: `"@/notes/0/title"`."""


class Lives(_Promise, frozen=True, tag="lives"):
    """An entity is found from when it was made until it is removed, and then no more."""

    entity: str
    codes: tuple[str, ...] = ()
    """Of a read of what was removed."""


class Listed(_Promise, frozen=True, tag="listed"):
    """The list of a kind of entity, asked for as [[make]] writes it, shows each from when it was made until its end."""

    entity: str


class Steady(_Promise, frozen=True, tag="steady"):
    """Two equal reads with no accepted write between them are equal: reads and refused calls change nothing."""

    tools: tuple[str, ...] = ()


class Rising(_Promise, frozen=True, tag="rising"):
    """A number that answers of a tool are given rises from call to call, within what `within` names."""

    tool: str
    at: Place
    within: tuple[Place, ...] = ()


class Ordered(_Promise, frozen=True, tag="ordered"):
    """A list is ordered by what stands at a place of its entries."""

    tool: str
    entries: Place
    by: Place
    descending: bool = False


class Unique(_Promise, frozen=True, tag="unique"):
    """No two entities share what stands at a place."""

    entity: str
    at: Place
    """In the entity."""


class Paged(_Promise, frozen=True, tag="paged"):
    """Reading on from page to page shows each entry once and leaves none out."""

    entity: str
    tool: str
    cursor: Place
    """The argument."""
    next: Place = ""
    """In the answer; absent or null on the last page."""
    counts: Counted | None = None
    """In the place of next, where the caller counts: the argument is how many entries come before, or which page."""
    begins: int | None = None
    """What the argument is for the first page, where that is counted; none: 0 entries, page 1."""
    size: Place = ""
    """The argument that says how many entries a page has at most."""


class Filtered(_Promise, frozen=True, tag="filtered"):
    """A list that is asked for with a filter shows only entries that match it, on every page."""

    tool: str
    argument: Place
    """The argument that is the filter."""
    entries: Place
    """The list, in the answer's payload."""
    by: Place
    """What is compared with the filter: a place in each entry. What an entry does not show is not judged."""
    how: Match = "equal"
    """How it matches: it is that value; it is a list, or a text, that contains it; it is a text that begins with it."""


class Capped(_Promise, frozen=True, tag="capped"):
    """A page has no more entries than asked for, nor than the most there may be."""

    tool: str
    entries: Place
    """The list, in the answer's payload."""
    size: Place = ""
    """The argument that asks for so many."""
    most: int | None = None
    truncated: Place = ""
    """A flag in the answer that says whether something was left out."""


class Bounded(_Promise, frozen=True, tag="bounded"):
    """An argument at its bound is accepted, one beyond it is refused."""

    tool: str
    argument: Place
    unit: Unit
    least: float | None = None
    most: float | None = None
    codes: tuple[str, ...] = ()


class Enforced(_Promise, frozen=True, tag="enforced"):
    """A tool takes what tools.json says of its arguments, and refuses anything else.

    Judged are calls with one argument at fault: left out, of another type, beyond its bounds, none of its few values.
    With codes also calls with an argument at a bound: these are not refused with one of them.
    """

    tools: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()


class Echoed(_Promise, frozen=True, tag="echoed"):
    """An answer gives an argument back."""

    argument: Place
    at: Place
    """In the whole envelope."""
    tools: tuple[str, ...] = ()
    outcome: Outcome = "any"


class Declared(_Promise, frozen=True, tag="declared"):
    """tools/list has the tools of tools.json, with their arguments, their bounds and their annotations."""

    tools: tuple[str, ...] = ()


Promise = (
    Served
    | Answer
    | Mirrored
    | Catalogued
    | Retryable
    | Refused
    | Barred
    | Replayed
    | Conflicting
    | Revised
    | Guarded
    | Shows
    | Lives
    | Listed
    | Steady
    | Rising
    | Ordered
    | Unique
    | Paged
    | Filtered
    | Capped
    | Bounded
    | Enforced
    | Echoed
    | Declared
)
"""What a requirement names: a shared law and its parameters. Where it is a list of them it is kept if each is."""


def argued(field: str) -> Place:
    """Where a call has what `fields` names: an argument, or a place."""
    return field if field.startswith(ASKED) else f"{ASKED}/{field}"


def numbered_as(requirement: str, number: int) -> str:
    """The name of one of several promises of a requirement, of which the first is number 1."""
    return f"{requirement}/{number}"

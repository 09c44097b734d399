"""A contract in typed form: the rows that its files hold, and what they make together."""

from collections.abc import Mapping
from itertools import count, takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from msgspec import Struct

from conformance.contract.making import Call, Make
from conformance.contract.promises import Promise, numbered_as
from conformance.contract.terms import Term, of_kind
from conformance.model.envelope import EnvelopeRule
from conformance.model.events import Json
from conformance.model.requirement import Requirement


class ErrorCode(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One code of the error catalogue: what it means, and whether a caller may try again."""

    code: str
    meaning: str
    retryable: bool | None = None
    category: str = ""
    editions: tuple[str, ...] = ()
    status: int | None = None
    """Its HTTP status over a plain HTTP binding."""
    uncertain: bool = False
    """Whether a call that is answered with it may have taken effect all the same, or in part."""


class ToolMark(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a law needs to know of a tool beyond its schema."""

    name: str
    effect: Literal["read", "write"]
    scope: tuple[str, ...] = ()
    """Arguments that name the entity which a read shows or a write changes; none: the whole instance. A tool that
    makes the entity names it in its answer."""
    identity: tuple[str, ...] = ()
    """Arguments that repeat the caller's identity."""
    state: bool = True
    """A read that shows calls, times or an LLM's words is no state: laws on equal reads leave it out."""
    personal: bool = False
    """A read whose answer depends on who asks."""
    shown: tuple[str, ...] | None = None
    """The reads that show what a write changes; None: all of its scope."""
    volatile: tuple[str, ...] = ()
    """Keys, at any depth of a read's answer, that may change while the state does not: a summary, views of a tweet."""
    beside: dict[str, str] = {}
    """Arguments that name other entities, each with the argument by which a read of such a one is asked for it."""
    named: str = ""
    """JSON Pointer to what names the entity in the answer of a tool that makes it; empty: the key is the argument's."""


class Guard(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a write says which revision of an entity it expects."""

    entity: str
    """Kind of the entity whose revision is compared."""
    argument: str
    alias: str
    revision: str
    """JSON Pointer to that revision in what a success gives."""


class Writes(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a write makes or changes."""

    entity: str
    """Its kind."""
    guard: Guard | None = None
    """None: it takes no expectation."""
    shown_by: tuple[str, ...] = ()
    """Reads that show it."""


class Tool(Struct, frozen=True, omit_defaults=True):
    """A tool of the contract as a server lists it, with the contract's marks on it."""

    name: str
    description: str = ""
    inputSchema: dict[str, Json] = {}  # noqa: N815 -- the wire's own name
    outputSchema: dict[str, Json] | None = None  # noqa: N815 -- the wire's own name
    annotations: dict[str, Json] = {}
    writes: Writes | None = None
    """For a contract whose entities have revisions."""
    budgets: dict[str, str] = {}
    """Its budget knobs, each with its unit."""


class Shown(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A row of [[shown]]: which arguments of a write a read shows.

    Pointers are JSON Pointers into an answer's payload, or into a call's arguments where `@` stands before them.
    """

    kind: str
    """Of the entity that is written and shown."""
    write: str
    read: str
    entity: str
    """Where the write names the entity."""
    named: str
    """Where the read names it: in the entry, or among its arguments."""
    fields: dict[str, str]
    """By argument of the write, the pointer in the entry."""
    entry: str = ""
    """Where in the read's payload the entity stands; `*` stands for each entry of a list."""
    within: tuple[str, ...] = ()
    """What entities' names are unique within, where both calls name it: a workspace."""
    partial: bool = False
    """Whether a server may leave a field out of the read for all entities: one that it never shows is no subject."""
    clears: bool = False
    """Whether null takes a value away: elsewhere nobody says what it leaves."""


class Modelling(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How answers are compared with those of a model that was told the same, and what a difference breaks."""

    made: tuple[str, ...]
    """Keys whose values a server makes: those of the two are matched pairwise."""
    volatile: tuple[str, ...] = ()
    """Keys whose values differ from one time to the next, or that are words for a reader."""
    numbers: tuple[str, ...] = ()
    """Keys of numbers that a server gives and takes back: where the two number differently, no more is compared."""
    within: tuple[str, ...] = ()
    """Arguments that name what such values are unique within."""
    cut: tuple[str, ...] = ()
    """Keys that say, by true, that an answer leaves something out."""
    shown: str = ""
    """The requirement that what was written is shown."""
    lists: bool = True
    """Whether what was written and is in no list, where the model's has it, breaks that; else it is left open."""
    rewritten: tuple[str, ...] = ()
    """Marks that a server may spell otherwise: of a text that has one, or white space at an end, nothing is decided."""
    codes: dict[str, str] = {}
    """Codes of which the cause leaves no doubt, each with the requirement that a call accepted in its place breaks."""


class Profile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A named subset of the tools with its own rules."""

    name: str
    editions: tuple[str, ...] = ()


class Callers(Struct, frozen=True, forbid_unknown_fields=True):
    """Who calls, in the document's words, for which a target may have its own. Empty: anything may stand there."""

    roles: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    """What a token says of its caller."""


class Contract(Struct, frozen=True, kw_only=True):
    """A contract, ready for use."""

    name: str
    title: str
    document: str
    """The document that states it."""
    edition: str
    """The one that is meant: profiles, codes, tools and marks are its own, requirements those of all editions."""
    editions: tuple[str, ...]
    profiles: tuple[Profile, ...]
    protocol: str | None
    """The contract of the protocol that its tools are served over: a run judges it as well."""
    foundation: tuple[str, ...]
    """Requirements, of the protocol above all, without which nothing here can be observed."""
    roots: tuple[str, ...]
    """Requirements whose breach explains a breach of any other in the same calls: that good calls are served."""
    envelope: EnvelopeRule
    callers: Callers
    requirements: Mapping[str, Requirement]
    errors: Mapping[str, ErrorCode]
    tools: Mapping[str, Tool]
    marks: Mapping[str, ToolMark]
    terms: tuple[Term, ...] = ()
    shown: tuple[Shown, ...] = ()
    model: Modelling | None = None
    """None: answers are not compared with a model's."""
    promises: Mapping[str, Promise] = MappingProxyType({})
    """What is promised as data, by requirement; the promises of one that has several are numbered: ID/1, ID/2."""
    makes: Mapping[str, Make] = MappingProxyType({})
    """By kind of entity, how one is made, read, changed and removed."""
    examples: tuple[Call, ...] = ()
    """Good calls of tools that [[make]] says nothing of."""
    carries: tuple[str, ...] = ()
    """Of a protocol: its requirements without which nothing of a contract that is served over it can be seen."""
    folder: Path = Path()
    """Where its data stands."""
    named: str = ""
    """What names it on a command line: its name, or the path of its folder."""
    package: str = ""
    """The Python package in which its laws, stimuli and bench are, where it has any."""
    digest: str = ""
    """Of all that its folder holds; empty for a contract that is installed."""

    @property
    def unit(self) -> str | None:
        """The argument that names the entity to which all that is read and written belongs; None where there is none.

        What is done with one such entity then shows in no answer about another.
        """
        scopes = [
            mark.scope for mark in self.marks.values() if (mark.state if mark.effect == "read" else mark.shown != ())
        ]
        common = [name for name in scopes[0] if all(name in scope for scope in scopes)] if scopes else []
        return common[0] if common else None

    def promised(self, requirement: str) -> dict[str, Promise]:
        """The promises of a requirement, by their names; none where its law is in Python."""
        numbered = takewhile(self.promises.__contains__, (numbered_as(requirement, n) for n in count(1)))
        names = [requirement] if requirement in self.promises else numbered
        return {name: self.promises[name] for name in names}

    def settings(self) -> dict[str, Term]:
        """What a target says under [settings], and what an instance can be set to."""
        return of_kind(self.terms, "setting", "both")

    def conditions(self) -> dict[str, Term]:
        """The circumstances that a target can bring about."""
        return of_kind(self.terms, "condition", "both")

    def choices(self) -> dict[str, Term]:
        """What the contract leaves open."""
        return of_kind(self.terms, "choice")

    def reads(self) -> tuple[str, ...]:
        """Tools that show state."""
        return tuple(m.name for m in self.marks.values() if m.effect == "read" and m.state)

    def writes(self) -> tuple[str, ...]:
        """Tools that change state."""
        return tuple(m.name for m in self.marks.values() if m.effect == "write")

"""How tools are called, and how entities are made, read, changed, removed and listed: [[make]] and [[example]]."""

from msgspec import Struct

from conformance.model.events import Json
from conformance.model.pointer import ASKED

Place = str
"""A JSON Pointer, as `promises` tells it."""


class Call(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a tool is called: a good call of it."""

    tool: str
    arguments: dict[str, Json] = {}
    at: Place = ""
    """Where in the answer's payload the entity, or the list of entities, stands."""
    state: str = ""
    """The state that the entity has to be in; none: the one that it is made in."""


class State(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A state that an entity can be brought into, such as closed, and out of which it may be brought again."""

    name: str
    enter: Call
    """Its own `state` says from which state it is entered."""
    leave: Call | None = None
    """Leads back to the state from which it was entered."""


class Make(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A row of [[make]]: how one kind of entity is made, read, changed, removed and listed."""

    entity: str
    make: Call
    id: Place
    """In the entity, as make, read and list show it; with @ the argument of make by which the caller names it."""
    shown: Place = ""
    """Where an entity shows the id that its caller gave it; none: nowhere, and a list may show the ids themselves."""
    revision: Place = ""
    read: Call | None = None
    change: Call | None = None
    remove: Call | None = None
    list: Call | None = None
    states: tuple[State, ...] = ()

    @property
    def by_caller(self) -> bool:
        """Whether callers choose the ids: a path, a key, a name."""
        return self.id.startswith(ASKED)

    @property
    def writes_over(self) -> bool:
        """Whether what makes an entity also writes over one that is there."""
        return self.by_caller and self.change is not None and self.change.tool == self.make.tool

    @property
    def moves(self) -> tuple[Call, ...]:
        """The calls that bring an entity into a state, or out of it."""
        return tuple(call for state in self.states for call in (state.enter, state.leave) if call is not None)

    @property
    def changes(self) -> tuple[Call, ...]:
        """The calls after which an entity may have another revision."""
        return (*((self.change,) if self.change is not None else ()), *self.moves)

    @property
    def calls(self) -> tuple[Call, ...]:
        """All that is said of how its tools are called."""
        found = (self.make, self.read, self.change, self.remove, self.list, *self.moves)
        return tuple(call for call in found if call is not None)

    def state_for(self, call: Call) -> str:
        """The state that an entity has to be in for one of these calls: to leave a state it has to be in it."""
        return next((state.name for state in self.states if state.leave is call), call.state)

    def state_after(self, call: Call, before: str) -> str:
        """The state that an entity is in once one of these calls was accepted."""
        for state in self.states:
            if call is state.enter:
                return state.name
            if call is state.leave:
                return state.enter.state
        return before

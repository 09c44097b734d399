"""One instance of the tasks domain behind the seam."""

from collections.abc import Mapping, Sequence

from reference_server.application import Answer, Json, Request, Tool, UnknownToolError
from reference_server.conditions import Clock
from reference_server.tasks.arguments import Arguments
from reference_server.tasks.branches import Branches
from reference_server.tasks.budgets import Budgets
from reference_server.tasks.call import Call
from reference_server.tasks.cards import Cards
from reference_server.tasks.checkpoints import Checkpoints
from reference_server.tasks.conflicts import Conflicts
from reference_server.tasks.documents import Documents
from reference_server.tasks.editing import GraphEditing
from reference_server.tasks.envelope import Envelopes
from reference_server.tasks.events import Journal
from reference_server.tasks.identifiers import Identifiers
from reference_server.tasks.items import Items
from reference_server.tasks.merging import GraphMerge, NotesMerge
from reference_server.tasks.parts import Parts
from reference_server.tasks.places import Places
from reference_server.tasks.radar import Radar
from reference_server.tasks.refusal import Refusal
from reference_server.tasks.revisions import Revisions
from reference_server.tasks.spec import Spec
from reference_server.tasks.steps import Steps
from reference_server.tasks.targeting import Targeting
from reference_server.tasks.tools import SPECS
from reference_server.tasks.workspaces import Store

_TOOLS = tuple(spec.as_tool() for spec in SPECS)
_VALIDATORS = Arguments.compiled(SPECS)


class Tasks:
    """An application: a store of its own. A call has no await, so it is atomic on one loop."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.specs = {spec.name: spec for spec in SPECS}
        self.tools: Sequence[Tool] = _TOOLS

    async def call(self, request: Request) -> Answer:
        """Answers in the envelope; raises only `UnknownToolError`. Honours the condition `clock` (seconds ahead)."""
        spec = self.specs.get(request.tool)
        if spec is None:
            raise UnknownToolError(request.tool)
        ahead = request.conditions.get("clock")
        if isinstance(ahead, int | float):
            self.parts.clock.advance(ahead)
        call: Call | None = None
        try:
            call = self.opened(spec, request.arguments)
            result = self.serve(call)
        except Refusal as refusal:
            known = self.parts.store.known(request.arguments)
            return Answer(self.parts.envelopes.failure(spec, refusal, call, known), failed=True)
        return Answer(self.parts.envelopes.success(call, result))

    def opened(self, spec: Spec, given: Json) -> Call:
        """The call, its arguments checked. Raises INVALID_INPUT."""
        parts = self.parts
        arguments = parts.arguments.check(spec, given)
        return Call(parts, spec, arguments, parts.arguments.with_defaults(spec, arguments), parts.clock.now())

    def serve(self, call: Call) -> dict[str, Json]:
        """The tool's result."""
        name = call.arguments.get("workspace")
        if name is not None and not call.spec.makes_workspace:
            call.held = self.parts.store.require(name)
        return call.spec.handle(call)


def open_tasks(settings: Mapping[str, Json] | None = None) -> Tasks:
    """A fresh instance. Settings: `initialised` (bool, default false). TypeError or ValueError for others."""
    given = dict(settings or {})
    initialised = given.pop("initialised", False)
    if given:
        message = f"unknown settings: {', '.join(sorted(given))}"
        raise ValueError(message)
    if not isinstance(initialised, bool):
        message = f"initialised is a boolean, not {initialised!r}"
        raise TypeError(message)
    clock = Clock()
    parts = Parts(
        clock=clock,
        store=Store(initialised=initialised),
        arguments=Arguments(_VALIDATORS),
        envelopes=Envelopes(clock),
        identifiers=Identifiers(),
        revisions=Revisions(),
        budgets=Budgets(),
        items=Items(),
        steps=Steps(),
        checkpoints=Checkpoints(),
        targeting=Targeting(),
        journal=Journal(),
        branches=Branches(),
        documents=Documents(),
        places=Places(),
        editing=GraphEditing(),
        notes_merge=NotesMerge(),
        graph_merge=GraphMerge(),
        conflicts=Conflicts(),
        cards=Cards(),
        radar=Radar(),
    )
    return Tasks(parts)

"""One call as a tool sees it."""

from dataclasses import dataclass, field

from reference_server.application import Json
from reference_server.tasks.parts import Parts
from reference_server.tasks.spec import Spec
from reference_server.tasks.workspaces import Workspace


@dataclass(slots=True)
class Call:
    """What came in, and what the tool says beside its result."""

    parts: Parts
    spec: Spec
    given: dict[str, Json]
    """The arguments as they came."""
    arguments: dict[str, Json]
    """The arguments with defaults."""
    now: float
    held: Workspace | None = None
    raised: set[int] = field(default_factory=set)
    """Identities of the entities whose revision rose in this call."""
    warnings: list[Json] = field(default_factory=list)
    context: dict[str, Json] = field(default_factory=dict)

    @property
    def workspace(self) -> Workspace:
        """The workspace that the call names. LookupError for the tools that name none."""
        if self.held is None:
            message = f"{self.spec.name} has no workspace"
            raise LookupError(message)
        return self.held

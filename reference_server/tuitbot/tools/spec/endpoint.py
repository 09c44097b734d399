"""What an endpoint of the X API is: all that the tool which calls it is generated from."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from reference_server.application import Json
from reference_server.tuitbot.editions import Profile
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.tools.definition import Call
from reference_server.tuitbot.tools.parameters import Parameter


@dataclass(frozen=True)
class EndpointDef:
    """One endpoint."""

    name: str
    """The tool's, without the prefix x_v2_."""
    description: str
    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    """With the parameters that stand in it in braces."""
    category: str
    scopes: tuple[str, ...]
    """OAuth scopes that X asks for."""
    profiles: tuple[Profile, ...]
    parameters: tuple[Parameter, ...]
    handler: Callable[[Call], Json]
    """Calls the toolkit's function."""
    shown_by: tuple[str, ...] = ()
    codes: tuple[ErrorCode, ...] = ()
    """Codes besides those that every endpoint may answer."""
    state: bool = True

    @property
    def mutation(self) -> bool:
        """Whether it changes something."""
        return self.method != "GET"

"""Which tools there are, and which version of one an invocation means."""

from collections.abc import Iterable

from semantic_version import NpmSpec, Version

from reference_server.application import Json
from reference_server.invocation.definition import Definition
from reference_server.invocation.failure import Failure


class Registry:
    """Tools by name, each with its versions."""

    def __init__(self, definitions: Iterable[Definition]) -> None:
        self.definitions = {one.name: one for one in definitions}

    def find(self, name: str) -> Definition:
        """The tool of a name. Raises ToolNotFound."""
        if name not in self.definitions:
            raise Failure("ToolNotFound", "no tool of this name is registered: describe_tools lists those that are")
        return self.definitions[name]

    def resolve(self, tool: Definition, wanted: Json) -> str:
        """The highest version that a range contains; without one the highest that is no pre-release.

        Raises UnsupportedVersion: none satisfies it, or it is no range.
        """
        if wanted is not None and not isinstance(wanted, str):
            raise Failure("SchemaInvalid", "versionRange is a string")
        versions = {Version(text): text for text in tool.versions}
        try:
            chosen = NpmSpec("*" if wanted is None else wanted).select(versions)
        except ValueError:
            raise Failure("UnsupportedVersion", "versionRange is no SemVer version or range") from None
        if chosen is None:
            raise Failure("UnsupportedVersion", f"no version satisfies the range: there are {', '.join(tool.versions)}")
        return versions[chosen]

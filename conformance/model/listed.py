"""A tool as a server lists it."""

import re
from collections.abc import Iterator

from msgspec import Struct

from conformance.model.arguments import properties
from conformance.model.events import Json, Listing

OF_CALLS = re.compile(
    r"(?:^|[_.-])(?:logs?|usage|metrics?|audit|telemetry|quotas?|limits?|counters?|stats|statistics)(?:$|[_.-])",
    re.IGNORECASE,
)

ENDS = re.compile(r"(?<!s)kill|terminat|signal|interrupt|stop|(?:^|[_.-])end", re.IGNORECASE)
PROCESS = re.compile(r"(?:^|[_.-])(?:pids?|process_?ids?)$", re.IGNORECASE)
ENDS_BY_NAME = re.compile(
    r"(?<!s)(?:p|task)?kill[_.-]?(?:all|process|by|port)|(?:terminate|stop|(?:^|[_.-])end)[_.-]?process(?:es)?(?:$|[_.-])"
    r"|(?:p|task)kill$|shut[_.-]?down|reboot|power[_.-]?off|hibernate",
    re.IGNORECASE,
)
"""Tools of which a process, a port or the whole machine is named otherwise than by a number."""


class ListedTool(Struct, frozen=True):
    """A tool that has a name. Whatever else its definition holds may be of any type."""

    name: str
    definition: dict[str, Json]

    @property
    def input_schema(self) -> Json:
        """Its inputSchema, None where it has none."""
        return self.definition.get("inputSchema")

    @property
    def output_schema(self) -> Json:
        """Its outputSchema, None where it has none."""
        return self.definition.get("outputSchema")

    def hint(self, name: str) -> bool | None:
        """What an annotation says, None where it says neither true nor false."""
        annotations = self.definition.get("annotations")
        value = annotations.get(name) if isinstance(annotations, dict) else None
        return value if isinstance(value, bool) else None

    @property
    def reads_only(self) -> bool:
        """Whether it says of itself that it changes nothing."""
        return self.hint("readOnlyHint") is True

    @property
    def as_a_task(self) -> bool:
        """Whether it says that it can be called as a task alone (2025-11-25): any other call is refused with -32601."""
        execution = self.definition.get("execution")
        return isinstance(execution, dict) and execution.get("taskSupport") == "required"

    @property
    def shows_calls(self) -> bool:
        """Whether, by its name, it shows the calls themselves, which is no state: logs, usage, limits."""
        return OF_CALLS.search(self.name) is not None

    @property
    def ends_processes(self) -> bool:
        """Whether it ends processes, by its name and an argument's: any of the machine's, the server among them."""
        if ENDS_BY_NAME.search(self.name):
            return not self.reads_only
        return ENDS.search(self.name) is not None and any(map(PROCESS.search, properties(self.input_schema)))


def tools_of(listing: Listing) -> Iterator[ListedTool]:
    """The tools of a listing that have a name."""
    for tool in listing.tools:
        if isinstance(tool, dict) and isinstance(tool.get("name"), str):
            yield ListedTool(tool["name"], tool)


def may_call(tool: ListedTool, harmless: Json) -> bool:
    """Whether a statement's `calls.harmless` lets a tool be called: a word, or names with such a word among them.

    A tool that ends processes is called where it is named itself: nobody who says `all` has thought of it.
    """
    match harmless:
        case "all":
            return not tool.ends_processes
        case "none":
            return False
        case "read-only":
            return tool.reads_only
        case list() | tuple():
            words = [word for word in ("all", "read-only") if word in harmless]
            return tool.name in harmless or any(may_call(tool, word) for word in words)
        case _:
            return False

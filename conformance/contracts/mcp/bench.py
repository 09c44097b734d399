"""The bench of the mcp contract: the tools that a server lists, as far as they may be called, and working calls."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from conformance.drive.bench import Bench
from conformance.drive.errors import SkipError
from conformance.drive.statement import Example
from conformance.drive.vectors import Vector, bases, vectors
from conformance.model.events import Json, Listing
from conformance.model.exchange import Exchange
from conformance.model.listed import ListedTool, tools_of

PLACEHOLDER = re.compile(r"\{\{([^{}.]+)\.([^{}]+)\}\}")
Arguments = dict[str, Json]


@dataclass
class Samples:
    """What the examples of a target came to: arguments by tool, and what was answered."""

    arguments: dict[str, Arguments] = field(default_factory=dict)
    """By tool: those of its first example that could be filled in."""
    given: dict[str, dict[str, Json]] = field(default_factory=dict)
    """By tool: what its accepted answer holds; under `claims` those of the caller."""

    def filled(self, value: Json) -> Json:
        """A value whose placeholders are filled in; LookupError where nothing was given for one."""
        if isinstance(value, dict):
            return {key: self.filled(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.filled(each) for each in value]
        if not isinstance(value, str):
            return value
        whole = PLACEHOLDER.fullmatch(value)
        if whole:
            return self.given[whole[1]][whole[2]]
        return PLACEHOLDER.sub(lambda found: str(self.given[found[1]][found[2]]), value)


@dataclass(frozen=True)
class McpBench(Bench):
    """Calls only what the target's statement lets be called."""

    def listing(self) -> Listing:
        """The list that the run began with; SkipError where there is none."""
        listings = [each for each in self.session.recorder.history.listings if each.ended != "failed"]
        if not listings:
            raise SkipError("the server listed no tools")
        return listings[0]

    def callable(self) -> list[ListedTool]:
        """The tools that may be called; SkipError where there is none."""
        allowed = self.session.statement.calls.harmless
        found = [tool for tool in tools_of(self.listing()) if self._may_call(tool)]
        if not found:
            raise SkipError(
                f"no tool may be called: calls.harmless is {allowed!r}, and no tool that is listed falls under it"
            )
        return found

    def _may_call(self, tool: ListedTool) -> bool:
        match self.session.statement.calls.harmless:
            case "all":
                return True
            case "none":
                return False
            case "read-only":
                return tool.reads_only
            case names:
                return tool.name in names

    def reads(self) -> list[ListedTool]:
        """The tools that say that they only read, and may be called."""
        return [tool for tool in self.callable() if tool.reads_only]

    def silent(self, tool: str) -> bool:
        """Whether a tool let the time limit pass once; it is not waited for again."""
        return any(call.unanswered == "time" for call in self.session.recorder.history.calls(tool))

    async def tried(self, tool: str, arguments: Json, label: str = "") -> Exchange | None:
        """Calls a tool, unless it is known to be silent."""
        return None if self.silent(tool) else await self.call(tool, arguments, label=label)

    def examples(self) -> Iterator[Example]:
        """The statement's examples, in their order, of tools that may be called."""
        names = {tool.name for tool in self.callable()}
        return (example for example in self.session.statement.calls.examples if example.tool in names)

    def samples(self) -> Samples:
        """Nothing given yet but the caller's claims."""
        caller = self.session.default_credential
        return Samples(given={"claims": self.claims(caller)} if caller is not None else {})

    async def run(self, example: Example, samples: Samples) -> Exchange | None:
        """Makes an example's call and keeps what it gives; None where what it needs was not given."""
        try:
            arguments = samples.filled(example.arguments)
        except LookupError:
            return None
        exchange = await self.tried(example.tool, arguments)
        samples.arguments.setdefault(example.tool, arguments)
        if exchange is not None and exchange.accepted:
            samples.given.setdefault(example.tool, exchange.given)
        return exchange

    async def prepared(self) -> Samples:
        """All examples made, one after the other."""
        samples = self.samples()
        for example in self.examples():
            await self.run(example, samples)
        return samples

    def vectors(self, tool: ListedTool, samples: Samples, limit: int = 40) -> list[Vector]:
        """Valid and invalid arguments for a tool, made from its example where it has one."""
        return vectors(tool.input_schema, samples.arguments.get(tool.name), limit)

    def arguments(self, tool: ListedTool, samples: Samples) -> Arguments | None:
        """Arguments for a tool: of its example, else made from its schema; None where that gives none."""
        example = samples.arguments.get(tool.name)
        return example if example is not None else next(iter(bases(tool.input_schema)), None)


BENCH = McpBench
DEFAULT_ROLE = "orchestrator"
"""In whose name a call is made where the target wants to know."""

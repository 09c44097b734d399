"""Annotations put to the test: reads around every call."""

from conformance.contracts.mcp.bench import Arguments, McpBench, Samples
from conformance.drive.errors import SkipError, StuckError
from conformance.drive.stimulus import stimulus
from conformance.model.listed import ListedTool

READS = 6
"""Reads that are looked through; each is one walk through all tools."""
CALLS = 240
"""Calls after which no further walk begins."""
TRIES = 2
"""Refusals after which a read is given up."""


@stimulus("mcp", exercises=("MC-HINT-02", "MC-HINT-03", "MC-HINT-04"), bindings=("mcp",), last=True)
async def every_call_is_looked_at_through_a_read(bench: McpBench) -> None:
    """For each read: a walk through the examples and the other tools, the read between them all."""
    reads = bench.reads()
    if not reads:
        raise SkipError("no tool that may be called says readOnlyHint: nothing shows what a call changes")
    began = bench.session.recorder.calls
    looked = 0
    for read in reads[:READS]:
        if bench.session.recorder.calls - began < CALLS:
            looked += await _Walk(bench, read).through()
    if not looked:
        raise StuckError("no read gave an answer to look at")


class _Walk:
    """One walk. The read begins once the examples gave what it needs, twice: to see that it is steady."""

    def __init__(self, bench: McpBench, read: ListedTool) -> None:
        self._bench = bench
        self._read = read
        self._samples = Samples()
        self._arguments: Arguments | None = None
        self._tries = TRIES

    async def through(self) -> bool:
        """Whether the read was answered at all."""
        self._samples = self._bench.samples()
        tools = {tool.name: tool for tool in self._bench.callable()}
        done = set()
        for example in self._bench.examples():
            await self._begin()
            await self._bench.run(example, self._samples)
            await self._look()
            done.add(example.tool)
            if example.tool in self._samples.arguments:
                await self._again(tools[example.tool], self._samples.arguments[example.tool])
        for tool in tools.values():
            arguments = self._bench.arguments(tool, self._samples) if tool.name not in done else None
            if arguments is not None and (tool is not self._read or self._arguments is None):
                await self._begin()
                await self._bench.tried(tool.name, arguments)
                await self._look()
                await self._again(tool, arguments)
        return self._arguments is not None

    async def _again(self, tool: ListedTool, arguments: Arguments) -> None:
        if tool.hint("idempotentHint") is True and not tool.reads_only:
            await self._bench.tried(tool.name, arguments)
            await self._look()

    async def _look(self) -> None:
        if self._arguments is None:
            await self._begin()
        else:
            await self._bench.tried(self._read.name, self._arguments)

    async def _begin(self) -> None:
        """Finds arguments with which the read is answered, if it has none yet."""
        arguments = self._wanted() if self._arguments is None and self._tries else None
        if arguments is None:
            return
        first = await self._bench.tried(self._read.name, arguments)
        if first is not None and first.accepted:
            await self._bench.tried(self._read.name, arguments)
            self._arguments = arguments
        else:
            self._tries -= 1

    def _wanted(self) -> Arguments | None:
        """The read's arguments: of its own example once that can be filled in, else made from its schema."""
        for example in self._bench.examples():
            if example.tool == self._read.name:
                try:
                    filled: Arguments = self._samples.filled(example.arguments)
                except LookupError:
                    return None
                return filled
        return self._bench.arguments(self._read, self._samples)

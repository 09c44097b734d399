"""The bench of the mcp contract: the tools that a server lists, as far as they may be called, and working calls."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b

from conformance.contract.asked import key_places
from conformance.contracts.mcp.reach.eager import eager
from conformance.contracts.mcp.reach.usual import deed
from conformance.contracts.mcp.samples import (
    Arguments,
    Files,
    Fresh,
    GoodCall,
    Samples,
    accepted_calls,
    leads_to,
    renewable,
)
from conformance.contracts.mcp.spacing import Spacing
from conformance.drive.bench import Bench
from conformance.drive.errors import SkipError
from conformance.drive.stimulus import STIMULI
from conformance.drive.vectors import Vector, made
from conformance.model.arguments import required
from conformance.model.events import Json, Listing, Stimulus
from conformance.model.exchange import Exchange
from conformance.model.listed import ListedTool, may_call, tools_of
from conformance.model.pointer import ASKED, drop, pointer_of

LEFT_OUT = 20
"""Tools of one stimulus of which it is said why they are not called."""
VECTORS = 40
"""Arguments of a tool that are tried."""
ALL_VECTORS = 400
"""Arguments of all tools together, where the run is about a contract, whose own stimuli try them too."""
LEAST_VECTORS = 8
TURN = "whose turn it is to write"
READERS = "tools that say that they only read"
REACHED = "calls that were accepted"
SPACING = "how far apart the calls of each tool leave"
"""Under these names the session keeps them."""
SLOW = 0.1
"""Of the time limit of a call: a tool that takes longer is not called over and over."""
SLOW_ALONE = 0.5
"""The same of a tool that answered one call: that may have met a busy machine."""


@dataclass(frozen=True)
class McpBench(Bench):
    """Calls only what the target's statement lets be called."""

    @property
    def of_a_contract(self) -> bool:
        """Whether the run is about a contract that is served over MCP, rather than about MCP alone."""
        return bool(self.contract.tools)

    async def listing(self) -> Listing:
        """The list that the run began with; SkipError where there is none."""
        listings = self.session.recorder.history.listings
        known = next((each for each in listings if each.instance == self.instance and each.ended != "failed"), None)
        listing = known or await self.tools()
        if listing.ended == "failed":
            raise SkipError("the server listed no tools")
        return listing

    async def callable(self) -> list[ListedTool]:
        """The tools that may be called; SkipError where there is none."""
        found = [tool for tool in tools_of(await self.listing()) if self.allows(tool)]
        if not found:
            allowed = self.session.statement.calls.harmless
            named = allowed if isinstance(allowed, str) else ", ".join(allowed) or "empty"
            raise SkipError(
                f"no tool may be called: calls.harmless is {named}, and no tool that is listed falls under it"
            )
        return found

    def allows(self, tool: ListedTool) -> bool:
        """Whether a tool may be called: a contract's own is no harm to a test store, of others the statement tells."""
        own = tool.name in self.contract.tools
        calls = self.session.statement.calls
        allowed = own or may_call(tool, calls.harmless)
        return self.supports(tool.name) and allowed and tool.name not in calls.skip

    def in_turn(self, tool: str) -> bool:
        """Whether calls of a tool wait for one another: a stranger's that may write, as many keep all in one file."""
        return tool not in self.contract.tools and tool not in self._readers()

    def _readers(self) -> frozenset[str]:
        """Of all lists so far. Every call asks for them, so that only what was listed since is looked at."""
        listings = self.session.recorder.history.listings
        known: frozenset[str]
        seen, known = self.session.kept.get(READERS, (0, frozenset()))
        if seen < len(listings):
            known |= {tool.name for each in listings[seen:] for tool in tools_of(each) if tool.reads_only}
            self.session.kept[READERS] = len(listings), known
        return known

    async def call(self, tool: str, arguments: Json, *, credential: str | None = None, label: str = "") -> Exchange:
        """Calls a tool; one of those that wait for one another in its turn, one with a limit of its own more slowly."""
        make = partial(self._called, tool, arguments, credential, label)
        if self.of_a_contract:  # a limit may be what is asked for
            return await make()
        spacing: Spacing = self.session.kept.setdefault(SPACING, {}).setdefault((self.endpoint, tool), Spacing())
        return await spacing.call(make)

    async def _called(self, tool: str, arguments: Json, credential: str | None, label: str) -> Exchange:
        async with self._turn(tool):
            return await super().call(tool, arguments, credential=credential, label=label)

    async def asking(
        self, tool: str, arguments: Json, meta: Mapping[str, Json], *, credential: str | None = None
    ) -> Exchange:
        """Calls a tool and asks for what its `_meta` says; without a token in it for no progress.

        No `arguments` are sent where there are none: they may be left out.
        """
        wanted = {"name": tool, **({"arguments": arguments} if arguments else {})}
        wanted["_meta"] = {"progressToken": None, **meta}
        async with self._turn(tool):
            return await self.request("tools/call", wanted, credential=credential)

    def _turn(self, tool: str) -> AbstractAsyncContextManager[object]:
        return self.session.kept.setdefault(TURN, asyncio.Lock()) if self.in_turn(tool) else nullcontext()

    async def reads(self) -> list[ListedTool]:
        """The tools that say that they only read, and may be called."""
        return [tool for tool in await self.callable() if tool.reads_only]

    def shows_state(self, read: ListedTool) -> bool:
        """Whether a read shows what calls change, rather than the calls; the run's contract may tell."""
        mark = self.contract.marks.get(read.name)
        return mark.state if mark is not None else not read.shows_calls

    def silent(self, tool: str) -> bool:
        """Whether a tool let the time limit pass once; on the same instance it is not waited for again."""
        calls = self.session.recorder.history.calls(tool)
        return any(call.unanswered == "time" and call.instance == self.instance for call in calls)

    def slow(self, tool: str) -> bool:
        """Whether each call of a tool that was answered took so long that few more are to be made."""
        calls = self.session.recorder.history.calls(tool)
        took = [call.received - call.sent for call in calls if call.received is not None]
        share = SLOW if len(took) > 1 else SLOW_ALONE
        return bool(took) and min(took) > share * self.session.statement.limits.call_timeout_s * 1_000_000

    def spent(self, tool: str) -> bool:
        """Whether a tool is slow, and this stimulus called it already."""
        calls = self.session.recorder.history.calls(tool)
        return self.slow(tool) and any(call.stimulus == self.stimulus for call in calls)

    async def tried(self, tool: str, arguments: Json, samples: Samples | None = None) -> Exchange | None:
        """Calls a tool, in the name of the caller whose samples these are, unless it is known to be silent."""
        caller = samples.callers.get(tool) if samples is not None else None
        return None if self.silent(tool) else await self.call(tool, arguments, credential=caller)

    async def good_calls(self) -> list[GoodCall]:
        """The statement's examples, in their order; of other tools calls that the run was seen to have accepted."""
        names = {tool.name: None for tool in await self.callable()}
        given = [GoodCall(each.tool, each.arguments) for each in self.session.statement.calls.examples]
        told = [good for good in given if good.tool in names]
        seen = [good for name in names for good in self._seen(name)] if self.of_a_contract else []
        seen += [good for good in self.session.kept.get(REACHED, ()) if good.tool in names]
        return [*told, *(good for good in seen if all(good.tool != each.tool for each in told))]

    def _seen(self, tool: str) -> Sequence[GoodCall]:
        """Calls of a tool that the contract's own stimuli made here, under no condition, and that were accepted.

        Without a key that may be left out: with other arguments under it, a call would be refused for that.
        """
        about = self.contract.tools.get(tool)
        needed = {f"@{pointer_of([name])}" for name in required(about.inputSchema)} if about is not None else set()
        keys = [place.removeprefix(ASKED) for place in key_places(self.contract, tool) if place not in needed]

        history = self.session.recorder.history
        store = history.stores.now(self.instance, history.instances)

        def counts(call: Exchange) -> bool:
            here = call.instance == store and call.connection.endpoint == self.endpoint
            return here and not call.conditions and not call.stimulus.startswith("mcp.")

        found = accepted_calls(history.by_tool.get(tool, ()), counts)
        return [replace(good, arguments=_without(good.arguments, keys)) for good in found]

    def samples(self) -> Samples:
        """Nothing given yet but the caller's claims and fresh names."""
        caller = self.session.wallet.default
        claims = {"claims": self.claims(caller)} if caller is not None else {}
        return Samples(given={**claims, "fresh": Fresh(self._short), "files": Files(self.session.files.path)})

    def _short(self, prefix: str) -> str:
        """A name that nothing else has, in letters, digits and underscores: many a tool takes no others."""
        return f"{prefix}_{blake2b(self.unique(prefix).encode(), digest_size=4).hexdigest()}"

    def keep(self, found: Sequence[GoodCall]) -> None:
        """Keeps calls that were accepted, with placeholders, for the stimuli after this one."""
        self.session.kept[REACHED] = [*self.session.kept.get(REACHED, ()), *found]

    async def run(self, good: GoodCall, samples: Samples, own: Samples | None = None) -> Exchange | None:
        """Makes a good call and keeps what it gives; None where what it needs was not given.

        `own`: what it takes its values from, where that is something else.
        """
        try:
            arguments = good.arguments if good.seen else (own or samples).filled(good.arguments)
        except LookupError:
            return None
        exchange = None
        if not self.silent(good.tool):
            exchange = await self.call(good.tool, arguments, credential=good.credential)
        samples.take(good, arguments, exchange)
        return exchange

    async def prepared(self) -> Samples:
        """All good calls made, one after the other; of those that were seen one a tool, the first that works again.

        One that the statement does not ask for is not made again where it takes long. One that removes something
        removes what was made for it alone. One that is refused is made once more, on what is made for it alone.
        """
        samples = self.samples()
        removing = {tool.name for tool in await self.callable() if deed(tool) == "remove"}
        asked = {example.tool for example in self.session.statement.calls.examples}
        for good in await self.good_calls():
            if good.tool not in asked and self.slow(good.tool):
                with suppress(LookupError):
                    samples.take(good, samples.filled(good.arguments), None)
            elif not good.seen or not samples.works(good.tool):
                own = await self.renewed(good) if good.tool in removing else None
                answer = await self.run(good, samples, own)
                if answer is not None and answer.refused and own is None and not samples.works(good.tool):
                    own = await self.renewed(good)
                    if own is not None:
                        await self.run(good, samples, own)
        return samples

    async def renewed(self, good: GoodCall | None) -> Samples | None:
        """What a good call needs made anew, and the call itself not made; None where it takes nothing that is new.

        Also where what it needs is no longer given, or takes long to make.
        """
        if good is None or not renewable(good):
            return None
        before = leads_to(good, await self.good_calls())
        if any(self.slow(each.tool) for each in before):
            return None
        samples = self.samples()
        for each in before:
            await self.run(each, samples)
        try:
            samples.take(good, samples.filled(good.arguments), None)
        except LookupError:
            return None
        return samples

    async def vectors(self, tool: ListedTool, samples: Samples) -> list[Vector]:
        """Valid and invalid arguments for a tool, made from its sample where it has one; none where none are found."""
        limit = VECTORS
        if self.of_a_contract:
            limit = min(VECTORS, max(LEAST_VECTORS, ALL_VECTORS // len(await self.callable())))
        found = await made(tool.input_schema, samples.arguments.get(tool.name), limit)
        if found.why:
            self.left_out(tool, found.why)
        return list(found.vectors)

    async def arguments(self, tool: ListedTool, samples: Samples) -> Arguments | None:
        """Arguments for a tool: of its sample, else made from its schema; None where that gives none."""
        example = samples.arguments.get(tool.name)
        if example is not None:
            return example
        found = await made(tool.input_schema, limit=1)
        return found.vectors[0].value if found.vectors else None

    async def full(self, tool: ListedTool) -> Arguments:
        """Values for all arguments that a tool's schema names; empty where they cannot be made."""
        found = await made(eager(tool.input_schema, full=True), limit=1)
        return found.vectors[0].value if found.vectors else {}

    def left_out(self, tool: ListedTool, why: str) -> None:
        """Writes down that a tool is not called here for want of arguments, as far as that is not too often said."""
        told = f"{tool.name} was not called: no arguments could be made for its schema: {why}"
        recorder = self.session.recorder
        said = [stimulus.why for stimulus in recorder.history.stimuli if stimulus.name == self.stimulus]
        if told not in said and len(said) < LEFT_OUT:
            exercises = STIMULI[self.stimulus].exercises
            recorder.write(
                Stimulus(name=self.stimulus, exercises=exercises, state="skipped", why=told, t=recorder.now())
            )


def _without(arguments: Arguments, pointers: Sequence[str]) -> Arguments:
    found = deepcopy(arguments)
    for pointer in pointers:
        drop(found, pointer)
    return found


BENCH = McpBench
DEFAULT_ROLE = "orchestrator"
"""In whose name a call is made where the target wants to know."""

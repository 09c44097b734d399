"""Each tool under a condition and without it, with the same arguments: what it answers, and that it works otherwise."""

from collections.abc import Awaitable, Collection, Iterable, Mapping

from conformance.contracts.tuitbot.bench import ALL_PROFILES, WORKING, TuitbotBench, apart
from conformance.contracts.tuitbot.calls import ABOUT, REMARKS, TEXTS, Calls, is_later
from conformance.contracts.tuitbot.deeds import UNDOES
from conformance.contracts.tuitbot.gate import UNTOLD
from conformance.contracts.tuitbot.manifest import manifest
from conformance.contracts.tuitbot.stimuli.serving import fixed, optionals
from conformance.drive.errors import SkipError, StuckError
from conformance.model.events import Json

APPROVALS = ("approve_item", "reject_item", "approve_all")
CONSUMING = (*APPROVALS, "x_delete_tweet", "propose_and_queue_replies")
"""Tools that use up what they are about, where they succeed."""
USED_UP = (*CONSUMING, *TEXTS, *REMARKS)
"""The same, and those whose text X takes once. What is done to a tweet or an account, X may take once as well."""
OF_ITS_OWN = (*CONSUMING, *REMARKS, *ABOUT, "draft_replies_for_candidates")
"""Tools about something that another instance may not have."""
OF_X = ("x", "x_client")
ONE_WAY = ("x_v2_users_unpin_tweet",)
"""Mutations that can be called in one way alone."""


async def sweep(bench: TuitbotBench, tools: Iterable[str], name: str, *values: Json) -> None:
    """Each tool while a condition has each of these values, then without it; labelled with its own name.

    Where the condition can only be had from the start, instances that began so are called. What is about things of an
    instance's own is then about theirs, as far as they can be made there, but where X fails before it looks for them.
    """
    calls = await Calls.at(bench)
    prepared: dict[str, dict[str, Json]] = {}
    for tool in tools:
        await _prepare(calls, tool, prepared)
    alone = [tool for tool in prepared if tool in ONE_WAY and calls.guards(tool)]
    others = [tool for tool in prepared if tool not in alone]
    for value in values:
        under = await bench.given(**{name: value})
        await under.revision()
        if under.instance == bench.instance:
            await _meanwhile(calls, under, others, prepared)
        else:
            await _from_the_start(under, others, prepared, without_x=name in OF_X)
            await under.end()
    for tool, given in prepared.items():
        await bench.call(tool, given, label=tool)
    if bench.toggles(name):
        under = await bench.given(**{name: values[-1]})
        await apart(*[_with_all_given(calls, under, tool) for tool in others])
    for tool in alone:
        for value in values:
            await _elsewhere(bench, tool, prepared, name, value)


async def _meanwhile(
    calls: Calls, under: TuitbotBench, tools: Iterable[str], prepared: dict[str, dict[str, Json]]
) -> None:
    """Each tool while a condition holds for a time; what is used up all the same is made again."""
    for tool in [each for each in tools if each in prepared]:
        answer = await under.call(tool, prepared[tool], label=tool)
        done = answer.accepted or answer.code == UNTOLD
        if (done and tool in (*USED_UP, *UNDOES)) or calls.guards(tool):
            await _prepare(calls, tool, prepared)


async def _from_the_start(
    under: TuitbotBench, tools: Iterable[str], prepared: dict[str, dict[str, Json]], *, without_x: bool
) -> None:
    """Each tool on an instance that began under a condition."""
    there = _There(under, without_x=without_x)
    for tool in tools:
        if tool not in CONSUMING and (given := await there.arguments(tool, prepared[tool])) is not None:
            await under.call(tool, given, label=tool)


async def _with_all_given(calls: Calls, under: TuitbotBench, tool: str) -> None:
    """A tool with its optional parameters under a condition and without it: it may take another way then."""
    names = [name for name in optionals(calls.bench, tool) if name != "dry_run"]
    more = {name: values[0] for name in names if (values := fixed(tool, name))}
    for bench in (under, calls.bench) if more else ():
        await bench.call(tool, {**await calls.arguments(tool), **more}, label=f"{tool}, all given")


class _There:
    """What tools are called with on an instance that began under a condition."""

    def __init__(self, under: TuitbotBench, *, without_x: bool) -> None:
        self._under = under
        self._without_x = without_x
        self._calls: Calls | None = None

    async def arguments(self, tool: str, elsewhere: dict[str, Json]) -> dict[str, Json] | None:
        """Those of another instance, where they are about nothing that this one lacks; else None where none are had."""
        about = manifest(self._under.contract.edition)[tool]
        if (self._without_x and about.requires_x_client) or not (tool in OF_ITS_OWN or is_later(tool)):
            return elsewhere
        if self._without_x:
            return None
        try:
            if self._calls is None:
                self._calls = await Calls.at(self._under)
            return await self._calls.arguments(tool)
        except (StuckError, SkipError):
            return None


async def _elsewhere(
    bench: TuitbotBench, tool: str, prepared: dict[str, dict[str, Json]], name: str, value: Json
) -> None:
    """A tool that is called in one way alone, and may not be called so twice: on an instance of its own."""
    try:
        fresh = await bench.fresh(**bench.settings)
        other: dict[str, dict[str, Json]] = {}
        await _prepare(await Calls.at(fresh), tool, other)
        await (await fresh.given(**{name: value})).call(tool, other.get(tool, prepared[tool]), label=tool)
    except (StuckError, SkipError):
        return


async def _prepare(calls: Calls, tool: str, prepared: dict[str, dict[str, Json]]) -> None:
    """Arguments with which a tool works. Where they cannot be had, that tool alone is lost."""
    prepared.pop(tool, None)
    try:
        prepared[tool] = await calls.arguments(tool)
    except (StuckError, SkipError):
        return


async def sweep_profiles(
    bench: TuitbotBench,
    flag: str,
    name: str,
    *values: Json,
    kind: Collection[str] = ALL_PROFILES,
    wished: Mapping[str, Json] = WORKING,
) -> None:
    """The tools of all profiles that declare a flag, or all for none, each once with a gate and once without.

    Words on approvals come one by one, each on an instance where posts wait for approval.
    """
    parts: list[Awaitable[None]] = []
    for server, tools in await bench.each_tool_once(kind, wished):
        working = chosen(bench, tools, flag)
        parts.append(sweep(server, [tool for tool in working if tool not in APPROVALS], name, *values))
        parts += [_on_approvals(bench, tool, name, values) for tool in APPROVALS if tool in working]
    await apart(*parts)


async def _on_approvals(bench: TuitbotBench, tool: str, name: str, values: tuple[Json, ...]) -> None:
    await sweep(await routing(bench), [tool], name, *values)


async def routing(bench: TuitbotBench) -> TuitbotBench:
    """A profile with a gate where posts wait for approval and all else happens, as far as that can be had."""
    first = bench.policies.naming.first
    rule = bench.policies.rule("require_approval", "x_post_tweet", priority=first)
    return await bench.working({"policy": bench.policies.ruled(rule)})


def chosen(bench: TuitbotBench, tools: Iterable[str], flag: str = "") -> list[str]:
    """Those of the tools that declare a flag, or all; those that use something up come last."""
    entries = [manifest(bench.contract.edition)[name] for name in tools]
    names = [entry.name for entry in entries if not flag or getattr(entry, flag)]
    return sorted(names, key=lambda tool: (tool in CONSUMING, tool == "approve_all"))

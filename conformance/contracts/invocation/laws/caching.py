"""Caching: of Pure tools alone, by tool, version and canonical input, and not seen in logs."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import Invocation, invocations
from conformance.contracts.invocation.frames import LOG, streams
from conformance.contracts.invocation.kit import EXECUTION, KINDS
from conformance.contracts.invocation.laws.entering import shows_executions
from conformance.contracts.invocation.markers import masked
from conformance.contracts.invocation.records import Records, records
from conformance.contracts.invocation.triggered import triggered
from conformance.judge.faults import declined
from conformance.judge.judgements import breach, holds
from conformance.judge.kinds import alike, spelled
from conformance.judge.law import law
from conformance.model.events import Json
from conformance.model.history import History
from conformance.model.verdict import Judgement

GIVES_ANEW = frozenset({
    "local::kit.append", "local::kit.notify", "local::kit.put", "local::kit.start_job", "local::kit.limited_append",
})  # fmt: skip
"""Tools that give something else each time they run."""
CALLERS_OWN = frozenset({"input", "output", "metadata", "headers"})
"""Fields of a record that hold what others wrote."""


@law("IR-CACHE-01")
def only_pure_tools_are_cached(history: History, contract: Contract) -> Iterator[Judgement]:
    """A tool that is not Pure runs each time it is called anew, also with input that it had before."""
    kept, calls = records(history, contract), invocations(history, contract)
    used = Counter(_key(one) for one in calls if one.has("idempotencyKey") and not declined(one.call))
    for group in calls.groups():
        if group[0].tool is None or group[0].tool.effect == "Pure":
            continue
        firsts: dict[str, Invocation] = {}
        for one in group:
            # where several calls of a key were served, each but one may be a replay
            if not one.call.accepted or (one.has("idempotencyKey") and used[_key(one)] > 1):
                continue
            first = firsts.setdefault(spelled([one.input, one.given("versionRange")]), one)
            if first is not one and first.call.before(one.call):
                yield from _ran_again(first, one, kept)
            elif shows_executions(calls, kept, one):
                yield from _ran(one, kept)


def _key(one: Invocation) -> tuple[str, str, str]:
    return one.call.instance, one.name, spelled(one.given("idempotencyKey"))


def _ran(one: Invocation, kept: Records) -> Iterator[Judgement]:
    """A call that repeats none that was served: its key is new, or every other call of it failed."""
    looked = kept.of(one, EXECUTION) if kept.distinct(one) else None
    if looked is not None and looked.tells(one):
        saw = f"{one.name} was served and not executed, and repeats no call that was served"
        yield holds(looked.entries, saw, one.call, looked.call, pointer="/records")


def _ran_again(first: Invocation, one: Invocation, kept: Records) -> Iterator[Judgement]:
    if one.name in GIVES_ANEW:
        saw = f"{one.name} called anew with the same input gave the same output"
        anew = alike(first.output, one.output) is False
        yield holds(anew, saw, first.call, one.call, pointer="/output", got=one.output)
    if not kept.distinct(first) or not kept.distinct(one):
        return
    before, looked = kept.of(first, EXECUTION), kept.of(one, EXECUTION)
    if before is not None and before.entries and looked is not None and looked.tells(one):
        saw = f"{one.name} called anew with the same input was not executed"
        yield holds(looked.entries, saw, first.call, one.call, looked.call, pointer="/records")


class Cached:
    """The accepted calls of a Pure tool, and which of them were answered without being executed."""

    def __init__(self, calls: Sequence[Invocation], kept: Records, relayed: Sequence[tuple[Invocation, Json]]) -> None:
        self.all = calls
        self.relayed = relayed
        """The relays that invoked the tool, each with the input that it handed on."""
        self.seen: list[tuple[Invocation, bool]] = []
        for one in calls:
            looked = kept.of(one, EXECUTION) if one.call.accepted and kept.distinct(one) else None
            if looked is not None and looked.tells(one):
                self.seen.append((one, not looked.entries))
        if not any(not hit for _, hit in self.seen):
            # its executions are not recorded: nothing tells an answer from a cache
            self.seen = []

    @property
    def hits(self) -> bool:
        """Whether a call was answered from a cache."""
        return any(hit for _, hit in self.seen)

    def had(self, one: Invocation) -> bool:
        """Whether its input was brought before, for the same version, or by a relay."""
        if any(relay.call.sent < one.end and alike(given, one.input) is not False for relay, given in self.relayed):
            return True
        return any(
            other is not one
            and other.call.sent < one.end
            and alike(other.input, one.input) is not False
            and (
                other.result.get("resolvedVersion") == one.result.get("resolvedVersion")
                # where the server failed at it, its answer does not tell
                or not (other.call.accepted or declined(other.call))
            )
            for other in self.all
        )


def _pure_tools(history: History, contract: Contract) -> Iterator[Cached]:
    """By instance and tool: a cache knows no tenants."""
    kept = records(history, contract)
    tools: dict[tuple[str, str], list[Invocation]] = defaultdict(list)
    relayed: dict[tuple[str, str], list[tuple[Invocation, Json]]] = defaultdict(list)
    for one in invocations(history, contract):
        if one.tool is not None and one.tool.effect == "Pure":
            tools[one.call.instance, one.name].append(one)
        for inner in triggered(one):
            relayed[one.call.instance, inner.tool.name].append((one, inner.input))
    for place, calls in tools.items():
        yield Cached(calls, kept, relayed[place])


def _nothing_cached(history: History, contract: Contract) -> str:
    tools = list(_pure_tools(history, contract))
    repeated = any(tool.had(one) for tool in tools for one, _ in tool.seen)
    if not repeated or any(tool.hits for tool in tools):
        return ""
    return "each repeated call of a Pure tool was executed: the target caches nothing that was called"


@law("IR-CACHE-02", absent=_nothing_cached)
def the_key_is_tool_version_and_canonical_input(history: History, contract: Contract) -> Iterator[Judgement]:
    """Equal input is answered from the cache whatever the order of its keys; another version or input is executed."""
    for tool in _pure_tools(history, contract):
        orders: dict[str, list[tuple[Invocation, bool]]] = defaultdict(list)
        for one, hit in tool.seen if tool.hits else ():
            version = one.result.get("resolvedVersion")
            orders[spelled([version, one.input])].append((one, hit))
            if not tool.had(one):
                saw = f"{one.name} {version} was answered from the cache for an input that it never had"
                yield holds(not hit, saw, one.call, expected="an execution")
        for calls in orders.values():
            yield from _reordered(calls)


def _reordered(calls: Sequence[tuple[Invocation, bool]]) -> Iterator[Judgement]:
    """A call with its keys in another order, between two with the first's that were both answered from the cache."""
    first, _ = calls[0]
    for number, (one, hit) in enumerate(calls):
        around = [
            any(h and list(o.input) == list(first.input) for o, h in part)
            for part in (calls[:number], calls[number + 1 :])
        ]
        if list(one.input) != list(first.input) and all(around):
            saw = f"{one.name} with its keys in another order was executed, with the first order it is cached"
            yield holds(hit, saw, first.call, one.call, expected="an answer from the cache")


def _allows(history: History) -> bool:
    return history.header is not None and history.header.settings.get("cache_in_logs") is True


def _allowed(history: History, contract: Contract) -> str:
    if _allows(history):
        return "the target allows metadata of the cache in its logs (cache_in_logs)"
    return _nothing_cached(history, contract)


@law("IR-CACHE-03", absent=_allowed)
def cache_metadata_is_in_no_log(history: History, contract: Contract) -> Iterator[Judgement]:
    """Neither the records nor the logging notifications of a call that was answered from a cache tell of the cache."""
    if _allows(history):
        return
    kept, beside = records(history, contract), streams(history, contract)
    for tool in _pure_tools(history, contract):
        for one, _ in tool.seen if tool.hits else ():
            for kind in KINDS:
                looked = kept.of(one, kind)
                for entry in looked.entries if looked is not None else ():
                    told = _told({name: value for name, value in entry.items() if name not in CALLERS_OWN})
                    saw = f"the {kind} record of {one.name} tells of the cache at {told}"
                    calls_shown = (one.call,) if looked is None else (one.call, looked.call)
                    yield holds(not told, saw, *calls_shown, pointer="/records", got=entry)
            for message in beside.of(one).logs:
                told = _told(message.payload.get("params"))
                yield holds(not told, f"a logging notification of {one.name} tells of the cache at {told}", one.call)
        if tool.hits:
            hit = next(one for one, from_cache in tool.seen if from_cache)
            yield from _lone_logs(history, hit)


def _lone_logs(history: History, hit: Invocation) -> Iterator[Judgement]:
    """A logging notification that names no call tells of the cache as little."""
    for message in history.strays:
        payload = message.payload if isinstance(message.payload, dict) else {}
        if payload.get("method") == LOG and message.connection == hit.call.connection.id:
            params = payload.get("params")
            if told := _told(params):
                yield breach(f"a logging notification tells of the cache at {told}", hit.call, got=params)


def _told(value: Json, pointer: str = "") -> str:
    """The first place at which a value tells of a cache; empty where none does."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if "cache" in name.lower() and not masked(inner):
                return f"{pointer}/{name}"
            if found := _told(inner, f"{pointer}/{name}"):
                return found
    elif isinstance(value, list):
        return next((found for number, inner in enumerate(value) if (found := _told(inner, f"{pointer}/{number}"))), "")
    elif isinstance(value, str) and pointer.endswith("/name") and "cache" in value.lower():
        return pointer
    return ""

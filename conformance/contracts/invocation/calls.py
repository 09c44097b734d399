"""The invocations of a history, read as the contract has them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.kit import INVOKE, KitTool, kit
from conformance.judge.calendar import calendar_of
from conformance.judge.instants import instant
from conformance.judge.kinds import spelled
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

LOCAL, FOREIGN = "local", "mcp"
QUALIFIED = re.compile(r"local::[A-Za-z0-9_-]+\.[A-Za-z0-9_.-]+|mcp::[A-Za-z0-9_-]+::[A-Za-z0-9_.-]+")
"""A fully qualified name."""
_SECRET = re.compile(r"token|authorization|password|secret|apikey")
_NO_SECRETS = frozenset({"pagetoken", "nexttoken", "tokens"})
MICROSECONDS = 1_000_000
MILLI = 1_000
"""Microseconds in a millisecond."""


def says_secret(name: str) -> bool:
    """Whether a field is named like a secret, as the contract reads names: without case, `-` and `_`."""
    folded = name.lower().replace("-", "").replace("_", "")
    return folded not in _NO_SECRETS and _SECRET.search(folded) is not None


def origin_of(name: str) -> str | None:
    """The origin that a fully qualified name tells; None where it is malformed."""
    if QUALIFIED.fullmatch(name) is None:
        return None
    parts = name.split("::")
    return LOCAL if parts[0] == LOCAL else f"{FOREIGN}::{parts[1]}"


@dataclass(frozen=True, eq=False)
class Invocation:
    """A call of `invoke`."""

    call: Exchange
    name: str
    """toolName; empty where it is no text."""
    tool: KitTool | None
    """The tool of the kit that it names."""
    tenant: str
    wall: float | None
    """When it was sent by the server's own calendar, as seconds since 1970; None where the run does not tell."""

    def given(self, name: str) -> Json:
        """A field of the Invocation, None where it is absent."""
        return self.call.argument(name)

    def has(self, name: str) -> bool:
        """Whether a field of the Invocation is there."""
        return isinstance(self.call.arguments, dict) and name in self.call.arguments

    @cached_property
    def input(self) -> dict[str, Json]:
        """The input, empty where it is no object."""
        found = self.given("input")
        return found if isinstance(found, dict) else {}

    @property
    def result(self) -> dict[str, Json]:
        """The Result, empty where there is none."""
        return self.call.envelope or {}

    @cached_property
    def error(self) -> dict[str, Json]:
        """Its error, empty where there is none."""
        found = self.result.get("error")
        return found if isinstance(found, dict) else {}

    @cached_property
    def details(self) -> dict[str, Json]:
        """What the error tells for machines, empty where it tells nothing."""
        found = self.error.get("details")
        return found if isinstance(found, dict) else {}

    @property
    def output(self) -> dict[str, Json]:
        """The output of a success, empty where there is none."""
        return self.call.given if self.call.accepted else {}

    @property
    def snapshot(self) -> dict[str, Json]:
        """The policySnapshot, empty where there is none."""
        found = self.result.get("policySnapshot")
        return found if isinstance(found, dict) else {}

    @cached_property
    def correlation(self) -> str:
        """The correlationId that the caller gave, else the one that the Result tells; empty where there is neither."""
        for found in (self.given("correlationId"), self.result.get("correlationId")):
            if isinstance(found, str) and found:
                return found
        return ""

    @property
    def took(self) -> float | None:
        """Milliseconds that the caller measured."""
        return None if self.call.received is None else (self.call.received - self.call.sent) / MILLI

    @property
    def end(self) -> float:
        """When it was surely over; never, where no answer came."""
        return float("inf") if self.call.received is None else float(self.call.received)


class Invocations:
    """All of them, in the order in which they were sent."""

    def __init__(self, history: History, _: Contract) -> None:
        began = instant(history.header.started_at) if history.header is not None else None
        tools, calendar = kit(), calendar_of(history)
        self._of: dict[int, Invocation] = {}
        self._keyed: dict[tuple[str, str, str], list[Invocation]] = defaultdict(list)
        self._groups: dict[tuple[str, str, str], list[Invocation]] = defaultdict(list)
        for call in history.calls(INVOKE):
            named = call.argument("toolName")
            name = named if isinstance(named, str) else ""
            wall = None if began is None else began + call.sent / MICROSECONDS + calendar.ahead(call)
            one = Invocation(call, name, tools.get(name), _tenant(call), wall)
            self._of[call.call] = one
            self._groups[call.instance, name, one.tenant].append(one)
            if one.has("idempotencyKey"):
                self._keyed[_key(one)].append(one)

    def __iter__(self) -> Iterator[Invocation]:
        return iter(self._of.values())

    def of(self, call: Exchange) -> Invocation:
        """That of a call of `invoke`."""
        return self._of[call.call]

    def group(self, one: Invocation) -> list[Invocation]:
        """Those of the same tool and tenant, among them this one: limits count them together."""
        return self._groups[one.call.instance, one.name, one.tenant]

    def groups(self) -> Iterator[list[Invocation]]:
        """Each tool's invocations in the name of one tenant."""
        yield from self._groups.values()

    def repeated(self, one: Invocation) -> bool:
        """Whether another invocation of its tool has its key: which of the two came first may be unknown."""
        return len(self._keyed[_key(one)]) > 1 if one.has("idempotencyKey") else False

    def to(self, *names: str) -> Iterator[Invocation]:
        """Those of these tools."""
        return (one for one in self._of.values() if one.name in names)


def all_echoed(calls: Iterable[Invocation]) -> bool:
    """Whether each Result of a call that was served tells the correlationId that the call gave, where it gave one."""
    return all(one.result.get("correlationId") == one.correlation for one in calls if one.call.accepted)


def _key(one: Invocation) -> tuple[str, str, str]:
    return one.call.instance, one.name, spelled(one.given("idempotencyKey"))


def _tenant(call: Exchange) -> str:
    headers = call.argument("headers")
    tenant = headers.get("tenant") if isinstance(headers, dict) else None
    return tenant if isinstance(tenant, str) else ""


invocations = once(Invocations)

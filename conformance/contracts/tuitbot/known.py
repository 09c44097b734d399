"""What is known of each call from outside: what was away or failing while it was served, and how the server was set."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contract.schema import compiled
from conformance.contracts.tuitbot.manifest import Entry, manifest
from conformance.judge.circumstances import Circumstances
from conformance.judge.memo import once
from conformance.judge.served import served
from conformance.judge.settings import setting
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

BROUGHT_ABOUT = ("x", "x_after", "media_upload", "database", "policy", "topic_analysis", "serialization")
"""Conditions that are trouble unless they are absent or say that all is well."""
CONFIGURED = ("x_client", "llm")
"""What a server is set up with, or lacks by a condition."""
WELL = (None, "ok", True)


class Trouble(NamedTuple):
    """The one circumstance that keeps a call from succeeding."""

    name: str
    value: Json


class Known:
    """Calls by their one trouble; calls without any are under the name none."""

    def __init__(self, history: History, contract: Contract) -> None:
        self.history = history
        self._circumstances = Circumstances(history)
        self._served = served(history, contract)
        self._kept: dict[int, bool | None] = {}
        self._by_trouble: dict[str, list[tuple[Exchange, Json]]] = defaultdict(list)
        self.by_code: dict[str, list[Exchange]] = defaultdict(list)
        """Refusals by their code."""
        for call in history.calls():
            if call.code is not None:
                self.by_code[call.code].append(call)
            troubles = list(self._troubles(call))
            if entry(call) is not None and len(troubles) < 2:  # noqa: PLR2004 -- with two, either may be named
                name, value = troubles[0] if troubles else Trouble("none", None)
                self._by_trouble[name].append((call, value))

    def _troubles(self, call: Exchange) -> Iterator[Trouble]:
        for name in BROUGHT_ABOUT:
            value = self._circumstances.value(call, name)
            if value not in WELL:
                yield Trouble(name, value)
        for name in CONFIGURED:
            value = self._circumstances.value(call, name)
            value = self.setting(call, name) if value is None else value
            if value not in WELL:
                yield Trouble(name, value)

    def setting(self, call: Exchange, name: str) -> Json:
        """A setting of the call's instance, or what the target claims."""
        return setting(self.history, call, name)

    def policy(self, call: Exchange) -> dict[str, Json]:
        """The policy of the call's instance, as far as it is known."""
        found = self.setting(call, "policy")
        return found if isinstance(found, dict) else {}

    def free(self, call: Exchange) -> bool:
        """Whether no gate stands before the call."""
        about = entry(call)
        gate = about is not None and about.gated and call.profile != "api"
        return not gate or self.policy(call).get("enforce_for_mutations") is False

    def under(self, name: str, *values: Json) -> list[Exchange]:
        """Calls with good arguments whose one trouble is this, with one of these values if any are named."""
        return [
            call
            for call, value in self._by_trouble.get(name, ())
            if (not values or value in values) and self.keeps_schema(call) is not False
        ]

    def plain(self, *tools: str) -> list[Exchange]:
        """Calls of these tools without trouble and without a gate, whose arguments keep the tool's schema."""
        calls = (call for call, _ in self._by_trouble.get("none", ()))
        return [call for call in calls if call.tool in tools and self.free(call) and self.keeps_schema(call)]

    def breaking(self) -> list[Exchange]:
        """Calls without trouble and without a gate, whose arguments break the tool's schema."""
        calls = (call for call, _ in self._by_trouble.get("none", ()))
        return [call for call in calls if call.refused and self.free(call) and self.keeps_schema(call) is False]

    def keeps_schema(self, call: Exchange) -> bool | None:
        """Whether the arguments keep the inputSchema that the server lists, None where there is none to be asked."""
        if call.call not in self._kept:
            self._kept[call.call] = self._keeps_schema(call)
        return self._kept[call.call]

    def _keeps_schema(self, call: Exchange) -> bool | None:
        tool = self._served.tool(call)
        if tool is None or not isinstance(tool.input_schema, dict):
            return None
        try:
            return compiled(tool.input_schema, formats=False).is_valid({} if call.arguments is None else call.arguments)
        except ValueError:  # a schema that is none, or text that is no Unicode
            return None


def entry(call: Exchange) -> Entry | None:
    """What the contract's manifest says of the tool that is called, None where it is none of the call's profile."""
    found = manifest().get(call.tool or "")
    return found if found is not None and (call.profile is None or call.profile in found.profiles) else None


known = once(Known)

"""What is known of each call from outside: what was away or failing while it was served, and how the server was set."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contract.schema import compiled
from conformance.contracts.tuitbot.gate import GUARDED_PROFILES, UNGATED_PROFILES
from conformance.contracts.tuitbot.manifest import entry, manifest
from conformance.judge.calendar import MICROSECONDS
from conformance.judge.circumstances import Circumstances
from conformance.judge.kinds import spelled
from conformance.judge.memo import once
from conformance.judge.served import served
from conformance.judge.settings import setting
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

BROUGHT_ABOUT = ("x", "x_after", "media_upload", "database", "policy", "topic_analysis", "serialization", "backend")
"""Conditions that are trouble unless they are absent or say that all is well."""
CONFIGURED = ("x_client", "llm")
"""What a server is set up with, or lacks by a condition."""
WELL = (None, "ok", True, "x_api")
REPEATED_S = 40
"""Within so many seconds a mutation may be refused that repeats another: the contract says 30."""
REPEATED = "validation_error"
LACKING = {"x_client": "x_not_configured", "llm": "llm_not_configured"}
"""By what a server says itself that it has none."""
NEEDING = {"x_client": "requires_x_client", "llm": "requires_llm"}
"""What the manifest calls the need of each."""


class Trouble(NamedTuple):
    """The one circumstance that keeps a call from succeeding."""

    name: str
    value: Json


class Known:
    """Calls by their one trouble; calls without any are under the name none."""

    def __init__(self, history: History, contract: Contract) -> None:
        self.history = history
        self._contract = contract
        self._circumstances = Circumstances(history)
        self._served = served(history, contract)
        self._kept: dict[tuple[int, bool], bool | None] = {}
        self._lacking = dict(_lacking(history, contract))
        self._shown = {c.instance: c.given for c in history.accepted("get_policy_status")}
        self._by_trouble: dict[str, list[tuple[Exchange, Json]]] = defaultdict(list)
        self._troubled: set[int] = set()
        self.accepted: dict[str, list[Exchange]] = defaultdict(list)
        """Accepted calls by their instance."""
        self.by_code: dict[str, list[Exchange]] = defaultdict(list)
        """Refusals by their code."""
        repeated = _repeated(history, contract)
        for call in history.calls():
            if call.accepted:
                self.accepted[call.instance].append(call)
            if call.code is not None:
                self.by_code[call.code].append(call)
            troubles = list(self._troubles(call))
            if call.call in repeated:
                troubles.append(Trouble("repeated", value=True))
            if troubles:
                self._troubled.add(call.call)
            if entry(call, contract) is not None and len(troubles) < 2:  # noqa: PLR2004 -- with two, either may be named
                name, value = troubles[0] if troubles else Trouble("none", None)
                self._by_trouble[name].append((call, value))

    def _troubles(self, call: Exchange) -> Iterator[Trouble]:
        for name in BROUGHT_ABOUT:
            value = self._circumstances.value(call, name)
            value = self._own(call, name) if value is None else value
            if value not in WELL and not isinstance(value, dict if name == "policy" else ()):
                yield Trouble(name, value)
        for name in CONFIGURED:
            value = self._circumstances.value(call, name)
            value = self._own(call, name) if value is None else value
            value = self._never_there(call, name) if value is None else value
            if value not in WELL:
                yield Trouble(name, value)

    def _never_there(self, call: Exchange, name: str) -> Json:
        """What a target lacks in all its instances: trouble for the tools that need it, and no news of the others."""
        value = self.setting(call, name)
        value = False if value is None and call.instance in self._lacking.get(name, ()) else value
        about = entry(call, self._contract)
        needed = about is None or getattr(about, NEEDING[name]) or call.code == LACKING[name]
        return value if needed else None

    def _own(self, call: Exchange, name: str) -> Json:
        """A setting of the call's instance alone."""
        instance = self.history.instances.get(call.instance)
        return instance.settings.get(name) if instance is not None else None

    def setting(self, call: Exchange, name: str) -> Json:
        """A setting of the call's instance, or what the target claims."""
        return setting(self.history, call, name)

    def policy(self, call: Exchange) -> dict[str, Json]:
        """The policy that the call's instance was set to, or that the target claims; empty where neither tells."""
        found = self.setting(call, "policy")
        return found if isinstance(found, dict) else {}

    def free(self, call: Exchange) -> bool:
        """Whether no gate stands before the call."""
        about = entry(call, self._contract)
        if about is None or not about.gated or call.profile in UNGATED_PROFILES:
            return True
        policy = self.policy(call) or self._shown.get(call.instance, {})
        return policy.get("enforce_for_mutations") is False

    def untroubled(self, call: Exchange) -> bool:
        """Whether nothing that the contract knows of was away or failing."""
        return call.call not in self._troubled

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
        """Calls without trouble and without a gate, whose arguments break the tool's schema, the contract's too."""
        calls = (call for call, _ in self._by_trouble.get("none", ()))
        return [
            call
            for call in calls
            if self.free(call) and self.keeps_schema(call) is False and self.keeps_contract(call) is False
        ]

    def keeps_schema(self, call: Exchange) -> bool | None:
        """Whether the arguments keep the inputSchema that the server lists, None where there is none to be asked."""
        if (call.call, True) not in self._kept:
            tool = self._served.tool(call)
            self._kept[call.call, True] = None if tool is None else _keeps(tool.input_schema, call)
        return self._kept[call.call, True]

    def keeps_contract(self, call: Exchange) -> bool | None:
        """Whether the arguments keep the contract's own list of the tool's parameters."""
        if (call.call, False) not in self._kept:
            tool = self._contract.tools.get(call.tool or "")
            self._kept[call.call, False] = None if tool is None else _keeps(tool.inputSchema, call)
        return self._kept[call.call, False]


def _keeps(schema: Json, call: Exchange) -> bool | None:
    if not isinstance(schema, dict):
        return None
    try:
        return compiled(schema, formats=False).is_valid({} if call.arguments is None else call.arguments)
    except ValueError:  # a schema that is none, or text that is no Unicode
        return None


def _lacking(history: History, contract: Contract) -> Iterator[tuple[str, set[str]]]:
    """Instances that say themselves of X or of the LLM that they have none, and never show that they have one.

    That is news of the instance, not of a call, while no condition took it away.
    """
    for name, code in LACKING.items():
        tools = manifest(contract.edition).values()
        needing = [t.name for t in tools if (t.requires_llm if name == "llm" else t.category == "read")]
        said = {c.instance for c in history.calls() if c.code == code and name not in c.conditions}
        yield name, said - {c.instance for c in history.accepted(*needing) if name not in c.conditions}


def _meant(call: Exchange, contract: Contract) -> str:
    """The arguments without those that are left out by null or by their default."""
    given = call.arguments if isinstance(call.arguments, dict) else {}
    known = contract.tools[call.tool or ""].inputSchema.get("properties", {})
    return spelled({k: v for k, v in given.items() if v is not None and v != known.get(k, {}).get("default")})


def _repeated(history: History, contract: Contract) -> frozenset[int]:
    """Mutations that were refused with validation_error a moment after their like: the guard against repetition."""
    latest: dict[tuple[str, str | None, str], int] = {}
    found: set[int] = set()
    for call in history.calls():
        about = entry(call, contract)
        if about is None or not about.mutation or not _may_be_guarded(call, contract):
            continue
        place = (call.instance, call.tool, _meant(call, contract))
        earlier = latest.get(place)
        if earlier is not None and call.code == REPEATED and call.sent - earlier < REPEATED_S * MICROSECONDS:
            found.add(call.call)
        else:
            latest[place] = call.sent
    return frozenset(found)


def _may_be_guarded(call: Exchange, contract: Contract) -> bool:
    """Whether the call's profile has that guard, or nobody says which profile of the later edition it is."""
    profiles = {profile.name for profile in contract.profiles}
    return call.profile in GUARDED_PROFILES or (call.profile is None and not profiles.isdisjoint(GUARDED_PROFILES))


known = once(Known)

"""What speaks against an invocation, and at which stage: the contract's own rules, whatever a server answered."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from conformance.contract.catalogue import Contract
from conformance.contract.dialect import satisfies
from conformance.contracts.invocation.caches import perhaps_cached
from conformance.contracts.invocation.calls import QUALIFIED, Invocation, invocations, says_secret
from conformance.contracts.invocation.described import described
from conformance.contracts.invocation.planned import FRAGILE, RELAY, Plan, Plans
from conformance.contracts.invocation.ranges import resolve
from conformance.contracts.invocation.records import records
from conformance.contracts.invocation.standing import CLEAR, DOUBTFUL, Standing, budget, circuits, concurrency, rate
from conformance.contracts.invocation.triggered import triggered
from conformance.judge.calendar import calendar_of
from conformance.judge.instants import instant
from conformance.judge.memo import once
from conformance.judge.tokens import brought
from conformance.model.events import Credential, Json
from conformance.model.exchange import INVALID_PARAMS, Exchange
from conformance.model.history import History

OTHERWISE = re.compile(r"local::[A-Za-z0-9_-]+::[A-Za-z0-9_.-]+")
USUAL = re.compile(r"(?:local::[a-z0-9_]+\.|mcp::[a-z0-9_]+::)[a-z0-9_]+(?:\.[a-z0-9_]+)*")
"""A fully qualified name of characters that any server takes in one."""
FAR_S = 60
"""Seconds by which a deadline lies in the past or ahead whatever the server's clock shows."""
TEXTS = ("versionRange", "correlationId", "causationId", "idempotencyKey", "deadline")
FIELDS = frozenset({*TEXTS, "toolName", "input", "headers", "metadata"})


class Stage(IntEnum):
    """The order in which a runtime looks: the first that fails names the error."""

    RESOLUTION = 1
    INPUT = 2
    AUTHORISATION = 3
    POLICIES = 4
    EXECUTION = 5
    OUTPUT = 6


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that speaks against a call."""

    stage: Stage
    codes: tuple[str, ...]
    """With which it is refused, any of them."""
    about: str
    """The part of the Invocation in which it lies; a control may differ in that part."""
    words: str
    """What is wrong, after the tool's name: 'with a range that no version satisfies'."""
    field: str = ""
    """The field that is missing."""


@dataclass(frozen=True, slots=True)
class Faults:
    """All that speaks against a call."""

    found: tuple[Fault, ...]
    open: bool
    """Whether the contract leaves open if the call is good, or nobody can tell."""
    plan: Plan
    standing: Standing

    @property
    def none(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.found and not self.open

    @property
    def only(self) -> Fault | None:
        """The one thing, where there is just one."""
        return self.found[0] if len(self.found) == 1 and not self.open else None


class Known:
    """The faults of each invocation of a history."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._calls = invocations(history, contract)
        self._calendar = calendar_of(history)
        self._described = described(history, contract)
        self._kept = records(history, contract)
        self.asks = any(who.defect is None for who in history.credentials.values())
        """Whether somebody in this run has a token: else it is not known whether the server asks for any."""
        self._early = {one.call.call: self._static(one) for one in self._calls}
        self._standings = self._stood()
        self._keys: dict[tuple[str, str, str, str], Invocation] = {}
        self._users: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
        plans = Plans(self._calls, self._described)
        self._faults = {one.call.call: self._whole(one, plans) for one in self._calls}

    def faults(self, one: Invocation) -> Faults:
        """Those of an invocation."""
        return self._faults[one.call.call]

    def good(self, call: Exchange) -> bool:
        """Whether nothing speaks against a call of `invoke`."""
        return call.call in self._faults and self._faults[call.call].none

    def alone(self, *about: str) -> Iterable[tuple[Invocation, Fault]]:
        """The calls that have one fault, in one of these parts; all parts where none is named."""
        for one in self._calls:
            fault = self.faults(one).only
            if fault is not None and (not about or fault.about in about):
                yield one, fault

    def unhindered(self, one: Invocation) -> bool:
        """Whether nothing before the policies speaks against it, so that it may count against limits."""
        return all(fault.stage >= Stage.POLICIES for fault in self._early[one.call.call][0])

    def formed(self, one: Invocation) -> bool:
        """Whether nothing up to its deadline speaks against it, and the contract leaves nothing of that open."""
        found, left_open = self._early[one.call.call]
        return not found and not left_open

    def _counts(self, one: Invocation) -> bool:
        """Whether a call may count against limits: nothing speaks against that, or it was served all the same."""
        return one.call.accepted or self.unhindered(one)

    def _whole(self, one: Invocation, plans: Plans) -> Faults:
        found, left_open = self._early[one.call.call]
        standing = self._standings.get(one.call.call, CLEAR)
        late: list[Fault] = []
        if standing.due:
            late.append(Fault(Stage.POLICIES, (standing.due,), "limit", standing.because))
        repeats = self._repeats(one)
        replayed = repeats is not None and not found
        plan = plans.of(one, runs=not found and not late and standing.clear and not replayed)
        if plan.codes and not replayed:
            stage = Stage.OUTPUT if plan.stage == "output" else Stage.EXECUTION
            policy = plan.codes == ("Timeout",)
            about = "tool" if one.tool is not None and one.tool.kit.fails is not None else "run"
            late.append(Fault(Stage.POLICIES if policy else stage, plan.codes, about, plan.because))
        doubt = not standing.clear and not standing.due
        in_doubt = left_open or doubt or (plan.open and not found and not late) or repeats is False
        return Faults((*found, *late), in_doubt, plan, standing)

    def _repeats(self, one: Invocation) -> bool | None:
        """Whether it repeats an accepted call under its key; False where it reuses the key, None where it is new."""
        key = one.given("idempotencyKey")
        if not isinstance(key, str) or one.tool is None or one.tool.effect != "IdempotentWrite":
            return None
        place = (one.call.instance, one.name, one.tenant, key)
        users = self._users[one.call.instance, key]
        users.add((one.name, one.tenant))
        if len(users) > 1:
            # whether a key that another tool or tenant used is used is left open
            return False
        first = self._keys.get(place)
        if first is None:
            self._keys[place] = one
            return None
        if first.input != one.input or not first.call.before(one.call) or not self._calendar.same(first.call, one.call):
            # how long a key is kept is left open
            return False
        if not first.call.accepted:
            # a failed call frees its key
            self._keys[place] = one
            return None
        return True

    def _stood(self) -> dict[int, Standing]:
        found: dict[int, Standing] = {}
        cached = perhaps_cached(list(self._calls.to(FRAGILE)), self._kept)
        relays = self._relays()
        for group in self._calls.groups():
            tool = group[0].tool
            if tool is None:
                continue
            counting = [one for one in group if self._counts(one)]
            moved = not self._calendar.same(*(one.call for one in group))
            # a relay hands on the headers; where they are lost it counts for the tenant without a name
            relayed = (group[0].call.instance, tool.name) in relays[group[0].tenant]
            rules = tool.kit
            if rules.circuit is not None:
                found |= circuits(rules.circuit, counting, cached)
            for one in group:
                others = [other for other in counting if other is not one]
                if rules.rateLimit is not None:
                    # whether a repetition counts is open
                    first = [other for other in others if not self._calls.repeated(other)]
                    doubt = self._calls.repeated(one)
                    found[one.call.call] = DOUBTFUL if doubt else rate(rules.rateLimit, one, first, others)
                elif rules.budget is not None:
                    found[one.call.call] = budget(rules.budget, one, others)
                elif tool.policies.concurrencyLimit is not None:
                    found[one.call.call] = concurrency(tool.policies.concurrencyLimit, one, others)
            # whether a window of time is one of the calendar's is left open
            limited = rules.rateLimit or rules.circuit or rules.budget or tool.policies.concurrencyLimit
            if (relayed or moved) and limited:
                found |= {one.call.call: Standing(clear=False) for one in group}
        return found

    def _relays(self) -> dict[str, set[tuple[str, str]]]:
        """By tenant, the instances and tools that relays call, too; by the one without a name also those of others."""
        found: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for one in self._calls.to(RELAY):
            for inner in triggered(one):
                found[one.tenant].add((one.call.instance, inner.tool.name))
                found[""].add((one.call.instance, inner.tool.name))
        return found

    def _static(self, one: Invocation) -> tuple[list[Fault], bool]:
        """The faults up to authorisation and the deadline, and whether something is left open."""
        if not isinstance(one.call.arguments, dict):
            return [
                Fault(Stage.INPUT, ("SchemaInvalid", "MissingField"), "arguments", "with arguments that are none")
            ], True
        found: list[Fault] = []
        # a moved calendar moves deadlines, and nothing else that speaks against a call
        left_open, listed = bool(one.call.conditions.keys() - {"clock"}), self._described.get(one.name)
        for part in (_named(one, known=listed is not None), _versioned(one), _entered(one, listed or {}), _keyed(one)):
            found += part[0]
            left_open = left_open or part[1]
        found += _headed(one)
        left_open = left_open or _odd(one)
        found += [
            Fault(Stage.INPUT, ("SchemaInvalid",), name, f"with {name} that is no {word}")
            for names, kind, word in ((TEXTS, str, "text"), (("headers", "metadata"), dict, "object"))
            for name in names
            if one.has(name) and not isinstance(one.given(name), kind)
        ]
        unauthorised = authorised(one.call.credential, one.tool.requiredScopes if one.tool is not None else ())
        if self.asks:
            found += unauthorised
        else:
            # nobody in this run has a token: whether the server asks for any is not known
            left_open = left_open or bool(unauthorised)
        late, unclear = _deadline(one)
        return found + late, left_open or unclear


def without_nulls(given: Mapping[str, Json]) -> dict[str, Json]:
    """Input without the fields that are null: some servers take null for a field that is left out."""
    return {name: value for name, value in given.items() if value is not None}


Part = tuple[list[Fault], bool]


def _named(one: Invocation, *, known: bool) -> Part:
    if not one.has("toolName"):
        return [Fault(Stage.INPUT, ("MissingField",), "toolName", "without toolName", "toolName")], False
    if not isinstance(one.given("toolName"), str):
        return [Fault(Stage.RESOLUTION, ("SchemaInvalid",), "toolName", "with a toolName that is no text")], False
    if one.tool is not None:
        return [], False
    if QUALIFIED.fullmatch(one.name) is None:
        words = f"with the toolName {one.name!r}, which is not fully qualified"
        # documents beside the seed write local::PACK::TOOL: to such a name a server may answer that no tool bears it
        codes = ("SchemaInvalid", "ToolNotFound") if OTHERWISE.fullmatch(one.name) else ("SchemaInvalid",)
        return [Fault(Stage.RESOLUTION, codes, "toolName", words)], known
    if known:
        return [], True
    words = f"with the toolName {one.name!r}, which no tool bears"
    # of which characters names are made the seed does not say: a name unlike its examples may be malformed elsewhere
    codes = ("ToolNotFound",) if USUAL.fullmatch(one.name) else ("ToolNotFound", "SchemaInvalid")
    return [Fault(Stage.RESOLUTION, codes, "toolName", words)], False


def _versioned(one: Invocation) -> Part:
    wanted = one.given("versionRange")
    if one.tool is None or not one.has("versionRange") or not isinstance(wanted, str):
        return [], False
    found = resolve(wanted, one.tool.versions)
    if found is None:
        return [], True
    if found.version is None:
        words = f"with the range {wanted}, which no version satisfies"
        return [Fault(Stage.RESOLUTION, ("UnsupportedVersion",), "versionRange", words)], False
    return [], False


def _entered(one: Invocation, listed: Mapping[str, Json]) -> Part:
    if not one.has("input"):
        return [Fault(Stage.INPUT, ("MissingField",), "input", "without input", "input")], False
    if one.tool is None:
        return [], False
    given, schema = one.given("input"), one.tool.inputSchema
    if not isinstance(given, dict):
        return [Fault(Stage.INPUT, ("SchemaInvalid",), "input", "with input that is no object")], False
    return ([], False) if satisfies(schema, given) is True else _unfit(given, schema, listed)


def _unfit(given: dict[str, Json], schema: Mapping[str, Json], listed: Mapping[str, Json]) -> Part:
    """What is wrong with input that breaks its schema."""
    missing = [name for name in schema.get("required", ()) if name not in given]
    rest = satisfies({**schema, "required": []}, given)
    empty = any(given.get(name, ...) is None for name in schema.get("required", ()))
    if rest is None or empty or (missing and rest is not True) or len(missing) > 1:
        return [Fault(Stage.INPUT, ("SchemaInvalid", "MissingField"), "input", "with bad input")], False
    if missing:
        words = f"without {missing[0]} in its input"
        return [Fault(Stage.INPUT, ("MissingField",), "input", words, missing[0])], False
    # whether further properties are refused, and null for one that may be left out, is the server's own to say
    own = satisfies({**schema, "additionalProperties": True}, without_nulls(given)) is True
    in_doubt = own and satisfies(listed.get("inputSchema"), given) is not False
    return [Fault(Stage.INPUT, ("SchemaInvalid",), "input", "with input that breaks its schema")], in_doubt


def _keyed(one: Invocation) -> Part:
    if one.tool is None or one.tool.effect != "IdempotentWrite":
        return [], False
    if not one.has("idempotencyKey"):
        words = "without idempotencyKey, which an IdempotentWrite needs"
        return [Fault(Stage.INPUT, ("MissingField",), "idempotencyKey", words, "idempotencyKey")], False
    return [], one.given("idempotencyKey") == ""


def _headed(one: Invocation) -> list[Fault]:
    headers = one.given("headers")
    secret = next((name for name in headers if says_secret(name)), None) if isinstance(headers, dict) else None
    if secret is None:
        return []
    return [
        Fault(Stage.INPUT, ("SchemaInvalid",), "headers", f"with the header {secret}, which is named like a secret")
    ]


def _odd(one: Invocation) -> bool:
    """Whether it has fields that the contract does not name, or headers that are no texts."""
    headers = one.given("headers")
    values = headers.values() if isinstance(headers, dict) else ()
    strange = not FIELDS.issuperset(one.call.arguments) or not all(isinstance(value, str) for value in values)
    return strange or one.given("causationId") == ""


def authorised(who: Credential, needed: Sequence[str]) -> list[Fault]:
    """What speaks against a caller, where these scopes are needed."""
    if who.defect not in (None, "missing"):
        return [Fault(Stage.AUTHORISATION, ("Unauthenticated",), "token", brought(who))]
    if who.defect == "missing":
        words = f"without credentials, of which {' and '.join(needed)} is required"
        return [Fault(Stage.AUTHORISATION, ("Unauthenticated",), "token", words)] if needed else []
    scopes = who.claims.get("scopes")
    if set(needed) <= set(scopes if isinstance(scopes, list) else ()):
        return []
    return [
        Fault(Stage.AUTHORISATION, ("Forbidden",), "token", f"by a caller without the scope {' and '.join(needed)}")
    ]


def _deadline(one: Invocation) -> Part:
    if not isinstance(one.given("deadline"), str):
        return [], False
    at = instant(one.given("deadline"))
    if at is None:
        return [Fault(Stage.INPUT, ("SchemaInvalid",), "deadline", "with a deadline that is no instant")], False
    if one.wall is None:
        return [], True
    if at <= one.wall - FAR_S:
        return [Fault(Stage.POLICIES, ("Timeout",), "deadline", "with a deadline that has passed")], False
    # the document says that a deadline lies within the policy's timeout: one that does not may be capped or refused
    return [], at < one.wall + FAR_S or one.call.code == "SchemaInvalid" or one.call.protocol_code == INVALID_PARAMS


known = once(Known)

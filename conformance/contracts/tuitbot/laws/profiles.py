"""Profiles of both documents: which tools each serves, and that the others' are out of reach."""

from collections import defaultdict
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.beside import let_through_at_some_time
from conformance.contracts.tuitbot.declared import declared
from conformance.contracts.tuitbot.gate import UNGATED_PROFILES
from conformance.contracts.tuitbot.listings import profile_listings
from conformance.contracts.tuitbot.manifest import UNIVERSAL, tools_of
from conformance.judge.effects import effects
from conformance.judge.faults import declined
from conformance.judge.judgements import HELD, breach, holds, told
from conformance.judge.law import law
from conformance.judge.serving import Unsupported
from conformance.judge.unchanged import unchanged
from conformance.model.events import Listing
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

SERVED = {"workflow": 64, "api": 34, "readonly": 14, "api-readonly": 40, "write": 104, "admin": 108}
WITHIN = {"readonly": "api-readonly", "write": "admin"}
"""The profile that each tool of a profile is in as well."""
ADMIN = "admin"
SENT = "x_call"
"""The kind of effect that a call of X is reported as."""


@law("TB-PROF-05")
def another_profiles_tools_are_out_of_reach(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call of a tool that is not of the server's profile is refused, sends nothing and changes no read."""
    found, seen = declared(history, contract), effects(history, contract)
    served = let_through_at_some_time(history, contract)
    busy = {call.instance for call in history.accepted()}
    listed: dict[str, set[str]] = defaultdict(set)
    for profile, _, tools in profile_listings(history):
        listed[profile].update(tool.name for tool in tools)
    for call in history.calls():
        profiles = found.profiles(call.tool)
        if call.profile is None or not profiles or call.profile in profiles or call.tool in listed[call.profile]:
            continue
        if call.accepted:
            saw = f"{call.tool} is not of the profile {call.profile}, and ended as {told(call)}"
            yield breach(saw, call)
        # that it is refused tells of the profile where another serves it, or this server serves its own tools
        elif declined(call) and (served.anywhere(call.tool) is not None or call.instance in busy):
            yield HELD
            yield from unchanged(history, contract, [call])
            sent = seen.of(call.call, SENT)
            if sent:
                saw = f"{call.tool} is not of the profile {call.profile}, and X was called"
                yield breach(saw, call, got=sent[0].data)


@law("TB-PROF-06")
def a_profile_serves_its_tools(history: History, contract: Contract) -> Iterator[Judgement]:
    """The profile workflow lists its 64 tools, the profile api its 34, and none that the contract does not name."""
    yield from _as_the_contract_has_it(history, contract)


@law("TB-PROF-01")
def a_later_profile_serves_its_tools(history: History, contract: Contract) -> Iterator[Judgement]:
    """The profiles readonly, api-readonly, write and admin list their 14, 40, 104 and 108 tools, and no other."""
    yield from _as_the_contract_has_it(history, contract)


def _as_the_contract_has_it(history: History, contract: Contract) -> Iterator[Judgement]:
    left_out = Unsupported(history).tools
    for about in profile_listings(history):
        if about.profile not in SERVED:
            continue
        evidence = _evidence(history, about.listing)
        wanted, names = set(tools_of(contract, about.profile)) - left_out, {tool.name for tool in about.tools}
        missing, strange = sorted(wanted - names), sorted(names - set(tools_of(contract, about.profile)))
        if not missing and not strange:
            yield HELD
            continue
        saw = f"the profile {about.profile} lists {len(names)} tools"
        saw += f"; it lacks {', '.join(missing)}" if missing else ""
        saw += f"; the contract does not know {', '.join(strange)}" if strange else ""
        found = breach(saw, *evidence, pointer="/result/tools", expected=SERVED[about.profile], got=len(names))
        yield Judgement(
            ok=False,
            saw=found.saw,
            expected=found.expected,
            got=found.got,
            calls=found.calls,
            pointer=found.pointer,
            spoils=_calls_of(history, about.profile, missing),
        )


def _calls_of(history: History, profile: str, tools: list[str]) -> tuple[int, ...]:
    """The calls that a server without these tools cannot serve."""
    return tuple(call.call for call in history.calls() if call.profile == profile and call.tool in tools)


@law("TB-PROF-02")
def read_only_profiles_hold_no_mutation(history: History, contract: Contract) -> Iterator[Judgement]:
    """No tool that the manifest declares to mutate is in readonly or api-readonly, by the manifest or by a list."""
    found = declared(history, contract)
    for row in found.rows():
        profiles, mutation = found.profiles(row.title), found.flag(row.title, "mutation")
        inside = [name for name in profiles or () if name in UNGATED_PROFILES]
        if inside and mutation is not None:
            saw = f"the manifest puts {row.title}, mutation true, into {', '.join(map(str, inside))}"
            yield holds(not mutation, saw, pointer=f"{row.pointer}/profiles", got=inside)
    for about in profile_listings(history):
        for tool in about.tools if about.profile in UNGATED_PROFILES else ():
            mutation = found.flag(tool.name, "mutation")
            if mutation is not None:
                saw = f"the profile {about.profile} lists {tool.name}, of which the manifest says mutation true"
                yield holds(
                    not mutation, saw, *_evidence(history, about.listing), pointer="/result/tools", got=tool.name
                )


@law("TB-PROF-03")
def universal_requests_are_for_administrators(history: History, contract: Contract) -> Iterator[Judgement]:
    """Only admin lists x_get, x_post, x_put and x_delete; in another profile a call of one is refused, unsent."""
    del contract
    left_out = Unsupported(history).tools
    for about in profile_listings(history):
        names = {tool.name for tool in about.tools}
        # what the statement leaves out need not be in admin, and is in no other profile all the same
        for tool in sorted(set(UNIVERSAL) - left_out if about.profile == ADMIN else UNIVERSAL):
            there = "lists" if tool in names else "does not list"
            saw, evidence = f"the profile {about.profile} {there} {tool}", _evidence(history, about.listing)
            yield holds((tool in names) == (about.profile == ADMIN), saw, *evidence, pointer="/result/tools", got=tool)
    for call in history.calls(*UNIVERSAL):
        if call.profile not in (None, ADMIN) and call.accepted:
            yield breach(f"{call.tool} in the profile {call.profile} ended as {told(call)}", call)


@law("TB-PROF-04")
def wider_profiles_hold_the_narrower(history: History, contract: Contract) -> Iterator[Judgement]:
    """A tool that the manifest puts into readonly is in api-readonly as well, and one of write in admin."""
    found = declared(history, contract)
    for row in found.rows():
        profiles = found.profiles(row.title) or []
        for narrow, wide in WITHIN.items():
            if narrow in profiles:
                saw = f"the manifest puts {row.title} into {narrow}, and not into {wide}"
                yield holds(wide in profiles, saw, pointer=f"{row.pointer}/profiles", expected=wide, got=profiles)


def _evidence(history: History, listing: Listing) -> list[Exchange]:
    return [call for call in map(history.find, listing.calls) if call is not None]

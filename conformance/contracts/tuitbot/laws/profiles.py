"""Profiles of seeds 000 and 002: how many tools each serves, and that the others' are out of reach."""

from collections import defaultdict
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.declared import declared
from conformance.contracts.tuitbot.listings import profile_listings
from conformance.judge.effects import effects
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import law
from conformance.judge.unchanged import unchanged
from conformance.model.history import History
from conformance.model.verdict import Judgement

SERVED = {"workflow": 64, "api": 34}
SENT = "x_call"
"""The kind of effect that a call of X is reported as."""


@law("TB-PROF-05")
def another_profiles_tools_are_out_of_reach(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call of a tool that is not of the server's profile is refused, sends nothing and changes no read."""
    found, seen = declared(history, contract), effects(history, contract)
    listed: dict[str, set[str]] = defaultdict(set)
    for profile, _, tools in profile_listings(history):
        listed[profile].update(tool.name for tool in tools)
    for call in history.calls():
        profiles = found.profiles(call.tool)
        if call.profile is None or not profiles or call.profile in profiles or call.received is None:
            continue
        if call.tool in listed[call.profile]:
            continue
        yield holds(call.refused, f"{call.tool} is not of the profile {call.profile}, and ended as {told(call)}", call)
        if call.refused:
            yield from unchanged(history, contract, [call])
            sent = seen.of(call.call, SENT)
            if sent:
                yield breach(
                    f"{call.tool} is not of the profile {call.profile}, and X was called", call, got=sent[0].data
                )


@law("TB-PROF-06")
def a_profile_serves_its_tools(history: History, contract: Contract) -> Iterator[Judgement]:
    """The profile workflow lists 64 tools, the profile api 34."""
    del contract
    for profile, listing, tools in profile_listings(history):
        wanted, number = SERVED.get(profile), len({tool.name for tool in tools})
        if wanted is not None:
            evidence = [call for call in map(history.find, listing.calls) if call is not None]
            saw = f"the profile {profile} lists {number} tools"
            yield holds(number == wanted, saw, *evidence, pointer="/result/tools", expected=wanted, got=number)

"""The controls of refusals: the like of a call that the server let through, different in the one fault alone."""

from collections import defaultdict
from collections.abc import Callable

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.gate import GUARDED_PROFILES, let_through
from conformance.contracts.tuitbot.goods import goods
from conformance.contracts.tuitbot.known import known
from conformance.contracts.tuitbot.manifest import manifest
from conformance.judge.conditional import Beside
from conformance.judge.controls import ButFor, Controls, but_for
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

MEMBERS, ACTING = "x_v2_lists_members_add", "user_id"
"""Whose user is another account; that of other mutations is the one that acts."""
SUBJECTS = frozenset(
    {
        "tweet_id",
        "target_user_id",
        "user_id",
        "list_id",
        "id",
        "in_reply_to_id",
        "quoted_tweet_id",
        "text",
        "tweets",
        "content",
        "name",
        "path",
        "body",
        "items",
    }
)
"""What a mutation is about, and its texts: one that may not be repeated is beside its like about something else."""
GUARDED = "convergence"
"""The edition in which a mutation may be refused that repeats another."""
Differing = Callable[[Exchange], ButFor]
"""In what the control of a call may differ from it."""


@once
def controls(history: History, contract: Contract) -> Controls:
    """The controls of a run: calls that were served and not held back, while nothing was away or failing."""
    run = known(history, contract)
    return Controls(history, goods(history, contract).good, lambda call: let_through(call) and run.untroubled(call))


def beside(history: History, contract: Contract, differing: Differing) -> Beside:
    """Finds the control of a call that differs from it in this alone."""
    found = controls(history, contract)
    return lambda call: found.beside(call, differing(call))


def lifted(*names: str) -> Differing:
    """The same call while none of these conditions holds: on this instance, or on one that was not set up with it."""
    here, elsewhere = ButFor(conditions=frozenset(names)), set_otherwise(*names)
    fresh = ButFor(shape=_about_another, conditions=frozenset(names), settings=frozenset(names))

    def differing(call: Exchange) -> ButFor:
        if call.profile in GUARDED_PROFILES and _mutates(call.tool):
            return fresh
        return here if not call.conditions.keys().isdisjoint(names) else elsewhere

    return differing


def _about_another(call: Exchange) -> Json:
    """The arguments but for what they are about: the same ones are given, and the same account acts."""
    given = call.arguments if isinstance(call.arguments, dict) else {}
    others = SUBJECTS if call.tool == MEMBERS else SUBJECTS - {ACTING}
    return {name: True if name in others else value for name, value in given.items()}


def _mutates(tool: str | None) -> bool:
    found = manifest(GUARDED).get(tool or "")
    return found is not None and found.mutation


def set_otherwise(*names: str) -> ButFor:
    """The same call on an instance that is set otherwise in these."""
    return ButFor(conditions=frozenset(names), settings=frozenset(names))


def other_values(*names: str) -> Differing:
    """The same call with other values of these arguments."""
    differing = but_for(*names)
    return lambda _: differing


class LetThrough:
    """The tools that a profile's gate let through at some time: what it holds back at another is due to its rules."""

    def __init__(self, history: History, contract: Contract) -> None:
        run = known(history, contract)
        self._calls: dict[tuple[str | None, str | None], list[Exchange]] = defaultdict(list)
        for call in history.calls():
            if let_through(call) and run.untroubled(call):
                self._calls[call.profile, call.tool].append(call)

    def beside(self, call: Exchange) -> Exchange | None:
        """One such call of the same tool in the same profile; None where there is none."""
        return next(iter(self._calls.get((call.profile, call.tool), ())), None)

    def anywhere(self, tool: str | None) -> Exchange | None:
        """One such call of a tool in any profile."""
        return next((calls[0] for (_, name), calls in self._calls.items() if name == tool), None)


let_through_at_some_time = once(LetThrough)

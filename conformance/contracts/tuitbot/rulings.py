"""Which rule decides on a mutation, and whether the gate surely lets it through."""

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.clock import server_clock
from conformance.contracts.tuitbot.gate import LIMIT_USED_UP, PERHAPS_DELETES, ROUTED, UNGATED_PROFILES, decision
from conformance.contracts.tuitbot.known import known
from conformance.contracts.tuitbot.limits import hourly, of_rows
from conformance.contracts.tuitbot.manifest import entry
from conformance.contracts.tuitbot.naming import Naming
from conformance.contracts.tuitbot.rules import Around, Met, Ruling, met
from conformance.judge.memo import once
from conformance.judge.settings import choice
from conformance.model.exchange import Exchange
from conformance.model.history import History


class Rulings:
    """The rules of each instance's policy, as far as it is known."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._run = known(history, contract)
        self._clock = server_clock(history, contract)
        self._history = history
        self._contract = contract
        self.naming = Naming.of(lambda name: choice(history, contract, name))

    def asked(self, call: Exchange) -> bool:
        """Whether the call is a mutation that comes before a gate, which enforces, and under no trouble."""
        about = entry(call, self._contract)
        gated = about is not None and about.gated and call.profile is not None and call.profile not in UNGATED_PROFILES
        return gated and self.enforced(call) and set(call.conditions) <= {"clock"}

    def enforced(self, call: Exchange) -> bool:
        """Whether the policy of the call's instance is known and enforced."""
        policy = self._run.policy(call)
        return bool(policy) and policy.get("enforce_for_mutations", True) is True

    def ruling(self, call: Exchange) -> Ruling | None:
        """The rule that decides on a gated mutation; None where it meets none, or the policy leaves a doubt."""
        found = self._met(call) if self.asked(call) else []
        if not found or found[0].ruling is None or _perhaps_deletes(call):
            return None
        first = found[0]
        doubtful = any(other.priority == first.priority and other.ruling != first.ruling for other in found)
        return None if doubtful else first.ruling

    def _met(self, call: Exchange) -> list[Met]:
        return met(self._run.policy(call), str(call.tool), self._around(call), self.naming)

    def _around(self, call: Exchange) -> Around:
        return Around(self._run.setting(call, "mode"), self._clock.now(call))

    def unlisted(self, call: Exchange) -> bool:
        """Whether a gated mutation is surely allowed within the limits: by a rule, or because it meets none."""
        found = self.ruling(call)
        if found is not None:
            return found.action == "allow"
        return self.asked(call) and not self._met(call) and not _perhaps_deletes(call)

    def would_match(self, call: Exchange) -> bool:
        """Whether a rule that holds back would match the call if it were gated."""
        if call.profile is None or call.profile in UNGATED_PROFILES or not self.enforced(call):
            return False
        return any(each.ruling is not None and each.ruling.answer for each in self._met(call))

    def allowed(self, call: Exchange) -> bool:
        """Whether the gate surely lets a call through, the hourly limit included."""
        if self._run.free(call):
            return True
        if not self.unlisted(call):
            return False
        return call.code != LIMIT_USED_UP or self._within_limits(call)

    def _within_limits(self, call: Exchange) -> bool:
        """Whether the limits of a policy are known, and whatever was done before used up none that counts the call."""
        policy = self._run.policy(call)
        whole, rows = list(hourly(policy)), list(of_rows(policy, self.naming))
        known = [row for row in rows if row is not None]
        if not whole or len(known) < len(rows):
            return False
        earlier = (c for c in self._history.calls() if c.instance == call.instance and c.sent < call.sent)
        done = [c for c in earlier if (about := entry(c, self._contract)) is not None and about.mutation]
        return all(
            sum(limit.counts(c.tool) is not False for c in done) < limit.most
            for limit in (*whole, *known)
            if limit.counts(call.tool) is not False
        )


def _perhaps_deletes(call: Exchange) -> bool:
    """Whether a server counts this among deletions, and so asks its own rule first: which tools those are is open."""
    return call.tool in PERHAPS_DELETES and decision(call) == ROUTED


rulings = once(Rulings)

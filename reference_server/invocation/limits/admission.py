"""Admits an invocation to its tool, or says which policy refuses it. A refused one uses nothing up."""

import math
from typing import Final

from reference_server.invocation.course import Course
from reference_server.invocation.failure import Failure
from reference_server.invocation.limits.budgets import Budgets
from reference_server.invocation.limits.circuits import Circuits
from reference_server.invocation.limits.places import Places
from reference_server.invocation.limits.rates import Key, Rates
from reference_server.invocation.observing import Observing
from reference_server.invocation.policies import HALF_OPEN, OPEN

PROBING_MS: Final = 50
"""When to come back while another invocation probes the service."""
BUSY_MS: Final = 50
"""When to come back for a place: how long the others run is not known."""


def milliseconds(seconds: float) -> int:
    """Rounded up: who waits so long has waited long enough."""
    return max(math.ceil(seconds * 1000), 1)


class Admission:
    """Asks the policies in turn, then takes what the invocation needs of each."""

    def __init__(
        self, rates: Rates, circuits: Circuits, budgets: Budgets, places: Places, observing: Observing
    ) -> None:
        self.rates = rates
        self.circuits = circuits
        self.budgets = budgets
        self.places = places
        self.observing = observing

    def key(self, course: Course) -> Key:
        """What the limits of an invocation are counted by."""
        return course.tool.name, course.tenant

    def enter(self, course: Course) -> None:
        """Raises CircuitOpen, RateLimited, ConcurrencyLimited or BudgetExceeded."""
        key = self.key(course)
        self.ask_circuit(course, key)
        self.ask_rate(course, key)
        self.ask_place(course, key)
        self.ask_budget(course, key)
        self.take(course, key)

    def ask_circuit(self, course: Course, key: Key) -> None:
        """Raises CircuitOpen."""
        breaker = course.tool.policies.circuit
        course.circuit_state = self.circuits.state(key, breaker)
        if breaker is None or self.circuits.admits(key, breaker):
            return
        wait = milliseconds(self.circuits.wait_s(key, breaker)) if course.circuit_state == OPEN else PROBING_MS
        details = {
            "retryAfterMs": wait,
            "throttlingScope": course.tool.name,
            "circuitState": course.circuit_state,
        }
        raise Failure("CircuitOpen", "the tool failed too often in a row and is not called for now", details=details)

    def ask_rate(self, course: Course, key: Key) -> None:
        """Raises RateLimited."""
        limit = course.tool.policies.rate_limit
        wait_s = 0.0 if limit is None else self.rates.wait_s(key, limit)
        if limit is None or wait_s <= 0:
            return
        details = {"retryAfterMs": milliseconds(wait_s), "throttlingScope": course.tool.name}
        self.observing.event(course, "RateLimited", {"rateLimitId": limit.id, **details})
        raise Failure("RateLimited", "the rate limit of the tool is used up for now", details=details)

    def ask_place(self, course: Course, key: Key) -> None:
        """Raises ConcurrencyLimited."""
        limit = course.tool.policies.concurrency_limit
        if limit is None or self.places.free(key, limit):
            return
        details = {"retryAfterMs": BUSY_MS, "throttlingScope": course.tool.name}
        raise Failure("ConcurrencyLimited", "as many invocations of the tool run as may run at once", details=details)

    def ask_budget(self, course: Course, key: Key) -> None:
        """Raises BudgetExceeded."""
        budget = course.tool.policies.budget
        if budget is None or course.input[budget.argument] <= self.budgets.left(key, budget):
            return
        details = {"left": self.budgets.left(key, budget), "throttlingScope": course.tool.name}
        raise Failure("BudgetExceeded", "the invocation costs more than is left of the budget", details=details)

    def take(self, course: Course, key: Key) -> None:
        """Uses up what the invocation needs."""
        policies = course.tool.policies
        if policies.circuit is not None and self.circuits.enter(key, policies.circuit):
            self.observing.event(course, "CircuitHalfOpened", {"circuitState": HALF_OPEN})
        if policies.rate_limit is not None:
            self.rates.take(key, policies.rate_limit)
        if policies.concurrency_limit is not None:
            self.places.take(key)
        if policies.budget is not None:
            self.budgets.spend(key, int(course.input[policies.budget.argument]))
        self.observing.event(course, "PolicyApplied", course.tool.policies.snapshot(course.circuit_state))

    def leave(self, course: Course, failure: Failure | None, *, judged: bool) -> None:
        """Gives back the place, and lets the circuit learn. `judged`: the outcome says how the service does."""
        key, policies = self.key(course), course.tool.policies
        if policies.concurrency_limit is not None:
            self.places.leave(key)
        if policies.circuit is None:
            return
        if not judged:
            self.circuits.left(key)
        elif failure is None:
            if self.circuits.succeeded(key):
                self.observing.event(course, "CircuitClosed", {"circuitState": "closed"})
        elif self.circuits.failed(key, policies.circuit):
            self.observing.event(course, "CircuitOpened", {"circuitState": OPEN})

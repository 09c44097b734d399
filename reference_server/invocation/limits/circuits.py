"""Circuit breakers: a tool that fails too often in a row is left alone for a while, then probed."""

from dataclasses import dataclass

from reference_server.invocation.limits.rates import Key
from reference_server.invocation.policies import CLOSED, HALF_OPEN, OPEN, CircuitBreaker
from reference_server.invocation.stopwatch import Stopwatch


@dataclass(slots=True)
class Circuit:
    """The state of one."""

    state: str = CLOSED
    failures: int = 0
    """In a row."""
    opened: float = 0.0
    probing: bool = False


class Circuits:
    """The circuits by tool and tenant."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self.stopwatch = stopwatch
        self.known: dict[Key, Circuit] = {}

    def state(self, key: Key, breaker: CircuitBreaker | None) -> str:
        """open, half-open or closed, as an invocation now finds it."""
        circuit = self.known.get(key)
        if circuit is None or breaker is None:
            return CLOSED
        return HALF_OPEN if circuit.state == OPEN and self.wait_s(key, breaker) <= 0 else circuit.state

    def wait_s(self, key: Key, breaker: CircuitBreaker) -> float:
        """How long an open circuit stays open; 0 or less: it may be probed."""
        return self.known[key].opened + breaker.reset_ms / 1000 - self.stopwatch.now()

    def admits(self, key: Key, breaker: CircuitBreaker) -> bool:
        """Whether an invocation may pass: while half-open only one at a time."""
        state = self.state(key, breaker)
        return state == CLOSED or (state == HALF_OPEN and not self.known[key].probing)

    def enter(self, key: Key, breaker: CircuitBreaker) -> bool:
        """Lets an invocation pass. Whether the circuit became half-open by it."""
        circuit = self.known.setdefault(key, Circuit())
        if self.state(key, breaker) != HALF_OPEN:
            return False
        turned = circuit.state == OPEN
        circuit.state, circuit.probing = HALF_OPEN, True
        return turned

    def succeeded(self, key: Key) -> bool:
        """Takes note of a success. Whether the circuit closed by it."""
        circuit = self.known[key]
        closed = circuit.state == HALF_OPEN
        self.known[key] = Circuit()
        return closed

    def failed(self, key: Key, breaker: CircuitBreaker) -> bool:
        """Takes note of a failure. Whether the circuit opened by it."""
        circuit = self.known[key]
        circuit.failures += 1
        probed, circuit.probing = circuit.probing, False
        if circuit.state == OPEN or not (probed or circuit.failures >= breaker.failures):
            return False
        circuit.state, circuit.opened = OPEN, self.stopwatch.now()
        return True

    def left(self, key: Key) -> None:
        """Takes note of an invocation that says nothing about the service: it was cancelled, or refused elsewhere."""
        self.known[key].probing = False

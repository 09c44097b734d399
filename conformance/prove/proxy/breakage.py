"""What breaks a promise: it sees each call and each answer of a run, and may change either."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field

from msgspec import Struct

from conformance.contract.catalogue import Contract
from conformance.drive.wire.between import Message, Passed
from conformance.model.events import Json
from conformance.model.events import Message as Heard
from conformance.model.exchange import NO_CREDENTIAL, Connection, Exchange
from conformance.prove.proxy.rewriting import answering, coded

_WIRE = Connection("between", "in-process", "mcp", "main", 0)


class Samples(Struct, frozen=True):
    """Answers of the real server: what it says is said again where it ought not to be."""

    successes: dict[str, tuple[Json, Message]] = {}
    """By tool, the arguments and the answer of a call that was accepted."""
    refusals: dict[str, Message] = {}
    """By code."""


class World(Struct, frozen=True):
    """What a breakage knows besides what it sees."""

    contract: Contract
    samples: Samples

    def refusal(self, call: Exchange, code: str = "") -> Message | None:
        """A refusal as this server refuses, as the answer to a call; None where none was seen. No code: a final one."""
        known, errors = self.samples.refusals, self.contract.errors
        code = code or next((each for each in known if each in errors and errors[each].retryable is not True), "")
        other = known.get(code) or next(iter(known.values()), None)
        if other is None:
            return None
        told, other = seen(call.request, 0), answering(call, other)
        settled(told, other, self.contract)
        if code and code not in known and (told.envelope is not None or told.code is not None):
            other = coded(told, self.contract.envelope, code)
        return other

    def success(self, call: Exchange) -> Message | None:
        """What a good call of the same tool was answered; None where none was seen."""
        found = self.samples.successes.get(call.tool or "")
        return answering(call, found[1]) if found is not None else None


@dataclass
class Breakage:
    """One promise, broken in one way."""

    what: str
    """In words: what the server seems to do."""
    acted: int = field(default=0, init=False)
    """How often it had occasion."""

    def asked(self, call: Exchange, world: World) -> Passed | None:  # noqa: ARG002 -- those that look at answers alone
        """A call is about to leave; None: it leaves as it is."""
        return None

    def answered(self, call: Exchange, world: World) -> Message | None:  # noqa: ARG002 -- those that look at calls alone
        """A call was answered; None: the answer is heard as it is."""
        return None


class Proxy:
    """Stands between, and lets a breakage act: at each instance of the target one that knows nothing of the others."""

    def __init__(self, breakage: Breakage, world: World) -> None:
        self._breakage, self._world = breakage, world
        self._fresh, self._at = deepcopy(breakage), dict[str, Breakage]()
        self._calls: dict[int, Exchange] = {}

    def asked(self, call: int, message: Message, instance: str) -> Passed:
        """As the breakage would have it."""
        exchange = self._calls[call] = seen(message, call, instance)
        passed = self._of(exchange).asked(exchange, self._world)
        if passed is None:
            return Passed(message)
        self._breakage.acted += 1
        return passed

    def answered(self, call: int, answer: Message) -> Message:
        """Likewise."""
        exchange = self._calls.pop(call, None)
        if exchange is None:
            return answer
        settled(exchange, answer, self._world.contract)
        new = self._of(exchange).answered(exchange, self._world)
        if new is None or new == answer:
            return answer
        self._breakage.acted += 1
        return new

    def _of(self, call: Exchange) -> Breakage:
        if call.instance not in self._at:
            self._at[call.instance] = deepcopy(self._fresh)
        return self._at[call.instance]


class Sampler:
    """Stands between, changes nothing, and keeps one answer of each kind."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._calls: dict[int, Exchange] = {}
        self._successes: dict[str, tuple[Json, Message]] = {}
        self._refusals: dict[str, Message] = {}
        self._sizes: dict[str, int] = {}

    @property
    def samples(self) -> Samples:
        """What was kept."""
        return Samples(self._successes, self._refusals)

    def asked(self, call: int, message: Message, instance: str) -> Passed:
        """As it is."""
        self._calls[call] = seen(message, call, instance)
        return Passed(message)

    def answered(self, call: int, answer: Message) -> Message:
        """As it is."""
        exchange = self._calls.pop(call, None)
        if exchange is not None and exchange.tool is not None:
            settled(exchange, answer, self._contract)
            if exchange.accepted:
                self._successes.setdefault(exchange.tool, (exchange.arguments, answer))
            elif exchange.result is not None:
                self._keep(exchange, answer)
        return answer

    def _keep(self, refused: Exchange, answer: Message) -> None:
        """Of the refusals with one code the fullest: tools beside the contract's own may say less."""
        code, size = refused.code or "", len(refused.envelope or ())
        if code not in self._refusals or size > self._sizes[code]:
            self._refusals[code], self._sizes[code] = answer, size


def seen(message: Message, call: int, instance: str = "main") -> Exchange:
    """A request as laws see it."""
    params = message.get("params")
    params = params if isinstance(params, Mapping) else {}
    tool = params.get("name") if message.get("method") == "tools/call" else None
    return Exchange(
        call=call,
        connection=_WIRE,
        instance=instance,
        stimulus="",
        label="",
        credential=NO_CREDENTIAL,
        conditions={},
        method=str(message.get("method", "")),
        tool=tool if isinstance(tool, str) else None,
        arguments=params.get("arguments"),
        request=message,
        asked=None,
        sent=call,
    )


def settled(exchange: Exchange, answer: Message, contract: Contract) -> None:
    """Takes the answer."""
    heard = Heard(connection=_WIRE.id, direction="in", call=exchange.call, payload=answer, t=exchange.call)
    exchange.settle(heard, contract.envelope)

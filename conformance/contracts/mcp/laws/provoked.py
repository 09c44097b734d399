"""What was answered to what we sent beside the calls: notifications, and frames that are no request at all."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.judge.memo import once
from conformance.model.events import Message
from conformance.model.exchange import Aside, Exchange
from conformance.model.history import History


def is_answer(message: Message) -> bool:
    """Whether a frame is an answer, rather than a notification or a request of the server's own."""
    payload = message.payload
    return isinstance(payload, dict) and "method" not in payload and ("result" in payload or "error" in payload)


def is_notification(aside: Aside) -> bool:
    """Whether it is a notification of ours."""
    payload = aside.sent.payload
    return isinstance(payload, dict) and isinstance(payload.get("method"), str) and "id" not in payload


def is_malformed(aside: Aside) -> bool:
    """Whether it is no JSON, or a value that is neither a request nor a notification nor an answer.

    A request that does not say that it is JSON-RPC 2.0 is none.
    """
    payload = aside.sent.payload
    if aside.sent.raw is not None or (payload is not None and not isinstance(payload, dict)):
        return True
    if not isinstance(payload, dict):
        return False
    unversioned = "method" in payload and "id" in payload and payload.get("jsonrpc") != "2.0"
    return unversioned or not {"method", "result", "error"} & payload.keys()


class Provoked:
    """By what we sent. Where there is no HTTP, nothing but the order tells what an answer without an id is about.

    A frame that is no request may have an id all the same, under which it is answered.
    """

    def __init__(self, history: History, _: Contract) -> None:
        self._answers: dict[tuple[str, int], list[Message]] = {}
        self._taken: set[int] = set()
        asides = [a for a in history.asides.values() if is_notification(a) or is_malformed(a)]
        nameless = [s for s in history.strays if is_answer(s) and s.payload.get("id") is None]
        by_connection: dict[str, list[Exchange]] = {}
        for exchange in history.exchanges if nameless else ():
            by_connection.setdefault(exchange.connection.id, []).append(exchange)
        for aside in asides:
            name = aside.connection.id
            found = list(aside.answers)
            if aside.connection.transport != "http":
                others = [a.sent.t for a in asides if a.connection is aside.connection and a.sent.t > aside.sent.t]
                exchanges = by_connection.get(name, [])
                # one of these may be what it answers
                open_ = any(exchange.received is None for exchange in exchanges)
                next_ = [e.received for e in exchanges if e.sent > aside.sent.t and e.received is not None]
                until = min([*others, *next_], default=None)
                found += [] if open_ else list(_between(nameless, name, aside.sent.t, until))
                found += _under(aside, history) if is_malformed(aside) else []
            self._answers[name, aside.number] = found
            self._taken.update(map(id, found))

    def by(self, aside: Aside) -> list[Message]:
        """What came back to it."""
        return self._answers.get((aside.connection.id, aside.number), [])

    def took(self, stray: Message) -> bool:
        """Whether a frame is such an answer."""
        return id(stray) in self._taken


def _between(strays: list[Message], connection: str, after: int, until: int | None) -> Iterator[Message]:
    for stray in strays:
        soon = after <= stray.t and (until is None or stray.t <= until)
        if soon and stray.connection == connection and stray.aside is None:
            yield stray


def _under(aside: Aside, history: History) -> Iterator[Message]:
    """What came under the id of a frame that is no request."""
    number = aside.sent.payload.get("id") if isinstance(aside.sent.payload, dict) else None
    for stray in history.strays if number is not None else ():
        named = is_answer(stray) and stray.payload.get("id") == number
        if named and stray.connection == aside.connection.id and stray.aside is None:
            yield stray


provoked = once(Provoked)


def beside(aside: Aside, history: History) -> list[Exchange]:
    """The request that was made before it, for whoever reads the finding."""
    return [e for e in history.exchanges if e.connection is aside.connection and e.sent <= aside.sent.t][-1:]

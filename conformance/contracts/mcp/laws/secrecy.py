"""MC-CALL-08: what an answer must not tell."""

import re
from collections.abc import Callable, Iterable, Iterator

import msgspec

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.provoked import is_malformed, provoked
from conformance.contracts.mcp.laws.toolless import no_tools
from conformance.judge.insides import LONGEST, PLACE, betraying, discreet, places, repeats, stack
from conformance.judge.judgements import breach, unjudged
from conformance.judge.law import law
from conformance.judge.memo import once
from conformance.judge.texts import first, texts
from conformance.model.events import Json, Message
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

LONGEST_FOLDER = 4_096
MARKER = re.compile(r"«secret:[^«»]*»")
NEAR = 2
"""Folders above a place that the caller named: what lies beside it shows nothing of a machine."""
BEGINS = "«secret:".encode()
SOURCE = re.compile(r"\.(?:py[cw]?|[cm]?[jt]sx?|rb|php|p[lm]|java|kts?|go|rs|cs|fs|exs?|lua|swift|scala|jar|dll|so)\b")
"""How the name of a file ends that a server is made of."""
CODE = frozenset({"code", "source_code", "script", "snippet", "program", "command", "cmd"})
RUNS = re.compile(
    r"(?:^|[^A-Za-z])(?i:run|exec|eval|interpret|compile|shell|bash)|Run|Exec|Eval|Interpret|Compile|Shell|Bash"
)
"""How the name of a tool says that it runs what it is given."""


@once
def _shown(history: History, _: Contract) -> set[str]:
    """The paths that a server shows where nothing failed: what it serves, such as its files."""
    return {
        place
        for exchange in history.exchanges
        if exchange.accepted and exchange.result is not None
        for text in betraying(first(exchange.result, LONGEST, keys=True)[0])
        for place in places(text)
    }


@law("MC-CALL-08", absent=no_tools)
def failures_tell_no_more_than_needed(history: History, contract: Contract) -> Iterator[Judgement]:
    """No failure shows a stack trace, or a path that nobody sent and no success shows; no message shows a secret."""
    ours = " ".join(texts(history.header.statement)) if history.header is not None else ""
    for exchange in history.exchanges:
        heard: Json = exchange.response
        if heard is None and exchange.raw is not None:
            heard = exchange.raw.payload if exchange.raw.raw is None else exchange.raw.raw
        leak: str | None = _marked(heard) or next(
            (mark for extra in exchange.extras if (mark := _marked(extra.payload or extra.raw))), ""
        )
        if not leak and exchange.refused and _ran(exchange):
            continue  # whose trace it is, the server's or that of the caller's own code, nobody can tell
        if not leak and exchange.refused and not discreet(exchange):
            sent = " ".join(texts([exchange.request, exchange.asked.path if exchange.asked is not None else ""]))
            leak = _told(heard, sent, ours, lambda: _shown(history, contract))
        if leak:
            yield breach(f"the answer to {exchange.tool or exchange.method} holds {leak}", exchange)
        elif leak is None:
            what = f"what {exchange.tool or exchange.method} refused with (call {exchange.call})"
            yield unjudged(f"{what} has more than {LONGEST} characters")
        elif exchange.refused:
            yield HELD
    yield from _beside(history, contract, ours)
    for stray in history.strays:
        if leak := _marked(_content(stray)):
            yield breach(f"a message of the server's own holds {leak}")


def _beside(history: History, contract: Contract, ours: str) -> Iterator[Judgement]:
    """What is told of frames that are no request."""
    for aside in filter(is_malformed, history.asides.values()):
        sent = aside.sent.raw or " ".join(texts(aside.sent.payload))
        for answer in provoked(history, contract).by(aside):
            leak = _told(_content(answer), sent, ours, lambda: _shown(history, contract))
            if leak:
                yield breach(f"the answer to what is no request holds {leak}", got=answer.payload)


def _ran(call: Exchange) -> bool:
    """Whether a call had the server run code: how that fails is what its caller wants to be told."""
    given = call.arguments if isinstance(call.arguments, dict) else {}
    return RUNS.search(call.tool or "") is not None and any(
        isinstance(given.get(name), str) and given[name].strip() for name in CODE
    )


def _content(message: Message) -> Json:
    return message.raw if message.raw is not None else message.payload


def _marked(value: Json) -> str:
    """A secret's marker in a value; empty where there is none. Walking a large value takes 30 times what this does."""
    if not isinstance(value, str) and BEGINS not in msgspec.json.encode(value):
        return ""
    for text in texts(value, keys=True):
        if "«secret:" in text and (found := MARKER.search(text)):
            return f"a secret: {found.group()[:120]}"
    return ""


def _told(value: Json, sent: str, ours: str, shown: Callable[[], set[str]]) -> str | None:
    """A stack trace or a path in an answer, beyond what was known to the caller and what other answers showed.

    `ours` is what the statement names: the server's command, and the folders that it is given.
    Empty where there is none, None where none is in what is looked through, and there is more.
    """
    said, whole = first(value, LONGEST, keys=True)
    known: list[_Known] = []
    for text in betraying(said):
        if found := stack(text):
            return f"a stack trace: {' '.join(found[:400].split())[:120]!r}"
        for place in places(text):
            known = known or [_Known(f"{ours} {sent}", _places(ours), _places(sent)), _Known("", (), shown())]
            if not any(place in each for each in known):
                return f"a path of the server's machine: {place[:120]!r}"
    return "" if whole else None


def _places(text: str) -> list[str]:
    return [found.group() for found in PLACE.finditer(text)]


class _Known:
    """Places that a text repeats, those in a folder that is known, and what else is in the folder of a known place.

    Beside the file by which a server is started, a place of `ours`, lies what it is made of: that nobody knows.
    """

    def __init__(self, text: str, ours: Iterable[str], theirs: Iterable[str]) -> None:
        self._text, self._folders = text, {*ours, *theirs}
        self._beside = {_above(place) for place in self._folders if place.count("/") > NEAR}
        self._beside_theirs = {_above(place) for place in theirs if place.count("/") > NEAR}

    def __contains__(self, place: str) -> bool:
        ends = (end for end, letter in enumerate(place[:LONGEST_FOLDER]) if letter == "/")
        beside = self._beside_theirs if SOURCE.search(place) else self._beside
        place = place.partition("...")[0]
        within = any(place[:end] in self._folders for end in ends)
        return within or _above(place) in beside or repeats(place, self._text)


def _above(place: str) -> str:
    return place.rpartition("/")[0]

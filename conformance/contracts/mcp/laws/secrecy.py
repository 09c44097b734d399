"""MC-CALL-08: what an answer must not tell."""

import re
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.judge.judgements import breach
from conformance.judge.law import law
from conformance.model.events import Json, Message
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

MARKER = re.compile(r"«secret:[^»]*»")
STACK = re.compile(
    r"Traceback \(most recent call last\)"
    r"|File \"[^\"\n]+\", line \d+, in "
    r"|\n\s+at (?:async )?[\w$.<>\[\] ]+ ?\(?(?:file://|node:|/|[A-Za-z]:\\)[^\n]*:\d+:\d+"
    r"|\n\s+at [\w$.<>]+\([\w$]+\.(?:java|kt|scala):\d+\)"
    r"|\n\s+at [\w.<>`\[\]]+\(.*\) in [^\n]+:line \d+"
    r"|goroutine \d+ \[[a-z ]+\]:"
    r"|thread '[^']*' (?:\(\d+\) )?panicked at "
    r"|stack backtrace:\n"
    r"|\.rb:\d+:in [`']"
    r"|#\d+ [^\n]+\.php\(\d+\): "
)
PATH = re.compile(
    r"(?<![\w/.:~-])/(?:home|Users|root|usr|var|tmp|opt|etc|srv|mnt|private|app|workspace|build|nix)/[\w.+@/-]+"
    r"|(?<!\w)[A-Za-z]:\\(?:[\w .+@-]+\\)+[\w .+@-]+"
)


@law("MC-CALL-08")
def failures_tell_no_more_than_needed(history: History, _: Contract) -> Iterator[Judgement]:
    """No failure shows a stack trace or a path of the server that nobody sent, and no message shows a secret."""
    ours = " ".join(_texts(history.header.statement)) if history.header is not None else ""
    for exchange in history.exchanges:
        heard = (
            exchange.response
            if exchange.response is not None
            else exchange.raw.raw
            if exchange.raw is not None
            else None
        )
        leak = _marked(heard) or next(
            (mark for extra in exchange.extras if (mark := _marked(extra.payload or extra.raw))), ""
        )
        if not leak and exchange.refused:
            sent = " ".join(_texts([exchange.request, exchange.asked.path if exchange.asked is not None else ""]))
            leak = _told(heard, f"{ours} {sent}")
        if leak:
            yield breach(f"the answer to {exchange.tool or exchange.method} holds {leak}", exchange)
        elif exchange.refused:
            yield HELD
    for stray in history.strays:
        if leak := _marked(_content(stray)):
            yield breach(f"a message of the server's own holds {leak}")


def _content(message: Message) -> Json:
    return message.raw if message.raw is not None else message.payload


def _marked(value: Json) -> str:
    """A secret's marker in a value; empty where there is none."""
    for text in _texts(value):
        if found := MARKER.search(text):
            return f"a secret: {found.group()}"
    return ""


def _told(value: Json, known: str) -> str:
    """A stack trace or a path in an answer, beyond what was known to the caller."""
    for text in _texts(value):
        if found := STACK.search(text):
            return f"a stack trace: {' '.join(found.group().split())[:120]!r}"
        for place in PATH.finditer(text):
            if not _known(place.group().rstrip("./"), known):
                return f"a path of the server's machine: {place.group()[:120]!r}"
    return ""


def _known(place: str, known: str) -> bool:
    """Whether the caller named a place itself, or a folder that it is in."""
    return place in known or any(place.startswith(f"{folder.group()}/") for folder in PATH.finditer(known))


def _texts(value: Json) -> Iterator[str]:
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, str):
            yield found
        elif isinstance(found, dict):
            waiting += found.keys()
            waiting += found.values()
        elif isinstance(found, list | tuple):
            waiting += found

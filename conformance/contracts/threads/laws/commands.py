"""Section 3.8, runtime notes: the command line that an answer shows is safe to be run."""

import re
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.judge.judgements import holds
from conformance.judge.kinds import text
from conformance.judge.law import law
from conformance.judge.shell import hostile_part, words
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

_RUN = re.compile(r"[\w-]{4,}")
"""A part of a value that no quoting changes: where it is in a command, so is the value, or its beginning."""


@law("TH-TRIG-11")
def a_command_quotes_what_it_is_given(history: History, _: Contract) -> Iterator[Judgement]:
    """A shell reads a runtime_command's prompt and session id, hostile characters and all, as text within one word."""
    sessions = _session_ids(history)
    for call in history.accepted("trigger_participant"):
        command, prompt = text(call.given.get("runtime_command")), text(call.argument("trigger_prompt"))
        if command is None:
            continue
        found = words(command)
        if prompt is not None and _shown(_RUN.findall(prompt)[:1], command):
            yield from _quoted("prompt", prompt, found, call)
        for session in sessions.get((call.instance, text(call.argument("target_agent_id"))), ()):
            if _shown(sorted(_RUN.findall(session), key=len)[-1:], command):
                yield from _quoted("session id", session, found, call)


def _shown(parts: list[str], command: str) -> bool:
    return any(part in command for part in parts)


def _quoted(what: str, value: str, found: list[str] | None, call: Exchange) -> Iterator[Judgement]:
    """A judgement on a value that has something which a shell would take for its own.

    It is enough that the hostile part is whole: a command may show the beginning of a long prompt alone.
    """
    hostile = hostile_part(value)
    if hostile:
        ok = found is not None and any(hostile in word for word in found)
        saw = f"a shell does not read the {what} as one word" if found else "a quote in the command is not closed"
        got = call.given["runtime_command"]
        yield holds(ok, saw, call, pointer="/runtime_command", expected=value, got=got)


def _session_ids(history: History) -> dict[tuple[str, str | None], set[str]]:
    """By instance and agent, the sessions that sent heartbeats."""
    known: dict[tuple[str, str | None], set[str]] = {}
    for beat in history.accepted("heartbeat_session"):
        claims = beat.credential.claims
        session = text(claims.get("session_id"))
        if session is not None:
            known.setdefault((beat.instance, text(claims.get("agent_id"))), set()).add(session)
    return known

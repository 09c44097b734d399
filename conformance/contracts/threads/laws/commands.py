"""Section 3.8, runtime notes: the command line that an answer shows is safe to be run."""

import re
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.judge.judgements import HELD, breach
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
        if prompt is not None:
            yield from _quoted("prompt", prompt, next(iter(_RUN.findall(prompt)), ""), command, found, call)
        for session in sessions.get((call.instance, text(call.argument("target_agent_id"))), ()):
            longest = max(_RUN.findall(session), key=len, default="")
            yield from _quoted("session id", session, longest, command, found, call)


def _quoted(  # noqa: PLR0913 -- a value, where it is looked for, and the words to say so
    what: str, value: str, part: str, command: str, found: list[str] | None, call: Exchange
) -> Iterator[Judgement]:
    """A judgement where the value is in the command and has something that a shell would take for its own.

    It is enough that the hostile part is whole: a command may show the beginning of a long prompt alone.
    """
    hostile = hostile_part(value)
    if not hostile or not part or part not in command:
        return
    if found is not None and any(hostile in word for word in found):
        yield HELD
        return
    saw = "a quote in the command is not closed" if found is None else f"a shell does not read the {what} as one word"
    yield breach(saw, call, pointer="/runtime_command", expected=value, got=command)


def _session_ids(history: History) -> dict[tuple[str, str | None], set[str]]:
    """By instance and agent, the sessions that sent heartbeats."""
    known: dict[tuple[str, str | None], set[str]] = {}
    for beat in history.accepted("heartbeat_session"):
        claims = beat.credential.claims
        session = text(claims.get("session_id"))
        if session is not None:
            known.setdefault((beat.instance, text(claims.get("agent_id"))), set()).add(session)
    return known

"""Reads show what writes wrote: tweets and what is done to them, the queue, replies that were sent, the settings."""

import html
import json
import math
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.deeds import QUEUE
from conformance.contracts.tuitbot.glimpses import glimpses
from conformance.contracts.tuitbot.known import known
from conformance.contracts.tuitbot.places import CONTENT, DESCRIBED, TEXT, WAITS
from conformance.contracts.tuitbot.replies import days, limits_shown
from conformance.contracts.tuitbot.tweets import LINK, Reply, executed, printed, rewritten
from conformance.contracts.tuitbot.written import assignments
from conformance.judge import shown
from conformance.judge.judgements import breach, holds
from conformance.judge.kinds import alike, integer
from conformance.judge.law import law
from conformance.judge.registers import Register, kept
from conformance.judge.settings import setting
from conformance.judge.stores import one_store
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

SENT = "reply_content"
"""Under it an entry of get_recent_replies has the text of a reply."""


@law("TB-SRV-02")
def what_was_written_is_shown(history: History, contract: Contract) -> Iterator[Judgement]:
    """Each read shows what accepted writes before it wrote: tweets, texts, marks, the queue, replies, settings."""
    written = [*shown.assignments(history, contract), *assignments(history, contract)]
    showings = [*shown.showings(history, contract), *glimpses(history, contract)]
    if one_store(history, contract):
        written = [each._replace(register=_at_x(each.register)) for each in written]
        showings = [
            each._replace(register=_at_x(each.register), among=tuple(map(_at_x, each.among))) for each in showings
        ]
    texts = [one for one in written if _is(one.register, TEXT) or _is(one.register, DESCRIBED)]
    contents = [one for one in written if _is(one.register, CONTENT)]
    others = [one for one in written if not any(_is(one.register, each) for each in (TEXT, DESCRIBED, CONTENT))]
    yield from kept(texts, showings, _same_text)
    yield from kept(contents, showings, _holds_text)
    yield from kept(others, showings)
    yield from _counts(history)
    yield from _replies(history, contract)
    yield from _answered(history, contract)
    yield from _settings(history, contract)


def _at_x(register: Register) -> Register:
    """A place of the one account for which all instances act; the queue is each instance's own."""
    match register:
        case ((_, *entity), field):
            return ("", *entity), field
        case (_, str(what), *name) if what not in (WAITS, CONTENT):
            return ("", what, *name)
    return register


def _is(register: Register, field: str) -> bool:
    return isinstance(register, tuple) and field in register


def _same_text(written: Json, shown: Json) -> bool | None:
    if alike(written, shown):
        return True
    if not isinstance(written, str):
        return None  # which text a server makes of another value is its own
    if not isinstance(shown, str):
        return False
    if LINK in written or not printed(written):
        return None
    plain = html.unescape(shown) if rewritten(written) else shown
    if plain == written:
        return True
    return None if plain.split() == written.split() else False


def _holds_text(written: Json, shown: Json) -> bool | None:
    """Whether an item of the queue holds a text, by itself or within what it says of the arguments."""
    if not isinstance(written, str):
        return None
    plain = json.dumps(shown, ensure_ascii=False)
    inner = json.dumps(written, ensure_ascii=False)[1:-1]
    nested = json.dumps(inner, ensure_ascii=False)[1:-1]
    return True if inner in plain or nested in plain else None if written != written.strip() else False


def _counts(history: History) -> Iterator[Judgement]:
    """get_pending_count counts what list_pending_approvals lists, where nothing came between the two."""
    last: dict[str, Exchange] = {}
    ended: dict[str, float] = {}
    for call in history.calls():
        before = last.get(call.instance)
        if call.tool == "get_pending_count" and call.accepted and before is not None and before.before(call):
            count = integer(call.given.get("pending_count"))
            listed = before.payload if isinstance(before.payload, list) else None
            if count is not None and listed is not None:
                saw = f"get_pending_count says {count}, list_pending_approvals had {len(listed)}"
                found = len(listed)
                yield holds(count == found, saw, before, call, pointer="/data/pending_count", expected=found, got=count)
        elif call.tool == "list_pending_approvals" and call.accepted and ended.get(call.instance, 0) <= call.sent:
            last[call.instance] = call
        elif call.tool not in QUEUE:
            last.pop(call.instance, None)
            ended[call.instance] = max(
                ended.get(call.instance, 0), math.inf if call.received is None else call.received
            )


def _replies(history: History, contract: Contract) -> Iterator[Judgement]:
    """Replies that were proposed and sent are among the recent ones, with their texts, and are counted on their day."""
    when, run = days(history, contract), known(history, contract)
    for read, earlier in _after_replies(history, "get_recent_replies", "get_reply_count_today"):
        today = [(c, r) for c, r in earlier if when.same(c, read)]
        if not run.untroubled(read):
            continue
        if read.tool == "get_reply_count_today":
            count = integer(read.given.get("replies_today"))
            if count is not None and today:
                saw = f"get_reply_count_today says {count} after {len(today)} replies were sent"
                yield holds(count >= len(today), saw, today[-1][0], read, pointer="/data/replies_today", got=count)
        elif isinstance(read.payload, list) and "since_hours" not in (read.arguments or {}):
            entries = [each for each in read.payload if isinstance(each, dict)]
            if entries and not any(SENT in each for each in entries):
                continue  # a list of replies may leave out what they say
            texts = {str(each.get(SENT)) for each in entries}
            for call, reply in today:
                if reply.text is not None:
                    saw = "get_recent_replies does not show a reply that was sent"
                    yield HELD if reply.text in texts else breach(saw, call, read, expected=reply.text)


def _answered(history: History, contract: Contract) -> Iterator[Judgement]:
    """A tweet to which a reply was proposed and sent is not among those without a reply, unless it is marked so."""
    run = known(history, contract)
    for read, earlier in _after_replies(history, "list_unreplied_tweets"):
        if run.untroubled(read) and isinstance(read.payload, list):
            entries = [each for each in read.payload if isinstance(each, dict)]
            waiting = {str(each.get("id")) for each in entries if each.get("replied_to") is not True}
            for call, reply in earlier:
                saw = f"list_unreplied_tweets shows {reply.candidate}, to which a reply was sent"
                yield holds(reply.candidate not in waiting, saw, call, read, pointer="/data", got=reply.candidate)


def _after_replies(history: History, *tools: str) -> Iterator[tuple[Exchange, list[tuple[Exchange, Reply]]]]:
    """Each read, with the replies that had been proposed and sent before it."""
    sent = [(call, reply) for call in history.accepted() for reply in executed(call)]
    for read in history.accepted(*tools):
        yield read, [(c, r) for c, r in sent if c.instance == read.instance and c.before(read)]


def _settings(history: History, contract: Contract) -> Iterator[Judgement]:
    """get_mode and get_config show what an instance was set to."""
    for call in history.accepted("get_mode"):
        mode, approval = (setting(history, call, name) for name in ("mode", "approval_mode"))
        told = call.given.get("mode")
        if mode is not None and isinstance(told, str):
            saw = f"get_mode says {told} where the server runs in {mode}"
            yield holds(told == mode, saw, call, pointer="/data/mode", expected=mode, got=told)
        told = call.given.get("approval_mode")
        if mode == "autopilot" and isinstance(approval, bool) and isinstance(told, bool):
            saw = f"get_mode says approval_mode {told} where it is set to {approval}"
            yield holds(told == approval, saw, call, pointer="/data/approval_mode", expected=approval, got=told)
    for call in history.accepted("get_config"):
        for name, told, expected in limits_shown(history, contract, call):
            saw = f"get_config shows {name} otherwise than it is set"
            yield holds(told == expected, saw, call, pointer="/data", expected=expected, got=told)

"""Budgets: caps are hard, and what they cut says so."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from sys import maxsize

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.beside import controls
from conformance.contracts.tasks.likes import LIMIT, PLACE, Group, Like, groups, taken
from conformance.contracts.tasks.listing import listed_by_none
from conformance.contracts.tasks.lists import EXPORTED, LISTS, OF_THEIR_OWN, goes_on, held, listed, paged
from conformance.judge.controls import but_for, refusals
from conformance.judge.judgements import breach, holds, told
from conformance.judge.kinds import integer
from conformance.judge.law import law
from conformance.judge.parameters import parameters
from conformance.judge.served import distinct
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.listed import tools_of
from conformance.model.verdict import Judgement

KNOBS = ("max_chars", "max_bytes", "max_lines", "limit")
SMALL = (
    "branchmind_status", "branchmind_think_template", "branchmind_merge", "branchmind_graph_conflict_show",
    "tasks_focus_get",
)  # fmt: skip
"""Tools whose answers do not grow with the workspace."""
PAGED = ("limit", "limit_cards", "max_errors", "edges_limit", "notes_limit", "trace_limit")
"""Knobs that count entries: what they leave for later is paging, which an answer tells by its pagination."""
CAP = "max_chars"
LEAST = 2
"""Bytes of the smallest object there is."""
SLACK = 16
"""Bytes by which answers may differ for other reasons: digits of a budget, or of a time."""
KEYS = ("success", "intent", "result", "warnings", "suggestions", "context", "error", "timestamp")


@law("TK-BUD-01")
def large_outputs_take_a_budget(history: History, contract: Contract) -> Iterator[Judgement]:
    """The input schema of each listed tool whose answers grow with the workspace names a budget knob."""
    for listing in distinct(history):
        calls = [found for number in listing.calls if (found := history.find(number)) is not None]
        for tool in tools_of(listing):
            marked = contract.tools.get(tool.name)
            if marked is not None and marked.budgets and tool.name not in SMALL:
                named: Json = sorted(parameters(tool.input_schema))
                saw = f"the input schema of {tool.name} has none of {', '.join(KNOBS)}"
                yield holds(set(KNOBS).intersection(named), saw, *calls, expected=list(KNOBS), got=named)


@law("TK-BUD-02", absent=listed_by_none("max_chars"))
def max_chars_is_held(history: History, contract: Contract) -> Iterator[Judgement]:
    """The compact JSON of an accepted call's result has at most max_chars bytes of UTF-8."""
    smallest = _smallest(history, contract)
    for call in history.accepted():
        cap = (taken(history, contract, call) or {}).get(CAP)
        if cap is None or cap < LEAST or call.call in smallest:
            continue
        size = held(call.tool or "", CAP, call.given) or 0
        saw = f"the result of {call.tool} has {size} bytes, max_chars allows {cap}"
        yield holds(size <= cap, saw, call, pointer="/result", expected=cap, got=size)


def _smallest(history: History, contract: Contract) -> Mapping[int, Like]:
    """Answers that were cut and still exceed max_chars, where no like of them was seen to fit: their smallest form.

    A tool that does refuse what it finds too small exceeds a cap for another reason: it counts otherwise.
    """
    found: dict[int, Like] = {}
    refused = (call for call in history.calls() if call.refused)
    limits = ((call.tool, (taken(history, contract, call) or {}).get(CAP, 0)) for call in refused)
    refusing = {tool for tool, cap in limits if cap >= LEAST}
    for group in groups(history, contract):
        if group.tool in refusing:
            continue
        least: dict[int, int] = {}
        for like in group.likes:
            size = held(group.tool, CAP, like.call.given) or 0
            # the end of a list is smaller than its beginning can be
            least[like.offset] = min(size, least.get(like.offset, size))
        for like in group.likes:
            if like.truncated and least[like.offset] > like.knobs.get(CAP, least[like.offset]):
                found[like.call.call] = like
    return found


@law("TK-BUD-07", absent=listed_by_none("max_chars"))
def what_cannot_be_met_is_refused(history: History, contract: Contract) -> Iterator[Judgement]:
    """A max_chars below the smallest answer is refused, where the same call is accepted under a larger one."""
    smallest, control = _smallest(history, contract), controls(history, contract)
    caps = {call.call: (taken(history, contract, call) or {}).get(CAP) for call in history.calls()}
    tiny = [call for call in history.calls() if (cap := caps[call.call]) is not None and cap < LEAST]

    def words(call: Exchange) -> str:
        return f"with max_chars {caps[call.call]}, which no object fits,"

    yield from refusals(control, tiny, but_for(CAP), words, expected="a refusal")
    for call in history.calls():
        cap = caps[call.call]
        if cap is not None and cap >= LEAST and call.call in smallest:
            size = held(call.tool or "", CAP, call.given)
            saw = f"the smallest answer of {call.tool} has {size} bytes and was sent under max_chars {cap}"
            yield breach(saw, call, pointer="/result", expected="a refusal", got=size)


@law("TK-BUD-03", absent=listed_by_none("max_bytes", "max_lines", *PAGED))
def other_caps_are_held(history: History, contract: Contract) -> Iterator[Judgement]:
    """An accepted call's result holds no more than max_bytes, max_lines, limit and similar caps allow.

    Caps that the tool lists are judged. A cap of 0 is not: some servers read it as no cap, and no clause says which.
    """
    for call in history.accepted():
        for knob, cap in (taken(history, contract, call) or {}).items():
            amount = held(call.tool or "", knob, call.given) if knob not in (CAP, PLACE) else None
            if amount is not None and cap > 0:
                unit = contract.tools[call.tool or ""].budgets[knob]
                saw = f"{call.tool} gave {amount} {unit}, {knob} allows {cap}"
                yield holds(amount <= cap, saw, call, pointer="/result", expected=cap, got=amount)


@law("TK-BUD-05")
def cuts_are_told(history: History, contract: Contract) -> Iterator[Judgement]:
    """An answer that shows less than under a larger budget has truncated true, budget.used and budget.limit.

    Where both are given, used is at most limit. Where a page leaves entries for later, its pagination says so as well.
    A list that ends at a default of the server's is cut, too.
    """
    for group in groups(history, contract):
        fullest = group.fullest
        for like in group.first:
            for_later = bool(like.knobs) and like.knobs.keys() <= set(PAGED) and _goes_on(like, fullest)
            if like.truncated and like.knobs:
                if not for_later or "budget" in like.call.given:
                    yield _told(like)
            elif fullest is not None and like.knobs and not for_later and _less(like, fullest, group):
                saw = f"{group.tool} shows less than without {' and '.join(like.knobs)}, and says not that it was cut"
                got = like.call.given.get("truncated")
                pointer = "/result/truncated"
                yield breach(saw, fullest.call, like.call, pointer=pointer, expected=True, got=got)
        for like, longest in group.defaults:
            number, more = (len(paged(group.tool, each.call.given)) for each in (like, longest))
            saw = f"{group.tool} without {LIMIT} ends with entry {number} of {more}, and says not that it was cut"
            got = like.call.given.get("truncated")
            yield breach(saw, longest.call, like.call, pointer="/result/truncated", expected=True, got=got)
        yield from _later_pages(group)


def _goes_on(like: Like, fullest: Like | None) -> bool:
    """Whether it says that more follows: of each of its lists that is shorter than it could be."""
    own = [name for knob in like.knobs if (name := OF_THEIR_OWN.get(knob)) in EXPORTED]
    short = [name for name in own if fullest is None or _shorter(like, fullest, name)]
    parts = [part for name in short if isinstance(part := like.call.given.get(name), dict)]
    return all(map(goes_on, parts)) if parts else goes_on(like.call.given)


def _shorter(like: Like, other: Like, name: str) -> bool:
    return len(listed(like.call.given, name)) < len(listed(other.call.given, name))


def _later_pages(group: Group) -> Iterator[Judgement]:
    """Full pages that begin later, and end before an entry that another page shows."""
    pages = [like for like in group.likes if like.knobs.keys() <= {LIMIT}] if group.tool in LISTS else []
    # a page without an entry may have been asked for beyond the end
    shown = [(like, entries) for like in pages if (entries := paged(group.tool, like.call.given))]
    furthest, entries = max(shown, key=lambda each: each[0].offset + len(each[1]), default=(None, []))
    for like, own in shown:
        # one that ends before its limit is the last, or lacks entries, which is another rule's
        full, end = len(own) >= like.knobs.get(LIMIT, maxsize), like.offset + len(own)
        # within a page entries may stand in the other order
        last = furthest is None or entries[-1] in own or entries[0] in own
        if furthest is not None and like.offset and full and not last and end < furthest.offset + len(entries):
            saw = f"{group.tool} ends with entry {end}, another page shows more, and it says not that it was cut"
            told_so = like.truncated or goes_on(like.call.given)
            yield holds(told_so, saw, furthest.call, like.call, pointer="/result/truncated", expected=True)


def _less(like: Like, other: Like, group: Group) -> bool:
    """Whether a like surely leaves something out that the other shows."""
    if _number(like, group) < _number(other, group):
        return True
    # where entries are left out, what they have is as well
    return like.weight + SLACK < other.weight and (
        group.tool not in LISTS or _number(like, group) == _number(other, group)
    )


def _number(like: Like, group: Group) -> int:
    """Entries that it lists."""
    return sum(len(listed(like.call.given, name)) for name in (*LISTS.get(group.tool, ()), "edges", "notes", "trace"))


def _told(like: Like) -> Judgement:
    budget = like.call.given.get("budget")
    used, limit = (integer(budget.get(name)) if isinstance(budget, dict) else None for name in ("used", "limit"))
    call, pointer = like.call, "/result/budget"
    if used is None or limit is None:
        return breach(
            f"{call.tool} says truncated true without budget.used and limit", call, pointer=pointer, got=budget
        )
    saw = f"{call.tool} says that it used {used} of {limit}"
    return holds(used <= limit, saw, call, pointer=pointer, expected=limit, got=used)


@law("TK-BUD-06")
def what_is_whole_does_not_say_cut(history: History, contract: Contract) -> Iterator[Judgement]:
    """An answer that leaves nothing out does not say truncated true.

    It leaves nothing out where it shows all that the same call shows without truncated. An empty list leaves nothing
    out where no budget was given.
    """
    for group in groups(history, contract):
        fullest = group.fullest
        for like in group.first:
            if fullest is not None and not fullest.truncated and like.call is not fullest.call:
                if like.shown == fullest.shown:
                    saw = f"{group.tool} says truncated true, and shows all that the same call shows as the whole"
                    yield _whole(like, saw, fullest.call)
            elif not like.knobs and group.tool in LISTS and not _number(like, group):
                yield _whole(like, f"{group.tool} says truncated true of an empty list, without any budget")


def _whole(like: Like, saw: str, *others: Exchange) -> Judgement:
    return holds(not like.truncated, saw, *others, like.call, pointer="/result/truncated", expected=False, got=True)


@law("TK-BUD-08")
def less_budget_gives_no_more(history: History, contract: Contract) -> Iterator[Judgement]:
    """An answer under a budget is a whole envelope, and shows no more than the same call under a larger one."""
    usual = _usual(history)
    for call in history.calls():
        given = taken(history, contract, call)
        if given and (call.raw is not None or (call.result is not None and call.envelope is None)):
            yield breach(f"{call.tool} under a budget ended as {told(call)}, with no envelope", call)
        elif given and call.envelope is not None and call.given.get("truncated") is True:
            missing = [name for name in KEYS if name not in call.envelope and name in usual.get(call.tool, KEYS)]
            saw = f"an answer that was cut lacks {', '.join(missing)}"
            yield holds(not missing, saw, call, expected=list(KEYS), got=sorted(call.envelope))
    for group in groups(history, contract):
        yield from _monotone(group)


def _usual(history: History) -> Mapping[str | None, set[str]]:
    """By tool, the keys of the envelopes that were not cut: what those lack as well is no cut's fault."""
    found: dict[str | None, set[str]] = {}
    for call in history.accepted():
        if call.envelope is not None and call.given.get("truncated") is not True:
            found.setdefault(call.tool, set()).update(call.envelope)
    return found


def _monotone(group: Group) -> Iterator[Judgement]:
    """Judges likes that differ in one knob alone, each beside the next larger one; without it is the largest.

    But where what was asked without it goes on: a default of the server's cut it, and may be smaller.
    """
    short = [like for like, _ in group.defaults]
    for knob in dict.fromkeys(knob for like in group.first for knob in like.knobs):
        rows: dict[tuple[tuple[str, int], ...], list[Like]] = {}
        for like in group.first:
            if knob not in like.knobs and (like.truncated or goes_on(like.call.given) or like in short):
                continue
            others = tuple(sorted((name, value) for name, value in like.knobs.items() if name != knob))
            rows.setdefault(others, []).append(like)
        for row in rows.values():
            row.sort(key=lambda like: like.knobs.get(knob, float("inf")))
            apart = SLACK if knob == CAP else 1
            for smaller, larger in pairwise(row):
                low, high = smaller.knobs.get(knob), larger.knobs.get(knob)
                if low is not None and (high is None or high >= low + apart):
                    saw = f"{group.tool} shows {smaller.weight} bytes under {knob} {low}, {larger.weight} under {high}"
                    ok = smaller.weight <= larger.weight
                    yield holds(ok, saw, larger.call, smaller.call, pointer="/result", got=smaller.weight)

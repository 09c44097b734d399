"""Breaks budgets and paging."""

import dataclasses
from collections.abc import Callable, Iterable

from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.deviations.tasks.handling import list_without
from reference_server.tasks import Tasks
from reference_server.tasks.budgets import Budget, Cap, Listing, Result, compact
from reference_server.tasks.call import Call
from reference_server.tasks.refusal import Refusal


@deviation("TK-BUD-01")
def the_event_log_lists_no_budget(tasks: Tasks) -> None:
    """The listed schema of tasks_delta has no budget knob."""
    list_without(tasks, "tasks_delta", "max_chars", "max_lines", "limit", "offset")


@deviation("TK-BUD-02")
def max_chars_counts_characters(tasks: Tasks) -> None:
    """max_chars is held in characters, which are fewer than bytes."""

    @instead(tasks.parts.budgets, "size")
    def size(result: Result) -> int:
        return len(compact(result).decode())


@deviation("TK-BUD-03")
def the_entry_that_exceeds_is_still_answered(tasks: Tasks) -> None:
    """max_bytes and max_lines end a list behind the entry that exceeds them, not before it."""
    original = tasks.parts.budgets.cut

    def lenient(cap: Cap, available: int) -> Cap:
        most = cap.most(available)
        if cap.weights is None or not 0 < most < available:
            return cap
        return dataclasses.replace(cap, weights=[*cap.weights[:most], 0, *cap.weights[most + 1 :]])

    @instead(tasks.parts.budgets, "cut")
    def cut(call: Call, listing: Listing) -> Result:
        caps = [lenient(cap, listing.available) for cap in listing.caps]
        return original(call, dataclasses.replace(listing, caps=caps))


@deviation("TK-BUD-04")
def later_pages_begin_one_entry_late(tasks: Tasks) -> None:
    """An offset other than 0 is counted from 1: each later page skips an entry."""
    original = tasks.parts.budgets.first

    @instead(tasks.parts.budgets, "first")
    def first(call: Call) -> int:
        offset = original(call)
        return offset + 1 if offset else 0


@deviation("TK-BUD-05")
def cuts_are_silent(tasks: Tasks) -> None:
    """What was cut says truncated false, and no budget."""

    @instead(tasks.parts.budgets, "told")
    def told(result: Result, budget: Budget | None) -> Result:
        del budget
        return result | {"truncated": False}


@deviation("TK-BUD-06")
def any_budget_is_taken_for_a_cut(tasks: Tasks) -> None:
    """An answer to a call with limit or max_chars says truncated true, cut or not."""
    budgets = tasks.parts.budgets
    cut, ladder = budgets.cut, budgets.ladder

    def claimed(call: Call, result: Result) -> Result:
        if result["truncated"]:
            return result
        limit = call.given.get("max_chars")
        if limit is not None:
            told = budgets.in_bytes(result, limit)
            return told if budgets.size(told) <= limit else result
        if "limit" in call.given and "pagination" in result:
            return budgets.told(result, Budget(result["pagination"]["count"], call.given["limit"], "entries"))
        return result

    @instead(budgets, "cut")
    def cut_or_not(call: Call, listing: Listing) -> Result:
        return claimed(call, cut(call, listing))

    @instead(budgets, "ladder")
    def whole_or_not(call: Call, forms: Iterable[Result]) -> Result:
        return claimed(call, ladder(call, forms))


@deviation("TK-BUD-07")
def caps_are_raised_to_what_is_needed(tasks: Tasks) -> None:
    """A cap that no answer can meet is raised to the smallest answer's size."""
    budgets = tasks.parts.budgets
    cut, ladder = budgets.cut, budgets.ladder

    def raised(call: Call, serve: Callable[[], Result]) -> Result:
        try:
            return serve()
        except Refusal as refusal:
            if refusal.code != "BUDGET_EXCEEDED":
                raise
            call.arguments |= refusal.suggestions[0].params
            return serve()

    @instead(budgets, "cut")
    def cut_clamped(call: Call, listing: Listing) -> Result:
        return raised(call, lambda: cut(call, listing))

    @instead(budgets, "ladder")
    def ladder_clamped(call: Call, forms: Iterable[Result]) -> Result:
        every = list(forms)
        return raised(call, lambda: ladder(call, every))


@deviation("TK-BUD-08")
def a_slight_cut_drops_nearly_all(tasks: Tasks) -> None:
    """A list that is slightly too long is cut to its first entry, one far too long to what fits."""
    budgets = tasks.parts.budgets
    original = budgets.within

    @instead(budgets, "within")
    def within(call: Call, listing: Listing, count: int, limit: int) -> Result:
        slight = limit * 2 >= budgets.size(listing.render(count))
        return original(call, listing, min(count, listing.fewest + 1) if slight else count, limit)

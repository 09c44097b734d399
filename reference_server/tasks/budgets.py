"""Caps on what an answer may hold, in the unit of each knob, and explicit truncation (Common types, Budgets)."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

from reference_server.application import Json
from reference_server.tasks.refusal import Refusal, Suggestion

if TYPE_CHECKING:
    from reference_server.tasks.call import Call

Result = dict[str, Json]
Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Cap:
    """A knob other than max_chars: how much of its unit the first entries of a list use."""

    knob: str
    unit: str
    limit: int
    weights: Sequence[int] | None = None
    """Of each entry; None: one each."""

    def weight(self, count: int) -> int:
        """Of the first `count` entries."""
        return count if self.weights is None else sum(self.weights[:count])

    def most(self, available: int) -> int:
        """How many entries from the first on stay within the limit."""
        if self.weights is None:
            return min(available, self.limit)
        return sum(1 for used in accumulate(self.weights[:available]) if used <= self.limit)


@dataclass(frozen=True, slots=True)
class Budget:
    """What an answer that was cut says of it."""

    used: int
    limit: int
    unit: str

    def as_json(self) -> dict[str, Json]:
        """Shape: used, limit, unit."""
        return {"used": self.used, "limit": self.limit, "unit": self.unit}


@dataclass(frozen=True, slots=True)
class Listing:
    """A list that may be cut at its end. `render` gives the result with the first so many of `available` entries."""

    available: int
    render: Callable[[int], Result]
    caps: Sequence[Cap] = ()
    least: int | None = None
    """Fewest entries that are an answer; None: one, where there is one."""
    beside: Callable[[int], Budget | None] = lambda _: None
    """Tells of a cut in what comes with the first so many entries."""

    @property
    def fewest(self) -> int:
        """An empty page would make no progress."""
        return min(self.available, 1) if self.least is None else self.least


def compact(value: Json) -> bytes:
    """The JSON that max_chars counts: UTF-8, no white space."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


class Budgets:
    """Chooses the largest form of an answer that fits; refuses where none does."""

    def size(self, result: Result) -> int:
        """Bytes of a result as it is sent."""
        return len(compact(result))

    def page(
        self,
        call: "Call",
        entries: Sequence[Entry],
        render: Callable[[Sequence[Entry]], Result],
        *,
        caps: Callable[[Sequence[Entry]], Sequence[Cap]] = lambda _: (),
        beside: Callable[[Sequence[Entry]], Budget | None] = lambda _: None,
    ) -> tuple[Result, Sequence[Entry]]:
        """A page of a list from `offset` on, with `pagination`, and the entries on it. Raises BUDGET_EXCEEDED."""
        offset = self.first(call)
        rest = entries[offset:]
        limits = [Cap("limit", "entries", call.arguments["limit"])] if "limit" in call.arguments else []
        every = [*limits, *caps(rest)]
        entry_limit = min((cap.limit for cap in every if cap.weights is None), default=None)

        def form(count: int) -> Result:
            end = offset + count
            pagination = {
                "offset": offset,
                "limit": entry_limit,
                "count": count,
                "has_more": end < len(entries),
                "next_offset": end if end < len(entries) else None,
            }
            return render(rest[:count]) | {"pagination": pagination}

        listing = Listing(len(rest), form, every, beside=lambda count: beside(rest[:count]))
        result = self.cut(call, listing)
        return result, rest[: result["pagination"]["count"]]

    def first(self, call: "Call") -> int:
        """The index of a page's first entry."""
        offset: int = call.arguments.get("offset", 0)
        return offset

    def cut(self, call: "Call", listing: Listing) -> Result:
        """As much of a list as all knobs allow. Raises BUDGET_EXCEEDED."""
        count, binding = listing.available, None
        for cap in listing.caps:
            if (most := cap.most(listing.available)) < count:
                count, binding = most, cap
        if binding is not None and count < listing.fewest:
            raise self.exceeded(call, binding.knob, binding.limit, binding.weight(listing.fewest))
        told = listing.beside(count)
        if binding is not None:
            told = Budget(binding.weight(count), binding.limit, binding.unit)
        whole = self.told(listing.render(count), told)
        limit = call.arguments.get("max_chars")
        if limit is None or self.size(whole) <= limit:
            return whole
        return self.within(call, listing, count, limit)

    def within(self, call: "Call", listing: Listing, count: int, limit: int) -> Result:
        """The most entries below `count` whose result is at most `limit` bytes."""
        low, high = listing.fewest, count - 1
        if high < low:
            needed = self.size(self.told(listing.render(count), listing.beside(count)))
            raise self.exceeded(call, "max_chars", limit, needed)
        best: Result | None = None
        while low <= high:
            middle = (low + high + 1) // 2
            form = self.in_bytes(listing.render(middle), limit)
            if self.size(form) <= limit:
                best, low = form, middle + 1
            else:
                high = middle - 1
        if best is None:
            needed = self.size(self.in_bytes(listing.render(listing.fewest), limit))
            raise self.exceeded(call, "max_chars", limit, needed)
        return best

    def ladder(self, call: "Call", forms: Iterable[Result]) -> Result:
        """The first of ever smaller forms that fits max_chars. Raises BUDGET_EXCEEDED."""
        rungs = iter(forms)
        whole = next(rungs) | {"truncated": False}
        limit = call.arguments.get("max_chars")
        if limit is None or self.size(whole) <= limit:
            return whole
        needed = self.size(whole)
        for form in rungs:
            smaller = self.in_bytes(form, limit)
            if (size := self.size(smaller)) <= limit:
                return smaller
            needed = min(needed, size)
        raise self.exceeded(call, "max_chars", limit, needed)

    def told(self, result: Result, budget: Budget | None) -> Result:
        """The result with `truncated`, and with `budget` where something was cut."""
        cut: Result = {} if budget is None else {"budget": budget.as_json()}
        return result | {"truncated": budget is not None} | cut

    def in_bytes(self, result: Result, limit: int) -> Result:
        """The result with a budget that counts itself."""
        blank = self.size(self.told(result, Budget(0, limit, "bytes"))) - 1
        used = blank + 1
        while blank + len(str(used)) != used:
            used = blank + len(str(used))
        return self.told(result, Budget(used, limit, "bytes"))

    def exceeded(self, call: "Call", knob: str, limit: int, needed: int) -> Refusal:
        """What to raise where nothing fits; the suggested call asks for the smallest form that there is."""
        # room for the digits of a larger limit, which the answer shows
        enough = needed + 16 if knob == "max_chars" else needed
        caps = ("max_chars", "max_bytes", "max_lines")
        others = {name: value for name, value in call.given.items() if name not in caps}
        return Refusal(
            "BUDGET_EXCEEDED",
            f"the smallest answer needs {needed}, {knob} allows {limit}",
            recovery=f"raise {knob} to at least {enough}",
            suggestions=[Suggestion(call.spec.name, {**others, knob: enough}, f"ask again with enough {knob}")],
        )

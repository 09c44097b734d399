"""What a server lists of its tools: the definition that a call was made against."""

from collections.abc import Collection, Iterator

from conformance.contract.catalogue import Contract
from conformance.judge.memo import once
from conformance.model.events import Json, Listing
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.listed import ListedTool, tools_of


def distinct(history: History) -> Iterator[Listing]:
    """The listings of a run, each content once."""
    seen: list[list[Json]] = []
    for listing in history.listings:
        if listing.ended != "failed" and listing.tools not in seen:
            seen.append(listing.tools)
            yield listing


_Listed = tuple[int, bool, dict[str, ListedTool]]
"""When it was listed, whether to its end, and the tools by name."""


class Served:
    """What was listed, by instance. Where tools differ from one listing to the next the latest before a call holds."""

    def __init__(self, history: History, _: Contract) -> None:
        self._profiles = {listing.instance: profile for listing, profile in history.elsewhere}
        self._profiles |= {name: instance.profile for name, instance in history.instances.items()}
        self._called: dict[int, _Listed | None] = {}
        """By call, the listing that holds for it: laws ask this of every call."""
        self._others: dict[str | None, list[_Listed]] = {}
        self._by_instance: dict[str, list[_Listed]] = {}
        others = (listing for listing, _ in history.elsewhere if listing.instance not in history.instances)
        for listing in (*history.listings, *others):
            if listing.ended != "failed":
                tools = {tool.name: tool for tool in reversed(list(tools_of(listing)))}
                listings = self._by_instance.setdefault(listing.instance, [])
                listings.append((listing.t, listing.ended == "done", tools))

    def tool(self, call: Exchange, name: str | None = None) -> ListedTool | None:
        """The definition of the tool that is called, or of the named one, when the call was made; None: not listed."""
        try:
            held = self._called[call.call]
        except KeyError:
            held = self._held(call)
        wanted = call.tool if name is None else name
        return held[2].get(wanted) if held is not None and isinstance(wanted, str) else None

    def unknown(self, call: Exchange, name: str | None = None) -> bool:
        """Whether a whole list does not have the tool that is called, or the named one."""
        held, wanted = self._held(call), call.tool if name is None else name
        return held is not None and held[1] and isinstance(wanted, str) and wanted not in held[2]

    def names(self, call: Exchange) -> Collection[str]:
        """The tools that were listed when the call was made."""
        held = self._held(call)
        return held[2].keys() if held is not None else ()

    def _held(self, call: Exchange) -> _Listed | None:
        try:
            return self._called[call.call]
        except KeyError:
            found = self._called[call.call] = self._latest(call)
            return found

    def _latest(self, call: Exchange) -> _Listed | None:
        listings = self._by_instance.get(call.instance) or self._elsewhere(call)
        if len(listings) == 1:
            return listings[0]
        for listed in reversed(listings):
            if listed[0] <= call.sent:
                return listed
        return listings[0] if listings else None

    def _elsewhere(self, call: Exchange) -> list[_Listed]:
        """An instance that was never listed serves what another of the same profile does, the main one first."""
        if call.profile not in self._others:
            listed = (name for name in ("main", *self._by_instance) if name in self._by_instance)
            alike = (name for name in listed if self._profiles.get(name) == call.profile)
            self._others[call.profile] = self._by_instance.get(next(alike, ""), [])
        return self._others[call.profile]


served = once(Served)

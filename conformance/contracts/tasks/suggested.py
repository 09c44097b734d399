"""The calls that an answer suggests, and the calls that were made as suggested."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.judge.epochs import epochs
from conformance.judge.kinds import spelled
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

CALL_TOOL = "call_tool"


class Suggestion(NamedTuple):
    """A suggestion as an answer has it, whatever it is."""

    given: Json
    pointer: str

    @property
    def target(self) -> str | None:
        """The tool that it says to call; None where it says something else."""
        given = self.given
        if not isinstance(given, dict) or given.get("action") != CALL_TOOL:
            return None
        target = given.get("target")
        return target if isinstance(target, str) else None

    @property
    def params(self) -> dict[str, Json] | None:
        """The arguments to call it with; None where they are no object."""
        params = self.given.get("params") if isinstance(self.given, dict) else None
        return params if isinstance(params, dict) else None


def suggestions(call: Exchange) -> Iterator[Suggestion]:
    """Those of an answer, refused or not, in its order."""
    given = call.envelope.get("suggestions") if call.envelope is not None else None
    for index, each in enumerate(given if isinstance(given, list) else ()):
        yield Suggestion(each, f"/suggestions/{index}")


class Following:
    """The calls of a history by what they ask, so that those made as suggested are found."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._epochs = epochs(history, contract)
        self._calls: dict[Hashable, list[Exchange]] = defaultdict(list)
        for call in history.calls():
            self._calls[_asked(call.instance, call.tool, call.arguments)].append(call)

    def of(self, call: Exchange, suggestion: Suggestion) -> Exchange | None:
        """The first call made as suggested, with nothing written between the answer and it."""
        if suggestion.target is None or suggestion.params is None:
            return None
        epoch, scope = self._epochs.shown(call), self._epochs.scope(call)
        for made in self._calls.get(_asked(call.instance, suggestion.target, suggestion.params), ()):
            same = self._epochs.scope(made) == scope and epoch is not None and self._epochs.met(made) == epoch
            if call.before(made) and same and made.received is not None:
                return made
        return None


following = once(Following)


def _asked(instance: str, tool: str | None, arguments: Json) -> Hashable:
    return instance, tool, spelled(arguments)

"""What the contract offers is served, and no answer is a fault of the server's own."""

from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.goods import PAGES, goods
from conformance.contracts.tuitbot.manifest import entry
from conformance.judge.faults import own_faults
from conformance.judge.law import law
from conformance.judge.serving import all_served
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


@law("TB-SRV-01")
def good_calls_are_served(history: History, contract: Contract) -> Iterator[Judgement]:
    """For each tool of a profile and each way of calling it, every call that the contract allows is accepted."""
    yield from all_served(goods(history, contract).all(), way)


def way(call: Exchange) -> Hashable:
    """Which arguments are given, which of them null; of a page its ends, of a file its kind, of an item what it is."""
    given = call.arguments if isinstance(call.arguments, dict) else {}
    size, path = given.get("max_results"), given.get("file_path")
    ends = size in PAGES.get(call.tool or "", ())
    kind = path.rpartition(".")[2] if isinstance(path, str) else ""
    return frozenset((name, value is None) for name, value in given.items()), ends and size, kind


@law("TB-SRV-03")
def no_answer_is_a_fault(history: History, contract: Contract) -> Iterator[Judgement]:
    """No answer of a tool is an internal error, has a code beyond the catalogue, or shows the inside of the server."""
    yield from own_faults((call for call in history.calls() if entry(call, contract) is not None), contract)

"""A breakage has occasion only where it would change what is seen."""

import pytest

from conformance.model.exchange import Exchange
from conformance.prove.proxy import answers as a
from conformance.prove.proxy import entities as e
from conformance.prove.proxy import lists as li
from conformance.prove.proxy.breakage import Breakage, Sampler, World, seen, settled
from conformance.prove.proxy.occasions import occasions
from tests.unit.proxy.notes import CONTRACT, MAKE, Client, Message, Notes, sample


def recorded(stimuli: dict[str, list[tuple[str, Message]]]) -> list[Exchange]:
    """The calls of a run without any breakage, as they would be read again."""
    server, calls = Notes(), []
    for stimulus, made in stimuli.items():
        for tool, given in made:
            params = {"name": tool, "arguments": given}
            call = seen({"jsonrpc": "2.0", "id": 0, "method": "tools/call", "params": params}, len(calls))
            call.stimulus = stimulus
            settled(call, server.answer(call.request), CONTRACT)
            calls.append(call)
    return calls


def saved(title: str) -> tuple[str, Message]:
    return "save_note", {"title": title, "body": "b", "request_key": f"key-of-{title}"}


@pytest.mark.parametrize(
    ("breakage", "where"),
    [
        (li.Turns("", "list_notes", "/notes"), {"several": 2}),
        (e.WritesOtherwise("", "save_note", "@/title"), {"one": 2, "several": 2}),
        (e.SwallowsRemovals("", MAKE), {"gone": 1}),
        (e.StillFinds("", MAKE), {"gone": 1}),
        (a.Accepts("", ("get_note",), ("KEY_REUSED",)), {}),
    ],
    ids=["turns", "writes", "swallows", "finds", "never"],
)
def test_where_a_breakage_has_occasion(breakage: Breakage, where: dict[str, int]) -> None:
    calls = recorded(
        {
            "one": [saved("t0"), ("list_notes", {})],
            "several": [saved("t1"), ("list_notes", {}), ("list_notes", {"limit": 2}), ("list_notes", {"limit": 1})],
            "gone": [("delete_note", {"note_id": "n-1"}), ("get_note", {"note_id": "n-1"}), ("list_notes", {})],
        }
    )
    sampler = Client()
    sample(sampler)
    assert isinstance(sampler.between, Sampler)
    assert occasions(breakage, calls, World(CONTRACT, sampler.between.samples)) == where
    assert breakage.acted == 0, "what it did there, it did to a copy"

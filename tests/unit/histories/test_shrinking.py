"""A conversation is shrunk to what cannot be left out, and what nobody names any more goes with it."""

import asyncio

from conformance.histories.conversation import Conversation, Line, Said, Store, Who
from conformance.histories.shrinking import Shrinking, rooted, without
from conformance.histories.values import answer


def call(number: int, tool: str, arguments: object = None, **more: object) -> Said:
    return Said(id=number, store="main", tool=tool, arguments=arguments or {}, **more)


def conversation(*calls: Said) -> Conversation:
    return Conversation(
        suite="0",
        contract="threads",
        stores={"main": Store()},
        lines={"c2": Line(store="main")},
        credentials={"a": Who(role="worker", agent="a"), "b": Who(role="worker", agent="b")},
        calls=calls,
    )


def shrunk(whole: Conversation, needed: set[str], tries: int = 400) -> tuple[Conversation, int]:
    """The smallest that still has calls of these tools, and how many were tried."""
    tried = 0

    async def breaks(smaller: Conversation) -> bool:
        nonlocal tried
        tried += 1
        return needed <= {said.tool for said in smaller.calls}

    return asyncio.run(Shrinking(whole, breaks, lambda: tried >= tries).run()), tried


def test_only_calls_that_are_needed_stay_with_fresh_numbers() -> None:
    calls = [call(number, f"tool-{number}") for number in range(1, 33)]
    found, tried = shrunk(conversation(*calls), {"tool-3", "tool-29"})
    assert [(said.id, said.tool) for said in found.calls] == [(1, "tool-3"), (2, "tool-29")]
    assert tried < 32 * 4


def test_what_goes_on_from_a_call_goes_with_it_and_what_stays_is_repointed() -> None:
    whole = conversation(
        call(1, "noise"),
        call(2, "make"),
        call(3, "use", {"id": answer(2, "/id", "x")}),
        call(4, "make"),
        call(5, "read", {"id": answer(4, "/id", "y")}),
    )
    less = without(whole, {2})
    assert [said.tool for said in less.calls] == ["noise", "make", "read"]
    assert less.calls[2].arguments == {"id": answer(2, "/id", "y")}
    found, _ = shrunk(whole, {"read"})
    assert [said.tool for said in found.calls] == ["read"], "its id is an argument that is not needed"


def test_what_a_later_answer_repeats_is_taken_from_the_first() -> None:
    calls = (
        call(1, "make"),
        call(2, "move", {"id": answer(1, "/id", "a-1")}),
        call(3, "read", {"id": answer(2, "/moved/id", "a-1"), "revision": answer(2, "/revision", 1)}),
        call(4, "end", {"id": answer(2, "/moved/id", "a-1")}),
    )
    found, _ = shrunk(conversation(*calls), {"make", "end"})
    assert [said.tool for said in found.calls] == ["make", "end"]
    last = rooted(conversation(*calls)).calls[2]
    assert last.arguments == {"id": answer(1, "/id", "a-1"), "revision": answer(2, "/revision", 1)}


def test_arguments_connections_conditions_and_credentials_that_are_not_needed_go() -> None:
    said = call(1, "post", {"body": "x", "key": "k"}, by="a", line="c2", conditions={"clock": 5}, pause_ms=300)

    async def breaks(smaller: Conversation) -> bool:
        return bool(smaller.calls) and "key" in smaller.calls[0].arguments

    found = asyncio.run(Shrinking(conversation(said, call(2, "noise", by="b")), breaks).run())
    assert found.calls == (call(1, "post", {"key": "k"}, by="a"),)
    assert (set(found.lines), set(found.credentials)) == (set(), {"a"})


def test_it_stops_when_its_tries_are_spent() -> None:
    calls = [call(number, f"tool-{number}") for number in range(1, 33)]
    found, tried = shrunk(conversation(*calls), {"tool-3"}, tries=2)
    assert tried == 2
    assert {"tool-3"} <= {said.tool for said in found.calls}


def test_an_argument_that_several_calls_have_to_share_goes_from_all_of_them() -> None:
    whole = conversation(*(call(number, "post", {"body": "x", "key": "k", "reply": "m"}) for number in (1, 2)))

    async def breaks(smaller: Conversation) -> bool:
        first, *others = [said.arguments for said in smaller.calls]
        return others == [first] and "key" in first

    found = asyncio.run(Shrinking(whole, breaks).run())
    assert [said.arguments for said in found.calls] == [{"key": "k"}, {"key": "k"}]

"""A finding that is shrunk stays the finding that it was."""

import asyncio
from typing import Any

import pytest

from conformance.histories import replaying
from conformance.histories.conversation import Conversation, Said
from conformance.histories.kinds import Kind, kind_of
from conformance.histories.replaying import smallest
from conformance.histories.trying import Trial
from conformance.model.verdict import Finding
from tests.laws.threads.scene import POST, TH, scene

RULE = "TH-ERR-NOT_FOUND"
RESTS_ON_A_CONTROL: Kind = ("refused with CONFLICT", "", ("get",), "CONFLICT")
ANOTHER: Kind = ("refused with VALIDATION_ERROR", "", ("get",), "VALIDATION_ERROR")


class Server:
    """Shows one finding where a good call stands beside the bad one, and another where none does."""

    async def of(self, conversation: Conversation) -> list[Trial]:
        """What a conversation shows."""
        tools = {said.tool for said in conversation.calls}
        if "bad" not in tools:
            return []
        finding = Finding(requirement=RULE, saw="")
        kinds = [RESTS_ON_A_CONTROL, ANOTHER] if "good" in tools else [ANOTHER]
        judged: Any = None
        return [Trial({RULE: finding}, {RULE: kinds}, judged, [])]


@pytest.mark.parametrize("before", [True, False])
def test_the_good_call_beside_which_a_finding_stands_is_kept(monkeypatch: pytest.MonkeyPatch, *, before: bool) -> None:
    monkeypatch.setattr(replaying, "play_of", lambda conversation, _: conversation)
    tools = ("noise", "good", "noise", "bad", "noise")
    calls = tuple(Said(id=number, store="main", tool=tool) for number, tool in enumerate(tools, 1))
    whole = Conversation(suite="0", contract="threads", calls=calls)
    trying: Any = Server()
    shown = asyncio.run(trying.of(whole))[0] if before else None
    shrunk, trial = asyncio.run(smallest(whole, RULE, trying, shown))
    assert [said.tool for said in shrunk.calls] == ["good", "bad"]
    assert trial is not None
    assert RESTS_ON_A_CONTROL in trial.kinds[RULE]


def test_a_kind_knows_no_names_and_numbers() -> None:
    kinds = []
    for number in (1, 2):
        story = scene()
        story.accepted("get_thread", TH, {}, by="lead")
        call = story.refused("post_message", POST, "CONFLICT", by="a")
        saw = f"post_message by worker-{number} saw {number} messages, 'hello {number}' first"
        finding = Finding(requirement=RULE, saw=saw, calls=(call,), pointer=f"/a/{number}/b")
        kinds.append(kind_of(finding, story.history()))
    assert (
        kinds[0] == kinds[1] == ("post_message by … saw … messages, … first", "/a/*/b", ("post_message",), "CONFLICT")
    )

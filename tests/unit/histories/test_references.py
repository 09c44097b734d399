"""Where the values of a conversation are taken from: the server said them first, or we did, or the contract does."""

from conformance.drive.naming import name_of_run
from conformance.histories.conversation import Conversation, Said
from conformance.histories.extracting import of_calls
from conformance.model.history import History
from tests.laws.histories import Story

SESSIONS = "2025-11-25"


def conversation(story: Story) -> Conversation:
    history = History.of(story.events, story.contract.envelope)
    return of_calls(history.exchanges, history, story.contract)


def told(contract: str = "threads", **header: object) -> Story:
    story = Story(contract, **header)
    story.connect(revision=SESSIONS)
    return story


def arguments(story: Story, call: int) -> dict[str, object]:
    said = next(each for each in conversation(story).calls if each.id == call)
    return asked(said)[1]


def asked(said: Said) -> tuple[str, dict[str, object]]:
    """The tool of a call and its arguments. A story's requests ask for no progress, which is told with their params."""
    assert said.arguments["_meta"] == {"progressToken": None}
    return said.arguments["name"], said.arguments["arguments"]


def test_an_id_that_the_server_made_up_is_taken_from_its_answer() -> None:
    story = told()
    story.accepted("create_thread", {"title": "x"}, {"thread_id": "th_1", "status": "active"})
    story.accepted("get_thread", {"thread_id": "th_1"}, {"thread_id": "th_1"})
    assert arguments(story, 2) == {"thread_id": {"$answer": {"call": 1, "at": "/thread_id", "was": "th_1"}}}


def test_a_text_that_we_said_first_stays_ours_though_the_server_repeats_it() -> None:
    story = told()
    story.accepted("create_thread", {"title": "Review"}, {"thread_id": "th_1", "title": "Review"})
    story.accepted("create_thread", {"title": "Review"}, {"thread_id": "th_2", "title": "Review"})
    assert arguments(story, 2) == {"title": "Review"}


def test_a_value_of_the_contract_is_no_reference() -> None:
    story = told()
    story.accepted("create_thread", {"title": "x"}, {"thread_id": "th_1", "status": "active"})
    story.accepted("update_thread_status", {"thread_id": "th_1", "status": "active"}, {"status": "active"})
    assert arguments(story, 2)["status"] == "active"


def test_a_seq_is_taken_from_the_last_answer_that_told_it_and_an_amount_is_not() -> None:
    story = told()
    story.accepted("post_message", {"body": "a"}, {"seq": 1, "limit": 5})
    story.accepted("post_message", {"body": "b"}, {"seq": 2})
    story.accepted("read_messages", {"since_seq": 2, "limit": 5}, {"messages": []})
    assert arguments(story, 3) == {"since_seq": {"$answer": {"call": 2, "at": "/seq", "was": 2}}, "limit": 5}


def test_a_number_that_another_stimulus_was_told_meanwhile_is_not_where_it_is_from() -> None:
    story = told()
    story.accepted("post_message", {"body": "a"}, {"seq": 1}, stimulus="threads.one")
    story.accepted("post_message", {"body": "b"}, {"seq": 1}, stimulus="threads.other")
    story.accepted("read_messages", {"since_seq": 1}, {"messages": []}, stimulus="threads.one")
    story.accepted("read_messages", {"since_seq": 1}, {"messages": []}, stimulus="threads.third")
    assert arguments(story, 3) == {"since_seq": {"$answer": {"call": 1, "at": "/seq", "was": 1}}}
    assert arguments(story, 4) == {"since_seq": 1}


def test_a_revision_is_known_by_the_contracts_guard_and_one_that_is_ahead_by_how_far() -> None:
    story = told("tasks")
    made = {"success": True, "result": {"id": "TASK-001", "revision": 4}}
    story.call("tasks_create", {"workspace": "w", "title": "x"}, made)
    story.call("tasks_edit", {"workspace": "w", "task": "TASK-001", "expected_revision": 5}, made)
    found = arguments(story, 2)
    assert found["task"] == {"$answer": {"call": 1, "at": "/id", "was": "TASK-001"}}
    assert found["expected_revision"] == {"$answer": {"call": 1, "at": "/revision", "was": 4, "plus": 1}}


def test_what_was_answered_on_another_instance_or_later_is_no_source() -> None:
    story = told()
    story.accepted("create_thread", {"title": "x"}, {"thread_id": "th_1"}, instance="other")
    story.accepted("get_thread", {"thread_id": "th_1"}, {"thread_id": "th_1"})
    assert arguments(story, 2) == {"thread_id": "th_1"}


def test_names_of_the_run_are_renewed_and_ids_within_texts_as_well() -> None:
    story = told(seed=0)
    run = name_of_run(0)
    story.accepted("create_thread", {"title": f"t-{run}-1"}, {"thread_id": "th_12"})
    story.accepted("post_message", {"body": "see th_12, please"}, {"seq": 1})
    assert arguments(story, 1) == {"title": {"$fresh": "t-«run»-1"}}
    reference = {"$answer": {"call": 1, "at": "/thread_id", "was": "th_12"}}
    assert arguments(story, 2) == {"body": {"$text": ["see ", reference, ", please"]}}


def test_claims_and_times_are_told_as_such() -> None:
    story = told()
    story.credential("worker/a", agent_id="a-of-the-run")
    about = {"agent_id": "a-of-the-run", "until": "2026-11-21T12:10:00Z"}
    story.accepted("heartbeat_session", about, {}, by="worker/a")
    found = arguments(story, 1)
    assert found["agent_id"] == {"$claim": ["worker/a", "agent_id"]}
    assert found["until"]["$ahead"]["was"] == "2026-11-21T12:10:00Z"
    assert 599 < found["until"]["$ahead"]["s"] < 600


def test_an_object_that_looks_like_a_reference_stays_what_it_is() -> None:
    story = told()
    story.accepted("post_message", {"metadata": {"$answer": 1}}, {"seq": 1})
    assert arguments(story, 1) == {"metadata": {"$literal": {"$answer": 1}}}


def test_the_calls_that_an_answer_is_from_belong_to_the_conversation() -> None:
    story = told()
    story.accepted("create_thread", {"title": "x"}, {"thread_id": "th_1"}, stimulus="one")
    story.accepted("create_thread", {"title": "y"}, {"thread_id": "th_2"}, stimulus="one")
    story.accepted("get_thread", {"thread_id": "th_1"}, {"thread_id": "th_1"}, stimulus="other")
    history = History.of(story.events, story.contract.envelope)
    found = of_calls(history.exchanges[2:], history, story.contract)
    assert [asked(said)[0] for said in found.calls] == ["create_thread", "get_thread"]
    assert asked(found.calls[1])[1]["thread_id"]["$answer"]["call"] == 1


def groups(found: tuple[Said, ...]) -> list[int | None]:
    return [said.together for said in found]


def test_what_overlapped_is_made_at_once_and_what_followed_an_answer_follows_it() -> None:
    story = told()
    story.accepted("create_thread", {"title": "x"}, {"thread_id": "th_1"})
    story.together()
    story.accepted("post_message", {"thread_id": "th_1", "body": "a"}, {"seq": 1})
    story.accepted("post_message", {"thread_id": "th_1", "body": "b"}, {"seq": 2})
    story.settle()
    story.accepted("get_thread", {"thread_id": "th_1"}, {})
    assert groups(conversation(story).calls) == [None, 2, 2, None]

"""What is refused in a state of an entity: the state has to be known, and the refusal to have a control."""

import json
import shutil

import pytest

from conformance.certify import contract_of
from tests.laws.promised.desk import FOLDER, Desk, note

BOARDS = {
    "contract.toml": """
name = "boards"

[[make]]
entity = "card"
id = "/id"
revision = "/rev"
make = { tool = "add_card", arguments = { board = "{{made.board}}", text = "{{fresh.text}}" } }
change = { tool = "put_card", arguments = { card = "{{id}}", rev = "{{revision}}", board = "{{made.board}}" } }

[[make]]
entity = "board"
id = "/id"
make = { tool = "open_board", arguments = { title = "{{fresh.title}}" } }
states = [{ name = "closed", enter = { tool = "close_board", arguments = { board = "{{id}}" } } }]
""",
    "requirements.toml": """
[[requirement]]
id = "B-CLOSED"
promise = { law = "barred", tool = "put_card", entity = "board", state = "closed" }
""",
    "tools.json": json.dumps(
        [{"name": name, "inputSchema": {}} for name in ("add_card", "put_card", "open_board", "close_board")]
    ),
}


def lock(desk: Desk, number: int = 1, revision: int = 1, *, tool: str = "lock_note") -> None:
    desk.accepted(tool, {"note_id": f"n-{number}"}, {"note": note(number, revision)})


def locked(*, control: bool = True) -> Desk:
    """A note was locked; another was changed, which shows that changes are served."""
    desk = Desk()
    desk.save(1)
    desk.save(2)
    if control:
        desk.update(1, "body-other", number=2)
    lock(desk)
    return desk


@pytest.mark.parametrize(("code", "verdict"), [("LOCKED", "pass"), ("NOT_FOUND", "fail"), ("", "fail")])
def test_a_call_in_the_state_is_refused_with_its_code(code, verdict):
    desk = locked()
    desk.update(1, code=code)
    assert desk.verdict("D-LOCKED") == verdict


def test_where_everything_is_refused_nothing_is_known():
    desk = locked(control=False)
    desk.update(1, code="LOCKED")
    assert desk.verdict("D-LOCKED") == "not_observed"


def test_a_stale_revision_is_a_fault_of_its_own():
    desk = locked()
    desk.update(9, code="REVISION_MISMATCH")
    assert desk.verdict("D-LOCKED") == "not_observed"


def test_locking_may_give_a_new_revision():
    desk = Desk()
    desk.save(1)
    desk.save(2)
    desk.update(1, "body-other", number=2)
    lock(desk, 1, 2)
    desk.update(2, code="LOCKED")
    assert desk.verdict("D-LOCKED") == "pass"


def test_once_it_is_unlocked_it_is_locked_no_more():
    for code, verdict in (("LOCKED", "fail"), ("REVISION_MISMATCH", "not_observed"), ("", "pass")):
        desk = locked()
        lock(desk, tool="unlock_note")
        desk.update(1, code=code)
        assert desk.verdict("D-LOCKED") == verdict


def test_a_lock_that_was_refused_or_is_not_over_locks_nothing():
    desk = locked()
    desk.refused("lock_note", {"note_id": "n-2"}, "NOT_FOUND")
    desk.update(2, number=2, answer={"note": note(2, 3)})
    assert desk.verdict("D-LOCKED") == "not_observed"


def test_what_another_tool_made_of_the_state_is_not_known():
    desk = locked()
    desk.accepted("archive_note", {"note_id": "n-1"}, {})
    desk.update(1)
    assert desk.verdict("D-LOCKED") == "not_observed"


@pytest.mark.parametrize(("code", "verdict"), [("LOCKED", "pass"), ("NOT_FOUND", "fail"), ("", "fail")])
def test_what_is_allowed_in_one_state_alone_is_refused_before(code, verdict):
    desk = Desk()
    desk.save(1)
    desk.save(2)
    lock(desk, 2)
    desk.delete(2)
    if code:
        desk.refused("delete_note", {"note_id": "n-1"}, code)
    else:
        desk.delete(1)
    assert desk.verdict("D-UNLOCKED") == verdict


def test_a_call_that_its_state_bars_is_no_good_call():
    desk = locked()
    desk.update(1, code="LOCKED")
    assert desk.verdict("D-SERVED") == "pass"
    desk = locked()
    lock(desk, tool="unlock_note")
    desk.update(1, code="NOT_FOUND")
    assert desk.verdict("D-SERVED") == "fail"


@pytest.mark.parametrize(
    ("given", "code", "verdict"),
    [
        ({"title": ""}, "INVALID_ARGUMENT", "pass"),
        ({"title": ""}, "NOT_FOUND", "fail"),
        ({"title": ""}, "", "fail"),
        ({"title": "x" * 201}, "", "fail"),
        ({"title": "x" * 200}, "INVALID_ARGUMENT", "fail"),
        ({"title": "x" * 200}, "FULL", "not_observed"),
        ({"title": "x" * 200}, "", "pass"),
        ({"title": "", "body": 7}, "", "not_observed"),
        ({"title": 7}, "", "not_observed"),
        ({"colour": 7}, "INVALID_ARGUMENT", "not_observed"),
    ],
)
def test_arguments_are_taken_as_the_schema_has_them(given, code, verdict):
    desk = Desk()
    desk.save(1, code=code, given=given)
    desk.save(2)
    assert desk.verdict("D-ARGUMENTS") == verdict


def test_an_argument_that_is_left_out():
    for code, verdict in (("INVALID_ARGUMENT", "pass"), ("NOT_FOUND", "fail"), ("", "fail")):
        desk = Desk()
        desk.save(1, code=code, without=["body"])
        desk.save(2)
        assert desk.verdict("D-ARGUMENTS") == verdict


def test_a_fault_without_a_control_is_no_subject():
    desk = Desk()
    desk.save(1, code="INVALID_ARGUMENT", given={"title": ""})
    desk.save(2, code="INVALID_ARGUMENT")
    assert desk.verdict("D-ARGUMENTS") == "not_observed"


def test_one_call_that_locks_and_unlocks_leaves_the_state_open(tmp_path):
    """Who knows which of both it did: a change that is accepted afterwards breaks nothing."""
    shutil.copytree(FOLDER, tmp_path / "contract")
    head = tmp_path / "contract" / "contract.toml"
    text = head.read_text("utf-8")
    head.write_text(text.replace("unlock_note", "lock_note").replace('"desk"', '"toggled"'), "utf-8")
    desk = locked()
    lock(desk)
    desk.update(1)
    desk.contract = contract_of(str(tmp_path / "contract"))
    assert desk.verdict("D-LOCKED") == "not_observed"


def test_the_revision_is_that_of_the_entity_that_the_call_is_about(tmp_path):
    """A card is put on a board that is closed: it is the card whose revision the call expects."""
    for name, content in BOARDS.items():
        (tmp_path / name).write_text(content, "utf-8")
    desk = Desk()
    desk.contract = contract_of(str(tmp_path))
    for board in ("b-1", "b-2"):
        desk.accepted("open_board", {"title": f"t-{board}"}, {"id": board})
    desk.accepted("add_card", {"board": "b-2", "text": "text-1"}, {"id": "c-1", "rev": 5})
    desk.accepted("put_card", {"card": "c-1", "rev": 5, "board": "b-2"}, {"id": "c-1", "rev": 6})
    desk.accepted("close_board", {"board": "b-1"}, {})
    desk.accepted("put_card", {"card": "c-1", "rev": 6, "board": "b-1"}, {"id": "c-1", "rev": 7})
    assert desk.verdict("B-CLOSED") == "fail"

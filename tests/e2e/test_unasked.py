"""What a server does unasked: progress, log messages, writes of a tool that says it only reads."""

from pathlib import Path

import pytest

from tests.e2e.driving import over_stdio

TOLD = ["MC-CALL-13", "MC-CALL-07"]
EXAMPLES = [{"tool": "write", "arguments": {"book": "diary", "text": "what is there already"}}]


@pytest.mark.parametrize("era", ["newer", "older"])
@pytest.mark.parametrize(
    ("how", "found"),
    [
        ("rightly", set()),
        ("progress-by-id", {"MC-CALL-13"}),
        ("progress-always", {"MC-CALL-13"}),
        ("wants-a-token", {"MC-CALL-07"}),
        ("logs-as-it-spells", {"MC-CALL-13"}),
    ],
)
def test_progress_and_log_messages(how: str, found: set[str], era: str, tmp_path: Path) -> None:
    assert over_stdio(tmp_path, "tells_unasked", how, era, only=TOLD).found() == found


@pytest.mark.parametrize("how", ["logs-always", "logs-what-it-likes"])
@pytest.mark.parametrize(("era", "found"), [("newer", {"MC-CALL-13"}), ("older", set())])
def test_before_each_request_said_what_it_wants_a_server_logged_what_it_liked(
    how: str, era: str, found: set[str], tmp_path: Path
) -> None:
    assert over_stdio(tmp_path, "tells_unasked", how, era, only=TOLD).found() == found


@pytest.mark.parametrize(("how", "found"), [("lies", {"MC-HINT-02"}), ("honest", set())])
def test_a_write_of_what_is_there_already_is_made_with_something_else(
    how: str, found: set[str], tmp_path: Path
) -> None:
    run = over_stdio(tmp_path, "keeps_a_note", how, only=["MC-HINT-02"], calls={"examples": EXAMPLES})
    assert run.found() == found
    assert run.verdicts("pass") == {"MC-HINT-02"} - found


@pytest.mark.parametrize(("how", "found"), [("adds", set()), ("repeats", {"MC-HINT-03"})])
def test_what_a_tool_does_besides_what_it_says_is_seen_by_a_read(how: str, found: set[str], tmp_path: Path) -> None:
    wanted = ["MC-HINT-03", "MC-HINT-04"]
    run = over_stdio(tmp_path, "keeps_names", how, only=wanted, calls={"harmless": "all"})
    assert run.found() == found
    assert run.verdicts("pass") == set(wanted) - found


@pytest.mark.parametrize(
    ("how", "found"),
    [("honest", set()), ("later", {"MC-HINT-02"}), ("drops", {"MC-HINT-04"}), ("removes", {"MC-HINT-04"})],
)
def test_a_tool_is_called_twice_with_each_choice_and_on_what_has_all_that_it_may_have(
    how: str, found: set[str], tmp_path: Path
) -> None:
    wanted = ["MC-HINT-02", "MC-HINT-04"]
    run = over_stdio(tmp_path, "keeps_cards", how, only=wanted, calls={"harmless": "all"})
    assert run.found() == found
    assert run.verdicts("pass") == set(wanted) - found

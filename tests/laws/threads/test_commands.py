"""TH-TRIG-11, and the words of a shell on which it rests."""

import shlex

import pytest

from conformance.judge.shell import EXPANDED, hostile_part, words
from tests.laws.threads.desk import Desk

HOSTILE = 'talk isn\'t $(so) "done"; go on'


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('a  \'b c\'"d\\"e"f', ["a", 'b cd"ef']),
        ("cd /x && codex 'y'", ["cd", "/x", "codex", "y"]),
        ('echo "$x" `y` *', ["echo", f"{EXPANDED}x", f"{EXPANDED}y{EXPANDED}", EXPANDED]),
        ("a '' # b", ["a", ""]),
        ("a#b \\\n c\\ d", ["a#b", "", "c d"]),
        ("'open", None),
        ("open\\", None),
    ],
)
def test_words(line: str, expected: list[str] | None) -> None:
    assert words(line) == expected


def test_what_is_hostile_in_a_text() -> None:
    assert [hostile_part(text) for text in ("a;b c", "Read on now", "plain")] == ["a;", "Read ", ""]


@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        (shlex.join(["codex", "exec", "resume", "s-1", HOSTILE]), "pass"),
        (f"cd /srv && codex exec {shlex.quote(HOSTILE + ' So far: nothing.')}", "pass"),
        (f"codex exec {shlex.quote(HOSTILE[:-3] + '...')}", "pass"),
        (f'codex exec "{HOSTILE}"', "fail"),
        (f"codex exec '{HOSTILE}'", "fail"),
        ('codex exec "talk isn\'t $(so) \\"done\\"; go on"', "fail"),
        (f"codex exec {HOSTILE}", "fail"),
    ],
)
def test_a_prompt_in_a_command(command: str, verdict: str) -> None:
    desk = Desk()
    desk.trigger("spawn_session", "spawned", ask={"trigger_prompt": HOSTILE}, runtime_command=command)
    assert (desk.judged("TH-TRIG-11").verdict, desk.judged("TH-TRIG-11").subjects) == (verdict, 1)


@pytest.mark.parametrize(
    ("command", "verdict", "subjects"),
    [
        ("codex exec resume 'session;b' -", "pass", 1),
        ("codex exec resume session;b -", "fail", 1),
        ("codex exec -", "not_observed", 0),
    ],
)
def test_a_session_id_in_a_command(command: str, verdict: str, subjects: int) -> None:
    desk = Desk()
    desk.credential("bob", agent_id="bob", workspace_id="ws", session_id="session;b")
    desk.beat()
    desk.trigger("resume_session", "resumed", runtime_command=command)
    assert (desk.judged("TH-TRIG-11").verdict, desk.judged("TH-TRIG-11").subjects) == (verdict, subjects)

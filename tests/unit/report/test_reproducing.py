"""The command that makes the calls of a kept conversation again names the target of the run, and nothing else of it."""

import pytest

from conformance.report.story import replaying


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("conformance run", "conformance replay a.json"),
        ("conformance run --target a:tasks --fuzz 500 --seed 3", "conformance replay a.json --target a:tasks"),
        ("conformance run --fuzz=30s --level MUST --config my.toml", "conformance replay a.json --config my.toml"),
        (
            "conformance run --server-command 'python s.py' --without mcp --test-conditions",
            "conformance replay a.json --server-command 'python s.py' --test-conditions",
        ),
        # a transcript may say anything
        ("conformance run --server-command 'python", ""),
    ],
)
def test_the_target_alone_stays(command: str, expected: str) -> None:
    assert replaying(command, "a.json") == expected


def test_a_file_with_blanks_is_quoted() -> None:
    assert replaying("conformance run", "a b.json") == "conformance replay 'a b.json'"

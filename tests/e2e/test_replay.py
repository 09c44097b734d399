"""A finding is made again: against the server that has it, and against one that has not."""

import json
from pathlib import Path

import pytest

from tests.e2e.test_cli import conformance

BROKEN = "reference:threads+TH-IDEM-01"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with a finding: its transcript and its conversations."""
    place = tmp_path_factory.mktemp("kept")
    words = ("--target", BROKEN, "--only", "TH-IDEM-01", "--transcript", "run.jsonl", "--conversations", "found")
    done = conformance("run", *words, cwd=place)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"conformance replay found/TH-IDEM-01.json --target {BROKEN}" in done.stdout
    return place


def test_a_conversation_is_broken_again_and_kept_by_the_correct_server(kept: Path) -> None:
    file = str(kept / "found" / "TH-IDEM-01.json")
    again = conformance("replay", file, "--target", BROKEN)
    assert again.returncode == 1, again.stdout + again.stderr
    assert "TH-IDEM-01" in again.stdout
    correct = conformance("replay", file, "--target", "reference:threads")
    assert correct.returncode == 0, correct.stdout + correct.stderr


def test_a_finding_of_a_transcript_is_made_again_over_stdio(kept: Path) -> None:
    words = ("--finding", "TH-IDEM-01", "--transport", "stdio", "--output", str(kept / "stdio.json"))
    done = conformance("replay", str(kept / "run.jsonl"), "--target", BROKEN, *words)
    assert done.returncode == 1, done.stdout + done.stderr
    report = json.loads((kept / "stdio.json").read_text())
    assert [finding["requirement"] for finding in report["roots"]] == ["TH-IDEM-01"]
    assert report["target"]["endpoints"] == ["MCP stdio"]


def test_a_kept_conversation_fits_its_schema(kept: Path) -> None:
    import jsonschema  # noqa: PLC0415 -- only here

    schema = json.loads((Path(__file__).parents[2] / "schemas" / "conversation.schema.json").read_text())
    jsonschema.validate(json.loads((kept / "found" / "TH-IDEM-01.json").read_text()), schema)


def test_what_is_not_made_again_is_told(tmp_path: Path) -> None:
    target = ("--target", "reference:mcp+MC-RPC-20")
    conformance("run", *target, "--only", "MC-RPC-20", "--conversations", "found", cwd=tmp_path)
    done = conformance("replay", "found/MC-RPC-20.json", *target, cwd=tmp_path)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "note: not made again: messages beside the calls (" in done.stderr


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("{}", (), "is no conversation"),
        ('{"suite": "1", "contract": "tasks"}', ("--target", "reference:threads"), "of the contract tasks"),
        ('{"suite": "1", "contract": "threads"}', (), "has no calls"),
        ('{"suite": "1", "contract": "threads", "calls": [{"id": 1, "store": "x", "tool": "t"}]}', (), "'x'"),
    ],
)
def test_a_file_that_cannot_be_replayed_is_said_so(
    tmp_path: Path, text: str, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "file.json").write_text(text)
    contract = ("--contract", "threads") if words else ()
    done = conformance("replay", "file.json", *words, *contract, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr

"""What is generated into schemas/ is up to date, and describes what is written."""

import json

import jsonschema_rs
import msgspec
import pytest

from conformance.contract.catalogue import folder
from conformance.model.events import Header, Limits, Unanswered
from conformance.report import json as as_json
from conformance.report.laws import page
from conformance.report.schemas import LAWS, schemas, text, write

from .samples import failing, hostile, passing


def test_the_committed_page_of_laws_is_what_they_say():
    assert folder(LAWS).read_text("utf-8") == page(), "run: python -m conformance.report.schemas"


@pytest.mark.parametrize("name", sorted(schemas()))
def test_the_committed_schema_is_what_the_model_says(name):
    assert folder(name).read_text("utf-8") == text(schemas()[name]), "run: python -m conformance.report.schemas"


def test_written_files_are_the_same(tmp_path):
    assert sorted(path.name for path in write(tmp_path)) == sorted([*schemas(), LAWS])
    assert json.loads((tmp_path / "report.schema.json").read_text())["title"]


@pytest.mark.parametrize("make", [passing, failing, hostile])
def test_a_report_satisfies_its_schema(make):
    judge = jsonschema_rs.validator_for(schemas()["report.schema.json"])
    written = json.loads(as_json.render(make()))
    judge.validate(written)
    del written["claim"]
    assert not judge.is_valid(written)


def test_a_line_of_a_transcript_satisfies_its_schema():
    judge = jsonschema_rs.validator_for(schemas()["transcript.schema.json"])
    limits = Limits(call_timeout_ms=1, max_answer_bytes=2)
    header = Header(suite="0", contract="threads", target="t", statement={}, limits=limits, started_at="now")
    for event in (header, Unanswered(call=1, connection="c", why="time", t=3)):
        judge.validate(json.loads(msgspec.json.encode(event)))
    assert not judge.is_valid({"event": "nothing we know"})

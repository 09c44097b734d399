"""What is wrong with a conformance.toml is said with its line, and with what is expected there."""

from pathlib import Path

import pytest

from conformance.drive.errors import UsageError
from conformance.drive.loading import load

GOOD = """\
contract = "threads"

[[endpoint]]
transport = "http"
url = "http://127.0.0.1:1/mcp"
"""


def test_a_good_one_is_read(tmp_path: Path) -> None:
    path = tmp_path / "conformance.toml"
    path.write_text(GOOD)
    statement = load(path)
    assert statement.contract == "threads"
    assert statement.endpoint[0].url == "http://127.0.0.1:1/mcp"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD + "[calls]\nharmles = 1\n", "line 7: calls.harmles: is not a known key; did you mean harmless?"),
        (GOOD + "surprise = 1\n", "line 6: endpoint.0.surprise: is not a known key here"),
        (GOOD + "max_answer_bytes = 1\n", "line 6: endpoint.0.max_answer_bytes: is not a known key here"),
        (
            GOOD.replace('"http"', '"tcp"'),
            "line 4: endpoint.0.transport: input should be 'stdio', 'http' or 'in-process'",
        ),
        (GOOD.replace('contract = "threads"\n', ""), "contract: is missing"),
        (GOOD.replace("url", "#"), "line 3: endpoint.0: an endpoint of transport 'http' needs 'url'"),
        (
            GOOD + "\n[limits]\ncall_timeout_s = -1\n",
            "line 8: limits.call_timeout_s: input should be greater than 0; it is -1",
        ),
        (GOOD + '\n[[endpoint]]\ntransport = "stdio"\ncommand = 5\n', "line 9: endpoint.1.command"),
        (GOOD + '\n[[known_failure]]\nid = "TH-IDEM-01"\n', "line 7: known_failure.0.reason: is missing"),
        ('contract = "x\n', "line 1"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "conformance.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        load(path)
    assert said in str(caught.value)

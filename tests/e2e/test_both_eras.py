"""Servers that speak both eras: each is looked at, whichever the run itself goes by."""

from pathlib import Path

import pytest

from tests.e2e.driving import over_stdio

ONLY = ["MC-RPC-05", "MC-RPC-19", "MC-LIST-01", "MC-RPC-11"]


def test_a_server_of_both_eras_conforms(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "both_eras")
    assert run.found() == set()
    assert run.verdicts("pass") >= set(ONLY)


@pytest.mark.parametrize(
    ("changed", "broken", "words"),
    [
        (
            "protocolVersion=",
            "MC-RPC-05",
            "asked for version '1999-01-01', the handshake's protocolVersion is missing",
        ),
        ("protocolVersion=7", "MC-RPC-05", "the handshake's protocolVersion is 7"),
        ('protocolVersion="1999-02-30"', "MC-RPC-05", "the handshake's protocolVersion is '1999-02-30'"),
        ("capabilities=", "MC-LIST-01", "the tools capability is not declared"),
        ('capabilities={"prompts":{}}', "MC-LIST-01", "the tools capability is not declared"),
        ("discover.supportedVersions=", "MC-RPC-19", "server/discover: supportedVersions is"),
        ("discover.supportedVersions=[]", "MC-RPC-19", "no list of versions"),
        ('discover.supportedVersions="2026-07-28"', "MC-RPC-19", "no list of versions"),
    ],
)
def test_an_answer_to_a_greeting_that_is_not_as_it_ought_to_be(
    tmp_path: Path, changed: str, broken: str, words: str
) -> None:
    run = over_stdio(tmp_path, "both_eras", changed)
    assert run.found() == {broken}
    assert words in run.saw(broken)


def test_an_answer_to_discovery_without_capabilities_declares_no_tools_either(tmp_path: Path) -> None:
    assert over_stdio(tmp_path, "both_eras", "discover.capabilities=").found() == {"MC-RPC-19", "MC-LIST-01"}


def test_a_server_may_say_that_it_speaks_the_older_era_alone(tmp_path: Path) -> None:
    run = over_stdio(tmp_path, "both_eras", 'discover.supportedVersions=["2025-11-25"]')
    assert run.found() == set()


@pytest.mark.parametrize("version", ["2025-03-26", "2024-11-05"])
def test_a_handshake_is_made_in_an_older_version_where_newer_ones_are_refused(tmp_path: Path, version: str) -> None:
    """The server is judged in the version that it speaks, and blamed for refusals that do not say which one it is."""
    run = over_stdio(tmp_path, "names_versions", "silently", version, only=ONLY)
    assert {each.revision for each in run.history.connections.values() if each.agreed} == {version}
    assert run.found() == {"MC-RPC-05"}
    assert "initialize with version '2025-11-25' was refused" in run.saw("MC-RPC-05")
    assert run.verdicts("pass") >= {"MC-LIST-01", "MC-RPC-11"}

"""What holds for every request is tried with each kind of request, in which a server may be lax alone."""

from pathlib import Path

import pytest

from tests.e2e.driving import over_http, over_stdio

LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
KINDS = (*LISTS, "tools/call", "prompts/get", "resources/read")
ONLY = ["MC-RPC-05", "MC-RPC-13", "MC-RPC-15", "MC-RPC-19", "MC-PROMPT-*", "MC-RES-*", "MC-LIST-01"]


def test_a_server_that_looks_at_every_request_conforms(tmp_path: Path) -> None:
    for run in (over_stdio(tmp_path, "lax_requests"), over_http(tmp_path, "lax_requests", "http")):
        assert run.found() == set()
        assert run.verdicts("pass") >= {"MC-RPC-05", "MC-RPC-13", "MC-RES-02", "MC-PROMPT-02"}


@pytest.mark.parametrize("method", KINDS)
@pytest.mark.parametrize(
    ("fault", "broken", "words"),
    [
        ("capabilities", "MC-RPC-13", "{} without io.modelcontextprotocol/clientCapabilities in _meta: success"),
        ("version", "MC-RPC-13", "{} without io.modelcontextprotocol/protocolVersion in _meta: success"),
        ("bare", "MC-RPC-13", "{} without _meta: success"),
        ("claims", "MC-RPC-05", "{} that claims version '1999-01-01' was served"),
    ],
)
def test_one_that_does_not_is_found(tmp_path: Path, method: str, fault: str, broken: str, words: str) -> None:
    run = over_stdio(tmp_path, "lax_requests", f"{method}={fault}", only=ONLY)
    assert run.found() == {broken}
    assert run.saw(broken) == words.format(method)


@pytest.mark.parametrize("fault", ["capabilities", "version", "claims"])
def test_discovery_may_be_served_whatever_it_says_of_itself(tmp_path: Path, fault: str) -> None:
    assert over_stdio(tmp_path, "lax_requests", f"server/discover={fault}", only=ONLY).found() == set()


@pytest.mark.parametrize("method", ["tools/list", "prompts/get", "resources/read"])
def test_over_http_a_header_names_the_version(tmp_path: Path, method: str) -> None:
    for fault in ("version", "bare"):
        run = over_http(tmp_path, "lax_requests", "http", f"{method}={fault}", only=ONLY)
        assert run.found() == {"MC-RPC-13"}


@pytest.mark.parametrize("method", ["prompts/get", "resources/read"])
def test_a_name_that_the_header_lacks(tmp_path: Path, method: str) -> None:
    assert over_http(tmp_path, "lax_requests", "http", f"{method}=name", only=ONLY).found() == {"MC-RPC-15"}


@pytest.mark.parametrize("method", ["server/discover", "prompts/list", "tools/call"])
def test_a_page_from_elsewhere_is_let_in_to_one_thing(tmp_path: Path, method: str) -> None:
    run = over_http(tmp_path, "lax_requests", "http", f"{method}=origin", only=["MC-RPC-09", "MC-LIST-01"])
    assert run.found() == {"MC-RPC-09"}

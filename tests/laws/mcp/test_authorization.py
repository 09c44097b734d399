"""MC-AUTH: a server behind HTTP that asks for a token itself."""

from typing import Any

import pytest

from conformance.model.events import Http, Json, Message
from tests.laws.histories import Story

TOOLS: dict[str, Json] = {"tools": [], "resultType": "complete"}
GOOD = Http(method="POST", path="/mcp", headers={"authorization": "Bearer x"})
WELL_KNOWN = "/.well-known/oauth-protected-resource"
BEARER = {"www-authenticate": "Bearer"}
ASKS: dict[str, Json] = {"auth": {"challenges": True, "fixed": {"scope": "mcp:use"}}}


def story(*, control: bool = True, statement: dict[str, Json] = ASKS) -> Story:
    """With a request that is served for a good token."""
    told = Story("mcp", statement=statement)
    told.connect(transport="http")
    told.credential("good", scope="mcp:use")
    if control:
        told.result("tools/list", None, TOOLS, by="good", http=GOOD, status=200)
    return told


def asked(told: Story, status: int, *, by: str, headers: dict[str, str] | None = None, http: Http = GOOD) -> None:
    """A request for the list, served or refused."""
    if status == 200:
        told.result("tools/list", None, TOOLS, by=by, http=http, status=200)
    else:
        told.request("tools/list", None, raw="no", by=by, http=http, status=status, headers=headers or {})


def seen(told: Story, requirement: str) -> str:
    """The verdict; `none` where nothing was judged."""
    outcome = told.judged(requirement)
    return str(outcome.verdict) if outcome.subjects else "none"


@pytest.mark.parametrize(
    ("defect", "status", "headers", "verdict"),
    [
        ("missing", 401, BEARER, "pass"),
        ("missing", 401, {}, "fail"),
        ("missing", 401, {"www-authenticate": 'Basic realm="x"'}, "fail"),
        ("missing", 401, {"www-authenticate": 'Negotiate, DPoP algs="ES256"'}, "pass"),
        ("alg_none", 200, {}, "fail"),
        ("algorithm", 200, {}, "fail"),
        ("expired:1200", 200, {}, "fail"),
        ("expired:1200", 401, BEARER, "pass"),
        ("missing", 403, BEARER, "fail"),
        ("missing", 200, {}, "fail"),
        ("garbage", 400, {}, "pass"),
        ("alg_none:NONE", 400, {}, "pass"),
        ("signature:empty", 400, {}, "pass"),
        ("signature:brought", 400, {}, "fail"),
        ("alg_none", 400, {}, "fail"),
        ("alg_none:NONE", 200, {}, "fail"),
        ("expired", 401, BEARER, "pass"),
        ("expired", 400, {}, "fail"),
        ("signature", 200, {}, "fail"),
        ("issuer", 200, {}, "fail"),
        ("issuer", 503, {}, "none"),
        ("audience", 200, {}, "none"),
    ],
)
def test_tokens_that_are_not_good(defect: str, status: int, headers: dict[str, str], verdict: str) -> None:
    told = story()
    told.credential("bad", defect=defect)
    asked(told, status, by="bad", headers=headers)
    assert seen(told, "MC-AUTH-01") == verdict


@pytest.mark.parametrize(("status", "verdict"), [(401, "pass"), (403, "pass"), (200, "fail"), (502, "none")])
def test_a_token_for_somebody_else(status: int, verdict: str) -> None:
    told = story()
    told.credential("bad", defect="audience")
    asked(told, status, by="bad")
    assert seen(told, "MC-AUTH-03") == verdict


SCOPE = 'Bearer error="insufficient_scope", scope="mcp:use"'


@pytest.mark.parametrize(
    ("status", "challenge", "verdict"),
    [
        (403, SCOPE, "pass"),
        (403, 'Bearer error="insufficient_scope"', "warn"),
        (403, 'Bearer scope="mcp:use"', "warn"),
        (401, SCOPE, "warn"),
        (200, "", "none"),
    ],
)
def test_too_little_scope(status: int, challenge: str, verdict: str) -> None:
    """Nobody knows whether a list takes a scope at all: where it is served nothing is seen."""
    told = story()
    told.credential("little", scope="conformance:nothing")
    asked(told, status, by="little", headers={"www-authenticate": challenge})
    assert seen(told, "MC-AUTH-04") == verdict


@pytest.mark.parametrize(("status", "verdict"), [(401, "pass"), (400, "pass"), (200, "fail")])
def test_a_token_in_the_url(status: int, verdict: str) -> None:
    told = story()
    asked(told, status, by="good", http=Http(method="POST", path="/mcp?access_token=x"))
    assert seen(told, "MC-AUTH-05") == verdict


@pytest.mark.parametrize("requirement", ["MC-AUTH-01", "MC-AUTH-03", "MC-AUTH-04", "MC-AUTH-05"])
@pytest.mark.parametrize("statement", [ASKS, {}])
def test_a_refusal_is_judged_beside_a_good_token_and_where_the_statement_speaks_of_it(
    requirement: str, statement: dict[str, Json]
) -> None:
    told = story(control=not statement, statement=statement)
    for defect in ("missing", "audience"):
        told.credential(defect, defect=defect)
        asked(told, 401, by=defect, headers=BEARER)
    told.credential("little", scope="conformance:nothing")
    asked(told, 403, by="little", headers={"www-authenticate": SCOPE})
    asked(told, 401, by="good", http=Http(method="POST", path="/mcp?access_token=x"))
    assert seen(told, requirement) == "none"
    if not statement:
        assert told.judged(requirement).verdict == "not_applicable"


DOCUMENT: dict[str, Json] = {"resource": "http://127.0.0.1/mcp", "authorization_servers": ["https://issuer.example"]}


def metadata(document: Json, *, named: str = "", status: int = 200, path: str = f"{WELL_KNOWN}/mcp") -> str:
    told = story()
    told.credential("nobody", defect="missing")
    challenge = f'Bearer resource_metadata="{named}"' if named else "Bearer"
    asked(told, 401, by="nobody", headers={"www-authenticate": challenge})
    side: dict[str, Any] = {"connection": "c1", "aside": 1}
    told.events.append(Message(direction="out", http=Http(method="GET", path=path), t=told.now(), **side))
    told.events.append(Message(direction="in", payload=document, http=Http(status=status), t=told.now(), **side))
    return seen(told, "MC-AUTH-02")


HERE = f"http://127.0.0.1:1{WELL_KNOWN}/mcp"


@pytest.mark.parametrize("named", ["", HERE])
def test_metadata(named: str) -> None:
    assert metadata(DOCUMENT, named=named) == "pass"
    assert metadata({**DOCUMENT, "authorization_servers": []}, named=named) == "fail"
    assert metadata({**DOCUMENT, "authorization_servers": ["issuer"]}, named=named) == "fail"
    assert metadata({**DOCUMENT, "authorization_servers": ["https://issuer.example", None]}, named=named) == "fail"
    assert metadata({**DOCUMENT, "resource": "/mcp"}, named=named) == "fail"
    assert metadata({**DOCUMENT, "resource": 5}, named=named) == "fail"
    assert metadata({"authorization_servers": ["https://issuer.example"]}, named=named) == "fail"
    assert metadata("no object", named=named) == "fail"
    assert metadata(None, named=named, status=404) == "fail"


def test_metadata_on_another_machine_are_not_looked_at() -> None:
    """At this server's own address there need be nothing."""
    assert metadata(None, named=f"https://mcp.example{WELL_KNOWN}/mcp", status=404) == "none"
    assert metadata(DOCUMENT, named=f"https://mcp.example{WELL_KNOWN}/mcp") == "pass"

"""MC-RPC-11 to -13, -19, -21: pings, requests of the server, metadata, discovery, requests before the handshake."""

import itertools

import pytest

from conformance.model.events import Http, Json, Opened
from tests.laws.histories import Story
from tests.laws.mcp.sides import CAPABILITIES, NEWER, OLDER, SESSION, TOOLS, VERSION, story


@pytest.mark.parametrize(
    ("result", "verdict"),
    [({}, "pass"), ({"_meta": {}}, "pass"), ({"resultType": "complete"}, "pass"), ({"pong": True}, "fail")],
)
def test_a_ping_gets_an_empty_result(result: Json, verdict: str) -> None:
    told = story(OLDER)
    told.result("ping", None, result)
    assert told.judged("MC-RPC-11").verdict == verdict


def test_a_ping_that_is_refused() -> None:
    told = story(OLDER)
    told.error("ping", None, -32601)
    assert told.judged("MC-RPC-11").verdict == "fail"


def test_a_revision_without_handshake_has_no_ping() -> None:
    told = story(NEWER)
    told.error("ping", None, -32601)
    assert told.judged("MC-RPC-11").verdict == "not_applicable"


def test_a_door_that_refuses_the_ping_says_nothing_of_it() -> None:
    told = story(OLDER, "http")
    told.request("ping", None, status=403, raw="no")
    assert told.judged("MC-RPC-11").subjects == 0


@pytest.mark.parametrize(
    ("revision", "method", "verdict"),
    [
        (OLDER, "ping", "pass"),
        (OLDER, "roots/list", "fail"),
        (OLDER, "sampling/createMessage", "fail"),
        (NEWER, "ping", "fail"),
    ],
)
def test_requests_of_the_server(revision: str, method: str, verdict: str) -> None:
    told = story(revision)
    told.result("tools/list", None, TOOLS)
    told.stray(payload={"jsonrpc": "2.0", "id": "s1", "method": method})
    assert told.judged("MC-RPC-12").verdict == verdict


@pytest.mark.parametrize(
    ("meta", "code", "verdict"),
    [
        ({VERSION: NEWER}, -32602, "pass"),
        ({VERSION: NEWER}, -32603, "fail"),
        ({VERSION: NEWER}, None, "fail"),
        ({}, -32601, "blocked"),
        ({VERSION: NEWER, CAPABILITIES: {}}, None, "blocked"),
    ],
)
def test_metadata_that_is_missing(meta: Json, code: int | None, verdict: str) -> None:
    """Without the version, and without HTTP, a request may be one of an older revision."""
    told = story()
    told.result("tools/list", {"_meta": {VERSION: NEWER, CAPABILITIES: {}}}, TOOLS)
    if code is None:
        told.result("tools/list", {"_meta": meta}, TOOLS)
    else:
        told.error("tools/list", {"_meta": meta}, code)
    outcome = told.judged("MC-RPC-13")
    assert outcome.verdict == verdict if verdict != "blocked" else outcome.subjects == 0


@pytest.mark.parametrize(
    ("shaken", "code", "verdict"),
    [(False, None, "fail"), (False, -32602, "pass"), (True, None, "none"), (None, None, "none")],
)
def test_a_request_without_a_version_where_no_handshake_is_made(
    shaken: bool | None, code: int | None, verdict: str
) -> None:
    """Elsewhere it may be one of an older revision."""
    told = story(transport="stdio")
    told.result("tools/list", {"_meta": {VERSION: NEWER, CAPABILITIES: {}}}, TOOLS)
    if shaken is not None:
        unmet(told, "other")
    if shaken:
        told.result("initialize", {"protocolVersion": OLDER}, {"protocolVersion": OLDER}, on="other")
    elif shaken is not None:
        told.error("initialize", {"protocolVersion": OLDER}, -32601, on="other")
    if code is None:
        told.result("tools/list", {"_meta": {CAPABILITIES: {}}}, TOOLS)
    else:
        told.error("tools/list", {"_meta": {CAPABILITIES: {}}}, code)
    outcome = told.judged("MC-RPC-13")
    assert (outcome.verdict if outcome.subjects else "none") == verdict


@pytest.mark.parametrize(
    ("code", "status", "verdict"),
    [(-32602, 400, "pass"), (-32020, 400, "pass"), (-32603, 400, "fail"), (-32602, 200, "fail")],
)
def test_over_http_a_header_names_the_revision(code: int, status: int, verdict: str) -> None:
    told = story(transport="http")
    told.result("tools/list", {"_meta": {VERSION: NEWER, CAPABILITIES: {}}}, TOOLS, status=200)
    asked = Http(method="POST", headers={"mcp-protocol-version": NEWER})
    told.error("tools/list", {"_meta": {CAPABILITIES: {}}}, code, http=asked, status=status)
    assert told.judged("MC-RPC-13").verdict == verdict


def test_metadata_is_judged_beside_a_request_that_has_it() -> None:
    told = story()
    told.error("tools/list", {"_meta": {VERSION: NEWER, CAPABILITIES: {}}}, -32602)
    told.error("tools/list", {"_meta": {VERSION: NEWER}}, -32602)
    assert told.judged("MC-RPC-13").subjects == 0


WHOLE = {"supportedVersions": [NEWER], "capabilities": {}, "ttlMs": 0, "cacheScope": "public"}


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, "pass"),
        ({"_meta": {"io.modelcontextprotocol/serverInfo": {"name": "a", "version": "1"}}}, "pass"),
        ({"_meta": {"io.modelcontextprotocol/serverInfo": {"name": "a"}}}, "fail"),
        ({"_meta": {"io.modelcontextprotocol/serverInfo": None}}, "fail"),
        ({"_meta": {}}, "pass"),
        ({"supportedVersions": []}, "fail"),
        ({"supportedVersions": NEWER}, "fail"),
        ({"supportedVersions": [OLDER]}, "fail"),
        ({"capabilities": []}, "fail"),
        ({"ttlMs": "0"}, "fail"),
        ({"cacheScope": None}, "fail"),
    ],
)
def test_discovery(changed: dict[str, Json], verdict: str) -> None:
    told = story()
    told.result("server/discover", {}, {**WHOLE, **changed})
    assert told.judged("MC-RPC-19").verdict == verdict


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ({}, "not_applicable"),
        ({"tools": []}, "not_applicable"),
        ({"supportedVersions": [OLDER]}, "pass"),
        ({"supportedVersions": [OLDER], "capabilities": 1}, "pass"),
        ({"capabilities": {}}, "fail"),
        ({"supportedVersions": []}, "fail"),
        ({"supportedVersions": [5]}, "fail"),
    ],
)
def test_discovery_before_a_handshake_gives_versions(given: dict[str, Json], verdict: str) -> None:
    told = story(revision=OLDER)
    told.result("server/discover", {}, given)
    assert told.judged("MC-RPC-19").verdict == verdict


def unmet(told: Story, name: str) -> None:
    """A connection on which nothing is asked for at its opening."""
    told.events.append(Opened(connection=name, transport="stdio", instance="main", t=told.now()))


def early(told: Story, *, lost: bool = False, refused: bool = False) -> str:
    told.connect("c1", revision=OLDER, transport="stdio")
    unmet(told, "c2")
    if lost:
        told.request("ping", None, on="c2", unanswered="lost")
    else:
        told.result("ping", None, {}, on="c2")
        if refused:
            told.error("initialize", {"protocolVersion": OLDER}, -32600, on="c2")
        else:
            told.result("initialize", {"protocolVersion": OLDER}, {"protocolVersion": OLDER}, on="c2")
            told.result("tools/list", None, TOOLS, on="c2")
    return told.judged("MC-RPC-21").verdict


def test_requests_before_the_handshake() -> None:
    assert early(Story("mcp")) == "pass"
    assert early(Story("mcp"), lost=True) == "warn"
    lost = Story("mcp")
    early(lost, lost=True)
    assert lost.judged("MC-RPC-01").verdict != "fail", "that a server ends so early is this requirement's matter"
    assert early(Story("mcp"), refused=True) == "warn"


@pytest.mark.parametrize(
    ("forgot", "verdict"),
    [([True, False], "pass"), ([True], "not_observed"), ([True, True], "warn"), ([False, True], "pass")],
)
@pytest.mark.parametrize("revision", [OLDER, NEWER])
def test_a_session_that_is_forgotten_at_once_is_no_harm_unless_each_is(
    forgot: list[bool], verdict: str, revision: str
) -> None:
    told = story(revision, "http")
    told.result("tools/list", None, TOOLS, status=200)
    if revision == NEWER:
        told.connect("c2", revision=OLDER, transport="http")
        # where no session is served, none is forgotten for what came too early
        verdict = "not_observed" if verdict == "warn" else verdict
    for number, gone in enumerate(forgot):
        name, session = f"e{number}", {SESSION: f"s{number}"}
        told.events.append(Opened(connection=name, transport="http", instance="main", t=told.now()))
        told.error("ping", None, -32600, on=name, status=400)
        told.result(
            "initialize", {"protocolVersion": OLDER}, {"protocolVersion": OLDER}, on=name, status=200, headers=session
        )
        mine = Http(method="POST", headers=session)
        if gone:
            told.request("tools/list", None, on=name, http=mine, status=404, raw="no session")
        else:
            told.result("tools/list", None, TOOLS, on=name, http=mine, status=200)
    assert told.judged("MC-RPC-21").verdict == verdict


@pytest.mark.parametrize(("served", "verdict"), [(True, "warn"), (False, "not_observed")])
def test_what_the_server_never_serves_tells_nothing_of_a_connection_that_began_too_early(
    served: bool, verdict: str
) -> None:
    told = Story("mcp")
    told.connect("c1", revision=OLDER, transport="stdio", capabilities={"prompts": {}})
    if served:
        told.result("tools/list", None, TOOLS, on="c1")
    else:
        told.error("tools/list", None, -32601, on="c1")
    unmet(told, "c2")
    told.result("ping", None, {}, on="c2")
    told.result("initialize", {"protocolVersion": OLDER}, {"protocolVersion": OLDER}, on="c2")
    told.error("tools/list", None, -32601, on="c2")
    assert told.judged("MC-RPC-21").verdict == verdict


def test_a_process_that_ended_while_another_one_was_starting_may_have_ended_for_that() -> None:
    for method, crowded in itertools.product(("ping", "initialize"), (True, False)):
        told = Story("mcp")
        told.connect("c1", revision=OLDER, transport="stdio")
        unmet(told, "c0")
        told.result("ping", None, {}, on="c0")
        told.result("initialize", {"protocolVersion": OLDER}, {"protocolVersion": OLDER}, on="c0")
        unmet(told, "c2")
        if crowded:
            unmet(told, "c3")
        told.request(method, None, on="c2", unanswered="lost")
        told.close("c2", by="server")
        verdicts = {told.judged(requirement).verdict for requirement in ("MC-RPC-01", "MC-RPC-21")}
        assert ("fail" in verdicts or "warn" in verdicts) is not crowded, (method, crowded)


@pytest.mark.parametrize(("others", "beside", "found"), [(1, False, False), (0, False, True), (1, True, True)])
@pytest.mark.parametrize(("method", "requirement"), [("initialize", "MC-RPC-01"), ("ping", "MC-RPC-21")])
def test_a_server_of_which_there_can_be_but_one_process(
    method: str, requirement: str, others: int, beside: bool, found: bool
) -> None:
    """Others end at their greeting as well; where two were there at once it is no such server."""
    told = story(OLDER, "stdio")
    told.result("tools/list", None, TOOLS)
    if beside:
        told.connect("c9", revision=OLDER, transport="stdio")
    for number in range(others):
        unmet(told, f"other{number}")
        told.request("initialize", None, on=f"other{number}", unanswered="lost")
        told.close(f"other{number}", by="server")
    unmet(told, "c2")
    told.request(method, None, on="c2", unanswered="lost")
    told.close("c2", by="server")
    assert (told.judged(requirement).verdict in ("fail", "warn")) is found


def test_what_lived_behind_another_transport_tells_nothing_of_a_process_that_ended() -> None:
    for transport, verdict in (("stdio", "not_observed"), ("http", "warn")):
        told = Story("mcp")
        told.connect("c1", revision=OLDER, transport="stdio")
        told.events.append(Opened(connection="c0", transport=transport, instance="main", t=told.now()))
        told.result("ping", None, {}, on="c0")
        told.result("initialize", {"protocolVersion": OLDER}, {"protocolVersion": OLDER}, on="c0")
        unmet(told, "c2")
        unmet(told, "c3")
        told.request("ping", None, on="c2", unanswered="lost")
        told.close("c2", by="server")
        assert told.judged("MC-RPC-21").verdict == verdict


def test_a_server_without_handshake_may_refuse_it() -> None:
    told = Story("mcp")
    told.connect("c1", revision=NEWER, transport="stdio")
    unmet(told, "c2")
    told.error("ping", None, -32602, on="c2")
    told.error("initialize", {"protocolVersion": OLDER}, -32601, on="c2")
    assert told.judged("MC-RPC-21").verdict == "not_applicable"


@pytest.mark.parametrize(("transport", "verdict"), [("http", "not_observed"), ("stdio", "warn")])
def test_a_server_with_one_session_for_all_refuses_another_whatever_came_before(transport: str, verdict: str) -> None:
    """A process on stdio has none but this connection: what came too early took its handshake's place."""
    told = Story("mcp")
    told.connect("c1", revision=OLDER, transport=transport)
    told.events.append(Opened(connection="c2", transport=transport, instance="main", t=told.now()))
    told.result("ping", None, {}, on="c2")
    told.error("initialize", {"protocolVersion": OLDER}, -32600, "Invalid Request: Server already initialized", on="c2")
    assert told.judged("MC-RPC-21").verdict == verdict

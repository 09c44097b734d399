"""TK-ID-05 to -08: what a graph identifier may hold, and its canonical form."""

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tasks.room import Room

IDS = [f"TK-ID-0{number}" for number in range(5, 9)]
NODE: dict[str, Json] = {"op": "node_upsert", "id": "a", "type": "t"}
EDGE: dict[str, Json] = {"op": "edge_upsert", "from": "a", "rel": "r", "to": "b"}


@pytest.mark.parametrize("identifier", IDS)
def test_the_reference(identifier: str) -> None:
    outcome = driven("tasks", "graphs").outcome(identifier)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)


@pytest.mark.parametrize("deviation", IDS)
def test_a_deviation_fails_alone(deviation: str) -> None:
    outcomes = driven("tasks", "graphs", deviation=deviation).outcomes
    assert {o.id for o in outcomes if o.id in IDS and o.verdict == "fail"} == {deviation}


def apply(room: Room, *ops: Json, code: str = "", **more: Json) -> None:
    if code:
        room.no("branchmind_graph_apply", code, ops=list(ops), **more)
    else:
        room.ok("branchmind_graph_apply", {}, ops=list(ops), **more)


LIMITS = [("TK-ID-05", 256, False), ("TK-ID-06", 128, True), ("TK-ID-07", 128, False)]


def spelt(identifier: str, value: str) -> list[Json]:
    return {
        "TK-ID-05": [{**NODE, "id": value}],
        "TK-ID-06": [{**NODE, "type": value}],
        "TK-ID-07": [NODE, {**NODE, "id": "b"}, {**EDGE, "rel": value}],
    }[identifier]


PLACE: dict[str, Json] = {"branch": "main", "doc": "graph"}


def outcome(identifier: str, value: str, code: str = "", *, controlled: bool = True, **more: Json) -> str:
    room = Room()
    room.ok("branchmind_init", {"workspace": "w"})
    room.ok("branchmind_branch_list", {"branches": [{"name": "main"}]})
    apply(room, *spelt(identifier, value), code=code, **{**PLACE, **more})
    if controlled:
        apply(room, *spelt(identifier, "good"), **PLACE)
    return room.judged(identifier).verdict


@pytest.mark.parametrize(("identifier", "longest", "pipe"), LIMITS)
def test_both_sides_of_the_rule(identifier: str, longest: int, *, pipe: bool) -> None:
    for good in ("x" * longest, "é" * longest, "a b", "日本", *(["a|b"] if pipe else [])):
        assert outcome(identifier, good) == "pass", good
        assert outcome(identifier, good, "INVALID_INPUT") == "fail", good
    for bad in ("", "x" * (longest + 1), "é" * (longest + 1), "a\x00b", "a\u0085b", *([] if pipe else ["a|b"])):
        assert outcome(identifier, bad) == "fail", bad
        assert outcome(identifier, bad, "INVALID_INPUT") == "pass", bad
        assert outcome(identifier, bad, "INVALID_INPUT", controlled=False) == "not_observed", bad


@pytest.mark.parametrize(("identifier", "longest", "pipe"), LIMITS)
def test_what_the_rule_leaves_open(identifier: str, longest: int, *, pipe: bool) -> None:
    for value in (" ", f" {'x' * longest} ", "a\n", "a"):
        assert outcome(identifier, value) == "not_observed"
    for value in (" ", f" {'x' * longest} ", "a\n"):
        assert outcome(identifier, value, "INVALID_INPUT") == "not_observed"
    # any server takes this one: that it is refused is the finding of another rule
    assert outcome(identifier, "a", "INVALID_INPUT") == "blocked"
    assert outcome(identifier, "a b", "REVISION_MISMATCH", expected_revision=5) == "not_observed"
    assert outcome(identifier, "a b", "UNKNOWN_ID", branch="nowhere") == "not_observed"


@pytest.mark.parametrize(
    ("nodes", "verdict"),
    [
        ([{"id": "a", "type": "t"}], "pass"),
        ([{"id": " a", "type": "t"}], "fail"),
        ([{"id": "a", "type": "t"}, {"id": "a ", "type": "t"}], "fail"),
        ([{"id": "a", "type": " t "}], "fail"),
        ([{"id": "A", "type": "T"}], "not_observed"),
        ([], "not_observed"),
        ([7, {"id": []}], "not_observed"),
    ],
)
def test_nodes_are_shown_in_canonical_form(nodes: Json, verdict: str) -> None:
    room = Room()
    apply(room, {**NODE, "id": " a"}, {**NODE, "type": " t "})
    room.ok("branchmind_graph_query", {"nodes": nodes, "edges": []})
    assert room.judged("TK-ID-08").verdict == verdict


@pytest.mark.parametrize(("rel", "verdict"), [("r", "pass"), (" r", "fail")])
def test_edges_are_shown_in_canonical_form(rel: str, verdict: str) -> None:
    room = Room()
    apply(room, {**EDGE, "rel": " r"})
    room.ok("branchmind_graph_query", {"nodes": [], "edges": [{"from": "a", "rel": rel, "to": "a"}]})
    assert room.judged("TK-ID-08").verdict == verdict


def test_a_part_of_the_graph_tells_nothing() -> None:
    room = Room()
    apply(room, {**NODE, "id": " a"})
    room.ok("branchmind_graph_query", {"nodes": [{"id": " a"}]}, limit=1)
    room.ok("branchmind_graph_query", {"nodes": [{"id": " a"}]}, doc="another")
    assert room.judged("TK-ID-08").subjects == 0


@pytest.mark.parametrize(("code", "verdict"), [("", "pass"), ("INVALID_INPUT", "fail"), ("CONFLICT", "not_observed")])
def test_limits_hold_for_the_canonical_form(code: str, verdict: str) -> None:
    room = Room()
    apply(room, {**NODE, "id": "y" * 256}, **PLACE)
    apply(room, {**NODE, "id": f" {'y' * 256} "}, code=code, **PLACE)
    assert room.judged("TK-ID-08").verdict == verdict


def test_white_space_that_was_never_tried_bare_tells_nothing() -> None:
    room = Room()
    apply(room, {**NODE, "id": " y "}, code="INVALID_INPUT", **PLACE)
    assert room.judged("TK-ID-08").verdict == "not_observed"


@pytest.mark.parametrize(
    ("ids", "shown", "verdict"),
    [
        ([" a "], ["a"], "pass"),
        ([" a "], [], "fail"),
        (["a", " b"], ["a"], "not_observed"),
        ([" "], [], "not_observed"),
    ],
)
def test_a_query_of_ids_in_another_spelling(ids: list[str], shown: list[str], verdict: str) -> None:
    room, place = Room(), {"branch": "main", "doc": "graph"}
    for asked, found in ((["a"], ["a"]), (ids, shown)):
        room.ok("branchmind_graph_query", {**place, "nodes": [{"id": each} for each in found]}, ids=asked, **place)
    assert room.judged("TK-ID-08").verdict == verdict

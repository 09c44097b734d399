"""Names that two servers made for one thing are matched pairwise; everything else has to agree."""

from hypothesis import given
from hypothesis import strategies as st

from conformance.model.pairing import ABSENT, MOST, Apart, Pairing

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def pairing() -> Pairing:
    return Pairing(made=("id", "ids"), volatile=("at",))


def test_the_first_name_at_a_place_stands_for_the_first_there():
    pairs = pairing()
    pairs.learn({"id": "a1", "ids": ["a2", "a3"], "title": "t"}, {"id": "b1", "ids": ["b2", "b3"], "title": "u"})
    assert pairs.to_model({"of": ["a1", "a3", "t"], "in": {"a2": "a2"}}) == {
        "of": ["b1", "b3", "t"],
        "in": {"a2": "b2"},
    }
    assert pairs.apart({"id": "a1"}, {"id": "b1"}) == []
    assert pairs.apart({"parent": "a2"}, {"parent": "b2"}) == []
    assert pairs.apart({"id": "a1"}, {"id": "b2"}) == [Apart("/id", "a1", "b2")]


def test_a_name_stands_for_one_thing():
    pairs = pairing()
    pairs.learn({"id": "a1"}, {"id": "b1"})
    pairs.learn({"id": "a1"}, {"id": "b2"})
    pairs.learn({"id": "a2"}, {"id": "b1"})
    assert pairs.to_model(["a1", "a2"]) == ["b1", "a2"]
    assert pairs.apart({"id": "a2"}, {"id": "b1"}) == [Apart("/id", "a2", "b1")]


def test_values_that_no_server_makes_are_never_matched():
    pairs = pairing()
    pairs.learn({"status": "open"}, {"status": "closed"})
    assert pairs.apart({"status": "open"}, {"status": "closed"}) == [Apart("/status", "open", "closed")]


def test_what_counts():
    pairs = pairing()
    ours = {"at": "12:00", "own": 1, "n": True, "same": [1, {"x": None}]}
    theirs = {"at": "13:00", "n": 1, "same": [1, {"x": None, "y": None}, 3], "lacking": 5, "a/b": 1}
    assert pairs.apart(ours, theirs) == [
        Apart("/n", True, 1),
        Apart("/same", "2 items", "3 items"),
        Apart("/lacking", ABSENT, 5),
        Apart("/a~1b", ABSENT, 1),
    ]


def test_many_differences_are_cut():
    assert len(pairing().apart(list(range(200)), list(range(1, 201)))) == MOST


@given(JSON)
def test_a_value_agrees_with_itself(value):
    assert pairing().apart(value, value) == []


@given(JSON, JSON)
def test_hostile_answers_are_compared(ours, theirs):
    pairs = pairing()
    pairs.learn(ours, theirs)
    pairs.to_model(ours)
    pairs.apart(ours, theirs)


def test_numbers_are_names_under_their_keys_alone() -> None:
    pairs = Pairing(["item"], [])
    pairs.learn({"item": 5, "limit": 7}, {"item": 1, "limit": 9})
    assert pairs.to_model({"item": 5, "limit": 5, "items": [{"item": 5}], "other": 7}) == {
        "item": 1, "limit": 5, "items": [{"item": 1}], "other": 7,
    }  # fmt: skip
    assert pairs.apart([{"item": 5}], [{"item": 1}]) == []
    assert [each.pointer for each in pairs.apart({"item": 6, "limit": 5}, {"item": 1, "limit": 1})] == [
        "/item", "/limit",
    ]  # fmt: skip


def test_a_number_and_a_text_are_no_names_for_one_thing() -> None:
    pairs = Pairing(["item"], [])
    pairs.learn({"item": 5}, {"item": "a"})
    assert pairs.to_model({"item": 5}) == {"item": 5}
    pairs.learn({"item": True}, {"item": 1})
    assert pairs.to_model({"item": True}) == {"item": True}

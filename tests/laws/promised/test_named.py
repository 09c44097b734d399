"""What callers name: written over, made again, taken, unknown."""

import pytest

from conformance.certify import contract_of
from conformance.model.events import Json
from tests.e2e.own.graph import FOLDER as GRAPH
from tests.e2e.own.named import FOLDER
from tests.laws.histories import Story
from tests.laws.promised.desk import Desk

PATH = "notes/path-0a1b2c3d4e.txt"
OTHER = "notes/path-5f6a7b8c9d.txt"
SLUG = "abcdefghijkl"


class Named(Desk):
    """Stories of files and pages that callers name."""

    def __init__(self) -> None:
        Story.__init__(self, contract_of(str(FOLDER)).name)

    def write(self, content: str, path: str = PATH) -> int:
        return self.accepted("write_file", {"path": path, "content": content}, "written")

    def read(self, answer: Json = ..., path: str = PATH) -> int:
        if answer is ...:
            return self.refused("read_file", {"path": path}, "NO_FILE")
        return self.accepted("read_file", {"path": path}, answer)

    def remove(self, path: str = PATH) -> int:
        return self.accepted("remove_file", {"path": path}, "removed")

    def create(self, slug: str = SLUG, etag: str = "e1", *, code: str = "", text: str = "text-0123456789") -> int:
        arguments = {"slug": slug, "text": text}
        if code:
            return self.refused("create_page", arguments, code)
        return self.accepted("create_page", arguments, {"page": {**arguments, "etag": etag}})

    def update(self, text: str, if_match: str, etag: str, slug: str = SLUG) -> int:
        arguments = {"slug": slug, "text": text, "if_match": if_match}
        return self.accepted("update_page", arguments, {"page": {"slug": slug, "text": text, "etag": etag}})

    def drop(self, slug: str = SLUG) -> int:
        return self.accepted("drop_page", {"slug": slug}, {"dropped": slug})


@pytest.mark.parametrize(
    ("content", "shown", "verdict"),
    [
        ("two", "two", "pass"),
        ("two", "one", "fail"),
        ("12", "12", "pass"),
        ('{"a": 1}', '{"a": 1}', "pass"),
        ('"quoted"', "quoted", "fail"),
    ],
)
def test_a_read_shows_what_was_written_over(content, shown, verdict):
    named = Named()
    named.write("one")
    named.write(content)
    result = {"content": [{"type": "text", "text": shown}], "isError": False}
    named.result("tools/call", {"name": "read_file", "arguments": {"path": PATH}}, result)
    assert named.seen("N-WRITTEN") == (verdict, 1, int(verdict == "fail"))


def test_what_was_removed_may_be_made_again():
    named = Named()
    named.write("one")
    named.remove()
    named.read()
    named.write("two")
    named.read("two")
    named.accepted("list_files", {}, {"paths": [PATH]})
    assert named.seen("N-FILE") == ("pass", 1, 0), "the read after the removal alone"
    named.write("three", OTHER)
    named.read("three", OTHER)
    assert named.seen("N-FILE") == ("pass", 2, 0)


@pytest.mark.parametrize("listed", [True, False])
def test_what_was_removed_is_no_longer_there(listed):
    named = Named()
    named.write("one")
    named.remove()
    named.read() if listed else named.read("one")
    named.accepted("list_files", {}, {"paths": [PATH] if listed else []})
    assert named.verdict("N-FILE") == "fail"


def test_revisions_of_what_is_made_again_begin_anew():
    named = Named()
    named.create(etag="e1")
    named.update("text-1", "e1", "e2")
    named.drop()
    named.create(etag="e1")
    named.update("text-2", "e1", "e2")
    assert named.seen("N-ETAG") == ("pass", 2, 0)


@pytest.mark.parametrize(("code", "verdict"), [("TAKEN", "pass"), ("NO_PAGE", "fail"), ("", "fail")])
def test_a_name_that_is_taken(code, verdict):
    named = Named()
    named.create()
    named.create(code=code, text="text-5f6a7b8c9d")
    named.create("bcdefghijklm", text="text-2222222222")
    assert named.verdict("N-TAKEN") == verdict


def test_a_name_is_taken_no_more_once_it_was_removed():
    named = Named()
    named.create()
    named.drop()
    named.create(text="text-5f6a7b8c9d")
    named.create("bcdefghijklm", text="text-2222222222")
    assert named.verdict("N-TAKEN") == "not_observed"


def test_a_taken_name_without_a_control():
    named = Named()
    named.lost("create_page", {"slug": SLUG, "text": "text-5f6a7b8c9d"})
    named.create(code="TAKEN", text="text-5f6a7b8c9d")
    assert named.verdict("N-TAKEN") == "not_observed"


@pytest.mark.parametrize(("answer", "verdict"), [(..., "pass"), ("", "fail")])
def test_a_name_that_nobody_gave(answer, verdict):
    named = Named()
    named.write("one")
    named.read("one")
    named.read(answer, OTHER)
    assert named.verdict("N-NO-FILE") == verdict


def test_a_name_that_any_write_was_given_may_be_there():
    named = Named()
    named.write("one")
    named.read("one")
    named.lost("write_file", {"path": OTHER, "content": "two"})
    named.read("", OTHER)
    assert named.verdict("N-NO-FILE") == "not_observed"


@pytest.mark.parametrize(
    ("paths", "verdict"), [([PATH, OTHER], "pass"), ([PATH], "fail"), ([], "fail"), (None, "not_observed")]
)
def test_a_list_shows_what_there_is(paths, verdict):
    named = Named()
    named.write("one")
    named.write("two", OTHER)
    named.accepted("list_files", {}, {"paths": paths})
    assert named.verdict("N-LISTED") == verdict


def test_a_list_need_not_show_what_was_removed_or_may_not_be_there():
    named = Named()
    named.accepted("list_files", {}, {"paths": []})
    named.write("one")
    named.remove()
    named.lost("write_file", {"path": OTHER, "content": "two"})
    named.accepted("list_files", {}, {"paths": []})
    named.write("three", "notes/path-9999999999.txt")
    named.accepted("list_files", {"prefix": "z"}, {"paths": []})
    assert named.verdict("N-LISTED") == "not_observed"


def test_the_answer_to_a_write_is_no_file():
    named = Named()
    named.accepted("write_file", {"path": PATH, "content": "one"}, {"content": "wrote 3 characters"})
    named.read("one")
    assert named.seen("N-WRITTEN") == ("pass", 1, 0)


class Lists(Desk):
    """Stories of nodes that are made in lists, by the names in them."""

    def __init__(self) -> None:
        Story.__init__(self, contract_of(str(GRAPH)).name)

    def add(self, *names: str, code: str = "") -> int:
        nodes = [{"name": name, "kind": "place", "title": "title-0a1b2c3d", "weight": 1} for name in names]
        if code:
            return self.refused("add_nodes", {"nodes": nodes}, code)
        return self.accepted("add_nodes", {"nodes": nodes}, {"added": [{"name": name} for name in names]})

    def open(self, name: str, *, there: bool) -> int:
        shown = [{"name": name, "kind": "place", "title": "title-0a1b2c3d", "weight": 1}] if there else []
        return self.accepted("open_nodes", {"names": [name]}, {"nodes": shown})


@pytest.mark.parametrize(
    ("again", "code", "breaches"),
    [((), "", 1), (("a", "b"), "", 0), (("b", "a"), "", 0), (("a", "c"), "bad", 1), (("c", "d"), "", 1)],
)
def test_what_was_removed_may_be_made_again_wherever_its_name_stands(again, code, breaches):
    lists = Lists()
    lists.add("a", "b")
    lists.add("a", "d")
    lists.open("d", there=True)
    lists.accepted("remove_nodes", {"names": ["b"]}, {"removed": ["b"]})
    if again:
        lists.add(*again, code=code)
    lists.open("b", there=(not code and (not again or "b" in again)) or bool(breaches))
    assert lists.seen("G-LIFE")[2] == breaches

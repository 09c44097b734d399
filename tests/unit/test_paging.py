"""What the next page of a list is asked for with, named by the server or counted by the caller."""

import pytest

from conformance.contract.making import Call, Make
from conformance.contract.paging import is_first, onward, size_of
from conformance.contract.promises import Paged

MAKE = Make(entity="task", make=Call("add"), id="/id", list=Call("list", at="/tasks"))
NAMED = Paged(entity="task", tool="list", cursor="@/cursor", next="/next")
ENTRIES = Paged(entity="task", tool="list", cursor="@/offset", counts="entries", size="@/limit")
PAGES = Paged(entity="task", tool="list", cursor="@/page", counts="pages")
FROM_0 = Paged(entity="task", tool="list", cursor="@/page", counts="pages", begins=0)
TWO, NONE = {"tasks": [{}, {}]}, {"tasks": []}


@pytest.mark.parametrize(
    ("promise", "arguments", "payload", "found"),
    [
        (NAMED, {}, {**TWO, "next": "c1"}, ("c1",)),
        (NAMED, {"cursor": "c1"}, {**TWO, "next": None}, ()),
        (NAMED, {}, TWO, ()),
        (ENTRIES, {}, TWO, (2,)),
        (ENTRIES, {"offset": 4, "limit": 2}, TWO, (6,)),
        (ENTRIES, {"offset": 4, "limit": 5}, TWO, (6, 9)),
        (ENTRIES, {"offset": 4}, NONE, ()),
        (ENTRIES, {"offset": "4"}, TWO, ()),
        (PAGES, {}, TWO, (2,)),
        (PAGES, {"page": 3}, TWO, (4,)),
        (FROM_0, {}, TWO, (1,)),
        (PAGES, {"page": 3}, NONE, ()),
    ],
)
def test_the_next_page(promise, arguments, payload, found):
    assert onward(arguments, payload, promise, MAKE) == found


@pytest.mark.parametrize(
    ("promise", "arguments", "first"),
    [
        (NAMED, {}, True),
        (NAMED, {"cursor": "c1"}, False),
        (ENTRIES, {"offset": 0}, True),
        (ENTRIES, {"offset": None}, True),
        (PAGES, {"page": 1}, True),
        (PAGES, {"page": True}, False),
        (PAGES, {"page": 2}, False),
        (FROM_0, {"page": 1}, False),
    ],
)
def test_the_first_page(promise, arguments, first):
    assert is_first(arguments, promise) is first


def test_what_is_no_list_has_no_entries():
    assert [size_of(each, MAKE) for each in (TWO, {"tasks": {"a": {}}}, {"tasks": "many"}, None)] == [2, 1, 0, 0]

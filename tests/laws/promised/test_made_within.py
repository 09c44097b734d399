"""What is made in another entity and listed there alone; lists that are maps; a second fault that is told first."""

import pytest

from conformance.certify import contract_of
from tests.e2e.own.albums import FOLDER
from tests.laws.promised.desk import Desk, note


class Shelf(Desk):
    """Each method tells a call of a store of albums, of which each photo is in one."""

    def __init__(self) -> None:
        super().__init__()
        self.contract = contract_of(str(FOLDER))
        for number in (1, 2):
            self.album(number)

    def album(self, number: int) -> int:
        return self.accepted("add_album", {"mood": "sea", "key": f"key-{number}"}, {"album": self.shown(number)})

    def shown(self, number: int, version: int = 1) -> dict[str, object]:
        return {"number": number, "mood": "sea", "state": "draft", "version": version}

    def add(self, photo: int, album: int = 1) -> int:
        caption = f"caption-{photo}"
        shown = {"id": photo, "album": album, "caption": caption}
        return self.accepted("add_photo", {"album": album, "caption": caption}, {"photo": shown})

    def photos(self, *photos: int, album: int = 1, onward: int | None = None, **given: object) -> int:
        shown = {str(each): {"id": each, "caption": f"caption-{each}"} for each in photos}
        return self.accepted("list_photos", {"album": album, **given}, {"photos": shown, "next": onward})

    def remove(self, photo: int, album: int = 1, code: str = "") -> int:
        arguments = {"album": album, "photo": photo}
        return self.denied("remove_photo", arguments, code) if code else self.accepted("remove_photo", arguments, {})

    def denied(self, tool: str, arguments: dict[str, object], code: str) -> int:
        return self.call(tool, arguments, {"type": f"https://albums.example/{code}"}, failed=True)


def photographed() -> Shelf:
    """Two photos in the first album, one in the second."""
    shelf = Shelf()
    for photo, album in ((11, 1), (12, 1), (21, 2)):
        shelf.add(photo, album)
    return shelf


@pytest.mark.parametrize(
    ("photos", "verdict"), [((11, 12), "pass"), ((11,), "fail"), ((11, 12, 21), "fail"), ((), "fail")]
)
def test_a_list_shows_what_was_made_in_its_album_and_nothing_else(photos, verdict):
    shelf = photographed()
    shelf.photos(*photos)
    assert shelf.verdict("AL-PAGES/2") == verdict


def test_entries_that_do_not_say_which_they_are_leave_nothing_out():
    shelf = photographed()
    shelf.accepted("list_photos", {"album": 1}, {"photos": {"a": {"caption": "caption-11"}}, "next": None})
    assert shelf.verdict("AL-PAGES/2") == "not_observed"


def test_a_page_that_goes_on_leaves_nothing_out():
    shelf = photographed()
    shelf.photos(11, onward=11)
    assert shelf.verdict("AL-PAGES/2") == "not_observed"


def test_what_was_changed_since_may_be_in_another_album():
    shelf = photographed()
    shelf.accepted("set_mood", {"number": 12, "mood": "snow", "version": 1}, {"album": shelf.shown(12, 2)})
    shelf.photos(11)
    assert shelf.verdict("AL-PAGES/2") == "pass"


@pytest.mark.parametrize(
    ("pages", "verdict"),
    [
        (((11,), (12,)), "pass"),
        (((11,), (11,)), "fail"),
        (((11,), ()), "fail"),
        (((11,), (12, 21)), "fail"),
    ],
)
def test_an_album_is_read_page_by_page(pages, verdict):
    shelf = photographed()
    first, second = pages
    shelf.photos(*first, onward=11)
    shelf.photos(*second, after=11)
    assert shelf.verdict("AL-PAGES/1") == verdict


@pytest.mark.parametrize(("shown", "verdict"), [((12,), "pass"), ((11, 12), "fail")])
def test_what_no_tool_reads_is_listed_no_more_once_it_is_removed(shown, verdict):
    shelf = photographed()
    shelf.photos(11, 12)
    shelf.remove(11)
    shelf.photos(*shown)
    assert shelf.verdict("AL-PHOTO-LIFE") == verdict


def test_that_a_list_shows_no_more_what_it_never_showed_tells_nothing():
    shelf = photographed()
    shelf.photos(album=2)
    shelf.remove(11)
    shelf.photos(12)
    shelf.photos(album=2)
    assert shelf.verdict("AL-PHOTO-LIFE") == "not_observed"


@pytest.mark.parametrize(("album", "verdict"), [(1, "fail"), (2, "not_observed"), (7, "not_observed")])
def test_a_good_call_names_the_album_in_which_the_photo_is(album, verdict):
    shelf = photographed()
    shelf.remove(11, album, "none")
    assert shelf.verdict("AL-SERVED") == ("pass" if verdict == "not_observed" else verdict)


@pytest.mark.parametrize(("number", "code", "verdict"), [(7, "none", "pass"), (7, "bad", "fail"), (0, "bad", "")])
def test_an_id_that_the_schema_does_not_allow_is_a_fault_of_its_own(number, code, verdict):
    shelf = Shelf()
    shelf.accepted("album", {"number": 1}, {"album": shelf.shown(1)})
    shelf.denied("album", {"number": number}, code)
    assert shelf.verdict("AL-UNKNOWN/1") == (verdict or "not_observed")


@pytest.mark.parametrize(("version", "code", "verdict"), [(5, "stale", "pass"), (5, "bad", "fail"), (0, "bad", "")])
def test_so_is_such_a_revision(version, code, verdict):
    shelf = Shelf()
    shelf.denied("set_mood", {"number": 1, "mood": "snow", "version": version}, code)
    shelf.accepted("set_mood", {"number": 1, "mood": "snow", "version": 1}, {"album": shelf.shown(1, 2)})
    assert shelf.verdict("AL-GUARD") == (verdict or "not_observed")


@pytest.mark.parametrize(("code", "verdict"), [("state", "pass"), ("none", "fail"), ("", "fail")])
def test_a_state_may_bar_the_call_that_leads_into_it(code, verdict):
    shelf = Shelf()
    for number in (1, 2):
        shelf.accepted("publish", {"number": number}, {})
    if code:
        shelf.denied("publish", {"number": 1}, code)
    else:
        shelf.accepted("publish", {"number": 1}, {})
    assert shelf.verdict("AL-STATES/1") == verdict


@pytest.mark.parametrize(("code", "verdict"), [("state", "pass"), ("none", "fail"), ("", "fail")])
def test_and_the_call_that_leads_out_of_it_be_barred_in_any_other(code, verdict):
    shelf = Shelf()
    shelf.accepted("publish", {"number": 2}, {})
    shelf.accepted("withdraw", {"number": 2}, {})
    if code:
        shelf.denied("withdraw", {"number": 1}, code)
    else:
        shelf.accepted("withdraw", {"number": 1}, {})
    assert shelf.verdict("AL-STATES/2") == verdict


@pytest.mark.parametrize(("photos", "verdict"), [((11, 12), "pass"), ((11, 21), "fail"), ((), "not_observed")])
def test_a_filter_lets_only_its_own_through(photos, verdict):
    shelf = photographed()
    shelf.photos(*photos, begins="CAPTION-1")
    shelf.photos(21, begins="")
    assert shelf.verdict("AL-BEGINS") == verdict


@pytest.mark.parametrize(("version", "verdict"), [(2, "pass"), (1, "fail")])
def test_a_contract_may_say_that_moves_change_the_revision(version, verdict):
    desk = Desk()
    desk.save(1)
    for _ in range(2):
        desk.accepted("lock_note", {"note_id": "n-1"}, {"note": note(1, version, locked=True)})
    assert desk.verdict("D-REVISION") == "not_observed"
    assert desk.verdict("D-MOVED") == verdict

"""Each breakage acts where it has occasion, and only there; what it makes is an answer of the same form."""

import json

import pytest

from conformance.prove.proxy import answers as a
from conformance.prove.proxy import entities as e
from conformance.prove.proxy import keys as k
from conformance.prove.proxy import lists as li
from conformance.prove.proxy.breakage import Breakage, Proxy, Sampler, World
from tests.unit.proxy.notes import CONTRACT, MAKE, Client, sample


def test_a_sampler_changes_nothing_and_keeps_one_of_each() -> None:
    client = Client()
    sample(client)
    assert isinstance(client.between, Sampler)
    assert set(client.between.samples.successes) == set(CONTRACT.tools)
    assert set(client.between.samples.refusals) == {"KEY_REUSED", "REVISION_MISMATCH", "ARCHIVED", "NOT_FOUND"}


def test_a_sampler_keeps_the_fullest_refusal_with_a_code() -> None:
    sampler = Sampler(CONTRACT)
    error = {"code": "NOT_FOUND", "message": "no", "retryable": False}
    told: list[dict[str, object]] = [{"error": error}, {"error": error, "note_id": "n-1"}, {"error": error}]
    for call, shown in enumerate(told):
        sampler.asked(
            call, {"id": call, "method": "tools/call", "params": {"name": "get_note", "arguments": {}}}, "main"
        )
        sampler.answered(call, {"id": call, "result": {"content": [], "structuredContent": shown, "isError": True}})
    assert sampler.samples.refusals["NOT_FOUND"]["result"]["structuredContent"] == told[1]


@pytest.mark.parametrize(
    ("breakage", "code", "retryable", "is_error"),
    [
        (a.Codes("", (), "NOWHERE"), "NOWHERE", False, True),
        (a.Codes("", (), "NOWHERE", ("KEY_REUSED",)), "NOT_FOUND", False, True),
        (a.Retries("", (), "/error/retryable", gone=False), "NOT_FOUND", True, True),
        (a.Retries("", (), "/error/retryable", gone=True), "NOT_FOUND", None, True),
        (a.Flags("", (), refusals=True), "NOT_FOUND", False, False),
        (a.Flags("", (), refusals=False), "NOT_FOUND", False, True),
    ],
)
def test_refusals(breakage: Breakage, code: str, retryable: object, is_error: bool) -> None:
    client = Client(breakage)
    told = client.call("get_note", note_id="none")
    found = (told["error"]["code"], told["error"].get("retryable"), told["isError"])
    assert found == (code, retryable, is_error)
    assert bool(breakage.acted) is (found != ("NOT_FOUND", False, True))


def test_good_calls_are_refused_and_bad_ones_accepted() -> None:
    client = Client(a.Refuses("", ("get_note",)))
    note = client.save()["note"]["id"]
    told = client.call("get_note", note_id=note)
    assert told["isError"]
    assert CONTRACT.errors[told["error"]["code"]].retryable is False
    client = Client(a.Accepts("", ("get_note",), ("NOT_FOUND",)))
    assert client.call("get_note", note_id="none")["note"]["title"] == "one"


def test_the_form_of_an_answer() -> None:
    gone = Client(a.Spoils("", ("save_note",), "success", "/note/title", gone=True)).save()
    assert "title" not in gone["note"]
    more = Client(a.Spoils("", (), "any", "/note/more", "x")).save()
    assert more["note"]["more"] == "x"
    other = Client(a.Misfits("", (), "success", "/note/revision", {"type": "integer"})).save()
    assert not isinstance(other["note"]["revision"], int)
    assert Client(a.Echoes("", (), "@/request_key", "/request_key", gone=False)).save()["request_key"] != "key"


@pytest.mark.parametrize(("besides", "same"), [(False, False), (True, True)])
def test_a_key_is_forgotten(besides: bool, same: bool) -> None:
    client = Client(k.Forgets("", "save_note", "@/request_key", besides=besides))
    first, again = client.save(), client.save()
    assert (first["note"]["id"] == again["note"]["id"]) is same
    assert again["request_key"] == "key-of-a-note-0001", "the caller sees the key that it gave"
    assert len(client.server.notes) == 2
    assert client.breakage is not None
    assert client.breakage.acted >= 1


def test_conflicts() -> None:
    client = Client(k.HidesConflicts("", "save_note", "@/request_key"))
    first = client.save()
    assert client.save("other") == first
    client = Client(k.WritesConflicts("", "save_note", "@/request_key"))
    client.save()
    assert client.save("other")["error"]["code"] == "KEY_REUSED"
    assert [note["title"] for note in client.server.notes.values()] == ["one", "other"]


@pytest.mark.parametrize(("besides", "refused"), [(False, False), (True, True)])
def test_revisions_are_not_looked_at(besides: bool, refused: bool) -> None:
    assert MAKE.change is not None
    client = Client(e.Unguards("", MAKE, MAKE.change, "@/expected_revision", besides=besides))
    note = client.save()["note"]["id"]
    told = client.call("update_note", note_id=note, body="new", expected_revision=7)
    assert told["isError"] is refused
    assert client.server.notes[note]["body"] == "new"


def test_a_state_has_no_end() -> None:
    state = MAKE.states[0]
    client = Client(e.StaysBarred("", MAKE, state.enter, "update_note", "/note_id", "ARCHIVED"))
    note = client.save()["note"]["id"]
    assert not client.call("update_note", note_id=note, body="new", expected_revision=1)["isError"]
    client.call("archive_note", note_id=note)
    client.call("restore_note", note_id=note)
    assert client.breakage is not None
    assert client.breakage.acted == 0
    told = client.call("update_note", note_id=note, body="newer", expected_revision=2)
    assert told["error"]["code"] == "ARCHIVED"
    other = client.save("two", "a-second-key")["note"]["id"]
    assert not client.call("update_note", note_id=other, body="new", expected_revision=1)["isError"]


def test_a_bound_is_listed_otherwise() -> None:
    breakage = li.Lists("", "save_note", "bound")
    proxy = Proxy(breakage, World(CONTRACT, Sampler(CONTRACT).samples))
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    proxy.asked(1, request, "main")
    tools = json.loads((CONTRACT.folder / "tools.json").read_text("utf-8"))
    heard = proxy.answered(1, {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}})
    before, after = (each["inputSchema"]["properties"] for each in (tools[0], heard["result"]["tools"][0]))
    assert after["title"] != before["title"]
    assert after["body"] == before["body"]
    assert heard["result"]["tools"][1:] == tools[1:]


def test_a_revision_stays() -> None:
    client = Client(e.StaysAtRevision("", MAKE))
    note = client.save()["note"]["id"]
    assert client.call("update_note", note_id=note, body="new", expected_revision=1)["note"]["revision"] == 1


def test_what_is_written() -> None:
    client = Client(e.WritesOtherwise("", "save_note", "@/title"))
    note = client.save()["note"]
    assert note["title"] == "one"
    assert client.call("get_note", note_id=note["id"])["note"]["title"] != "one"
    client = Client(e.OldReads("", "get_note"))
    note = client.save()["note"]
    client.call("get_note", note_id=note["id"])
    client.call("update_note", note_id=note["id"], body="new", expected_revision=1)
    assert client.call("get_note", note_id=note["id"])["note"] == note
    client = Client(e.FirstSights("", MAKE))
    note = client.save()["note"]
    client.call("update_note", note_id=note["id"], body="new", expected_revision=1)
    assert client.call("get_note", note_id=note["id"])["note"] == note
    client = Client(e.SwallowsChanges("", MAKE, {"body": "/body"}))
    note = client.save()["note"]
    told = client.call("update_note", note_id=note["id"], body="new", expected_revision=1)["note"]
    assert told == {**note, "body": "new", "revision": 2}
    assert client.server.notes[note["id"]] == note


def test_what_a_write_changed_shows_in_no_read() -> None:
    client = Client(e.Unseen("", "update_note"))
    one, other = client.save()["note"], client.save("two", "a-second-key")["note"]
    client.call("get_note", note_id=one["id"])
    for revision in (1, 2):
        told = client.call("update_note", note_id=one["id"], body=f"b{revision}", expected_revision=revision)["note"]
        assert told["revision"] == revision + 1, "the write itself says what it did"
        assert client.call("get_note", note_id=one["id"])["note"] == one
    client.call("update_note", note_id=other["id"], body="new", expected_revision=1)
    assert client.call("get_note", note_id=other["id"])["note"]["body"] == "new", "nothing was read before the write"
    assert client.call("delete_note", note_id=one["id"])["deleted"] == one["id"]
    assert client.call("get_note", note_id=one["id"])["error"]["code"] == "NOT_FOUND"


def test_another_write_to_the_entity_shows_what_no_read_did() -> None:
    client = Client(e.Unseen("", "delete_note"))
    note = client.save()["note"]
    read = client.call("get_note", note_id=note["id"])
    client.call("update_note", note_id=note["id"], body="new", expected_revision=1)
    assert client.call("get_note", note_id=note["id"])["note"]["body"] == "new"
    assert client.breakage is not None
    assert client.breakage.acted == 0
    client = Client(e.Unseen("", "update_note"))
    note = client.save()["note"]
    assert client.call("get_note", note_id=note["id"]) == read
    client.call("update_note", note_id=note["id"], body="new", expected_revision=1)
    assert client.call("get_note", note_id=note["id"]) == read
    assert client.breakage is not None
    assert client.breakage.acted == 1


def test_lives() -> None:
    client = Client(e.SwallowsRemovals("", MAKE))
    note = client.save()["note"]["id"]
    assert client.call("delete_note", note_id=note)["deleted"] == note
    assert note in client.server.notes
    client = Client(e.StillFinds("", MAKE))
    note = client.save()["note"]["id"]
    read = client.call("get_note", note_id=note)
    client.call("delete_note", note_id=note)
    assert client.call("get_note", note_id=note) == read
    client = Client(e.Unfinds("", MAKE, "NOT_FOUND"))
    assert client.call("get_note", note_id=client.save()["note"]["id"])["error"]["code"] == "NOT_FOUND"


def test_lists() -> None:
    def pages(breakage: Breakage) -> list[list[str]]:
        client = Client(breakage)
        for number in range(4):
            client.save(f"t{number}", f"key-number-{number}")
        first = client.call("list_notes", limit=2)
        second = client.call("list_notes", limit=2, cursor=first["next_cursor"])
        return [[entry["title"] for entry in page["notes"]] for page in (first, second)]

    assert pages(li.LosesEntry("", MAKE, "list_notes", "@/cursor", "/notes")) == [["t0", "t1"], ["t3"]]
    assert pages(li.RepeatsEntry("", "list_notes", "@/cursor", "/notes")) == [["t0", "t1"], ["t1", "t2", "t3"]]
    overfull = [["t0", "t1", "t1"], ["t2", "t3", "t3"]]
    assert pages(li.Overfills("", "list_notes", "/notes", "@/limit", 50)) == overfull
    assert pages(a.Reverses("", ("list_notes",), "/notes", "/title")) == [["t1", "t0"], ["t3", "t2"]]


@pytest.mark.parametrize(
    ("make", "found"),
    [(li.Drops, ["t0", "t2"]), (li.Repeats, ["t0", "t0", "t1", "t2"]), (li.Turns, ["t2", "t1", "t0"])],
)
def test_lists_of_several(make: type[li.Drops | li.Repeats | li.Turns], found: list[str]) -> None:
    client = Client(make("", "list_notes", "/notes"))
    assert client.breakage is not None
    client.save("t0")
    assert [note["title"] for note in client.call("list_notes")["notes"]] == ["t0"]
    assert client.breakage.acted == 0, "of one entry it has nothing to change"
    for number in (1, 2):
        client.save(f"t{number}", f"key-number-{number}")
    assert [note["title"] for note in client.call("list_notes")["notes"]] == found
    assert client.breakage.acted == 1


def test_a_read_drifts_only_while_nothing_is_written() -> None:
    client = Client(li.Drifts("", ("get_note",)))
    note = client.save()["note"]["id"]
    first, again = client.call("get_note", note_id=note), client.call("get_note", note_id=note)
    assert first != again
    client.save("other", "another-key")
    assert client.call("get_note", note_id=note) == first
    client = Client(li.Drifts("", ("get_note",), ("note",)))
    note = client.save()["note"]["id"]
    assert client.call("get_note", note_id=note) == client.call("get_note", note_id=note)


def test_bounds() -> None:
    bound = ("save_note",), "@/title", "characters", 3, True
    assert Client(a.Bounds("", *bound, beyond=False, code="INVALID_ARGUMENT")).save("abc")["isError"]
    assert not Client(a.Bounds("", *bound, beyond=False, code="INVALID_ARGUMENT")).save("ab")["isError"]


def test_who_acts_never_proves_nothing() -> None:
    client = Client(li.Stalls("", "save_note", "/note/nowhere", ()))
    client.save()
    assert client.breakage is not None
    assert client.breakage.acted == 0


def test_a_rising_number_stalls_within_its_own() -> None:
    client = Client(li.Stalls("", "update_note", "/note/revision", ("@/note_id",)))
    note = client.save()["note"]["id"]
    revisions = [
        client.call("update_note", note_id=note, body=f"b{n}", expected_revision=n)["note"]["revision"] for n in (1, 2)
    ]
    assert revisions == [2, 2]


def test_a_value_is_shared() -> None:
    client = Client(e.SharesValue("", MAKE, "/id"))
    assert client.save()["note"]["id"] == client.save("two", "a-second-key")["note"]["id"]

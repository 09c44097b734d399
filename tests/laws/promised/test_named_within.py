"""What callers name within what callers name: a key of a store is another one in another store."""

import json

import pytest

from conformance.certify import contract_of
from tests.laws.promised.desk import Desk

HEAD = """name = "stores"
[envelope]
failure_key = "error"
[[make]]
entity = "store"
id = "@/store"
make = { tool = "open", arguments = { store = "{{fresh.store}}" }, at = "/store" }
remove = { tool = "close", arguments = { store = "{{id}}" } }
[[make.states]]
name = "frozen"
enter = { tool = "freeze", arguments = { store = "{{id}}" } }
leave = { tool = "thaw", arguments = { store = "{{id}}" } }
[[make]]
entity = "entry"
id = "@/key"
revision = "/version"
make = { tool = "put", arguments = { store = "{{made.store}}", key = "{{fresh.key}}", value = "{{fresh.value}}" } }
read = { tool = "get", arguments = { store = "{{its.store}}", key = "{{id}}" } }
remove = { tool = "drop", arguments = { store = "{{its.store}}", key = "{{id}}" } }
[make.change]
tool = "put"
arguments = { store = "{{its.store}}", key = "{{id}}", value = "{{fresh.value}}", version = "{{revision}}" }
"""
LIST = 'list = { tool = "keys", at = "/keys" }\n'
"""A list of the keys of all stores."""
PROMISES = """[[requirement]]
id = "S-VERSION"
promise = { law = "revised", entity = "entry" }
[[requirement]]
id = "S-LIFE"
promise = { law = "lives", entity = "entry", codes = ["NO_KEY"] }
[[requirement]]
id = "S-SHOWN"
promise = { law = "shown", entity = "entry", tool = "put", fields = { value = "/value" } }
[[requirement]]
id = "S-GUARD"
promise = { law = "guarded", entity = "entry", tool = "put", expected = "@/version", codes = ["OLD"] }
[[requirement]]
id = "S-FROZEN"
promise = { law = "barred", tool = "drop", entity = "store", state = "frozen", codes = ["FROZEN"] }
[[requirement]]
id = "S-UNKNOWN"
[requirement.promise]
law = "refused"
tool = "get"
cause = "unknown"
entity = "entry"
argument = "@/key"
codes = ["NO_KEY"]
"""
WRITES = ("open", "close", "freeze", "thaw", "put", "drop", "keys")
KEY, ONE, OTHER = "key-0123456789", "store-0123456789", "store-abcdef0123"


class Stores(Desk):
    """Two stores are open; each method tells one call."""

    def __init__(self) -> None:
        super().__init__()
        for store in (ONE, OTHER):
            self.accepted("open", {"store": store}, {"store": {}})

    def put(self, store: str, version: int, value: str = "value-0123456789") -> None:
        self.accepted("put", {"store": store, "key": KEY, "value": value}, {"value": value, "version": version})

    def get(self, store: str, version: int, value: str = "value-0123456789", key: str = KEY) -> None:
        self.accepted("get", {"store": store, "key": key}, {"value": value, "version": version})

    def missing(self, store: str, code: str = "NO_KEY", key: str = KEY) -> None:
        self.refused("get", {"store": store, "key": key}, code)

    def drop(self, store: str) -> None:
        self.accepted("drop", {"store": store, "key": KEY}, {})


@pytest.fixture
def stores(tmp_path):
    def make(more=""):
        tools = [{"name": name, "inputSchema": {"type": "object"}} for name in WRITES]
        reads = {"name": "get", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
        (tmp_path / "contract.toml").write_text(HEAD.replace("[make.change]", f"{more}[make.change]"), "utf-8")
        (tmp_path / "requirements.toml").write_text(PROMISES, "utf-8")
        (tmp_path / "tools.json").write_text(json.dumps([*tools, reads]), "utf-8")
        rows = (f'[[error]]\ncode = "{code}"\nmeaning = "it says so"\n' for code in ("NO_KEY", "OLD", "FROZEN"))
        (tmp_path / "errors.toml").write_text("".join(rows), "utf-8")
        told = Stores()
        told.contract = contract_of(str(tmp_path))
        return told

    return make


@pytest.mark.parametrize(("store", "verdict"), [(OTHER, "not_observed"), (ONE, "fail")])
def test_the_same_key_in_another_store_is_no_change_of_it(stores, store, verdict):
    told = stores()
    told.put(ONE, 1)
    told.put(store, 1, "value-abcdef0123")
    assert told.verdict("S-VERSION") == verdict


def test_where_a_list_does_not_say_whose_keys_it_has_nothing_is_said(stores):
    told = stores(LIST)
    told.put(ONE, 1)
    told.put(OTHER, 1, "value-abcdef0123")
    told.get(ONE, 1)
    assert told.verdict("S-VERSION") == "not_observed"
    assert told.verdict("S-SHOWN") == "not_observed"


@pytest.mark.parametrize(("shown", "verdict"), [("value-0123456789", "pass"), ("value-abcdef0123", "fail")])
def test_a_read_shows_what_was_written_in_its_store(stores, shown, verdict):
    told = stores()
    told.put(ONE, 1)
    told.put(OTHER, 1, "value-abcdef0123")
    told.get(ONE, 1, shown)
    assert told.verdict("S-SHOWN") == verdict


def test_a_key_that_was_dropped_lives_on_in_another_store(stores):
    told = stores()
    told.put(ONE, 1)
    told.put(OTHER, 1)
    told.drop(ONE)
    told.get(OTHER, 1)
    told.missing(ONE)
    assert told.verdict("S-LIFE") == "pass"
    told.missing(OTHER)
    assert told.verdict("S-LIFE") == "fail"


def test_a_key_that_is_known_in_some_store_is_no_unknown_one(stores):
    told = stores()
    told.put(ONE, 1)
    told.get(ONE, 1)
    told.get(OTHER, 1)
    assert told.verdict("S-UNKNOWN") == "not_observed"
    told.get(ONE, 1, key="key-fedcba9876")
    assert told.verdict("S-UNKNOWN") == "fail"


@pytest.mark.parametrize(
    ("code", "verdict"), [("", "fail"), ("OLD", "pass"), ("NO_KEY", "fail")], ids=["accepted", "refused", "otherwise"]
)
def test_a_write_over_a_key_says_something_new_of_what_is_there(stores, code, verdict):
    told = stores()
    told.put(ONE, 1, "value-0000000001")
    told.put(ONE, 2, "value-0000000002")
    stale = {"store": ONE, "key": KEY, "value": "value-0000000003", "version": 1}
    if code:
        told.refused("put", stale, code)
    else:
        told.accepted("put", stale, {"value": stale["value"], "version": 3})
    current = {**stale, "value": "value-0000000004", "version": 2 if code else 3}
    told.accepted("put", current, {"value": current["value"], "version": 4})
    assert told.verdict("S-GUARD") == verdict


@pytest.mark.parametrize(("key", "verdict"), [(KEY, "fail"), ("key-fedcba9876", "not_observed")])
def test_what_a_call_takes_away_is_shown_to_be_open_by_another(stores, key, verdict):
    """No key can be dropped twice: that dropping is refused for ever is told by one that was dropped elsewhere."""
    told = stores()
    for store in (ONE, OTHER):
        told.put(store, 1)
    told.accepted("freeze", {"store": ONE}, {})
    told.accepted("thaw", {"store": ONE}, {})
    told.refused("drop", {"store": ONE, "key": key}, "FROZEN")
    told.drop(OTHER)
    assert told.verdict("S-FROZEN") == verdict

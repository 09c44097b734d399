"""What is masked, in which forms, and what is left alone."""

import base64
import json
from urllib.parse import quote

import msgspec
import pytest

from conformance.drive.command_line import hidden
from conformance.drive.masking import Masking
from conformance.drive.ordinary import ordinary, says_secret
from conformance.drive.private import of_header, of_statement, without
from conformance.model.events import Event, Message

SECRET = "Tr0ub4dor&3 /ünï+x="


def masking(*secrets: str, named: bool = True) -> Masking:
    made = Masking()
    for number, secret in enumerate(secrets):
        made.add(secret, str(number), named=named)
    return made


def forms(value: str) -> list[str]:
    octets = value.encode()
    return [
        value,
        f"before {value} after",
        json.dumps({"a": value}),
        json.dumps({"a": value}, ensure_ascii=False),
        json.dumps({"inner": json.dumps({"a": value})}),
        quote(value),
        quote(value, safe=""),
        quote(value, safe="").lower().replace(value.lower(), value) if value.isalnum() else quote(value, safe=""),
        *(base64.b64encode(b"x" * n + octets + b"yz").decode() for n in range(4)),
        *(base64.urlsafe_b64encode(b"x" * n + octets).decode() for n in range(4)),
        octets.hex(),
        octets.hex().upper(),
        base64.b32encode(octets).decode(),
        "".join(f"%{octet:02X}" for octet in octets),
        *(
            "".join(escape.format(ord(character)) for character in value)
            for escape in ("&#{};", "&#x{:x};", "\\x{:02x}", "\\u{:04x}")
        ),
        *((value.upper(), value.lower()) if len(value) >= 12 else ()),
    ]


@pytest.mark.parametrize("secret", [SECRET, "tok-1", "literal-1234", "sk-live-51Habcdefghijklmnop", "73519264"])
def test_each_form_is_masked(secret: str) -> None:
    known = masking(secret)
    for form in forms(secret):
        event = Message(connection="c1", direction="in", payload={"said": [form], form: 1}, t=1)
        line = known.masked(msgspec.json.encode(event))
        assert line.count("«secret:0»".encode()) == 2, (form, line.decode())
        assert secret not in line.decode()
        msgspec.json.decode(line, type=Event)
        assert "«secret:0»" in known.text(form)


def test_a_number_that_is_a_secret_leaves_valid_json() -> None:
    known = masking("73519264")
    event = Message(connection="c1", direction="in", payload={"k": 73519264, "other": 173519264}, t=73519264)
    line = known.masked(msgspec.json.encode(event))
    shown = msgspec.json.decode(line, type=Event)
    assert isinstance(shown, Message)
    assert shown.payload == {"k": "«secret:0»", "other": 173519264}
    assert shown.t == 73519264


@pytest.mark.parametrize("cut", range(20, 60, 7))
def test_of_a_secret_across_a_cut_nothing_stays(cut: int) -> None:
    secret = "abc-" + "0123456789" * 5
    known = masking(secret)
    text = "x" * 18 + secret + "y" * 30
    shown = known.beginning(text, cut)
    assert shown.startswith("x" * 18)
    assert "abc-0" not in shown
    end = known.end("y" * 30 + secret + "x" * 18, cut)
    assert "789" not in end
    assert end.endswith("x" * 18)


def test_what_a_server_cut_itself_is_masked_where_the_greater_part_is_there() -> None:
    secret = "sk-live-51Habcdefghijklmnop"
    assert masking(secret).text(f"key {secret[:20]}… is wrong") == "key «secret:0»… is wrong"
    assert masking(secret).text(f"key {secret[:7]}…") == f"key {secret[:7]}…"


@pytest.mark.parametrize("value", ["1", "true", "message", "Bearer", "8080", "application", "Production", ""])
def test_an_ordinary_value_is_not_looked_for(value: str) -> None:
    known = Masking()
    assert not known.add(value, "x")
    line = msgspec.json.encode(Message(connection="c1", direction="in", payload={"message": value, "n": 1}, t=8080))
    assert known.masked(line) == line


def test_what_is_no_secret_by_its_name_is_less_easily_one() -> None:
    for value in (
        "/srv/app2/data",
        "http://host:1/x",
        "application/json",
        "127.0.0.1:8080",
        "localhost:80",
        "3600000",
        "{tmp}/x1",
    ):
        assert ordinary(value, named=False)
    assert "«private:0»" in masking("acme-4711", named=False).text("to acme-4711!")


def test_names_that_say_secret() -> None:
    named = ("X-Api-Key", "Authorization", "OPENAI_API_KEY", "dbPassword", "accesstoken", "--token", "X-Session-Id")
    others = ("NODE_ENV", "MAX_TOKENS", "KEY_FILE", "AUTH_URL", "author", "keyword", "SESSION_TIMEOUT", "monkey")
    assert all(map(says_secret, named))
    assert not any(map(says_secret, others))


def test_names_of_the_suite_itself_stay() -> None:
    """A secret that reads like a field of an event hides values alone."""
    known = masking("call_timeout_ms", "main-1")
    event = Message(connection="main-1", direction="in", payload={"a": "call_timeout_ms of main-1"}, t=1)
    shown = msgspec.json.decode(known.masked(msgspec.json.encode(event)), type=Event)
    assert isinstance(shown, Message)
    assert (shown.connection, shown.payload) == ("main-1", {"a": "«secret:0» of «secret:1»"})


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("npx x --token abc-1 --port 80", "npx x --token '***' --port 80"),
        ("env API_KEY=abc-1 DEBUG=1 x", "env 'API_KEY=***' DEBUG=1 x"),
        ("x --api-key=abc-1", "x '--api-key=***'"),
        ("curl -H 'Authorization: Bearer abc' http://u:p@h/x?k=v", "curl -H 'Authorization: ***' 'http://***:***@h/x?k=***'"),
        ("conformance run --header 'X-Key: env:K'", "conformance run --header 'X-Key: env:K'"),
        ("conformance run --header Authorization: Bearer abc", "conformance run --header Authorization: Bearer '***'"),
        ("run --server-command 'x --token abc'", "run --server-command 'x --token '\"'\"'***'\"'\"''"),
        ("conformance run --signing-key test.json", "conformance run --signing-key test.json"),
        ("x a8f3k2jd9s8f7g6h5j4k", "x '***'"),
        ("x --server-url=http://h/?key=v", "x '--server-url=http://h/?key=***'"),
        ("python -c 'print(1)'", "python -c 'print(1)'"),
    ],
)  # fmt: skip
def test_commands_are_shown_without_their_secrets(command: str, shown: str) -> None:
    assert hidden(command) == shown


def test_a_statement_is_shown_with_placeholders() -> None:
    statement = {
        "endpoint": [
            {
                "url": "{listening}/mcp?key=abc",
                "env": {"TOKEN": "t-1", "LEVEL": "debug", "DATA": "/srv/x", "DB": "postgres://u:p@h/d", "T": "env:T"},
                "headers": {"X-Tenant": "acme", "Authorization": "env:AUTH"},
            }
        ],
        "conditions": {
            "start": {"a": {"args": ["--key", "k-1"], "env": {"PW": "x"}}},
            "command": {"b": {"on": "x --key=1"}},
        },
        "store": {"kept": True, "args": ["--password", "s-1", "--db", "{tmp}/db"], "env": {"SECRET": "s-2"}},
    }  # fmt: skip
    shown = without(statement)
    assert shown["endpoint"][0] == {
        "url": "{listening}/mcp?key=***",
        "env": {"TOKEN": "***", "LEVEL": "debug", "DATA": "/srv/x", "DB": "***", "T": "env:T"},
        "headers": {"X-Tenant": "***", "Authorization": "env:AUTH"},
    }
    assert shown["conditions"]["start"]["a"] == {"args": ["--key", "***"], "env": {"PW": "***"}}
    assert shown["conditions"]["command"]["b"] == {"on": "x '--key=***'"}
    assert shown["store"] == {
        "kept": True, "args": ["--password", "***", "--db", "{tmp}/db"], "env": {"SECRET": "***"},
    }  # fmt: skip
    found = {each.value for each in of_statement(statement)}
    assert {"s-1", "s-2", "abc", "t-1", "acme", "p", "k-1", "x", "1"} <= found


def test_a_header_holds_more_than_one_secret() -> None:
    basic = base64.b64encode(b"jim:pw-1234").decode()
    assert {each.value for each in of_header("Authorization", f"Basic {basic}")} >= {basic, "jim", "pw-1234"}
    assert "s-1" in {each.value for each in of_header("Cookie", "a=b; session=s-1")}


@pytest.mark.parametrize("issuer_first", [True, False])
def test_of_a_secret_that_holds_another_nothing_stays(issuer_first: bool) -> None:
    issuer = "https://issuer.example"
    payload = base64.urlsafe_b64encode(json.dumps({"iss": issuer, "aud": "own"}).encode()).decode().rstrip("=")
    token = f"eyJhbGciOiJFZERTQSJ9.{payload}.s8wdO6eDGTZp4r5AJrKdjlZqxcRkqkjSTyYMDxfrt7jFI5mDSKVWqyzDh"
    masking = Masking()
    for value, name in ((issuer, "environment AUTH_ISSUER"), (token, "token of a"))[:: 1 if issuer_first else -1]:
        assert masking.add(value, name)
    assert masking.text(f"Bearer {token} by {issuer}") == (
        "Bearer «secret:token of a» by «secret:environment AUTH_ISSUER»"
    )


def test_of_secrets_that_overlap_nothing_stays() -> None:
    masking = Masking()
    masking.add("first-secret-9f27ab-shared-part", "first")
    masking.add("shared-part-5d81c0-and-much-longer-than-the-first", "second")
    shown = masking.text("x first-secret-9f27ab-shared-part-5d81c0-and-much-longer-than-the-first y")
    assert shown == "x «secret:second» y"

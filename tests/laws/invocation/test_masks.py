"""Which values stand for something that was taken out, and which give it away."""

import pytest

from conformance.contracts.invocation.calls import says_secret
from conformance.contracts.invocation.markers import MARKER, masked
from conformance.model.events import Json


@pytest.mark.parametrize(
    "value",
    [None, "", [], {}, "***", "***-**-****", "xxx-xx-xxxx", "[redacted]", "<REDACTED:ssn>", "(value removed)",
     "█████", "hidden by policy", "secret"],
)  # fmt: skip
def test_a_mask_tells_nothing(value: Json) -> None:
    assert masked(value)


@pytest.mark.parametrize(
    "value",
    ["123-45-6789", "***-**-6789", "tok_abc", "swordfish", 5, 0, False, ["x"], {"a": 1}, "[redacted 6789]",
     "«private:planted one»"],
)  # fmt: skip
def test_what_is_left_gives_it_away(value: Json) -> None:
    assert not masked(value)


@pytest.mark.parametrize(
    "name", ["Authorization", "X-API-Key", "client_secret", "accessToken", "PASSWORD", "a-p-i_key"]
)
def test_names_of_secrets(name: str) -> None:
    assert says_secret(name)


@pytest.mark.parametrize("name", ["pageToken", "next-token", "tokens", "tenant", "locale", "key", "author"])
def test_names_of_no_secrets(name: str) -> None:
    assert not says_secret(name)


def test_what_a_marker_is() -> None:
    assert MARKER.findall("a «private:planted x» b «secret:token of c» c «private:url»") == [
        "«private:planted x»",
        "«secret:token of c»",
    ]

"""The clock of a target: what a Date tells of it, and the tokens that go by it."""

import time
from email.utils import formatdate
from pathlib import Path

import jwt
import pytest

from conformance.drive.place import Place
from conformance.drive.recorder import Recorder
from conformance.drive.statement import Statement
from conformance.drive.target import entry
from conformance.drive.wallet import Wallet
from conformance.model.envelope import PLAIN

STATEMENT = Statement.model_validate(entry("reference").statement("threads", transport="in-process"))


def place(*dates: str | None) -> Place:
    """One whose responses had these dates."""
    found = Place("http://127.0.0.1:9/mcp")
    for date in dates:
        found.tells(date)
    return found


@pytest.mark.parametrize(
    ("ahead_s", "skew_s"), [(0, 0), (2, 0), (-2, 0), (90, 90), (-90, -90), (80_000, 80_000), (90_000, 0)]
)
def test_what_a_date_tells(ahead_s: int, skew_s: int) -> None:
    assert place(formatdate(time.time() + ahead_s, usegmt=True)).skew_s == pytest.approx(skew_s, abs=2)


@pytest.mark.parametrize("date", [None, "", "yesterday", "Mon, 99 Nov 2026 00:00:00 GMT", "9" * 5000])
def test_what_is_no_date_tells_nothing(date: str | None) -> None:
    assert not place(date).skew_s
    assert place(formatdate(time.time() + 90, usegmt=True), date).skew_s


def test_a_clock_that_is_set_right_counts_from_then_on() -> None:
    now = time.time()
    found = place(formatdate(now + 90, usegmt=True))
    before = found.skew_s
    found.tells(formatdate(now + 91, usegmt=True))
    assert found.skew_s == before, "a second more or less is how dates are told"
    found.tells(formatdate(now, usegmt=True))
    assert not found.skew_s


def test_tokens_go_by_the_clock_that_is_known() -> None:
    skew_s = 0
    recorder = Recorder(PLAIN)
    wallet = Wallet(STATEMENT, recorder, base=Path(), nonce="n", default_role="orchestrator", skew_s=lambda: skew_s)
    good, bad = (wallet.credential("worker", "a", defect, {}) for defect in (None, "signature"))

    def issued(name: str) -> int:
        token = (wallet.token(name) or "").removeprefix("Bearer ")
        return int(jwt.decode(token, options={"verify_signature": False})["iat"])

    first, broken = issued(good), wallet.token(bad)
    skew_s = -200
    assert issued(good) == pytest.approx(first - 200, abs=2)
    assert wallet.token(bad) == broken, "what is wrong with it is its own"
    later = wallet.credential("worker", "b", None, {})
    assert issued(later) == pytest.approx(first - 200, abs=2)
    skew_s = 0
    assert issued(good) == first

"""Tokens that are minted for a target: a bad one differs from the good one in nothing but what is bad."""

import time
from pathlib import Path

import jwt
import pytest

from conformance.drive.credentials import Minter
from conformance.drive.statement import Auth
from conformance.drive.target import entry
from conformance.model.events import Credential

AUTH = Auth.model_validate(entry("reference").statement("threads", transport="in-process")["auth"])
GOOD = Credential(name="a", role="worker", claims={"agent_id": "a"})


def minted(monkeypatch: pytest.MonkeyPatch, *defects: str | None) -> list[str]:
    """Tokens of one caller with these defects, each made ten seconds after the one before."""
    minter, tokens, began = Minter(AUTH, Path()), list[str](), time.time()
    for place, defect in enumerate(defects):
        monkeypatch.setattr("conformance.drive.credentials.time.time", lambda at=began + 10 * place: at)
        tokens.append(minter.mint(Credential(name="a", role=GOOD.role, claims=GOOD.claims, defect=defect)))
    return tokens


def test_a_forged_token_differs_in_its_signature_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    good, forged = (token.rpartition(".") for token in minted(monkeypatch, None, "signature"))
    assert good[0] == forged[0]
    assert good[2] != forged[2]


def test_a_token_without_a_claim_has_all_others_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = (
        jwt.decode(token, options={"verify_signature": False}) for token in minted(monkeypatch, None, "missing:jti")
    )
    assert bad == {name: value for name, value in good.items() if name != "jti"}


def test_an_expired_token_is_past_its_exp_when_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = (
        jwt.decode(token, options={"verify_signature": False}) for token in minted(monkeypatch, None, "expired:90")
    )
    assert good["iat"] + 11 - 90 == bad["exp"]

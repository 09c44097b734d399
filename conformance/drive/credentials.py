"""Tokens: minted with the target's test key, whole or with one thing wrong, or taken from its statement."""

import json
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from conformance.drive.errors import SkipError, UsageError
from conformance.drive.secrets import resolved
from conformance.drive.signing import PLAIN, UNSIGNED, SigningKey
from conformance.drive.statement import Auth, Token
from conformance.model.events import Credential, Json

LIFETIME_S = 3600
PAST_S = 7200
"""Well beyond the tolerance of a minute that a verifier may have."""
ISSUED_S = 60
"""How old a token is when it is made: the verifier's clock may be behind, and need not tolerate that."""


class Minter:
    """Makes tokens that the target's verifier accepts, and such as it must not."""

    def __init__(self, auth: Auth, base: Path) -> None:
        self._auth = auth
        self._key = SigningKey.of(auth, base)
        self._first: dict[str, tuple[str, int]] = {}
        """By caller, the jti and the time of all its tokens: a good and a bad one differ in nothing but what is bad.

        Then a server that remembers the good one by what is signed, and not by its signature, takes the bad one.
        """

    def mint(self, credential: Credential, ahead_s: float = 0, skew_s: int = 0) -> str:
        """The token that a credential describes. `ahead_s`: it is good as well where the calendar is so far ahead.

        `skew_s` is how far the verifier's clock seems to be ahead of this machine's. A good token is good by both
        clocks, and what is wrong with the time of a bad one is wrong by both.
        """
        now = int(time.time())
        caller = json.dumps([credential.role, credential.claims, skew_s], sort_keys=True)
        jti, began = self._first.setdefault(caller, (str(uuid.uuid4()), now))
        claims: dict[str, Any] = {
            "iat": began + min(skew_s, 0) - ISSUED_S,
            "exp": began + max(skew_s, 0) + LIFETIME_S + int(ahead_s),
            "jti": jti,
            **credential.claims,
        }
        claims["role"] = self._auth.roles.get(credential.role, credential.role)
        if self._auth.issuer is not None:
            claims["iss"] = self._auth.issuer
        if self._auth.audience is not None:
            claims["aud"] = self._auth.audience
        claims |= _spoiled(credential.defect, now + min(skew_s, 0), now + max(skew_s, 0))
        kind, _, name = (credential.defect or "").partition(":")
        if kind == "missing":
            claims.pop(name, None)
        claims = {self._auth.claim_names.get(claim, claim): value for claim, value in claims.items()}
        return self._signed(claims, kind, name)

    def _signed(self, claims: Mapping[str, Json], kind: str, form: str) -> str:
        """A token, signed as it is to be, unless its defect lies there: each may have several forms."""
        match kind, form:
            case "alg_none", _:
                return self._key.unsigned(claims, form or UNSIGNED)
            case "algorithm", _:
                return self._key.confused(claims, form or PLAIN)
            case "signature", "empty":
                return self._key.unsigned(claims, self._key.algorithm)
            case "signature", "brought":
                return self._key.brought(claims)
            case "signature", _:
                return _tampered(self._key.sign(claims))
            case _:
                return self._key.sign(claims)


def prove(auth: Auth, base: Path, role: str | None) -> None:
    """UsageError where the statement's key signs nothing, or where it has tokens and none for the ordinary caller."""
    if auth.signing_key is None:
        known = {token.role for token in auth.tokens}
        if auth.tokens and role is not None and role not in known:
            raise UsageError(
                f"[[auth.tokens]] has no token for the role {role}",
                why=f"calls that test no roles are made as {role}; there are tokens for {', '.join(sorted(known))}",
                todo=f'add one with role = "{role}", or give a signing key',
            )
        return
    import jwt  # noqa: PLC0415 -- a tenth of a second that only a target with tokens needs

    try:
        Minter(auth, base).mint(Credential(name="", role=""))
    except (ValueError, TypeError, NotImplementedError, jwt.PyJWTError) as error:
        why = str(error).partition("\n")[0]
        raise UsageError(
            "the signing key signs no token", "auth.signing_key", why, "give another key, or name another algorithm"
        ) from error


def _spoiled(defect: str | None, early: int, late: int) -> dict[str, Any]:
    """The claims that a defect replaces. `expired:90` is so many seconds past its exp, `not_yet:180` before its iat.

    `type:exp`: a list stands there. `early` and `late` are what time it may be for the verifier.
    """
    kind, _, detail = (defect or "").partition(":")
    apart = int(detail) if detail.isdecimal() else PAST_S
    spoiled: dict[str, dict[str, Any]] = {
        "expired": {"iat": early - apart - LIFETIME_S, "exp": early - apart},
        "not_yet": {"iat": late + apart, "exp": late + apart + LIFETIME_S},
        "audience": {"aud": "someone.else"},
        "issuer": {"iss": "https://someone.else.example"},
        "type": {detail: ["of another type"]},
    }
    return spoiled.get(kind, {})


def provided(tokens: list[Token], role: str, number: int, wanted: Mapping[str, Json], base: Path) -> tuple[Token, str]:
    """The statement's n-th token for a role whose claims agree with what is wanted; SkipError where it has fewer."""
    fitting = [t for t in tokens if t.role == role and all(t.claims.get(name) == v for name, v in wanted.items())]
    if number >= len(fitting):
        claims = ", ".join(f"{name} {value}" for name, value in wanted.items())
        whose = f"{role} with {claims}" if claims else role
        lack = f"no {_nth(len(fitting))}token for role {whose}, and no signing key to make one with"
        raise SkipError(f"{lack}; give --signing-key, or [[auth.tokens]] in conformance.toml")
    return fitting[number], resolved(fitting[number].token, base)


def _nth(number: int) -> str:
    """Which one of several is lacking."""
    return "" if number == 0 else "second " if number == 1 else "further "


def _tampered(token: str) -> str:
    """Another signature of the same length: its first character, which carries six whole bits, is another one."""
    head, _, signature = token.rpartition(".")
    return f"{head}.{'A' if signature[0] != 'A' else 'B'}{signature[1:]}"

"""The credentials of one run: who calls, with which token, each made at its first use."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from conformance.drive.credentials import Minter, provided
from conformance.drive.errors import SkipError
from conformance.drive.recorder import Recorder
from conformance.drive.statement import Statement
from conformance.model.events import Credential, Json

GARBAGE = "not-a-token"
AHEAD_S = 600
"""So far ahead a calendar has to be moved for an ordinary token not to do."""


@dataclass
class _Held:
    token: str | None
    credential: Credential
    skew_s: int
    """How far the target's clock was known to be ahead of this machine's when it was made."""


class Wallet:
    """Those that were made so far; each is written down, and its token masked, as it is made."""

    def __init__(  # noqa: PLR0913 -- what a wallet is made of, each by name
        self,
        statement: Statement,
        recorder: Recorder,
        *,
        base: Path,
        nonce: str,
        default_role: str | None,
        skew_s: Callable[[], int] = lambda: 0,
    ) -> None:
        self._auth = statement.auth
        self._recorder = recorder
        self._base = base
        self._nonce = nonce
        self._default_role = default_role
        self._held: dict[str, _Held] = {}
        self._skew_s = skew_s
        self._later: dict[tuple[str, float, int], str] = {}
        """Tokens that are good at a calendar that was moved far ahead, or by a clock that turned out to be wrong."""
        self._agents: dict[str, dict[str, int]] = {}

    @cached_property
    def _minter(self) -> Minter | None:
        return Minter(self._auth, self._base) if self._auth.signing_key is not None else None

    @cached_property
    def default(self) -> str | None:
        """Who calls where a stimulus names nobody."""
        authenticated = self._minter is not None or self._auth.tokens
        return self.credential(self._default_role, "", None, {}) if self._default_role and authenticated else None

    @property
    def default_token(self) -> str | None:
        """Its token."""
        name = self.default
        return self.token(name) if name is not None else None

    def credential(self, role: str, agent: str, defect: str | None, claims: Mapping[str, Json]) -> str:
        """A credential for a role, made at first use; SkipError where the target's statement provides none.

        Different agents of a role are different callers: so many agents, so many tokens.
        """
        name = "/".join(filter(None, (role, agent, *(f"{k}={v}" for k, v in claims.items()), defect)))
        if name not in self._held:
            credential = Credential(name=name, role=role, claims=self._claims(role, agent, claims), defect=defect)
            token: str | None = None
            if defect == "garbage":
                token = GARBAGE
            elif defect != "missing":
                credential, token = self._proved(credential, agent, claims)
                self._recorder.secret(token, f"token of {name}")
            self._recorder.write(credential)
            self._held[name] = _Held(f"Bearer {token}" if token is not None else None, credential, self._skew_s())
        return name

    def _proved(self, wanted: Credential, agent: str, claims: Mapping[str, Json]) -> tuple[Credential, str]:
        """A credential with its token: minted, or the statement's own with the claims that it names."""
        if self._minter is not None:
            return wanted, self._minter.mint(wanted, skew_s=self._skew_s())
        if wanted.defect is not None:
            message = f"no signing key to make a token with the defect {wanted.defect}"
            raise SkipError(message)
        agents = self._agents.setdefault(wanted.role, {})
        number = agents.setdefault(agent, len(agents))
        given, token = provided(self._auth.tokens, wanted.role, number, claims, self._base)
        return Credential(name=wanted.name, role=wanted.role, claims=given.claims), token

    def _claims(self, role: str, agent: str, claims: Mapping[str, Json]) -> dict[str, Json]:
        agent_id = claims.get("agent_id", "-".join(filter(None, (agent or role, self._nonce))))
        own = {"agent_id": agent_id, "workspace_id": f"ws-{self._nonce}", "session_id": f"session-{agent_id}"}
        return {**own, **self._auth.fixed, **claims}

    def token(self, name: str, ahead_s: float = 0) -> str | None:
        """The Authorization header's value for a credential; None where it has no token.

        Where the calendar is that far ahead, the token is one that has not expired by it. So is one by a clock that
        was not known to be ahead or behind when the first was made.
        """
        held, skew_s = self._held[name], self._skew_s()
        ahead_s = ahead_s if ahead_s >= AHEAD_S else 0
        does = not ahead_s and skew_s == held.skew_s
        if does or self._minter is None or held.token is None or held.credential.defect is not None:
            return held.token
        key = name, ahead_s, skew_s
        if key not in self._later:
            token = self._minter.mint(held.credential, ahead_s, skew_s)
            self._recorder.secret(token, f"token of {name}, {ahead_s + skew_s:g} s ahead")
            self._later[key] = f"Bearer {token}"
        return self._later[key]

    def claims(self, name: str) -> dict[str, Json]:
        """The claims of a credential."""
        return dict(self._held[name].credential.claims)

"""The configuration of one instance, read once from its settings."""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from msgspec import Struct

from reference_server.application import Json
from reference_server.tuitbot.editions import SESSION_05, Edition, Profile
from reference_server.tuitbot.policy import Mode, Policy
from reference_server.tuitbot.toolkit.scoring import ScoringConfig
from reference_server.tuitbot.x.seed import OWN

REMEMBERING: Final[frozenset[Profile]] = frozenset({"workflow", "write", "admin"})
"""Profiles over a database; the others act raw."""
Backend = Literal["x_api", "scraper"]
SHOWN: Final = 4
"""Characters of a secret that stay readable at either end, where it is longer than twice as many."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of the account. Days are UTC days."""

    max_replies_per_day: int = 5
    max_tweets_per_day: int = 6
    max_threads_per_week: int = 1
    max_replies_per_author_per_day: int = 1
    banned_phrases: tuple[str, ...] = ("check out", "you should try", "I recommend", "link in bio")


class Business(Struct, frozen=True, forbid_unknown_fields=True):
    """What the account is about."""

    product_name: str = "Tuitbot"
    product_url: str = "https://tuitbot.example"
    product_keywords: tuple[str, ...] = ("automation", "developer tools", "testing", "productivity", "rust")
    target_accounts: tuple[str, ...] = ("ada_codes", "margaret_flies")
    industry_topics: tuple[str, ...] = ("developer tools", "testing", "automation")


class Scoring(Struct, frozen=True, forbid_unknown_fields=True):
    """From which total on a tweet is worth an answer."""

    threshold: float = 60.0


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """Secrets of the account; they leave the server only masked."""

    x_client_id: str = "reference-client-id"
    x_client_secret: str = "reference-client-secret"  # noqa: S105 - a made-up one, to be masked
    llm_api_key: str = "reference-llm-key"


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of an instance; each has the default of a fresh server."""

    profile: Profile = "workflow"
    mode: Mode = "autopilot"
    approval_mode: bool = True
    x_client: bool = True
    """Whether an X client is configured."""
    backend: Backend = "x_api"
    """How X is reached: by its API, or by a scraper that reads its pages and may change nothing."""
    llm: bool = True
    """Whether an LLM provider is configured."""
    limits: Limits = Limits()
    business: Business = Business()
    scoring: Scoring = Scoring()
    policy: Policy = Policy()
    credentials: Credentials = Credentials()

    @property
    def user_id(self) -> str:
        """The account as which the server acts."""
        return OWN

    @property
    def remembers(self) -> bool:
        """Whether the profile has a database, and with it a gate, and tells its mode in every answer."""
        return self.profile in REMEMBERING

    @property
    def approval(self) -> bool:
        """The effective approval state: composer forces it."""
        return self.approval_mode or self.mode == "composer"

    @property
    def scoring_config(self) -> ScoringConfig:
        """What scoring alone needs."""
        return ScoringConfig(threshold=self.scoring.threshold, keywords=self.business.product_keywords)

    def shown(self) -> dict[str, Json]:
        """As JSON, setting by setting; secrets are masked."""
        shown: dict[str, Json] = msgspec.to_builtins(self)
        shown["credentials"] = {name: masked(secret) for name, secret in shown["credentials"].items()}
        return shown

    @classmethod
    def of(cls, settings: Mapping[str, Json] | None, edition: Edition = SESSION_05) -> "Config":
        """Those given, defaults for the rest. ValueError: a setting that there is not, or that does not fit."""
        try:
            found = msgspec.convert({"profile": edition.profile, **(settings or {})}, cls)
        except msgspec.ValidationError as error:
            raise ValueError(str(error)) from error
        if found.profile not in edition.profiles:
            message = f"profile {found.profile!r} is none of {edition.name}: {', '.join(edition.profiles)}"
            raise ValueError(message)
        if found.backend != "x_api" and not edition.guards:
            message = f"{edition.name} reaches X by its API alone: it has no backend {found.backend!r}"
            raise ValueError(message)
        return found


def masked(secret: str) -> str:
    """A secret as it may be shown."""
    return f"{secret[:SHOWN]}...{secret[-SHOWN:]}" if len(secret) > 2 * SHOWN else "****"

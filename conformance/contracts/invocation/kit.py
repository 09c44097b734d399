"""The kit: the tools by which any implementation is tested, as schemas/invocation/kit.json holds them."""

import tomllib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec import Struct

from conformance.contract.catalogue import folder
from conformance.model.events import Json

Effect = Literal["Pure", "IdempotentWrite", "NonIdempotentWrite", "ExternalSideEffects"]
INVOKE = "invoke"
DESCRIBE = "describe_tools"
RECORDS = "read_records"
EVENT, SPAN, AUDIT, EXECUTION = "event", "span", "audit", "execution"
KINDS = (EXECUTION, EVENT, SPAN, AUDIT)
SETTLED_S = 1.5
"""What a server is given to write its records: no clause says that they are there with the answer."""
PROVIDER_CODE = "UPSTREAM_503"
"""What the service behind the flaky tools says when it fails."""


class Retry(Struct, frozen=True):
    """How often the runtime tries."""

    maxAttempts: int  # noqa: N815 -- the wire's own name


class Policies(Struct, frozen=True):
    """What holds for a tool, as a policySnapshot shows it."""

    timeoutMs: int  # noqa: N815 -- the wire's own name
    retry: Retry
    rateLimitIds: tuple[str, ...] = ()  # noqa: N815 -- as above
    circuitState: str = "closed"  # noqa: N815 -- as above
    concurrencyLimit: int | None = None  # noqa: N815 -- as above
    budgetId: str | None = None  # noqa: N815 -- as above


class RateLimit(Struct, frozen=True):
    """So many calls in any span of so many milliseconds."""

    id: str
    calls: int
    windowMs: int  # noqa: N815 -- the wire's own name


class Circuit(Struct, frozen=True):
    """It opens after so many failures in a row, and is half-open after so many milliseconds."""

    failures: int
    resetMs: int  # noqa: N815 -- the wire's own name


class Budget(Struct, frozen=True):
    """So many units a tenant, never refilled."""

    id: str
    units: int


class Failing(Struct, frozen=True):
    """How a tool that never gives a good output fails."""

    code: str


class Rules(Struct, frozen=True):
    """What the kit says of a tool beyond what describe_tools shows."""

    cache: Literal["may", "never"] = "may"
    rateLimit: RateLimit | None = None  # noqa: N815 -- the wire's own name
    circuit: Circuit | None = None
    budget: Budget | None = None
    backoffMs: int = 0  # noqa: N815 -- as above
    fails: Failing | None = None


class KitTool(Struct, frozen=True):
    """A tool of the kit."""

    name: str
    origin: str
    versions: tuple[str, ...]
    effect: Effect
    inputSchema: dict[str, Json]  # noqa: N815 -- the wire's own name
    outputSchema: dict[str, Json]  # noqa: N815 -- as above
    requiredScopes: tuple[str, ...]  # noqa: N815 -- as above
    policies: Policies
    redactionRules: tuple[str, ...]  # noqa: N815 -- as above
    kit: Rules

    @property
    def repeatable(self) -> bool:
        """Whether what may have happened may happen again."""
        return self.effect in ("Pure", "IdempotentWrite")

    @property
    def follows_input(self) -> bool:
        """Whether its input alone tells what it gives: not what was written before, nor what is left of a budget."""
        return self.effect == "Pure" and self.kit.cache == "may" and self.kit.budget is None


@cache
def kit() -> Mapping[str, KitTool]:
    """The tools of the kit by their names."""
    rows = msgspec.json.decode(folder("invocation", "kit.json").read_bytes(), type=list[KitTool])
    return MappingProxyType({row.name: row for row in rows})


class Taxonomy(Struct, frozen=True):
    """The classes of errors with their codes, and when a code is retryable, by the effect of the tool."""

    classes: dict[str, tuple[str, ...]]
    retryable: dict[str, dict[str, Literal["yes", "no", "if_not_run"]]]


@cache
def taxonomy() -> Taxonomy:
    """The taxonomy of the document."""
    return msgspec.convert(tomllib.loads(folder("invocation", "taxonomy.toml").read_text("utf-8")), Taxonomy)

"""The bench of the invocation contract: it invokes tools in the name of a tenant, and reads what was recorded."""

import asyncio
import random
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, timezone

from conformance.contracts.invocation.kit import (
    DESCRIBE,
    EVENT,
    EXECUTION,
    INVOKE,
    RECORDS,
    SETTLED_S,
    kit,
)
from conformance.drive.bench import Bench
from conformance.drive.errors import SkipError
from conformance.drive.revisions import STATELESS
from conformance.drive.secrets import mark
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.revision import LOG_LEVEL_KEY, SET_LEVEL

ROLE = "caller"
WRITE, READ = "kit.write", "records"
LOOKS_S = (0.05, 0.1, 0.2, 0.4)
"""Pauses between looks for records that are not there yet: a server may write them after its answer."""
ENDED = frozenset({"ToolSucceeded", "ToolFailed"})
NEVER_RAN = ("ContractError", "AuthError")
"""Classes of refusals of which there may be no records: they are waited for less long."""
HOUR_S = 3600
MICROSECONDS = 1_000_000


@dataclass(frozen=True)
class InvocationBench(Bench):
    """Limits count per tenant: each stimulus has one of its own, and `apart` gives another."""

    tenant: str = ""
    unshown: dict[tuple[str, str], Exchange] = field(default_factory=dict)
    """Calls of which not all records of a kind were shown when they were looked for, by correlation and kind."""

    def apart(self) -> "InvocationBench":
        """The same bench in the name of a tenant that nobody else has."""
        return replace(self, tenant=self.unique("tenant"))

    # Callers

    def who(self, *scopes: str, defect: str | None = None) -> str:
        """A caller with these scopes; SkipError where the target's statement provides none."""
        return self.credential(ROLE, defect=defect, scopes=list(scopes))

    def perhaps(self, *scopes: str, defect: str | None = None) -> str | None:
        """A caller with these scopes, where the target's statement provides one."""
        try:
            return self.who(*scopes, defect=defect)
        except SkipError:
            return None

    @property
    def trusted(self) -> str | None:
        """A caller with every scope of the kit; whoever calls by default where the target asks for no tokens."""
        return self.perhaps(WRITE, READ)

    @property
    def nobody(self) -> str:
        """A caller without a token."""
        return self.credential(ROLE, defect="missing")

    # Calls

    def invocation(self, tool: str, given: Json, without: tuple[str, ...] = (), **fields: Json) -> dict[str, Json]:
        """The Invocation object: with a correlation of its own, its tenant, and a key where the tool needs one."""
        known = kit().get(tool)
        whole: dict[str, Json] = {
            "toolName": tool,
            "input": given,
            "correlationId": self.unique("c"),
            "headers": {"tenant": self.tenant or f"tenant-{self.session.nonce}-{self.tag}"},
        }
        if known is not None and known.effect == "IdempotentWrite":
            whole["idempotencyKey"] = self.unique("key")
        return {name: value for name, value in {**whole, **fields}.items() if name not in without}

    async def invoke(
        self, tool: str, given: Json, *, by: str | None = None, without: tuple[str, ...] = (), **fields: Json
    ) -> Exchange:
        """Invokes a tool; `fields` of the Invocation are added or replaced, those in `without` left out."""
        arguments = self.invocation(tool, given, without, **fields)
        return await self.call(INVOKE, arguments, credential=by if by is not None else self.trusted)

    async def stream(self, tool: str, given: Json, *, progress: bool = True) -> Exchange:
        """Invokes a tool and asks for its frames; without `progress` it asks for none."""
        meta: dict[str, Json] = {} if progress else {"progressToken": None}
        if await self.revision() in STATELESS:
            meta[LOG_LEVEL_KEY] = "debug"
        params = {"name": INVOKE, "arguments": self.invocation(tool, given), **({"_meta": meta} if meta else {})}
        return await self.request("tools/call", params, credential=self.trusted)

    async def listening(self) -> "InvocationBench":
        """A bench on whose connection logging notifications are sent, where they are asked for once for all calls."""
        if await self.revision() in STATELESS:
            return self
        lane = await self.lane()
        await lane.request(SET_LEVEL, {"level": "debug"}, credential=self.trusted)
        return lane

    async def describe(self) -> Exchange:
        """Asks which tools are registered."""
        return await self.call(DESCRIBE, {}, credential=self.trusted)

    async def records(self, kind: str, **filters: Json) -> Exchange:
        """Reads records of a kind."""
        return await self.call(RECORDS, {"kind": kind, **filters}, credential=self.trusted)

    async def look(self, call: Exchange, *kinds: str) -> Exchange:
        """Reads what was recorded of a call: again where nothing is there yet. Gives the call."""
        correlation = call.argument("correlationId") or (call.envelope or {}).get("correlationId")
        if not isinstance(correlation, str) or not self.supports(RECORDS):
            return call
        error = (call.envelope or {}).get("error")
        ran = call.accepted or (isinstance(error, dict) and error.get("class") not in NEVER_RAN)
        for kind in kinds:
            # a refused call, or one that a cache answers, may have no execution: it is looked for once more at the end
            once = kind == EXECUTION and not (call.accepted and _writes(call))
            pauses = () if once else LOOKS_S if ran else LOOKS_S[:1]
            for pause in (0, *pauses):
                await asyncio.sleep(pause)
                read = await self.records(kind, correlationId=correlation)
                if not read.accepted or _complete(call, kind, read.given.get("records")):
                    break
            else:
                if once or ran:
                    self.unshown[correlation, kind] = call
        return call

    async def over(self) -> None:
        """Looks for records that were not shown once more, when they are surely written."""
        if self.unshown:
            over = max(call.received or 0 for call in self.unshown.values())
            await asyncio.sleep(SETTLED_S + LOOKS_S[0] - (self.session.recorder.now() - over) / MICROSECONDS)
            await asyncio.gather(*(self.records(kind, correlationId=named) for named, kind in self.unshown))

    # Values

    def secret(self, label: str) -> str:
        """A value that is recognised wherever it comes up, in the transcript «private:planted LABEL»."""
        name = self.unique(label)
        value = mark(name)
        self.session.recorder.planted(value, name)
        return value

    def number(self) -> int:
        """A number that no other call of the run has."""
        return random.Random(self.unique("n")).randrange(10**6, 10**9)  # noqa: S311 -- as above

    @staticmethod
    def instant(ahead_s: float, offset_m: int = 0) -> str:
        """The instant so many seconds from now, as a deadline is written, so many minutes from UTC."""
        at = datetime.now(UTC) + timedelta(seconds=ahead_s)
        return (
            at.astimezone(timezone(timedelta(minutes=offset_m)))
            .isoformat(timespec="milliseconds")
            .replace("+00:00", "Z")
        )

    def good(self, tool: str) -> dict[str, Json]:
        """Input that is good for a tool of the kit, with names of the stimulus's own."""
        text, name, number = self.unique("text"), self.unique("name"), self.number()
        item, write = {"list": name, "item": text}, {"key": name, "value": text}
        plain = {"text": text}
        known: dict[str, dict[str, Json]] = {
            **dict.fromkeys(("echo", "limited", "bad_output", "unserialisable"), plain),
            "sum": {"a": number, "b": number + 1},
            **dict.fromkeys(("put", "guarded"), write),
            "flaky_put": {**write, "failures": 0},
            **dict.fromkeys(("append", "limited_append"), item),
            "flaky_append": {**item, "failures": 0},
            "wait_and_append": {**item, "ms": 5},
            "read_list": {"list": name},
            "notify": {"to": name, **plain},
            "wait": {"ms": number % 20},
            "narrow": {"ms": number % 20},
            "fragile": {"fail": False},
            "costly": {"units": 1},
            "stream": {"frames": 2},
            "start_job": {"ms": 1},
            "job_status": {"operationId": name},
            "relay": {"tool": "local::kit.echo", "input": plain},
            "fail": {"code": "QUOTA_USED_UP"},
        }
        match tool.rpartition(":")[2].removeprefix("kit."):
            case "fault":
                return {"secret": self.secret("input")}
            case "person":
                return {"name": name, "password": self.secret("password")}
            case short:
                return dict(known.get(short, {}))


def _writes(call: Exchange) -> bool:
    """Whether a call is of a tool of the kit that no cache may stand for."""
    tool = kit().get(str(call.argument("toolName")))
    return tool is not None and tool.effect != "Pure"


def _complete(call: Exchange, kind: str, shown: Json) -> bool:
    """Whether a call's records of a kind seem to be there: each attempt's execution, the event that tells its end."""
    if not isinstance(shown, list):
        return bool(shown)
    if kind == EXECUTION:
        attempts = (call.envelope or {}).get("attempts")
        return len(shown) >= (max(attempts, 1) if isinstance(attempts, int) else 1)
    return any(isinstance(entry, dict) and (kind != EVENT or str(entry.get("name")) in ENDED) for entry in shown)


BENCH = InvocationBench
DEFAULT_ROLE = ROLE
"""In whose name a call is made where a stimulus names nobody."""

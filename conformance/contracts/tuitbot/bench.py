"""The bench of the tuitbot contract: an account on X that is reached through tools, in one profile or another."""

import asyncio
from collections.abc import Awaitable, Collection, Mapping
from dataclasses import dataclass
from typing import NoReturn, Self

from conformance.contracts.tuitbot.gate import GATED_PROFILES, UNGATED_PROFILES
from conformance.contracts.tuitbot.manifest import tools_of
from conformance.contracts.tuitbot.naming import Naming
from conformance.contracts.tuitbot.policies import MANY, OPEN, Policies
from conformance.drive.bench import Bench, stops
from conformance.drive.errors import SkipError
from conformance.model.events import Json

RAW = "api"
"""The profile that mutates without a gate."""
FIRST = ("session-05",)
"""The editions that have it."""
LATER = ("convergence",)
ALL_PROFILES = (*UNGATED_PROFILES, *GATED_PROFILES)
WORKING: dict[str, Json] = {
    "approval_mode": True,
    "limits": {"max_replies_per_author_per_day": MANY},
    "policy": OPEN,
}
"""Settings with which every tool can be made to succeed: proposed replies wait for approval, all else happens."""


@dataclass(frozen=True)
class TuitbotBench(Bench):
    """One stimulus's place at a tuitbot."""

    @property
    def policies(self) -> Policies:
        """Policies in the target's own names."""
        return Policies(Naming.of(self.choice))

    @property
    def profile(self) -> str | None:
        """The profile of this instance; None where nothing says it."""
        found = self.settings.get("profile") or self.session.statement.profile_of(self.endpoint)
        return found if isinstance(found, str) else None

    async def workflow(self, **settings: Json) -> Self:
        """The target in its first profile with a gate, with settings an instance of its own; SkipError without one.

        Settings: mode, approval_mode, x_client, llm, policy, limits.
        """
        return await self.in_profile(self.main_profile, **self._in_autopilot(settings))

    def _in_autopilot(self, settings: Mapping[str, Json]) -> dict[str, Json]:
        """Settings with a policy, in autopilot mode: composer routes all mutations, whatever the policy says."""
        mode = {"mode": "autopilot"} if "policy" in settings and self.can("mode") else {}
        return {**mode, **settings}

    async def working(self, wished: Mapping[str, Json] = WORKING) -> Self:
        """The target in its first profile with a gate, set to what is wished as far as it can be."""
        return await self.working_in(self.main_profile, wished)

    def offers(self, profile: str) -> bool:
        """Whether the run is about a profile."""
        return bool(self._profiles((profile,)))

    async def raw(self) -> Self:
        """The target in the profile without a gate whose mutations act; SkipError where the contract has none."""
        return await self.in_profile(RAW) if self._profiles((RAW,)) else self._none(RAW)

    def _none(self, profile: str) -> NoReturn:
        message = f"the run is not about the profile {profile}"
        raise SkipError(message)

    @property
    def main_profile(self) -> str:
        """The first profile with a gate that the run is about; SkipError where it is about none."""
        for profile in self._profiles(GATED_PROFILES):
            return profile
        message = "the run is about no profile with a policy gate"
        raise SkipError(message)

    def _profiles(self, kind: Collection[str]) -> list[str]:
        """Those of a kind that the run is about, in the contract's order."""
        about = self.session.statement.profiles
        names = [profile.name for profile in self.contract.profiles if profile.name in kind]
        return [name for name in names if not about or name in about]

    async def working_in(self, profile: str, wished: Mapping[str, Json] = WORKING) -> Self:
        """The target in a profile, set to what is wished as far as it can be; without a gate it has none of it."""
        gated = profile in GATED_PROFILES
        wanted = {name: value for name, value in wished.items() if self.can(name)} if gated else {}
        if settings := self._in_autopilot(wanted):
            try:
                found = await self.in_profile(profile, **settings)
                await found.revision()
            except SkipError:
                pass  # as it is found, then
            else:
                return found
        return await self.in_profile(profile)

    async def profiles(
        self, kind: Collection[str] = ALL_PROFILES, wished: Mapping[str, Json] = WORKING
    ) -> list[tuple[str, Self]]:
        """The target in each profile of a kind that the run is about, by its name, set as `working` does it.

        They are started side by side. SkipError where the run is about none.
        """
        names = self._profiles(kind)
        started = await asyncio.gather(*(self.working_in(each, wished) for each in names), return_exceptions=True)
        found: list[tuple[str, Self]] = []
        skipped = SkipError(f"the run is about no profile of {', '.join(kind)}")
        for name, server in zip(names, started, strict=True):
            if isinstance(server, SkipError):
                skipped = server
            elif isinstance(server, BaseException):
                raise server
            else:
                found.append((name, server))
        if not found:
            raise skipped
        return found

    def served(self, profile: str) -> list[str]:
        """The tools of a profile, but for those that the target's statement leaves out."""
        return [tool for tool in tools_of(self.contract, profile) if self.supports(tool)]

    async def each_tool_once(
        self, kind: Collection[str] = ALL_PROFILES, wished: Mapping[str, Json] = WORKING
    ) -> list[tuple[Self, list[str]]]:
        """The target in each profile of a kind, with those of its tools that no profile of it before has.

        Profiles without a gate are apart from those with one: a tool may do otherwise in them.
        """
        found: list[tuple[Self, list[str]]] = []
        seen: dict[bool, set[str]] = {True: set(), False: set()}
        for profile, server in await self.profiles(kind, wished):
            known = seen[profile in GATED_PROFILES]
            found.append((server, [tool for tool in self.served(profile) if tool not in known]))
            known.update(found[-1][1])
        return found


async def apart(*parts: Awaitable[object]) -> None:
    """Does one part after another: one that cannot go on loses none of the others.

    Where all of them are stuck, what stopped the first is raised.
    """
    stopped = await stops(*parts)
    if parts and len(stopped) == len(parts):
        raise stopped[0]


BENCH = TuitbotBench
DEFAULT_ROLE = None
"""The tuitbot knows no callers."""

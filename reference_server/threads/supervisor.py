"""Deferred wakes (3.8): looked at every 5 s, delivered after 20 s of quiet, at the latest after 60 s."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from reference_server.application import Json
from reference_server.threads.delivery import Delivery, Wish
from reference_server.threads.settings import Settings
from reference_server.threads.world import World

NEVER: Final = -math.inf


@dataclass(slots=True)
class Pending:
    """A wake that waits: the answer that its caller got, and how often it was looked at."""

    wish: Wish
    answer: Mapping[str, Json]
    looks: int = 0


class Supervisor:
    """Watches runtimes on the calendar. It acts when a call comes in: nobody can tell that from acting in time."""

    def __init__(self, delivery: Delivery, settings: Settings) -> None:
        self.delivery = delivery
        self.settings = settings
        self.last_key: dict[str, float] = {}
        """When a person last typed at an agent's runtime, in seconds since the epoch."""
        self.pending: list[Pending] = []

    def notice(self, world: World, now: float) -> None:
        """People who type now."""
        for agent in world.human_input:
            self.last_key[agent] = now

    def busy(self, agent: str, at: float) -> bool:
        """Whether human input is active: less than the quiet window since its last key."""
        return at < self.last_key.get(agent, NEVER) + self.settings.quiet_s

    def deadline(self, wish: Wish) -> float:
        """The time of the latest delivery."""
        return wish.at + self.settings.max_defer_s

    def next_look(self, pending: Pending) -> float:
        """Looks are `look_s` apart from the asking on; the last one is the deadline."""
        return min(pending.wish.at + (pending.looks + 1) * self.settings.look_s, self.deadline(pending.wish))

    def defer(self, wish: Wish, answer: Mapping[str, Json]) -> None:
        """Lets a wake wait."""
        self.pending.append(Pending(wish, answer))

    def waiting(self, wish: Wish) -> Pending | None:
        """The pending wake that asks for the same."""
        return next((pending for pending in self.pending if pending.wish.alike(wish)), None)

    def act(self, world: World, now: float, effects: list[dict[str, Json]]) -> None:
        """Takes every look that was due until now, in the order of their times."""
        while self.pending:
            first = min(self.pending, key=self.next_look)
            at = self.next_look(first)
            if at > now:
                return
            first.looks += 1
            self.look(first, world, at, effects)

    def look(self, pending: Pending, world: World, at: float, effects: list[dict[str, Json]]) -> None:
        """Delivers if there is quiet; falls back if the runtime is gone or the deadline is here; waits otherwise."""
        wish = pending.wish
        session = self.delivery.live(wish, at)
        reachable = session is not None and wish.target not in world.runtime_down
        if session is not None and reachable and not self.busy(wish.target, at):
            effects.append(self.delivery.trigger(wish, session, at))
        elif reachable and at < self.deadline(wish):
            return
        else:
            self.give_up(wish, world, at, effects)
        self.pending.remove(pending)

    def give_up(self, wish: Wish, world: World, at: float, effects: list[dict[str, Json]]) -> None:
        """Falls back, where that is allowed and can be done."""
        plan = self.delivery.plan(wish, world, at) if self.settings.fallback and wish.allow_fallback else None
        if plan is not None:
            effects.append(self.delivery.fall_back(plan, wish, at))

"""When people typed at which agent's runtime, as far as the conditions of a run tell."""

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from conformance.judge.calendar import MICROSECONDS, Calendar
from conformance.judge.kinds import fraction, is_integer
from conformance.model.events import Condition, Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

CONDITION = "human_input"


class Moment(NamedTuple):
    """A time of the run in microseconds, and by how many seconds the calendar was ahead then."""

    t: float
    ahead: float

    def since(self, other: "Moment") -> float:
        """Seconds of the calendar from another moment to this one."""
        return (self.t - other.t) / MICROSECONDS + self.ahead - other.ahead


class Keys(NamedTuple):
    """Seconds of the calendar after a call at which a stretch of typing began and ended."""

    begun: float
    """At least."""
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Stretch:
    """A time in which somebody typed at these runtimes. The last key fell between `earliest` and `latest`."""

    agents: Json
    begun: Moment
    earliest: Moment
    latest: Moment

    def names(self, agent: str) -> bool:
        """Whether it was this agent's runtime."""
        return agent == self.agents or (isinstance(self.agents, list) and agent in self.agents)


class Keyboard:
    """The stretches of each instance: of calls that name the condition, of commands, of servers that began with it."""

    def __init__(self, history: History, calendar: Calendar) -> None:
        self._calendar = calendar
        self._stretches: dict[str, list[Stretch]] = defaultdict(list)
        commanded = _commanded(history)
        for instance, events in commanded.items():
            self._stretches[instance] += _held(instance, events, history, calendar)
        for about in history.instances.values():
            if CONDITION in about.settings:
                ever = Moment(math.inf, 0)
                self._stretches[about.id].append(Stretch(about.settings[CONDITION], Moment(0, 0), ever, ever))
        for call in history.exchanges:
            if CONDITION in call.conditions and call.instance not in commanded:
                begun, ended = self._around(call)
                self._stretches[call.instance].append(Stretch(call.conditions[CONDITION], begun, begun, ended))

    def _around(self, call: Exchange) -> tuple[Moment, Moment]:
        ahead = self._calendar.ahead(call)
        return Moment(call.sent, ahead), Moment(math.inf if call.received is None else call.received, ahead)

    def quiet(self, call: Exchange, agent: str) -> tuple[float, float]:
        """For how many seconds, at least and at most, nobody had typed there when a call was served.

        Infinite where nobody ever did.
        """
        least, most = math.inf, math.inf
        sent, answered = self._around(call)
        for stretch in self._stretches.get(call.instance, ()):
            if stretch.names(agent) and stretch.begun.t < answered.t:
                goes_on = stretch.latest.t >= sent.t
                least = min(least, 0.0 if goes_on else sent.since(stretch.latest))
                most = min(most, 0.0 if stretch.earliest.t >= sent.t else answered.since(stretch.earliest))
        return max(0.0, least), max(0.0, most)

    def after(self, call: Exchange, agent: str) -> Iterator[Keys]:
        """The stretches that go on after a call was sent, in seconds after it."""
        sent, answered = self._around(call)
        for stretch in self._stretches.get(call.instance, ()):
            if stretch.names(agent) and stretch.latest.t > sent.t:
                begun, least = stretch.begun.since(answered), stretch.earliest.since(answered)
                yield Keys(max(0.0, begun), max(0.0, least), stretch.latest.since(sent))


def _held(instance: str, events: list[Condition], history: History, calendar: Calendar) -> Iterator[Stretch]:
    """What commands brought about: it holds until the next command, and is noticed by a call at the latest."""
    moments = [Moment(call.sent, calendar.ahead(call)) for call in history.exchanges if call.instance == instance]
    moments += [
        Moment(event.t, fraction(event.value) or 0.0)
        for event in history.conditions
        if event.instance == instance and event.name == "clock" and event.state == "on" and is_integer(event.value)
    ]
    moments.sort()
    for number, event in enumerate(events):
        if event.state == "on":
            ended = events[number + 1].t if number + 1 < len(events) else math.inf
            within = [moment for moment in moments if event.t <= moment.t <= ended]
            ahead = max((moment.ahead for moment in moments if moment.t <= ended), default=0.0)
            began = Moment(event.t, max((moment.ahead for moment in moments if moment.t <= event.t), default=0.0))
            yield Stretch(event.value, began, within[-1] if within else began, Moment(ended, ahead))


def _commanded(history: History) -> dict[str, list[Condition]]:
    """By instance, what commands did about it, in order."""
    found: dict[str, list[Condition]] = defaultdict(list)
    for event in history.conditions:
        if event.name == CONDITION and event.state in ("on", "off"):
            found[event.instance].append(event)
    return found

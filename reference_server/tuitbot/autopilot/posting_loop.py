"""Posts what is scheduled when its time has come."""

from collections import Counter
from dataclasses import dataclass

from reference_server.tuitbot.autopilot.ports import PostSender, Schedule

LATER = ("limited", "denied")
"""Fates after which an item stays on the schedule."""


@dataclass(frozen=True, slots=True)
class PostingLoop:
    """One turn looks at the schedule once."""

    schedule: Schedule
    sender: PostSender

    def turn(self) -> Counter[str]:
        """How often each fate befell a due item."""
        fates: Counter[str] = Counter()
        for item in self.schedule.due():
            fate = self.sender.post(item)
            if fate not in LATER:
                self.schedule.settled(item)
            fates[fate] += 1
        return fates

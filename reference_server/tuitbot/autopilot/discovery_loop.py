"""Finds tweets, drafts replies and sends those that nothing speaks against."""

from collections import Counter
from dataclasses import dataclass

from reference_server.tuitbot.autopilot.ports import ReplyDrafter, ReplySender, SafetyChecker, TweetSearcher


@dataclass(frozen=True, slots=True)
class DiscoveryLoop:
    """One turn is one search."""

    searcher: TweetSearcher
    drafter: ReplyDrafter
    safety: SafetyChecker
    sender: ReplySender

    def turn(self) -> Counter[str]:
        """How often each fate befell a candidate: held_back, or what the sender said."""
        fates: Counter[str] = Counter()
        for candidate in self.searcher.search():
            text = self.drafter.draft(candidate)
            if self.safety.objection(candidate, text) is not None:
                fates["held_back"] += 1
            else:
                fates[self.sender.send(candidate, text)] += 1
        return fates

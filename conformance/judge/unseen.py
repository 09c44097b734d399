"""Why a requirement has no subject: what became of the stimuli that were made for it."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from conformance.model.ending import ended
from conformance.model.events import Stimulus
from conformance.model.exchange import Exchange
from conformance.model.history import History

MOST_TOLD = 2
"""Kinds of refusal that a reason names."""


class Trials(NamedTuple):
    """The stimuli that were to show a requirement, and the calls that they made."""

    stimuli: Sequence[Stimulus]
    calls: Sequence[Exchange]
    tapped: bool = False
    """Whether the calls are others' own, so that nothing was made for it."""

    @property
    def failed(self) -> str:
        """What one of them failed with by our own fault; empty where none did."""
        return next((f"{s.name}: {s.why}" for s in self.stimuli if s.state == "error"), "")

    @property
    def all_unsupported(self) -> str:
        """The statement's reason, where each of them needs what the target does not support."""
        every = bool(self.stimuli) and all(s.state == "unsupported" for s in self.stimuli)
        return self.stimuli[0].why if every else ""

    @property
    def attempted(self) -> bool:
        """Whether one of them was run at the target, to its end or until it was stuck."""
        return any(s.state in ("done", "stuck") for s in self.stimuli)

    @property
    def broken_off(self) -> bool:
        """Whether none of them came to its end, and one could not go on."""
        states = {s.state for s in self.stimuli}
        return "done" not in states and bool(states & {"stuck", "cut"})

    @property
    def why(self) -> str:
        """Why nothing of it was seen, in one sentence."""
        for state, words in (("stuck", "set-up failed: "), ("cut", "not reached: ")):
            said = next((s.why for s in self.stimuli if s.state == state), None)
            if said is not None:
                return f"{words}{said}"
        if not self.stimuli:
            return "the recorded calls do not test it" if self.tapped else "this run made no call that tests it"
        left_out = next((s.why for s in self.stimuli if s.state == "skipped"), "")
        if not any(s.state == "done" for s in self.stimuli) and left_out:
            return left_out
        refused = Counter(f"{call.tool or call.method} {ended(call)}" for call in self.calls if call.refused)
        told = [f"{said}{f' ({count} calls)' if count > 1 else ''}" for said, count in refused.most_common(MOST_TOLD)]
        # no colon: the ids of the requirements follow one
        shown = "; ".join(["the calls that were made show neither that it holds nor that it is broken", *told])
        return f"{shown}; {left_out}" if left_out else shown


def trials(identifier: str, history: History) -> Trials:
    """What was tried to show a requirement."""
    stimuli = [s for s in history.stimuli if identifier in s.exercises]
    names = dict.fromkeys(s.name for s in stimuli)
    calls = [call for name in names for call in history.by_stimulus.get(name, ())]
    return Trials(stimuli, calls, history.header is not None and history.header.tapped)

"""What is done with a good call, as it is drawn."""

from random import Random
from typing import NamedTuple

MASK = 64


class Turn(NamedTuple):
    """One drawn step: which call, what is done with it, and numbers for how."""

    pick: int
    twist: int
    a: int
    b: int
    c: int
    d: int = 0
    """Whether it is a call by itself, or one of a story that the run told: see `WAYS`."""

    @classmethod
    def of(cls, number: int) -> "Turn":
        """The turn that a drawn number below `DRAWN` stands for."""
        return cls(*(number // MASK**place % MASK for place in range(len(cls._fields))))

    def moved(self, drawn: Random) -> "Turn":
        """Another, by random numbers: small ones and repetitions are what is drawn most, and every one is to be met."""
        return Turn(*(number ^ drawn.randrange(MASK) for number in self))


DRAWN = MASK ** len(Turn._fields)
ALONE, ONWARD, ANEW = "alone", "onward", "anew"
WAYS = (ALONE, ALONE, ALONE, ONWARD, ONWARD, ONWARD, ANEW, ANEW)
"""How a good call comes about. alone: it builds on whatever the history has made; onward: it is one of a story that is
under way; anew: one of any story. What it rests on in a story is made first, as in the run."""
TWISTS = (
    "plain", "plain", "plain", "plain", "under", "again", "again", "altered", "altered", "added", "varied", "varied",
    "varied", "without", "vector", "other", "other", "lane", "at_once", "older", "refused_first", "lasting", "over",
    "token",
)  # fmt: skip
"""What is done with a good call. again: an earlier one as it was; altered: with one argument changed; added: with an
argument that it may have; varied: with one at or beyond a bound, or as another call has it; vector: with one as a
vector has it; other: by somebody else; lane: over another connection; older: with a number before or after the newest;
refused_first: after a bad one; under: while a condition holds, such as the run had for this tool; lasting: from here on
under such a condition; over: from here on under none; token: with something wrong with the caller's."""

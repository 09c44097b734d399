"""How each command's --help ends: what its exit codes mean, and what to type."""

from collections.abc import Sequence

JUDGED = (
    "0  conformant: every MUST that applies was tested and holds",
    "1  not conformant: a MUST is broken, or a known failure is out of date",
    "2  bad invocation, or an error of the suite: nothing is said of the server",
    "3  inconclusive: something that the claim needs was not tested, or the run was cut short",
)
"""Of a command that ends with a verdict."""
DONE = ("0  done", "2  bad invocation")
"""Of a command that only tells or writes something."""


def epilog(exits: Sequence[str], *examples: str) -> str:
    """The end of a help text. An example is a command, with what it does after two spaces."""
    lines = ["exit codes:", *(f"  {each}" for each in exits), "", "examples:", *(f"  {each}" for each in examples)]
    return "\n".join(lines)

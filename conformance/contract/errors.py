"""What can be wrong with a contract that somebody names, as data: which file, which line, what, what to do."""

from collections.abc import Iterable
from typing import NamedTuple


class Fault(NamedTuple):
    """One thing that is wrong with a contract's folder."""

    file: str
    line: int | None
    what: str
    todo: str = ""

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{place}: {self.what}" + (f"; {self.todo}" if self.todo else "")


class UnknownEditionError(LookupError):
    """A contract has no edition of this name."""

    def __init__(self, contract: str, edition: str, known: Iterable[str]) -> None:
        super().__init__(f"{contract} has no edition {edition!r}: it is one of {', '.join(known)}")


class UnknownContractError(LookupError):
    """No contract is found by this name."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"no contract is found by {name!r}: {why}")


class ContractError(ValueError):
    """A contract's folder does not hold a contract."""

    def __init__(self, name: str, faults: Iterable[Fault]) -> None:
        self.name = name
        self.faults = tuple(faults)
        super().__init__("\n  ".join(map(str, self.faults)))

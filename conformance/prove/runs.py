"""A run of the suite at an installed target, as every trial makes it."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from conformance.certify import Options, certify, contract_of, driven
from conformance.drive.errors import UsageError
from conformance.drive.library import import_stimuli
from conformance.drive.loading import checked
from conformance.drive.statement import Statement
from conformance.drive.target import entry
from conformance.model.history import History
from conformance.report.model import Report

IN_PROCESS = "in-process"
CALL_TIMEOUT_S = {IN_PROCESS: 1.0}
"""Some deviations never answer: waiting for them is most of the time that proving takes in process.

A target whose calls take longer says so in its statement: one of 0.7 s took more than a second at load 10 on two cores.
"""


class Subject(NamedTuple):
    """What is on trial: an edition of a contract, as an installed target serves it."""

    contract: str
    target: str
    edition: str | None = None
    """None: the contract has one."""

    @property
    def named(self) -> dict[str, str]:
        """The edition, for a target that serves several."""
        return {"edition": self.edition} if self.edition is not None else {}

    @property
    def title(self) -> str:
        """What to call it, in files too: the edition stands there where it is not the contract's own choice."""
        own = contract_of(self.contract).edition
        return f"{self.contract}-{self.edition}" if self.edition not in (None, own) else self.contract


def subjects_of(target: str, contracts: Sequence[str], editions: Sequence[str]) -> Iterator[Subject]:
    """The editions of contracts that are to be proved: those named, else all that the target serves."""
    module = entry(target)
    for contract in contracts or module.CONTRACTS:
        contract_of(contract)
        served = module.editions(contract)
        for edition in served or (None,):
            if not editions or edition in editions:
                yield Subject(contract, target, edition)


def run(
    subject: Subject,
    transport: str = IN_PROCESS,
    deviations: tuple[str, ...] = (),
    *,
    patient: bool = False,
    through: Sequence[str] = (),
    **options: Any,
) -> Report:
    """Certifies a target that deviates so, always with the same seed.

    A contract is proved by its own stimuli: those of its protocol are on trial in the protocol's own proof.
    patient: every call is known to be answered, so one may take as long as in any other run, on a busy machine too.
    through: stands in the place of the `python -m` by which a target that is a process of its own is started.
    """
    how = Options(**{"seed": 1, "command": "conformance run", "protocol": not deviations, **options})
    return certify(_statement(subject, transport, deviations, patient=patient, through=through), how)


def recorded(subject: Subject) -> History:
    """What the contract's stimuli and the target say to each other in process, unjudged."""
    contract = contract_of(subject.contract, subject.edition)
    statement = _statement(subject, IN_PROCESS)
    recorder = driven(statement, contract, import_stimuli(contract), Options(seed=1, command="conformance run"))
    return History.of(recorder.events(), contract.envelope)


def stimuli_of(subject: Subject) -> list[str]:
    """The names of its contract's stimuli."""
    return [plan.name for plan in import_stimuli(contract_of(subject.contract, subject.edition))]


def _statement(
    subject: Subject,
    transport: str,
    deviations: tuple[str, ...] = (),
    *,
    patient: bool = False,
    through: Sequence[str] = (),
) -> Statement:
    served = entry(subject.target).statement
    try:
        data = dict(served(subject.contract, transport=transport, deviations=deviations, **subject.named))
    except LookupError as error:
        raise UsageError(f"{subject.target} cannot serve {subject.title}", "--target", str(error)) from error
    if through:
        data["endpoint"] = [{**each, "command": [*through, *each["command"][2:]]} for each in data["endpoint"]]
    if transport in CALL_TIMEOUT_S and not patient:
        data["limits"] = {"call_timeout_s": CALL_TIMEOUT_S[transport], **data.get("limits", {})}
    return checked(data, f"the statement of {subject.target}")

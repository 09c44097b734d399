"""What there is to say of a requirement: why it matters, how it is judged, what is tried, what breaks it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from conformance.contract.catalogue import Contract, load
from conformance.contract.wording import numbered
from conformance.drive.errors import UsageError
from conformance.drive.library import import_stimuli
from conformance.drive.target import entry
from conformance.judge.library import import_laws
from conformance.judge.promised.library import laws_of
from conformance.model.requirement import Requirement

REFERENCE = "reference"
"""The installed target that can break each requirement on purpose."""
NO_LAW = "By the reference's own tests: it cannot be seen from outside."
TRANSPORTS: Mapping[str, str] = {"stdio": "stdio", "http": "http", "v1": "http"}
"""How a server is reached for a deviation that shows on one transport only."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """How the reference server breaks one requirement on purpose."""

    what: str
    target: str
    """Its name as a target: `reference:threads+TH-IDEM-01`."""
    transport: str
    """The only one that it shows on; empty for any."""

    def command(self, requirement: str) -> str:
        """What shows the breach, as a user types it."""
        over = f" --transport {self.transport}" if self.transport else ""
        return f"conformance run --target {self.target}{over} --only {requirement}"


@dataclass(frozen=True, slots=True)
class Explained:
    """A requirement with its law's sentence, what is tried, and the deviation that proves it."""

    about: Requirement
    judged: str
    tried: tuple[str, ...]
    """The situations that are brought about, each in words."""
    rests_on: tuple[str, ...]
    """Requirements without which this one cannot be judged."""
    deviation: Deviation | None
    """None: the reference is not installed here, or nothing can be seen from outside."""

    @property
    def bounds(self) -> str:
        """Where it applies, where it does not apply everywhere."""
        bound = self.about.applies
        kinds = {
            "transport": bound.transports,
            "binding": bound.bindings,
            "MCP revision": bound.revisions,
            "profile": bound.profiles,
            "edition": bound.editions,
        }
        return "; ".join(f"{kind} {' or '.join(names)}" for kind, names in kinds.items() if names)

    def parts(self) -> Iterator[tuple[str, str]]:
        """Each part with its heading, those alone that have something to say."""
        found = (
            ("Why it matters", self.about.why),
            ("How it is judged", self.judged if self.judged != self.about.statement else ""),
            ("What is tried", "; ".join(self.tried)),
            ("A breach", self.about.breach),
            ("A server that breaks it", self.deviation.what if self.deviation is not None else ""),
            ("Only applies to", self.bounds),
            ("Only judged where these hold", ", ".join(self.rests_on)),
            ("Never broken without", ", ".join(self.about.falls_with)),
        )
        yield from ((heading, text) for heading, text in found if text)


def explained(about: Requirement) -> Explained:
    """All that is known of a requirement."""
    contract = load(about.contract)
    import_laws(contract)
    laws = laws_of(about.id, contract)
    return Explained(
        about=about,
        judged=numbered([law.sentence for law in laws]) or NO_LAW,
        tried=_tried(contract.name).get(about.id, ()),
        rests_on=(*about.requires, *(name for name in contract.foundation if name != about.id)),
        deviation=_deviations(contract.name).get(about.id),
    )


@cache
def _tried(name: str) -> dict[str, tuple[str, ...]]:
    """By requirement, of all editions."""
    found: dict[str, tuple[str, ...]] = {}
    for plan in {plan.name: plan for each in _editions(load(name)) for plan in import_stimuli(each)}.values():
        words = plan.name.partition(".")[2].replace("_", " ")
        for identifier in plan.exercises:
            found[identifier] = (*found.get(identifier, ()), words)
    return found


@cache
def _deviations(name: str) -> dict[str, Deviation]:
    """By requirement; none where the reference is not installed or does not serve the contract."""
    try:
        module = entry(REFERENCE)
    except UsageError:
        return {}
    if name not in module.CONTRACTS:
        return {}
    found: dict[str, Deviation] = {}
    own = load(name).edition
    for contract in _editions(load(name)):
        served = name if contract.edition == own else f"{name}@{contract.edition}"
        of_edition = {"edition": contract.edition} if module.editions(name) else {}
        for row in module.deviations(name, **of_edition):
            target = f"{REFERENCE}:{served}+{row['requirement']}"
            transport = TRANSPORTS.get(row["transport"] or "", "")
            found.setdefault(row["requirement"], Deviation(row["what"], target, transport))
    return found


def _editions(contract: Contract) -> list[Contract]:
    """The contract in each of its editions, the one that is meant by default in front."""
    return [contract, *(load(contract.name, name) for name in contract.editions if name != contract.edition)]

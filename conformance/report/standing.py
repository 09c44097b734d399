"""What a run lets anyone say of its target: whether it conforms, and in which words.

A claim is never wider than what was seen: it conforms only where every MUST that applies was seen to hold, or where the
target's own statement says with a reason why one was not.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from conformance.model.requirement import Level
from conformance.model.verdict import Outcome, Verdict
from conformance.report.model import Excused, Gap, Musts
from conformance.report.usage import Reach

KINDS = {
    Verdict.XFAIL: "known failure",
    Verdict.FLAKY: "flaky",
    Verdict.BLOCKED: "blocked by a known failure",
    Verdict.NOT_OBSERVED: "unobservable",
    Verdict.NOT_APPLICABLE: "unsupported",
}
UNSEEN = (Verdict.NOT_OBSERVED, Verdict.BLOCKED)


class Lesser(NamedTuple):
    """How many requirements that are no MUST were tested, and how many of them are missed."""

    tested: int
    missed: int

    @classmethod
    def of(cls, own: Sequence[Outcome]) -> Self:
        """Counted from their outcomes."""
        missed = sum(o.verdict is Verdict.WARN for o in own)
        return cls(missed + sum(o.verdict is Verdict.PASS for o in own), missed)


class Standing(NamedTuple):
    """How a target stands after a run."""

    musts: Musts
    lesser: Lesser | None
    """What was seen of a selection that has no MUST; None where it has one."""
    excused: tuple[Excused, ...]
    broken: tuple[str, ...]
    """The requirements whose breach the claim falls with."""
    protocol: tuple[str, ...]
    """Those of MCP itself, on which the contract stands."""
    stale: int
    errors: int
    complete: bool
    reach: Reach

    @property
    def conformant(self) -> bool:
        """Whether every MUST that applies was seen to hold, or is excused."""
        return not (self.fallen or self.errors or self.open)

    @property
    def fallen(self) -> bool:
        """Whether a requirement is broken, or a listed failure is stale."""
        return bool(self.broken or self.protocol or self.stale)

    @property
    def open(self) -> bool:
        """Whether something that the claim needs was not seen."""
        seen = self.lesser.tested if self.lesser is not None else self.musts.held + self.musts.excused
        return not self.complete or self.musts.untested > 0 or not seen or self.reach.short


NO_TOOLS = Reach()


def standing(  # noqa: PLR0913 -- what a claim rests on, each by name
    own: Sequence[Outcome],
    foundation: Sequence[Outcome],
    *,
    complete: bool,
    strict: bool = False,
    selection: bool = False,
    reach: Reach = NO_TOOLS,
) -> Standing:
    """Adds up the outcomes of the requirements that the run was about, and of those that it stands on.

    A `selection` may have no MUST; a whole contract of which none applies is not seen to be kept. Nor is a selection's
    claim limited by `reach`, which counts the tools that accepted a call.
    """
    musts = [o for o in own if o.level == Level.MUST]
    excused = tuple(
        Excused(id=o.id, kind=KINDS.get(o.verdict, str(o.verdict)), reason=o.excused) for o in musts if o.excused
    )
    held = sum(o.verdict is Verdict.PASS for o in musts)
    breaks = (Verdict.FAIL, Verdict.WARN) if strict else (Verdict.FAIL,)
    failing = sum(o.verdict in (Verdict.FAIL, Verdict.XPASS) for o in musts)
    untested = sum(o.verdict in (*UNSEEN, Verdict.ERROR) and not o.excused for o in musts)
    applicable = sum(o.verdict is not Verdict.NOT_APPLICABLE or bool(o.excused) for o in musts)
    return Standing(
        musts=Musts(applicable=applicable, held=held, broken=failing, untested=untested, excused=len(excused)),
        lesser=Lesser.of(own) if selection and own and not musts else None,
        excused=excused,
        broken=tuple(o.id for o in own if o.verdict in breaks),
        protocol=tuple(o.id for o in foundation if o.verdict in breaks),
        stale=sum(o.verdict is Verdict.XPASS for o in own),
        errors=sum(o.verdict is Verdict.ERROR for o in (*own, *foundation)),
        complete=complete,
        reach=NO_TOOLS if selection else reach,
    )


def claim(name: str, stands: Standing, gaps: Sequence[Gap], *, whole: int, selected: int | None) -> str:
    """The claim in words. `selected` requirements of `whole` are what it is about; None: all of them."""
    if stands.errors:
        return f"No verdict on {name}: the suite itself failed at {some(stands.errors, 'requirement')}."
    if stands.fallen:
        said = _broken(name, stands, selected)
    elif stands.open:
        said = _inconclusive(name, stands, gaps, selected)
    else:
        said = _held(name, stands, selected)
    return said if selected is None else f"{said} Nothing is claimed of the other {whole - selected}."


def _held(name: str, stands: Standing, selected: int | None) -> str:
    musts = stands.musts
    head = f"Conforms to {name}: " if selected is None else f"Of {some(selected, 'selected requirement')} of {name}: "
    if stands.lesser is not None:
        tested, missed = stands.lesser
        return f"{head}none is a MUST; {tested:,} {'was' if tested == 1 else 'were'} tested, {missed or 'none'} missed."
    if stands.excused:
        return f"{head}{musts.held} of {some(musts.applicable, 'MUST')} hold{_exceptions(stands)}.{_unreached(stands)}"
    if musts.applicable == 1:
        return f"{head}the 1 MUST that applies was tested and holds.{_unreached(stands)}"
    return f"{head}all {musts.applicable:,} MUSTs that apply were tested and hold.{_unreached(stands)}"


def _unreached(stands: Standing) -> str:
    """What the claim does not cover: how tools behave that accepted no call."""
    accepted, tools, _ = stands.reach
    if accepted == tools:
        return ""
    whose = "its behaviour" if tools - accepted == 1 else "their behaviour"
    return f" {tools - accepted} of {some(tools, 'tool')} accepted no call: nothing is claimed of {whose}."


def _broken(name: str, stands: Standing, selected: int | None) -> str:
    own, protocol = stands.broken, stands.protocol
    told = [f"{some(len(own), 'requirement')} broken"] if own else []
    told += [f"{some(len(protocol), 'requirement')} of MCP itself broken"] if protocol else []
    told += [f"{some(stands.stale, 'stale known failure')}"] if stands.stale else []
    if stands.musts.untested:
        told.append(f"{stands.musts.untested} of {some(stands.musts.applicable, 'MUST')} not tested")
    head = f"Does not conform to {name}" if selected is None else f"A selection of {name} does not hold"
    return f"{head}: {', '.join(told)}.{'' if stands.complete else ' The run was cut short.'}"


def _inconclusive(name: str, stands: Standing, gaps: Sequence[Gap], selected: int | None) -> str:
    musts, why = stands.musts, [_sentence(gaps[0].cause), _sentence(gaps[0].todo)] if gaps else []
    scope = name if selected is None else f"{some(selected, 'selected requirement')} of {name}"
    if musts.untested:
        were = "was" if musts.untested == 1 else "were"
        said = f"{musts.untested} of {some(musts.applicable, 'MUST')} of {scope} {were} not tested"
    elif not stands.complete:
        said = f"the run of {scope} was cut short"
    elif stands.reach.short:
        accepted, tools, wanted = stands.reach
        said = f"{accepted} of {some(tools, 'tool')} accepted a call, and at least {wanted:g} % have to"
        why = ["The list of tools says what to do about each of the others."]
    else:
        said = f"{'nothing' if stands.lesser is not None else 'no MUST'} of {scope} was tested"
    hold = "was tested holds" if musts.held == 1 else "were tested hold"
    seen = f"; the {musts.held} that {hold}" if musts.held and musts.untested else ""
    return " ".join([f"Inconclusive: {said}{seen}{_exceptions(stands)}.", *filter(None, why)])


def _exceptions(stands: Standing) -> str:
    kinds = Counter(each.kind for each in stands.excused)
    told = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    return f" ({some(len(stands.excused), 'exception')}: {told})" if told else ""


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""


def some(number: int, what: str) -> str:
    """A number of things, `what` in the singular."""
    plural = f"{what}es" if what.endswith("ch") else f"{what}s"
    return f"{number:,} {what if number == 1 else plural}"


def unmet(entries: Iterable[str], outcomes: Iterable[Outcome]) -> list[str]:
    """Notes on entries of the statement that met nothing: what they expect was not seen either way."""
    by_id = {outcome.id: outcome for outcome in outcomes}
    return [
        f"the known failure {name} was neither confirmed nor refuted: "
        f"the requirement is {by_id[name].verdict.replace('_', ' ')}"
        for name in entries
        if name in by_id and by_id[name].verdict in (*UNSEEN, Verdict.NOT_APPLICABLE)
    ]

"""A refusal is evidence only beside its control: an accepted call that is its like but for the one fault.

Where the control was refused too, or was never made, nothing about the fault was seen. Every law about refusals asks
here.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from conformance.judge.faults import declined, internal, stumbled
from conformance.judge.judgements import breach, told
from conformance.judge.kinds import arguments, spelled
from conformance.judge.memo import of_each
from conformance.judge.silence import silence
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, UNSAID, Judgement

Shape = Callable[[Exchange], Json]
"""What of a call's arguments the fault does not touch."""
Good = Callable[[Exchange], bool]
"""Whether nothing speaks against serving a call."""


@dataclass(frozen=True, slots=True)
class ButFor:
    """The one thing in which a control may differ from the call on trial. All else is the same."""

    arguments: frozenset[str] = frozenset()
    """These arguments may have other values, or be left out."""
    token: bool = False
    """The proof of who calls may be another; the caller is the same."""
    caller: bool = False
    """Anyone may call."""
    conditions: frozenset[str] = frozenset()
    """These conditions may hold or not."""
    settings: frozenset[str] = frozenset()
    """The call may be made on another instance of the same profile, set alike but for these settings."""
    connection: bool = False
    """The call may come over another binding."""
    shape: Shape | None = field(default=None)
    """What is compared in place of the arguments, where the fault lies deeper in them."""


ARGUMENTS = ButFor(shape=lambda _: None)
"""All the arguments may differ: what is wrong is that they are no object."""


def but_for(*arguments: str, token: bool = False, caller: bool = False, shape: Shape | None = None) -> ButFor:
    """Controls that may differ in these arguments, in the token, or in who calls."""
    return ButFor(arguments=frozenset(arguments), token=token, caller=caller, shape=shape)


_sent = attrgetter("sent")


class Controls:
    """The calls of a history, by what they have in common."""

    def __init__(self, history: History, good: Good | None = None, counts: Good = lambda _: True) -> None:
        """`good` says of refused calls which are good: what refuses such a call is no control beside its likes.

        `counts` leaves out accepted calls that show nothing: a gate answered in the tool's place.
        """
        self._history = history
        self._good = good
        self._counts = counts
        self._indexes: dict[tuple[ButFor, str, Hashable], dict[Hashable, list[Exchange]]] = {}
        self._groups: dict[tuple[ButFor, str], dict[Hashable, list[Exchange]]] = {}
        """Calls made in the same circumstances: few of a tool's calls are compared by what they ask for."""
        self._likes: dict[str, list[Exchange]] = {}
        """By tool, the calls that may be controls."""

    def beside(self, call: Exchange, differing: ButFor) -> Exchange | None:
        """The nearest like of a call that is good, where the server accepted it; None where there is none."""
        likes = self._alike(call, differing)
        place = bisect_left(likes, call.sent, key=_sent)
        around = (*likes[max(0, place - 2) : place], *likes[place : place + 2])
        others = [like for like in around if like is not call]
        nearest = min(others, key=lambda like: abs(like.sent - call.sent), default=None)
        return nearest if nearest is not None and nearest.accepted else None

    def look(self, differing: ButFor | Callable[[Exchange], ButFor]) -> Callable[[Exchange], Exchange | None]:
        """What finds a call's control, where calls differ from theirs in this, or each in what is told of it."""
        if isinstance(differing, ButFor):
            return lambda call: self.beside(call, differing)
        return lambda call: self.beside(call, differing(call))

    def after(self, call: Exchange, differing: ButFor) -> Exchange | None:
        """The first accepted like that was sent when the call had been answered.

        It shows that the state was no reason to refuse the call: where revisions guard, it could not be accepted else.
        """
        likes = self._alike(call, differing)
        return next((like for like in likes if like.accepted and call.before(like)), None)

    def around(self, call: Exchange, differing: ButFor, where: Good) -> Exchange | None:
        """A like of a good call, where the nearest before it and the nearest after it, if there are any, were accepted.

        `where` says which likes differ in the one thing. The state is then no reason to refuse the call.
        """
        likes = self._alike(call, differing)
        place = bisect_left(likes, call.sent, key=_sent)
        sides = (reversed(likes[:place]), likes[place:])
        near = [found for side in sides if (found := next((like for like in side if where(like)), None)) is not None]
        return near[0] if near and all(one.accepted for one in near) else None

    def _alike(self, call: Exchange, differing: ButFor) -> Sequence[Exchange]:
        """The calls that may be controls and differ from it in nothing else, in the order sent."""
        tool, around = call.tool or "", self._around(call, differing)
        index = self._indexes.get((differing, tool, around))
        if index is None:
            index = self._indexes[differing, tool, around] = defaultdict(list)
            for like in self._grouped(differing, tool).get(around, ()):
                index[_what(like, differing)].append(like)
        return index.get(_what(call, differing), ())

    def _grouped(self, differing: ButFor, tool: str) -> dict[Hashable, list[Exchange]]:
        """The same by what is around them, whatever they ask for."""
        group = replace(differing, arguments=frozenset(), shape=None)
        found = self._groups.get((group, tool))
        if found is None:
            found = self._groups[group, tool] = defaultdict(list)
            for call in self._of(tool):
                found[self._around(call, group)].append(call)
        return found

    def _of(self, tool: str) -> list[Exchange]:
        """The calls of a tool that may be controls, in the order sent."""
        likes = self._likes.get(tool)
        if likes is None:
            likes = [call for call in self._history.calls(tool) if self._shows(call)]
            likes.sort(key=_sent)
            self._likes[tool] = likes
        return likes

    def _shows(self, call: Exchange) -> bool:
        if call.accepted:
            return self._counts(call)
        return call.refused and self._good is not None and self._good(call)

    def _around(self, call: Exchange, differing: ButFor) -> Hashable:
        """Where a call is made, over what, by whom, and under which conditions."""
        return (
            self._place(call, differing) if differing.settings else call.instance,
            "" if differing.connection else call.connection.binding,
            _caller(call, differing) if differing.caller or differing.token else call.credential.name,
            _but(call.conditions, differing.conditions) if call.conditions else "",
        )

    def _place(self, call: Exchange, differing: ButFor) -> Hashable:
        """What the instances have in common that may stand for the call's."""
        instance = self._history.instances.get(call.instance)
        settings = instance.settings if instance is not None else {}
        kept = {name: value for name, value in settings.items() if name not in differing.settings}
        return (call.profile, spelled(kept))


def _what(call: Exchange, differing: ButFor) -> Hashable:
    """What a call asks for, as text, without that in which the two may differ."""
    if differing.shape is not None:
        return spelled(differing.shape(call))
    if not differing.arguments or not isinstance(call.arguments, dict):
        return arguments(call)
    return tuple([part for part in _parts(call) if part[0] not in differing.arguments])


@of_each
def _parts(call: Exchange) -> tuple[tuple[str, str], ...]:
    """A call's arguments by name, each as text: a call is put under many keys, one for each thing that may differ."""
    return tuple([(name, spelled(value)) for name, value in sorted(call.arguments.items())])


def _caller(call: Exchange, differing: ButFor) -> Hashable:
    if differing.caller:
        return None
    return call.credential.role, spelled(call.credential.claims)


def _but(conditions: dict[str, Json], names: frozenset[str]) -> str:
    """Conditions but for some, as text."""
    kept = {name: value for name, value in conditions.items() if name not in names}
    return spelled(kept) if kept else ""


def refusals(
    controls: Controls,
    calls: Iterable[Exchange],
    differing: ButFor | Callable[[Exchange], ButFor],
    what: Callable[[Exchange], str],
    *,
    expected: Json = UNSAID,
) -> Iterator[Judgement]:
    """Each of these calls is refused. `what` says in words what is wrong with it: 'on an unknown thread'.

    One that is refused without a control is no subject, nor one that ended in a fault of the server's own.
    """
    made = list(calls)
    beside = controls.look(differing)
    for call in made:
        if call.accepted:
            yield breach(f"{call.tool} {what(call)} ended as {told(call)}", call, expected=expected)
        elif declined(call) and beside(call) is not None:
            yield HELD
    yield from silence(made, what, beside)


def acceptances(
    likes: Controls,
    calls: Iterable[Exchange],
    differing: ButFor | Callable[[Exchange], ButFor],
    what: Callable[[Exchange], str],
) -> Iterator[Judgement]:
    """Each of these good calls is accepted. `what` says in words what is particular about it: 'without metadata'.

    A refusal is a breach where a like of the call was accepted that differs in just that. Where none was, the tool may
    refuse everything, and nothing about the particular was seen. `likes` are the accepted calls, whatever was refused.
    An internal error is no refusal for the particular's sake: such faults have a requirement of their own. Nor is a
    failure that says nothing, where another call with the same particular was accepted.
    """
    made = list(calls)
    look = likes.look(differing)
    for call in made:
        if call.accepted:
            yield HELD
        elif call.refused and not internal(call) and (beside := look(call)) is not None:
            if stumbled(call, (each for each in made if what(each) == what(call))):
                continue
            yield breach(f"{call.tool} {what(call)} ended as {told(call)}", call, beside=beside, expected="success")
    yield from silence(made, what, look)

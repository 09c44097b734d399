"""What a promise says in plain English, and what its law looks at."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from conformance.contract import promises as p
from conformance.contract.wording import ANSWERED, an, listed, numbered, shown, worded
from conformance.model.pointer import ASKED, OF_EACH, steps

SEEN = ("static", "exchange", "history", "scenario")
"""How requirements are seen, the more the later."""


class Kind(NamedTuple):
    """What is known of all promises under one law."""

    says: Callable[[Any], str]
    """The promise in a sentence."""
    seen: str
    """As a requirement's `seen`."""
    root: bool = False
    """Whether its breach explains whatever else is wrong in the same call."""


def sentence(promise: p.Promise) -> str:
    """How a promise is judged, in plain English."""
    return KINDS[type(promise)].says(promise)


def sentences(promises: Sequence[p.Promise]) -> str:
    """How a requirement is judged: the sentence of its promise, of several with their numbers."""
    return numbered([sentence(promise) for promise in promises])


def seen(promises: Sequence[p.Promise]) -> str:
    """As a requirement's `seen`: where all of them show."""
    return max((KINDS[type(promise)].seen for promise in promises), key=SEEN.index)


def place(pointer: p.Place) -> str:
    """A place as a person names it: note.id, title of each entry of notes, or request_key for an argument."""
    first, *inner = pointer.removeprefix(ASKED).split(OF_EACH)
    said = ".".join(steps(first))
    for part in inner:
        said = f"{f'{name} of ' if (name := '.'.join(steps(part))) else ''}each entry of {said or ANSWERED}"
    return said or ANSWERED


def _tools(tools: Sequence[str], each: str = "Each tool") -> str:
    return listed(tools) if tools else each


def _with(codes: Sequence[str]) -> str:
    return f" with {listed(codes, 'or')}" if codes else ""


def _served(of: p.Served) -> str:
    whose = f" of {listed(of.tools)}" if of.tools else ""
    what = f"A call{whose} as contract.toml writes it"
    return f"{what}, on an entity that exists and with its current revision, is accepted."


def _answer(of: p.Answer) -> str:
    which = {"success": "a success of ", "refusal": "a refusal of ", "any": "each answer of "}[of.outcome]
    profiles = f" in the profile {listed(of.profiles, 'or')}" if of.profiles else ""
    given = {"always": "", "parent": of.at.rpartition("/")[0], "present": of.at}[of.where]
    where = f", where there is {place(given)}" if given and "*" not in given else ""
    return f"In {which}{_tools(of.tools, 'every tool')}{profiles}{where}, {worded(of.schema, place(of.at))}."


def _mirrored(of: p.Mirrored) -> str:
    return f"{_tools(of.tools)}: isError of the result is true where the envelope says failure, and else not."


def _catalogued(of: p.Catalogued) -> str:
    which = {
        "always": "each refusal has a code",
        "parent": "each error has a code",
        "present": "each code is one",
    }[of.where]
    return f"{_tools(of.tools)}: {which} that the error catalogue lists."


def _retryable(of: p.Retryable) -> str:
    given = {"always": "", "parent": of.at.rpartition("/")[0], "present": of.at}[of.where]
    where = f" that has {place(given)}" if given else ""
    return f"{_tools(of.tools)}: {place(of.at)} of each refusal{where} is what the error catalogue says of its code."


def _refused(of: p.Refused) -> str:
    argument = place(of.argument)
    fault = {
        "unknown": f"whose {argument} names no {of.entity or 'entity'} that exists",
        "taken": f"whose {argument} is that of {an(of.entity)} that exists",
        "invalid": f"whose {argument} is "
        + (listed([shown(value) for value in of.values], "or") if of.values else "against the tool's schema"),
        "missing": f"without {argument}",
        "role": f"by the role {of.role}",
        "condition": f"while {listed([f'{name} is {shown(value)}' for name, value in of.under.items()])}",
        "exhausted": f"beyond what {of.setting} allows",
    }[of.cause]
    return f"{of.tool} {fault} is refused{_with(of.codes)}, where the same call without that fault is accepted."


def _barred(of: p.Barred) -> str:
    here, there = f"is {of.state}", f"is not {of.state}"
    refused, accepted = (there, here) if of.outside else (here, there)
    return (
        f"{of.tool} on {an(of.entity)} that {refused} is refused{_with(of.codes)}, where the same call on one that "
        f"{accepted} is accepted."
    )


def _replayed(of: p.Replayed) -> str:
    gives, key = listed([place(each) for each in of.gives]), place(of.key)
    at_once = ", also where both are called at once" if of.concurrent else ""
    return f"{of.tool} called again with the same {key} gives the first answer's {gives} and writes nothing{at_once}."


def _conflicting(of: p.Conflicting) -> str:
    return (
        f"{of.tool} with {an(place(of.key))} that was used for other arguments is refused{_with(of.codes)}, "
        "and changes nothing."
    )


def _revised(of: p.Revised) -> str:
    what = f"Each accepted change of {an(of.entity)}" + (f" by {listed(of.tools, 'or')}" if of.tools else "")
    return f"{what} gives it a new revision, a higher one where revisions are numbers."


def _guarded(of: p.Guarded) -> str:
    at_once = f" Of calls at once with the same {place(of.expected)} one at most is accepted." if of.concurrent else ""
    return (
        f"{of.tool} whose {place(of.expected)} is not the {of.entity}'s current revision is refused{_with(of.codes)} "
        f"and changes nothing, where the same call with the current one is accepted.{at_once}"
    )


def _shows(of: p.Shows) -> str:
    fields = listed([f"{place(p.argued(argument))} at {place(where)}" for argument, where in of.fields.items()])
    return f"What {of.tool} writes to {an(of.entity)} is what reads show: {fields}."


def _lives(of: p.Lives) -> str:
    one, gone = an(of.entity), f"is refused{_with(of.codes)}" if of.codes else "is refused, or shows none"
    return (
        f"{one[:1].upper()}{one[1:]} is found from when it was made until it is removed; "
        f"a read of one that was removed {gone}."
    )


def _listed(of: p.Listed) -> str:
    return f"The list of {of.entity} entities shows each one from when it was made until it is removed."


def _steady(of: p.Steady) -> str:
    return f"{_tools(of.tools, 'Each read')}: two equal calls with no accepted write between them give the same answer."


def _rising(of: p.Rising) -> str:
    within = f" within the same {listed([place(each) for each in of.within])}" if of.within else ""
    return f"{place(of.at)} in the answers of {of.tool} rises from call to call{within}."


def _ordered(of: p.Ordered) -> str:
    how = "descending" if of.descending else "ascending"
    by = f" of {place(of.by)}" if of.by else ""
    return f"{of.tool} lists {place(of.entries)} in {how} order{by}."


def _unique(of: p.Unique) -> str:
    return f"No two {of.entity} entities share {place(of.at)}."


def _paged(of: p.Paged) -> str:
    told = f"called again with {place(of.next)} of each page as {place(of.cursor)}"
    higher = f"called again with {an(place(of.cursor))} that is higher by"
    onward = {
        None: told,
        "entries": f"{higher} the entries of each page",
        "pages": f"{higher} one for each page",
    }[of.counts]
    return f"{of.tool}, {onward}, shows each {of.entity} once and leaves none out."


def _filtered(of: p.Filtered) -> str:
    how = {"equal": "is that value", "contains": "contains it", "begins": "begins with it"}[of.how]
    by = place(of.by) if of.by else "name"
    return f"{of.tool} called with {place(of.argument)} shows only {place(of.entries)} whose {by} {how}, on every page."


def _capped(of: p.Capped) -> str:
    caps = [f"{place(of.size)} asks for" if of.size else "", f"{of.most} at most" if of.most is not None else ""]
    told = f"; {place(of.truncated)} says whether something was left out" if of.truncated else ""
    most = listed([cap for cap in caps if cap])
    return f"{of.tool} gives no more {place(of.entries)} than {most}{told}."


def _bounded(of: p.Bounded) -> str:
    bounds = [
        f"{word} {bound:g}" for word, bound in (("at least", of.least), ("at most", of.most)) if bound is not None
    ]
    of_these = {"number": "", "entries": " entries", "characters": " characters", "bytes": " bytes"}[of.unit]
    what = f"{of.tool} takes {place(of.argument)} of {' and '.join(bounds)}{of_these}"
    return f"{what}; anything beyond is refused{_with(of.codes)}."


def _enforced(of: p.Enforced) -> str:
    return (
        f"{_tools(of.tools)}: a call with one argument against its schema in tools.json is refused{_with(of.codes)}, "
        "where the same call without that fault is accepted"
        + (f"; one with an argument at its bound is not refused{_with(of.codes)}." if of.codes else ".")
    )


def _echoed(of: p.Echoed) -> str:
    which = {"success": "a success", "refusal": "a refusal", "any": "the answer"}[of.outcome]
    return f"{_tools(of.tools)}: {place(of.at)} of {which} is the call's {place(of.argument)}."


def _declared(of: p.Declared) -> str:
    return (
        f"tools/list has {_tools(of.tools, 'each tool of tools.json')}: it takes what tools.json names, asks for "
        "nothing else, within the same bounds, and has the same annotations."
    )


KINDS: dict[type, Kind] = {
    p.Served: Kind(_served, "history", root=True),
    p.Answer: Kind(_answer, "exchange"),
    p.Mirrored: Kind(_mirrored, "exchange"),
    p.Catalogued: Kind(_catalogued, "exchange"),
    p.Retryable: Kind(_retryable, "exchange"),
    p.Refused: Kind(_refused, "scenario"),
    p.Barred: Kind(_barred, "scenario"),
    p.Replayed: Kind(_replayed, "scenario"),
    p.Conflicting: Kind(_conflicting, "scenario"),
    p.Revised: Kind(_revised, "history"),
    p.Guarded: Kind(_guarded, "scenario"),
    p.Shows: Kind(_shows, "history"),
    p.Lives: Kind(_lives, "scenario"),
    p.Listed: Kind(_listed, "scenario"),
    p.Steady: Kind(_steady, "history"),
    p.Rising: Kind(_rising, "history"),
    p.Ordered: Kind(_ordered, "exchange"),
    p.Unique: Kind(_unique, "history"),
    p.Paged: Kind(_paged, "scenario"),
    p.Filtered: Kind(_filtered, "exchange"),
    p.Capped: Kind(_capped, "exchange"),
    p.Bounded: Kind(_bounded, "scenario"),
    p.Enforced: Kind(_enforced, "scenario"),
    p.Echoed: Kind(_echoed, "exchange"),
    p.Declared: Kind(_declared, "static"),
}

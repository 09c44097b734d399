"""Which promises others rest on: where one is broken in the same calls, a breach of another follows from it."""

from collections.abc import Iterator, Mapping

from msgspec import structs

from conformance.contract import promises as p
from conformance.model.requirement import Requirement


def founded(
    requirements: Mapping[str, Requirement], promises: Mapping[str, Mapping[str, p.Promise]]
) -> dict[str, Requirement]:
    """The requirements, each with those that its promises rest on among its prerequisites.

    `promises` are those of each. Where two with several promises would rest on each other the later one does.
    """
    found = dict(requirements)
    for name, own in promises.items():
        for other, those in promises.items():
            rests = other != name and any(_rests(one, each) for one in own.values() for each in those.values())
            if rests and other not in found[name].requires and name not in beneath(other, found):
                found[name] = structs.replace(found[name], requires=(*found[name].requires, other))
    return found


def beneath(name: str, requirements: Mapping[str, Requirement]) -> set[str]:
    """All that a requirement rests on: itself as well, where they rest on each other."""
    found, todo = set[str](), [name]
    while todo:
        about = requirements.get(todo.pop())
        more = set(about.requires if about is not None else ()) - found
        found |= more
        todo += more
    return found


def _rests(promise: p.Promise, other: p.Promise) -> bool:
    """Whether a promise can be kept only where the other one is."""
    match promise, other:
        case p.Guarded(), p.Revised():
            # what keeps its revision can be changed twice from the same one
            return promise.entity == other.entity
        case p.Steady(), p.Guarded() | p.Conflicting() | p.Replayed():
            # that these refusals change nothing is their own promise
            return True
        case p.Enforced(), p.Bounded() | p.Refused(cause="invalid" | "missing"):
            # what is said of one argument is told by its own promise
            return not promise.tools or other.tool in promise.tools
        case (
            (
                p.Retryable()
                | p.Refused()
                | p.Barred()
                | p.Enforced()
                | p.Conflicting()
                | p.Guarded()
                | p.Lives()
                | p.Bounded()
            ),
            p.Catalogued(),
        ):
            return not other.tools or bool(set(_tools(promise)) & set(other.tools))
        case _:
            return False


def _tools(promise: p.Promise) -> Iterator[str]:
    named = getattr(promise, "tool", "")
    yield from (named,) if named else getattr(promise, "tools", ())

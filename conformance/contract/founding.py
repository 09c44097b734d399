"""Which promises others rest on: where one is broken in the same calls, a breach of another follows from it."""

from collections.abc import Iterator, Mapping

from msgspec import structs

from conformance.contract import promises as p
from conformance.model.requirement import Requirement


def founded(requirements: Mapping[str, Requirement], promises: Mapping[str, p.Promise]) -> dict[str, Requirement]:
    """The requirements, each with those that its promise rests on among its prerequisites."""
    found = dict(requirements)
    for name, promise in promises.items():
        beneath = [other for other, each in promises.items() if other != name and _rests(promise, each)]
        more = tuple(each for each in beneath if each not in found[name].requires)
        found[name] = structs.replace(found[name], requires=(*found[name].requires, *more))
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

"""What a record keeps of a value: all of it, but for what was redacted."""

from collections.abc import Collection, Iterator

from conformance.contracts.invocation.calls import says_secret
from conformance.contracts.invocation.markers import masked
from conformance.judge.kinds import alike
from conformance.model.events import Json


def lost(told: Json, kept: Json, pointer: str = "", withheld: Collection[str] = ()) -> Iterator[str]:
    """The places of a value of which nothing is kept: neither the value nor what stands for a redacted one.

    Fields that are named like secrets are left out, and those that one of the rules `withheld` names: pointers in which
    `*` stands for any item.
    """
    if any(_names(rule, pointer) for rule in withheld):
        return
    if isinstance(told, dict) and isinstance(kept, dict):
        for name, inner in told.items():
            if not says_secret(name):
                yield from lost(inner, kept.get(name), f"{pointer}/{name}", withheld)
    elif isinstance(told, list) and isinstance(kept, list) and len(told) == len(kept):
        for number, (inner, shown) in enumerate(zip(told, kept, strict=True)):
            yield from lost(inner, shown, f"{pointer}/{number}", withheld)
    elif alike(told, kept) is False and not (kept is not None and masked(kept)):
        yield pointer or "/"


def _names(rule: str, pointer: str) -> bool:
    wanted, parts = rule.split("/"), pointer.split("/")
    return len(wanted) == len(parts) and all(one in ("*", part) for one, part in zip(wanted, parts, strict=True))

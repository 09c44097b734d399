"""JSON Pointers: what they lead to in a value. `*` stands for each entry of a list, or of an object that is a map."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from conformance.model.events import Json

ASKED = "@"
"""Before a pointer: into the call's arguments, not its answer."""
EACH = "*"
OF_EACH = f"/{EACH}"
ABSENT = object()


@lru_cache(1_000)
def steps(pointer: str) -> tuple[str, ...]:
    """The names that a pointer leads through, from the outside in."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


def pointer_of(path: Iterable[object]) -> str:
    """The pointer that leads through these names, from the outside in: what `steps` reads."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def at(value: Json, pointer: str) -> Json:
    """What a JSON Pointer leads to; ABSENT where nothing is there."""
    for name in steps(pointer):
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return ABSENT
    return value


def entries(value: Json, pointer: str) -> Iterator[tuple[str, Json]]:
    """What a pointer leads to where `*` stands for each entry of a list, or of a map: each with its own pointer."""
    head, star, rest = pointer.partition(OF_EACH)
    found = at(value, head) if head else value
    if not star:
        if found is not ABSENT:
            yield head, found
        return
    if not rest:
        yield from ((f"{head}{step}", entry) for step, entry in _each(found))
        return
    for step, entry in _each(found):
        for place, inner in entries(entry, rest):
            yield f"{head}{step}{place}", inner


def _each(found: Json) -> Iterator[tuple[str, Json]]:
    """The entries of a list, or of a map, each with the step that leads to it."""
    if isinstance(found, list):
        yield from ((f"/{number}", entry) for number, entry in enumerate(found))
    elif isinstance(found, dict):
        yield from ((pointer_of([name]), entry) for name, entry in found.items())


def scalars(value: Json, pointer: str = "") -> Iterator[tuple[str, Json]]:
    """The parts of a value that have no parts of their own, in order, each with its place."""
    waiting = [(pointer, value)]
    while waiting:
        place, each = waiting.pop()
        if isinstance(each, dict):
            waiting += reversed([(place + pointer_of([name]), inner) for name, inner in each.items()])
        elif isinstance(each, list):
            waiting += reversed([(f"{place}/{number}", inner) for number, inner in enumerate(each)])
        else:
            yield place, each


def put(holder: Json, pointer: str, value: Json) -> None:
    """Sets what stands at a place within an object; objects that lead there are made."""
    path = steps(pointer)
    for step in path[:-1]:
        if isinstance(holder, list) and step.isdecimal() and int(step) < len(holder):
            holder = holder[int(step)]
        elif isinstance(holder, dict):
            holder = holder.setdefault(step, {})
    if isinstance(holder, list) and path[-1].isdecimal() and int(path[-1]) < len(holder):
        holder[int(path[-1])] = value
    elif isinstance(holder, dict) and path:
        holder[path[-1]] = value


def drop(holder: Json, pointer: str) -> None:
    """Removes what stands at a place within an object, where anything does; with `*` what stands in each entry."""
    head, _, last = pointer.rpartition("/")
    for _, each in [*entries(holder, head)] if pointer else ():
        if isinstance(each, dict) and last != EACH:
            each.pop(steps(f"/{last}")[0], None)
        elif isinstance(each, list) and last == EACH:
            each.clear()
        elif isinstance(each, list) and last.isdecimal() and int(last) < len(each):
            each.pop(int(last))


def gathered(value: Json, pointer: str) -> Json:
    """What a pointer leads to; with `*` a list of what it leads to in each entry. ABSENT where nothing is there."""
    if OF_EACH not in pointer:
        return at(value, pointer)
    return [each for _, each in entries(value, pointer)] or ABSENT


def narrowed(value: Json, pointer: str) -> str:
    """The pointer with the last entry of its list, or of its map, in the place of each `*`."""
    place = ""
    for step in pointer.split("/")[1:]:
        *_, end = ("/0", None), *_each(at(value, place) if step == EACH else None)
        place += end[0] if step == EACH else f"/{step}"
    return place


def last(value: Json, pointer: str) -> Json:
    """What a pointer leads to, with `*` in the last entry; ABSENT where nothing is there."""
    return at(value, narrowed(value, pointer))


def meets(pointer: str, place: str) -> bool:
    """Whether a pointer leads to a place: `*` to each entry."""
    one, other = steps(pointer), steps(place)
    return len(one) == len(other) and all(mine in (EACH, theirs) for mine, theirs in zip(one, other, strict=True))

"""Whether a call reached its tool, and the good call beside a bad one: its like but for one argument."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, islice, zip_longest
from typing import Any

from conformance.contract.dialect import seems_valid
from conformance.contracts.mcp.laws.repeated import misnamed, params_of
from conformance.contracts.mcp.reach.keys import is_key
from conformance.judge.kinds import spelled
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.revision import VERSION_KEY, stateless
from conformance.model.texts import decoded

AT_THE_DOOR = (401, 403, 429)
"""HTTP statuses by which who calls, or how often, is refused, whatever is asked."""
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
HEADER_MISMATCH = -32020
"""The headers disagree with the body: that is decided before any tool is asked."""
AWAY = (502, 503, 504)
"""HTTP statuses of something before the server, or of one that serves nobody for a time."""
FAULTY = 500
"""From here on an HTTP status tells of a fault of the server's or of something before it."""
LOOKED_AT = 30
"""Good calls on either side of a bad one among which its like is looked for."""
DEEPEST = 20
MOST_READINGS = 1_000
"""Ways in which arguments are read before it is said that they spell out nothing that a schema allows."""


def asked(call: Exchange) -> bool:
    """Whether a call was answered by the server of MCP, rather than at the door or by something before it.

    `arguments` that are null make no call in MCP: some servers read them as none, and may. Nor does a request that
    lacks its metadata, or whose headers tell something else than its body.
    """
    if call.received is None or call.status in AT_THE_DOOR or call.turned_away:
        return False
    if call.protocol_code == HEADER_MISMATCH or (call.refused and not well_asked(call)):
        return False
    params = call.request.get("params") if isinstance(call.request, dict) else None
    return not isinstance(params, dict) or params.get("arguments", ...) is not None


def put_off(request: Exchange) -> bool:
    """Whether a limit, or what is before a server that serves nobody for a time, turned a request away."""
    return request.limited or request.status in AWAY


def out_of_reach(request: Exchange, *, gone: bool = False) -> bool:
    """Whether no answer came, or one at the door, of something before the server, or to another request.

    Nothing was decided then. A refusal in no words of MCP is the server's own where it may refuse so: `gone`.
    """
    if request.received is None or request.status in AT_THE_DOOR or (request.status or 0) >= FAULTY:
        return True
    return request.misdirected or request.limited or (request.turned_away and not gone)


def meta_of(request: Exchange) -> dict[str, Json]:
    """What a request says of itself beside what it asks."""
    meta = params_of(request).get("_meta")
    return meta if isinstance(meta, dict) else {}


def lacks(request: Exchange) -> str:
    """The required key of `_meta` that a request lacks; empty where it has both, or names another revision.

    Where nothing names the version, not even a header, it is one of an older revision to servers that know any.
    """
    spoken = request.connection.revision
    if not isinstance(request.request, dict) or request.method == "initialize" or not stateless(spoken):
        return ""
    meta = meta_of(request)
    if meta.get(VERSION_KEY) == spoken:
        return "" if CAPABILITIES_KEY in meta else CAPABILITIES_KEY
    return VERSION_KEY if VERSION_KEY not in meta and version_header(request) in (None, spoken) else ""


def version_header(request: Exchange) -> str | None:
    """The version that a header of a request names."""
    return request.asked.headers.get("mcp-protocol-version") if request.asked is not None else None


def well_asked(request: Exchange) -> bool:
    """Whether a request names its connection's revision, and has the metadata and the headers that this one wants."""
    header, spoken = version_header(request), request.connection.revision
    if not stateless(spoken):
        return header in (None, spoken)
    if lacks(request) or meta_of(request).get(VERSION_KEY, spoken) != spoken:
        return False
    return not (request.asked is not None and request.asked.headers) or (header == spoken and not misnamed(request))


def arguments_of(call: Exchange) -> Json:
    """The arguments of a call; none given are an empty object."""
    return {} if call.arguments is None else call.arguments


class Likes:
    """Good calls, by what a bad one has in common with its like: all but one argument.

    Keys that make a write repeatable may differ besides, where new ones were seen to be accepted.
    """

    def __init__(self, good: Iterable[Exchange], bad: Iterable[Exchange] = ()) -> None:
        self._by_place: dict[Hashable, list[Exchange]] = defaultdict(list)
        for call in good:
            self._by_place[_place(call)].append(call)
        self._keys = {place: keys for place, calls in self._by_place.items() if (keys := _free_keys(calls))}
        self._used: dict[Hashable, int] = {}
        """By place and key, when it was first sent with a call that was accepted."""
        known = (call for calls in self._by_place.values() for call in calls)
        for call in (call for call in chain(known, bad) if call.accepted and self._keys):
            for key in _held(call, self._keys.get(place := _place(call), frozenset())):
                self._used[place, key] = min(call.sent, self._used.get((place, key), call.sent))
        for calls in self._by_place.values():
            calls.sort(key=lambda call: call.sent)

    def near(self, call: Exchange) -> Exchange | None:
        """The nearest good call that differs in one argument at most; None: there is none."""
        arguments = arguments_of(call)
        if not isinstance(arguments, dict):
            return None
        keys = self._keys.get(_place(call), frozenset())
        return next((like for like in self._nearest(call) if _differ(arguments, arguments_of(like), keys) <= 1), None)

    def spoken_for(self, call: Exchange) -> bool:
        """Whether a key of a call had been used for another one, which may be what it was refused for."""
        place = _place(call)
        held = _held(call, self._keys.get(place, frozenset()))
        return any(self._used.get((place, key), call.sent) < call.sent for key in held)

    def accepted(self, call: Exchange) -> Iterator[Exchange]:
        """The near good calls that differ in one argument at most and were accepted."""
        arguments = arguments_of(call)
        if isinstance(arguments, dict):
            keys = self._keys.get(_place(call), frozenset())
            near = (like for like in self._nearest(call) if like.accepted)
            yield from (like for like in near if _differ(arguments, arguments_of(like), keys) <= 1)

    def _nearest(self, call: Exchange) -> Iterator[Exchange]:
        likes = self._by_place.get(_place(call), [])
        place = bisect_left(likes, call.sent, key=lambda like: like.sent)
        before, after = likes[max(0, place - LOOKED_AT) : place][::-1], likes[place : place + LOOKED_AT]
        for pair in zip_longest(before, after):
            both = (like for like in pair if like is not None and like is not call)
            yield from sorted(both, key=lambda like: abs(like.sent - call.sent))


def _place(call: Exchange) -> Hashable:
    conditions = spelled(call.conditions) if call.conditions else ""
    return call.tool, call.instance, call.connection.binding, call.credential.name, conditions


def _differ(one: dict[str, Any], other: Json, keys: AbstractSet[str]) -> int:
    """In how many arguments two calls differ, but for keys that both have as texts."""
    if not isinstance(other, dict):
        return len(one) + 1
    return sum(
        name not in one
        or name not in other
        or (one[name] != other[name] and not (name in keys and isinstance(one[name], str)))
        for name in {**one, **other}
    )


def _free_keys(calls: Sequence[Exchange]) -> frozenset[str]:
    """The keys among the arguments of a tool of which different ones were accepted, with all else the same."""
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    for call in calls:
        arguments = arguments_of(call)
        for name in filter(is_key, arguments) if call.accepted and isinstance(arguments, dict) else ():
            rest = {other: value for other, value in arguments.items() if other != name}
            if isinstance(arguments[name], str):
                values[name, spelled(rest)].add(arguments[name])
    return frozenset(name for (name, _), found in values.items() if len(found) > 1)


def _held(call: Exchange, keys: AbstractSet[str]) -> list[tuple[str, str]]:
    """The keys that a call gives, each with its name."""
    arguments = arguments_of(call)
    given = arguments if isinstance(arguments, dict) else {}
    return [(name, spelled(given[name])) for name in keys if name in given]


def spells_out(schema: Json, arguments: Json) -> bool:
    """Whether arguments satisfy a schema once a value in them is read as what it spells, or written out: "5" for 5.

    true is read as 1 as well, false as 0, and the other way round: readers of several languages do so, and nothing is
    lost. It is one value, or all that are in one argument.
    """
    if not isinstance(arguments, dict):
        return False
    meanings = (
        {**arguments, name: meant} for name, value in arguments.items() for meant in (*_each(value), *_all(value))
    )
    return any(
        spelled(meant) != spelled(arguments) and seems_valid(schema, meant) for meant in islice(meanings, MOST_READINGS)
    )


def _all(value: Json) -> tuple[Json, ...]:
    """A value with all in it read as what it spells, in each of the ways."""
    return _read(value), _written(value), _counted(value), _switched(_read(value))


def _each(value: Json, levels: int = DEEPEST) -> Iterator[Json]:
    """A value with one in it, at any place, read as what it spells."""
    if isinstance(value, dict) and levels:
        for key, part in value.items():
            yield from ({**value, key: meant} for meant in _each(part, levels - 1))
    elif isinstance(value, list) and levels:
        for place, part in enumerate(value[:LOOKED_AT]):
            yield from ([*value[:place], meant, *value[place + 1 :]] for meant in _each(part, levels - 1))
    elif not isinstance(value, dict | list):
        yield from (meant for meant in _all(value) if spelled(meant) != spelled(value))


def _read(value: Json, levels: int = DEEPEST) -> Json:
    """A value whose texts that are a JSON number or boolean are those."""
    if isinstance(value, str):
        found = decoded(value.strip())
        return found if isinstance(found, int | float) else value
    return _within(value, _read, levels)


def _written(value: Json, levels: int = DEEPEST) -> Json:
    """A value whose numbers and booleans are their texts."""
    if isinstance(value, int | float):
        return spelled(value)
    return _within(value, _written, levels)


def _counted(value: Json, levels: int = DEEPEST) -> Json:
    """A value whose booleans are 1 and 0."""
    if isinstance(value, bool):
        return int(value)
    return _within(value, _counted, levels)


def _switched(value: Json, levels: int = DEEPEST) -> Json:
    """A value whose numbers 1 and 0 are booleans."""
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value)
    return _within(value, _switched, levels)


def _within(value: Json, each: Callable[[Json, int], Json], levels: int) -> Json:
    if isinstance(value, dict) and levels:
        return {key: each(part, levels - 1) for key, part in value.items()}
    if isinstance(value, list) and levels:
        return [each(part, levels - 1) for part in value]
    return value

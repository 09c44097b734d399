"""Takes from a history the conversation that leads to a finding, with all that its calls rest on."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import structs

from conformance import __version__
from conformance.contract.catalogue import Contract
from conformance.drive import headers as mcp
from conformance.drive import revisions as rev
from conformance.drive.naming import name_of_run
from conformance.drive.tokens import token_of
from conformance.histories import values
from conformance.histories.conversation import Conversation, Line, Said, Store, Who
from conformance.histories.describing import Describing
from conformance.histories.sufficing import Events, needed
from conformance.histories.values import answers_in
from conformance.model.events import Credential, Json
from conformance.model.exchange import Aside, Connection, Exchange
from conformance.model.history import History
from conformance.model.verdict import Finding

GREETINGS = ("initialize", "server/discover")
LEAST_PAUSE_MS = 200
"""What a stimulus waits on purpose is longer than what the suite takes between two calls."""
AT_ONCE_US = 2_000
"""What follows a call that got no answer within so many microseconds was made beside it: how long it was waited for is
no part of what was said."""
PATH = "{path}"
"""In a path, where the endpoint's own stands."""
MASKED = "«"
CLAIMED = (rev.VERSION_KEY, rev.CAPABILITIES_KEY, rev.CLIENT_KEY)
"""What a connection says of itself in a request's _meta, where there was no handshake."""
RENEWED = (rev.INSTANCE_KEY, rev.CONDITIONS_KEY, rev.AUTHORIZATION_KEY)
"""What a call says there of where, under what and in whose name it is made."""
CARRIED = ("authorization", "mcp-session-id", "host", "content-length", "user-agent", "connection", "accept-encoding")
PARAMETER = "mcp-param-"
CONDITIONAL = "x-conformance-"
_CLAIMS = re.compile(r"/(?=\w+=)")


def of_finding(finding: Finding, history: History, contract: Contract, events: Events) -> Conversation:
    """The conversation of a finding; `events` are those that its history was made of."""
    calls = needed(finding, history, contract, events)
    named = tuple(dict.fromkeys(filter(None, (finding.requirement, finding.blocked_by))))
    return of_calls(calls, history, contract, requirements=named, about=finding.saw)


def of_calls(
    calls: Iterable[Exchange],
    history: History,
    contract: Contract,
    *,
    requirements: tuple[str, ...] = (),
    about: str = "",
) -> Conversation:
    """The conversation that these calls are, with those whose answers they go on from."""
    header = history.header
    seed = header.seed if header is not None else 0
    writing = _Writing(history, Describing(history, contract, name_of_run(seed)))
    said, chosen = writing.closed(calls)
    beside = sum(1 for aside in history.asides.values() if writing.leaves_out(aside, chosen))
    left_out = (f"messages beside the calls ({beside}): notifications, answers, what is no request",) if beside else ()
    return shortly_named(
        Conversation(
            suite=__version__,
            contract=contract.name,
            edition=header.edition if header is not None else None,
            protocol=next((each.connection.revision for each in chosen if each.connection.revision), None),
            seed=seed,
            about=about,
            requirements=requirements,
            left_out=left_out,
            stores=writing.stores,
            lines=writing.lines,
            credentials=writing.credentials,
            calls=renumbered(said),
        )
    )


def shortly_named(conversation: Conversation) -> Conversation:
    """With credentials named without the stimulus that they were of, where that leaves them different."""
    stimuli = {each.stimulus.partition(".")[2] for each in conversation.calls}
    names: dict[str, str] = {}
    whos: dict[str, Who] = {}
    for name, who in conversation.credentials.items():
        agent = next((who.agent.removesuffix(f"-{each}") for each in stimuli if who.agent.endswith(f"-{each}")), "")
        short = structs.replace(who, agent=agent) if agent else who
        told = name.replace(who.agent, agent, 1) if agent else name
        if told in whos or any(short == other for other in whos.values()):
            told, short = name, who
        names[name], whos[told] = told, short

    def renamed(value: Json) -> Json:
        return values.recredited(value, names)

    calls = tuple(
        structs.replace(
            each,
            by=names.get(each.by, each.by) if each.by is not None else None,
            arguments=renamed(each.arguments),
            message=renamed(each.message),
            conditions=renamed(each.conditions),
        )
        for each in conversation.calls
    )
    return structs.replace(conversation, credentials=whos, calls=calls)


def uses(said: Said) -> Iterator[dict[str, Json]]:
    """The answers that a call goes on from."""
    for part in (said.arguments, said.message, said.conditions):
        yield from answers_in(part)


def renumbered(calls: Iterable[Said]) -> tuple[Said, ...]:
    """The calls with numbers from 1, in order."""
    numbers: dict[int, int] = {}
    said: list[Said] = []
    for place, each in enumerate(calls, 1):
        numbers[each.id] = place
        again = referring(each, lambda held: {**held, "call": numbers.get(held["call"], held["call"])})
        said.append(structs.replace(again, id=place))
    return tuple(said)


def referring(said: Said, to: Callable[[dict[str, Any]], dict[str, Json]]) -> Said:
    """The call with each reference to an earlier answer replaced by what `to` gives for it."""
    return structs.replace(
        said,
        arguments=values.referring(said.arguments, to),
        message=values.referring(said.message, to),
        conditions=values.referring(said.conditions, to),
    )


class _Writing:
    def __init__(self, history: History, describing: Describing) -> None:
        self._history = history
        self._describing = describing
        self._shared = _shared(history)
        self._listed = {call: place for listing in history.listings for place, call in enumerate(listing.calls)}
        self._sent = sorted(each.sent for each in history.exchanges)
        self.stores: dict[str, Store] = {}
        self.lines: dict[str, Line] = {}
        self.credentials: dict[str, Who] = {}

    def closed(self, calls: Iterable[Exchange]) -> tuple[list[Said], list[Exchange]]:
        """The calls as a conversation holds them, with those whose answers they use."""
        written: dict[int, Said] = {}
        waiting = {each.call: each for each in calls if not self._begins(each)}
        chosen: dict[int, Exchange] = {}
        while waiting:
            number, exchange = waiting.popitem()
            chosen[number] = exchange
            said = written[number] = self._said(exchange)
            for reference in uses(said):
                used = self._history.find(reference["call"])
                if used is not None and used.call not in written:
                    waiting[used.call] = used
        ordered = sorted(chosen.values(), key=lambda each: (each.sent, each.call))
        return list(_paced([written[each.call] for each in ordered], ordered, self._idle)), ordered

    def _idle(self, begin: float, end: int) -> bool:
        """Whether the run said nothing at all in a while: then it waited on purpose, and not for its turn."""
        return bisect_left(self._sent, end) <= bisect_right(self._sent, begin)

    def leaves_out(self, aside: Aside, chosen: Sequence[Exchange]) -> bool:
        """Whether a message beside the calls belongs to these: on a connection of their own, or about one of them."""
        payload = aside.sent.payload
        method = payload.get("method") if isinstance(payload, dict) else None
        if (payload is None and aside.sent.raw is None) or method == "notifications/initialized":
            return False
        connection = aside.connection.id
        if connection in self.lines:
            return True
        params = payload.get("params") if isinstance(payload, dict) else None
        about = params.get("requestId") if isinstance(params, dict) else None
        return any(each.call == about and each.connection.id == connection for each in chosen)

    def _begins(self, exchange: Exchange) -> bool:
        """Whether a call is made by whoever opens a connection or lists the tools, as often as it takes."""
        agreed = exchange.connection.agreed
        greets = exchange.method in GREETINGS and agreed is not None and exchange.sent <= agreed
        return greets or self._listed.get(exchange.call, 0) > 0

    def _said(self, exchange: Exchange) -> Said:
        connection = exchange.connection
        instance = self._history.instances.get(exchange.instance)
        settings = instance.settings if instance is not None else {}
        fresh = instance is not None and instance.means != "as found"
        self.stores[exchange.instance] = Store(settings=settings, fresh=fresh, endpoint=connection.endpoint)
        line = None
        if connection.id not in self._shared:
            line = connection.id
            unmet = connection.agreed is None and connection.binding == "mcp"
            self.lines[line] = Line(store=exchange.instance, unmet=unmet)
        by = None
        if exchange.credential.name in self._history.credentials:
            by = exchange.credential.name
            self._introduce(by)
        asked = self._asked(exchange)
        conditions = {k: self._describing.value(exchange, v) for k, v in exchange.conditions.items()}
        for part in (asked.get("arguments"), asked.get("message"), conditions):
            for name in values.named_in(part):
                self._introduce(name)
        return Said(
            id=exchange.call,
            line=line,
            store=exchange.instance,
            by=by,
            conditions=conditions,
            stimulus=exchange.stimulus,
            label=exchange.label,
            **asked,
        )

    def _introduce(self, name: str) -> None:
        self.credentials[name] = _who(self._history.credentials[name])

    def _asked(self, exchange: Exchange) -> dict[str, Json]:
        request = exchange.request
        if exchange.connection.binding == "http":
            return self._fetched(exchange)
        headers = _unusual(exchange)
        if isinstance(request, str) and not isinstance(exchange.arguments, dict) and exchange.method == "":
            return {"raw": request, "headers": headers}
        params = _ordinary(exchange)
        if params is None:
            return {"message": self._describing.value(exchange, request), "headers": headers}
        if self._listed.get(exchange.call) == 0 and not params:
            return {"method": exchange.method}
        if exchange.method == "tools/call" and params.keys() == {"name", "arguments"} and not headers and exchange.tool:
            return {"tool": exchange.tool, "arguments": self._describing.value(exchange, exchange.arguments)}
        described = self._describing.value(exchange, params)
        return {"method": exchange.method, "arguments": described, "headers": headers}

    def _fetched(self, exchange: Exchange) -> dict[str, Json]:
        asked = exchange.asked
        own = exchange.connection.path
        path = asked.path or "" if asked is not None else ""
        if exchange.tool is not None and isinstance(exchange.arguments, dict):
            return {"tool": exchange.tool, "arguments": self._describing.value(exchange, exchange.arguments)}
        verb = asked.method or "POST" if asked is not None else "POST"
        placed = PATH + path.removeprefix(own) if own and path.startswith(own) else path
        kind = asked.headers.get("content-type") if asked is not None else None
        headers: dict[str, str | None] = {} if kind in (None, "application/json") else {"content-type": kind}
        if isinstance(exchange.request, str):
            return {"raw": exchange.request, "method": verb, "path": placed, "headers": headers}
        body = self._describing.value(exchange, exchange.request)
        return {"method": verb, "path": placed, "arguments": body, "headers": headers}


def _shared(history: History) -> set[str]:
    """The connections that are opened for whoever calls about an instance: the first, and one in its place."""
    statement = history.header.statement if history.header is not None else {}
    conditions = statement.get("conditions")
    addressed = isinstance(conditions, dict) and conditions.get("means") == "meta"
    found: dict[tuple[int, str], Connection] = {}
    shared: set[str] = set()
    for connection in history.connections.values():
        key = connection.endpoint, "main" if addressed else connection.instance
        before = found.get(key)
        ended = before is not None and before.closed is not None and before.closed.t <= connection.opened
        if (before is None or ended) and (connection.agreed is not None or connection.binding == "http"):
            found[key] = connection
            shared.add(connection.id)
    return shared


def _who(credential: Credential) -> Who:
    """The parts of a credential, as its name has them: role, agent, claims that were asked for, what is wrong."""
    rest = credential.name.removeprefix(credential.role)
    if credential.defect:
        rest = rest.removesuffix(f"/{credential.defect}")
    agent, *claims = _CLAIMS.split(rest)
    names = [claim.partition("=")[0] for claim in claims]
    asked = {name: credential.claims[name] for name in names if name in credential.claims}
    return Who(role=credential.role, agent=agent.removeprefix("/"), claims=asked, defect=credential.defect)


def _ordinary(exchange: Exchange) -> dict[str, Json] | None:
    """The params of a request as an ordinary client makes them, without what a connection adds; None for any other."""
    request = exchange.request
    if not isinstance(request, dict) or not request.keys() <= {"jsonrpc", "id", "method", "params"}:
        return None
    params = request.get("params", {})
    if request.get("jsonrpc") != "2.0" or request.get("id") != exchange.call or not isinstance(params, dict):
        return None
    if not isinstance(request.get("method"), str):
        return None
    meta = params.get("_meta", {})
    if not isinstance(meta, dict) or meta.get(rev.VERSION_KEY, exchange.connection.revision) not in (
        None, exchange.connection.revision,
    ):  # fmt: skip
        return None
    if exchange.connection.revision in rev.STATELESS and not {*CLAIMED} <= meta.keys():
        return None
    kept = {name: value for name, value in meta.items() if name not in (*CLAIMED, *RENEWED)}
    if kept.get("progressToken") in (token_of(exchange.call), exchange.call):
        del kept["progressToken"]
    elif exchange.method == "tools/call" and "progressToken" not in kept:
        kept["progressToken"] = None
    others = {name: value for name, value in params.items() if name != "_meta"}
    return {**others, "_meta": kept} if kept else others


def _unusual(exchange: Exchange) -> dict[str, str | None]:
    """The headers of a request that an ordinary one would not have so."""
    if exchange.asked is None or exchange.connection.transport != "http":
        return {}
    request = exchange.request if isinstance(exchange.request, dict) else {}
    revision = exchange.connection.revision
    usual = {"content-type": "application/json", "accept": mcp.ACCEPTED}
    if revision is not None and exchange.method != "initialize":
        usual["mcp-protocol-version"] = revision
    params = request.get("params")
    if revision in rev.STATELESS and isinstance(params, dict):
        usual |= mcp.named(exchange.method, params)
    return dict(_differing({k.lower(): v for k, v in exchange.asked.headers.items()}, usual))


def _differing(sent: Mapping[str, str], usual: Mapping[str, str]) -> Iterator[tuple[str, str | None]]:
    for name in {**usual, **sent}:
        if name in CARRIED or name.startswith((PARAMETER, CONDITIONAL)) or MASKED in sent.get(name, ""):
            continue
        if sent.get(name) != usual.get(name):
            yield name, sent.get(name)


def _paced(said: Sequence[Said], calls: Sequence[Exchange], idle: Callable[[float, int], bool]) -> Iterator[Said]:
    """With the number of those that were made at once, and the pauses that were made on purpose.

    At once: each was sent before any of the others was answered. What followed an answer follows it again.
    """
    groups: list[list[int]] = []
    until = 0.0
    for place, call in enumerate(calls):
        ended = call.sent + AT_ONCE_US if call.received is None else call.received
        if groups and call.sent < until:
            groups[-1].append(place)
            until = min(until, ended)
        else:
            groups.append([place])
            until = ended
    over: float | None = None
    for number, group in enumerate(groups, 1):
        first = calls[group[0]]
        pause = int((first.sent - over) / 1000) if over is not None and idle(over, first.sent) else 0
        for place in group:
            together = number if len(group) > 1 else None
            waits = pause if place == group[0] and pause >= LEAST_PAUSE_MS else 0
            yield structs.replace(said[place], together=together, pause_ms=waits)
        ends = [calls[place].received for place in group]
        known = [each for each in ends if each is not None]
        over = max(known) if known else None

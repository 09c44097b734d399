"""Makes the calls of a conversation again, with fresh names and the values that are answered this time."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

from conformance.drive.bench import Bench
from conformance.drive.errors import StuckError
from conformance.drive.secrets import mark
from conformance.histories import values
from conformance.histories.conversation import Conversation, Said
from conformance.histories.extracting import PATH
from conformance.histories.extracting import RENEWED as ADDED
from conformance.histories.origins import answered
from conformance.histories.values import RENEWED, mapped
from conformance.model.events import Http, Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, at

LISTING = "tools/list"
META = "_meta"


class Player:
    """Plays one conversation, once."""

    def __init__(  # noqa: PLR0913 -- how it is to be played, each by name
        self,
        conversation: Conversation,
        bench: Bench,
        *,
        alone: bool = False,
        fresh: bool = False,
        run: str = "",
        lanes: list[Bench] | None = None,
    ) -> None:
        """`alone`: all of it on the bench's own instance; `fresh`: in new ones, where the target can give such.

        `run`: what stands in made-up names. `lanes` takes the benches that connections and instances are begun for.
        """
        self._conversation = conversation
        self._bench = bench
        self._alone = alone
        self._fresh = fresh
        self._lanes = lanes if lanes is not None else []
        self._run = run or bench.session.nonce
        self._benches: dict[tuple[str, str | None], Bench] = {}
        self._credentials: dict[str, str] = {}
        self._answers: dict[int, Exchange] = {}
        self._moments: dict[str, str] = {}
        self.unmet: list[str] = []
        """Values that an answer was to give and did not; what stood there when it was recorded was sent instead."""

    async def play(self) -> None:
        """Makes all calls. SkipError where the target cannot bring about what they need."""
        for _, group in groupby(self._conversation.calls, lambda said: said.together or -said.id):
            together = list(group)
            if together[0].pause_ms:
                await asyncio.sleep(together[0].pause_ms / 1000)
            # what brings the calls about is waited for before the first of them leaves
            benches = [await self._at(said) for said in together]
            calls = [self._call(said, bench) for said, bench in zip(together, benches, strict=True)]
            exchanges = [await calls[0]] if len(calls) == 1 else await benches[0].together(*calls)
            self._answers |= {said.id: exchange for said, exchange in zip(together, exchanges, strict=True)}

    async def _at(self, said: Said) -> Bench:
        """The bench of a call: its store, over its connection, under its conditions.

        All are one stimulus's here: of two, one would wait for what the other brought about to be over.
        """
        key = said.store, said.line
        if key not in self._benches:
            base = await self._store(said.store)
            if said.line is not None:
                base = await (base.unmet() if self._conversation.lines[said.line].unmet else base.reconnected())
                self._lanes.append(base)
            self._benches[key] = base
        bench = self._benches[key]
        conditions = self._value(said.conditions)
        return await bench.under(**conditions) if conditions else bench

    async def _store(self, name: str) -> Bench:
        """The bench of a store over the connection that all share."""
        if (name, None) in self._benches:
            return self._benches[name, None]
        if self._alone:
            self._benches[name, None] = self._bench
            return self._bench
        store = self._conversation.stores[name]
        session = self._bench.session
        endpoint = store.endpoint if store.endpoint < len(session.statement.endpoint) else 0
        bench = replace(
            self._bench, endpoint=endpoint, instance=session.instances.found(endpoint), settings={}, connection=None
        )
        if store.settings or ((store.fresh or self._fresh) and session.provides(endpoint, ())):
            bench = await bench.fresh(**store.settings)
            self._lanes.append(bench)
        self._benches[name, None] = bench
        return bench

    async def _call(self, said: Said, bench: Bench) -> Exchange:
        by = self._credential(said.by) if said.by is not None else None
        given = self._value(said.arguments)
        connection = await bench.connected()
        if said.tool is not None:
            return await bench.call(said.tool, given, credential=by, label=said.label)
        if connection.wire.binding == "http":
            return await self._fetched(said, bench, given, by, connection.path)
        if said.raw is not None or said.message is not None:
            return await self._sent(said, bench, by)
        if said.method == LISTING and given is None:
            await bench.tools()
            return bench.session.recorder.history.exchanges[-1]
        params = given if isinstance(given, dict) else {}
        altered = _headed(said.headers) if said.headers else None
        return await bench.request(said.method or "", params, credential=by, label=said.label, altered=altered)

    async def _fetched(self, said: Said, bench: Bench, body: Json, by: str | None, path: str) -> Exchange:
        if said.path is None:
            raise StuckError("a message of MCP cannot be sent over plain HTTP")
        kind = said.headers.get("content-type", "application/json") or ""
        sent = said.raw.encode() if said.raw is not None else body
        placed = said.path.replace(PATH, path.rstrip("/") if path != "/" else "", 1)
        return await bench.fetch(said.method or "POST", placed, sent, credential=by, media_type=kind)

    async def _sent(self, said: Said, bench: Bench, by: str | None) -> Exchange:
        """A message as it was, but for what a connection adds: its id, the instance, the proof of who calls."""

        def altered(message: dict[str, Any], http: Http) -> tuple[Any, Http]:
            _, headed = _headed(said.headers)(message, http)
            if said.raw is not None:
                return said.raw.encode(), headed
            return _renewed(self._value(said.message), message, said.id), headed

        return await bench.request("ping", {}, credential=by, label=said.label, altered=altered)

    def _credential(self, name: str) -> str:
        if name not in self._credentials:
            who = self._conversation.credentials[name]
            claims = self._value(who.claims)
            self._credentials[name] = self._bench.credential(who.role, who.agent, defect=who.defect, **claims)
        return self._credentials[name]

    def _value(self, value: Json) -> Any:
        return mapped(value, self._meaning)

    def _meaning(self, kind: str, held: Any) -> Json:
        match kind:
            case values.ANSWER:
                return self._answered(held)
            case values.FRESH:
                return str(held).replace(RENEWED, self._run)
            case values.CLAIM:
                name, claim = held
                return self._bench.claims(self._credential(name)).get(claim, "")
            case values.AHEAD:
                return self._moment(held)
            case values.PLANTED:
                return self._planted(str(held).replace(RENEWED, self._run))
            case _:
                return "".join(str(self._value(part)) for part in held)

    def _answered(self, held: dict[str, Json]) -> Json:
        exchange = self._answers.get(held["call"])
        found = at(answered(exchange), held["at"]) if exchange is not None else ABSENT
        was, plus = held["was"], held.get("plus", 0)
        fits = found is not ABSENT and isinstance(found, type(was)) and not isinstance(found, bool)
        if not fits:
            self.unmet.append(f"call {held['call']} answered nothing at {held['at'] or 'its top'}: {was!r} was sent")
            found = was
        return found + plus if plus else found

    def _moment(self, held: dict[str, Json]) -> str:
        if held["was"] not in self._moments:
            moment = datetime.now(UTC) + timedelta(seconds=held["s"])
            self._moments[held["was"]] = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return self._moments[held["was"]]

    def _planted(self, label: str) -> str:
        value = mark(label)
        self._bench.session.recorder.planted(value, label)
        return value


def _headed(headers: dict[str, str | None]) -> Any:
    """Changes the headers of a request: null takes one away."""

    def altered(message: dict[str, Any], http: Http) -> tuple[dict[str, Any], Http]:
        whole = {**http.headers, **headers}
        kept = {name: value for name, value in whole.items() if value is not None}
        return message, Http(method=http.method, path=http.path, headers=kept)

    return altered


def _renewed(message: Json, ordinary: dict[str, Any], number: int) -> Json:
    """A message with this call's id, and with the instance and the proof of an ordinary one."""
    if not isinstance(message, dict):
        return message
    changed = {**message, "id": ordinary["id"]} if message.get("id") == number else message
    params = message.get("params")
    meta = params.get(META) if isinstance(params, dict) else None
    if isinstance(params, dict) and isinstance(meta, dict):
        own = ordinary.get("params", {}).get(META, {})
        renewed = {name: own.get(name, value) if name in ADDED else value for name, value in meta.items()}
        return {**changed, "params": {**params, META: renewed}}
    return changed

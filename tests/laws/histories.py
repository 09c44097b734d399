"""Small histories by hand: a story of calls and answers becomes the events of a transcript.

story = Story()
story.accepted("create_thread", {"title": "x"}, {"thread_id": "th_1"})
story.refused("get_thread", {"thread_id": "th_2"}, "NOT_FOUND")
outcome = story.judged("threads", "TH-ENV-01")
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from conformance.contract.catalogue import load
from conformance.judge.judge import judge
from conformance.judge.library import import_laws
from conformance.model.envelope import EnvelopeRule
from conformance.model.events import (
    Agreed,
    Closed,
    Credential,
    Effect,
    Event,
    Flight,
    Footer,
    Header,
    Http,
    Instance,
    Json,
    Killed,
    Limits,
    Listing,
    Message,
    Modelled,
    Opened,
    Step,
    Unanswered,
)
from conformance.model.history import History
from conformance.model.revision import VERSION_KEY, stateless
from conformance.model.verdict import Outcome

STEP_US = 1_000
REVISION = "2026-07-28"
META: dict[str, Json] = {VERSION_KEY: REVISION, "io.modelcontextprotocol/clientCapabilities": {}}


class Story:
    """Tells a run. Calls follow each other, one millisecond for each frame, unless `together` makes them overlap."""

    def __init__(self, contract: str = "threads", *, settings: Mapping[str, Json] | None = None, **header: Any) -> None:
        self.contract = load(contract, header.get("edition"))
        self.t = 0
        self.calls = 0
        self._late: list[Event] | None = None
        self._credentials: set[str] = set()
        about = {"edition": self.contract.edition, "target": "by hand", "statement": {}, **header}
        self.events: list[Event] = [
            Header(
                suite="0",
                contract=contract,
                settings=dict(settings or {}),
                limits=Limits(call_timeout_ms=10_000, max_answer_bytes=1_000_000),
                started_at="2026-11-21T12:00:00Z",
                **about,
            ),
            Instance(id="main"),
        ]

    def now(self) -> int:
        """The next moment."""
        self.t += STEP_US
        return self.t

    def connect(
        self,
        name: str = "c1",
        *,
        transport: str = "in-process",
        binding: str = "mcp",
        revision: str | None = REVISION,
        capabilities: Mapping[str, Json] | None = None,
        instance: str = "main",
        endpoint: int = 0,
        path: str | None = None,
    ) -> str:
        """Opens a connection; `revision` None: nothing was agreed on, though something was asked for."""
        self.events.append(
            Opened(
                connection=name,
                transport=transport,
                binding=binding,
                instance=instance,
                endpoint=endpoint,
                path=path,
                asked=revision or REVISION,
                t=self.now(),
            )
        )
        if revision is not None and binding == "mcp":
            shown = {"tools": {}} if capabilities is None else dict(capabilities)
            self.events.append(Agreed(connection=name, revision=revision, capabilities=shown, t=self.now()))
        return name

    def credential(self, name: str, role: str = "worker", *, defect: str | None = None, **claims: Json) -> str:
        """Makes a credential known."""
        self._credentials.add(name)
        self.events.append(Credential(name=name, role=role, claims=claims, defect=defect))
        return name

    def request(
        self,
        method: str,
        params: Mapping[str, Json] | None = None,
        *answers: Json,
        on: str = "c1",
        by: str | None = None,
        label: str = "",
        stimulus: str = "by.hand",
        instance: str = "main",
        conditions: Mapping[str, Json] | None = None,
        http: Http | None = None,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        unanswered: str | None = None,
        raw: str | None = None,
        under: Json = None,
        bare: bool = False,
    ) -> int:
        """Sends a request, under its number or another id, with the metadata that its revision wants, unless `bare`.

        `answers` are whole messages, in which the id `...` stands for the request's own.
        """
        if not any(isinstance(event, Opened) and event.connection == on for event in self.events):
            self.connect(on, instance=instance)
        self.calls += 1
        call = self.calls
        self.events.append(
            Step(
                call=call, connection=on, instance=instance, stimulus=stimulus, label=label, credential=by,
                conditions=dict(conditions or {}),
            )
        )  # fmt: skip
        payload: dict[str, Json] = {"jsonrpc": "2.0", "id": call if under is None else under, "method": method}
        told = self._told(method, params, on) if not bare else params
        if told is not None:
            payload["params"] = dict(told)
        self.events.append(Message(connection=on, direction="out", call=call, payload=payload, http=http, t=self.now()))
        side = Http(status=status, headers=dict(headers or {})) if status is not None else None
        sink = self.events if self._late is None else self._late
        for answer in answers:
            whole = {**answer, "id": payload["id"]} if isinstance(answer, dict) and answer.get("id") is ... else answer
            sink.append(Message(connection=on, direction="in", call=call, payload=whole, http=side, t=self.now()))
        if raw is not None:
            sink.append(
                Message(
                    connection=on,
                    direction="in",
                    call=call,
                    raw=raw,
                    size=len(raw),
                    fault="no JSON",
                    http=side,
                    t=self.now(),
                )
            )
        if unanswered is not None:
            sink.append(Unanswered(call=call, connection=on, why=unanswered, t=self.now()))
        return call

    def _told(self, method: str, params: Mapping[str, Json] | None, on: str) -> Mapping[str, Json] | None:
        """The params with what a request without handshake says of itself, where they do not say either themselves."""
        agreed = next((each for each in self.events if isinstance(each, Agreed) and each.connection == on), None)
        meta = (params or {}).get("_meta", {})
        said = not isinstance(meta, dict) or not META.keys().isdisjoint(meta)
        if agreed is None or not stateless(agreed.revision) or method == "initialize" or said:
            return params
        return {**(params or {}), "_meta": {**META, VERSION_KEY: agreed.revision, **meta}}

    def result(self, method: str, params: Mapping[str, Json] | None, result: Json, **more: Any) -> int:
        """A request that gets a result."""
        return self.request(method, params, {"jsonrpc": "2.0", "id": ..., "result": result}, **more)

    def error(
        self, method: str, params: Mapping[str, Json] | None, code: Json, message: Json = "no", **more: Any
    ) -> int:
        """A request that gets a JSON-RPC error."""
        return self.request(
            method, params, {"jsonrpc": "2.0", "id": ..., "error": {"code": code, "message": message}}, **more
        )

    def call(
        self, tool: str, arguments: Json, envelope: Json, *, failed: bool = False, text: Json = ..., **more: Any
    ) -> int:
        """Calls a tool that answers this envelope, as structuredContent and (unless `text` is another) as JSON text."""
        shown = json.dumps(envelope) if text is ... else text
        content = [] if shown is None else [{"type": "text", "text": shown}]
        result = {"content": content, "structuredContent": envelope, "isError": failed, "resultType": "complete"}
        return self.result("tools/call", {"name": tool, "arguments": arguments}, result, **more)

    def accepted(self, tool: str, arguments: Json, payload: Json, **more: Any) -> int:
        """A call that succeeds, in the contract's envelope."""
        rule = self.contract.envelope
        envelope = payload if rule.payload_key is None else {**_success(rule), rule.payload_key: payload}
        return self.call(tool, arguments, envelope, **more)

    def refused(self, tool: str, arguments: Json, code: Json, **more: Any) -> int:
        """A call that is refused with a code, in the contract's envelope; `details` are added to the error."""
        rule = self.contract.envelope
        error = {rule.code_key: code, "message": "no", **more.pop("details", {})}
        flag = _failure(rule)
        return self.call(tool, arguments, {**flag, rule.error_key: error}, failed=True, **more)

    def lost(self, tool: str, arguments: Json, why: str = "lost", **more: Any) -> int:
        """A call that gets no answer."""
        return self.request("tools/call", {"name": tool, "arguments": arguments}, unanswered=why, **more)

    def instance(self, name: str, *, means: str = "named in requests", **settings: Json) -> str:
        """A fresh instance, with settings of its own."""
        self.events.append(Instance(id=name, profile=settings.get("profile"), settings=settings, means=means))
        return name

    def killed(self, name: str, again: str) -> str:
        """The server of an instance is killed, and started again on its store."""
        self.events.append(Killed(instance=name, again=again, means="SIGKILL", t=self.now()))
        self.events.append(Instance(id=again, means=f"started on the store of {name}"))
        return again

    def effect(self, call: int, kind: str, *, instance: str = "main", **data: Json) -> None:
        """What the target reports with a call's answer that its world saw."""
        self.events.append(Effect(instance=instance, call=call, kind=kind, data=data, t=self.now()))

    def list(
        self, tools: Sequence[Json], *, on: str = "c1", ended: str = "done", instance: str = "main", **more: Any
    ) -> None:
        """A whole tools/list in one page."""
        call = self.result(
            "tools/list",
            None,
            {"tools": list(tools), "resultType": "complete", "ttlMs": 0, "cacheScope": "private"},
            on=on,
            instance=instance,
            **more,
        )
        self.events.append(
            Listing(connection=on, instance=instance, tools=list(tools), calls=(call,), ended=ended, t=self.now())
        )

    def modelled(self, call: int, payload: Json = None, *, code: str | None = None) -> None:
        """What a model answers to a call: a success with this payload, or a refusal."""
        rule = self.contract.envelope
        if code is not None:
            envelope = {**_failure(rule), rule.error_key: {rule.code_key: code}}
        elif rule.payload_key is None:
            envelope = payload
        else:
            envelope = {**_success(rule), rule.payload_key: payload}
        result = {"content": [], "structuredContent": envelope, "isError": code is not None}
        response = {"jsonrpc": "2.0", "id": call, "result": result}
        self.events.append(Modelled(call=call, model="model", response=response, t=self.now()))

    def flight(self, *calls: int, together: bool = True) -> None:
        """These calls were sent at once; whether they were seen to be under way together."""
        self.events.append(Flight(calls=calls, together=together, t=self.now()))

    def stray(self, *, on: str = "c1", payload: Json = None, raw: str | None = None, fault: str = "no JSON") -> None:
        """A frame of the server's that belongs to no call."""
        if raw is None:
            self.events.append(Message(connection=on, direction="in", payload=payload, t=self.now()))
        else:
            self.events.append(
                Message(connection=on, direction="in", raw=raw, size=len(raw), fault=fault, t=self.now())
            )

    def close(self, on: str = "c1", *, by: str = "suite", exit_status: int | None = None, **more: Any) -> None:
        """Ends a connection."""
        self.events.append(Closed(connection=on, by=by, exit=exit_status, t=self.now(), **more))

    def together(self) -> "Story":
        """From here on requests go out and their answers wait, until `settle`."""
        self._late = []
        return self

    def settle(self) -> None:
        """Now the answers that waited come in, in the order of their requests."""
        late, self._late = self._late or [], None
        for event in late:
            moved = type(event)(**{**{name: getattr(event, name) for name in event.__struct_fields__}, "t": self.now()})
            self.events.append(moved)

    def history(self) -> History:
        """What was told so far, put together."""
        return History.of(self.events, self.contract.envelope)

    def judged(self, requirement: str, *, complete: bool = True) -> Outcome:
        """The outcome of one requirement over what was told."""
        import_laws(self.contract)
        ended = Footer(complete=complete, events=len(self.events) + 1, calls=self.calls, t=self.now())
        outcome = judge([*self.events, ended], self.contract).outcome(requirement)
        assert outcome is not None, f"{requirement} is neither of {self.contract.name} nor of its foundation"
        assert outcome.verdict != "error", outcome.reason
        return outcome


def _success(rule: EnvelopeRule) -> dict[str, Json]:
    if rule.failure_key is None or (rule.failure_value == "present" and not rule.success_values):
        return {}
    return {rule.failure_key: rule.success_values[0] if rule.success_values else True}


def _failure(rule: EnvelopeRule) -> dict[str, Json]:
    if rule.failure_key is None or (rule.failure_value == "present" and not rule.success_values):
        return {}
    return {rule.failure_key: "Error" if rule.success_values else False}

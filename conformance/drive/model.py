"""A model beside the target: an installed server in this process that is told, after the run, the calls that it made.

It is told them in the order in which they were sent, in its own names for what is there, in the name of the same
callers, and at the same time of its calendar. What it answers is written down behind the run, for the judge to compare.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from conformance.contract.catalogue import Contract, Modelling
from conformance.drive.credentials import Minter
from conformance.drive.errors import UsageError
from conformance.drive.recorder import Recorder
from conformance.drive.revisions import (
    AUTHORIZATION_KEY,
    CAPABILITIES_KEY,
    CONDITIONS_KEY,
    INSTANCE_KEY,
    NEWEST,
    VERSION_KEY,
)
from conformance.drive.statement import Auth, Statement
from conformance.drive.target import Named, entry
from conformance.drive.wallet import GARBAGE
from conformance.model.events import Json, Modelled
from conformance.model.exchange import Exchange, carried
from conformance.model.pairing import Pairing

CLOCK = "clock"
MICROSECONDS = 1_000_000
TURN = 64
"""Calls after which others get their turn: a run that is interrupted ends."""
ENOUGH_S = 60.0
"""What asking the model may take."""


class Model:
    """An installed server. UsageError: there is none of this name, or the contract says nothing of models."""

    def __init__(self, name: str, contract: Contract, statement: Statement) -> None:
        if contract.model is None:
            todo = "leave out --beside"
            raise UsageError(f"answers of {contract.name} cannot be compared with a model's", "--beside", todo=todo)
        self.name = name
        self._rule: Modelling = contract.model
        self._contract = contract
        self._stated = statement.settings
        edition = {"edition": statement.edition} if statement.edition is not None else {}
        try:
            about: Mapping[str, Any] = entry(name).statement(contract.name, **edition)
            self._server = Named(name, contract.name, statement.edition, ()).opened()
        except (LookupError, ValueError) as error:
            raise UsageError(f"{name} cannot serve {contract.name}", "--beside", str(error)) from error
        self._settings: Mapping[str, Json] = about.get("settings", {})
        self._minter = Minter(Auth.model_validate(about["auth"]), Path()) if "auth" in about else None
        self._tokens: dict[tuple[str, int], str | None] = {}
        self._pairs: dict[Hashable, Pairing] = defaultdict(lambda: Pairing(self._rule.made, ()))
        self._began = time.monotonic()

    async def follow(self, recorder: Recorder) -> str:
        """Tells the model the calls of the run so far, and writes down its answers; why not all, empty where all."""
        self._began = time.monotonic()
        calls = sorted(self._calls(recorder), key=lambda call: call.sent)
        for number, call in enumerate(calls):
            if number % TURN == 0:
                await asyncio.sleep(0)
                if time.monotonic() - self._began > ENOUGH_S:
                    return f"after {ENOUGH_S:g} s the model had been told {number} of {len(calls)} calls"
            try:
                response = await self._answer(call, recorder)
            except Exception as error:  # noqa: BLE001 -- a model may be anybody's: what it raises is told, and ends no run
                return f"the model raised {type(error).__name__} at call {call.call}: {error}"
            recorder.write(Modelled(call=call.call, model=self.name, response=response, t=recorder.now()))
            if recorder.full:
                return recorder.full
        return ""

    def _calls(self, recorder: Recorder) -> Iterator[Exchange]:
        """Those of the contract's tools; one without an answer may have taken effect, and the model is told it too."""
        return (call for call in recorder.history.calls(*self._contract.tools) if call.method == "tools/call")

    async def _answer(self, call: Exchange, recorder: Recorder) -> Json:
        pairs = self._pairs[call.instance, *(repr(call.argument(name)) for name in self._rule.within)]
        meta: dict[str, Json] = {VERSION_KEY: NEWEST, CAPABILITIES_KEY: {}, INSTANCE_KEY: call.instance}
        if conditions := self._conditions(call, recorder):
            meta[CONDITIONS_KEY] = conditions
        if (token := self._token(call)) is not None:
            meta[AUTHORIZATION_KEY] = token
        params = {"name": call.tool, "arguments": pairs.to_model(call.arguments), "_meta": meta}
        message = {"jsonrpc": "2.0", "id": call.call, "method": "tools/call", "params": params}
        response: Json = await self._server.handle(message)
        if call.accepted and isinstance(response, dict):
            # what it answers may be an object that it goes on with
            response = msgspec.json.decode(msgspec.json.encode(response))
            result = response.get("result")
            theirs = carried(result) if isinstance(result, dict) else None
            pairs.learn(call.payload if call.envelope is None else call.envelope, theirs)
        return response

    def _conditions(self, call: Exchange, recorder: Recorder) -> dict[str, Json]:
        """What held for the call; its calendar is as far as it was when the call was made."""
        known = self._contract.conditions()
        found = {name: value for name, value in call.conditions.items() if name in known}
        ahead = found.get(CLOCK, 0)
        if CLOCK in known and isinstance(ahead, int | float):
            found[CLOCK] = max(0.0, ahead + call.sent / MICROSECONDS - (time.monotonic() - self._began))
        instance = recorder.history.instances.get(call.instance)
        settings = {name: value for name, value in self._stated.items() if self._settings.get(name, value) != value}
        if instance is not None:
            # an endpoint may stand for a profile without a setting that says so
            served = {"profile": instance.profile} if "profile" in self._contract.settings() else {}
            settings |= {**(served if instance.profile is not None else {}), **instance.settings}
        return {**found, **({"settings": settings} if settings else {})}

    def _token(self, call: Exchange) -> str | None:
        """The caller's, as the model's own keys prove it."""
        credential = call.credential
        if self._minter is None or credential.defect == "missing":
            return None
        if credential.defect == "garbage":
            return f"Bearer {GARBAGE}"
        ahead = call.conditions.get(CLOCK, 0)
        key = (credential.name, int(ahead) if isinstance(ahead, int | float) else 0)
        if key not in self._tokens:
            self._tokens[key] = f"Bearer {self._minter.mint(credential, key[1])}"
        return self._tokens[key]

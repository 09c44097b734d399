"""How the values of a recorded call are written in a conversation, so that they can be renewed."""

import re
from collections import defaultdict

from conformance.contract.catalogue import Contract
from conformance.histories.origins import Origins, fixed_texts
from conformance.histories.values import AHEAD, CLAIM, PLANTED, RENEWED, TEXT, escaped, fresh, kind_of
from conformance.judge.instants import instant
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

LONGEST_AHEAD_S = 400 * 86_400
"""A time that is farther from the run is one of the suite's fixed dates."""
MICROSECONDS = 1_000_000
LEAST_CLAIM = 4
"""Characters of a claim that is recognised where it is repeated."""
_PLANTED = re.compile(r"«private:planted ([^»]+)»")


class Describing:
    """Knows one history."""

    def __init__(self, history: History, contract: Contract, run: str) -> None:
        """`run`: the name that the run gave to what it made up."""
        self._history = history
        self._contract = contract
        self._run = run
        self._fixed = fixed_texts(contract)
        self._origins: dict[str, Origins] = {}
        self._began = instant(history.header.started_at) if history.header is not None else None
        self._claims: dict[str, list[tuple[str, str]]] = defaultdict(list)
        """By their text, the credentials that have such claims, and their names."""
        for name, credential in history.credentials.items():
            for claim, value in credential.claims.items():
                if isinstance(value, str) and len(value) >= LEAST_CLAIM:
                    self._claims[value].append((name, claim))

    def value(self, call: Exchange, value: Json, name: str = "") -> Json:
        """A value of a call's arguments, with references in the place of what is to be renewed."""
        if isinstance(value, dict):
            told = {key: self.value(call, inner, key) for key, inner in value.items()}
            return escaped(value) if kind_of(value) else told
        if isinstance(value, list):
            return [self.value(call, inner, name) for inner in value]
        if isinstance(value, str):
            return self._text(call, value)
        if isinstance(value, int) and not isinstance(value, bool):
            counted = self._of(call).number(call, name, value)
            return value if counted is None else counted
        return value

    def settings_of(self, instance: str) -> dict[str, Json]:
        """The settings of an instance."""
        found = self._history.instances.get(instance)
        return dict(found.settings) if found is not None else {}

    def _of(self, call: Exchange) -> Origins:
        if call.instance not in self._origins:
            same = [each for each in self._history.exchanges if each.instance == call.instance]
            self._origins[call.instance] = Origins(same, self._contract, self._fixed)
        return self._origins[call.instance]

    def _text(self, call: Exchange, value: str) -> Json:
        if (claim := self._claim(call, value)) is not None:
            return claim
        if (planted := _PLANTED.fullmatch(value)) is not None:
            return {PLANTED: self._marked(planted[1])}
        told = self._of(call).text(value, call) if value not in self._fixed else None
        if told is not None:
            return told
        if (ahead := self._ahead(call, value)) is not None:
            return ahead
        parts = [self._own(part) if isinstance(part, str) else part for part in self._of(call).parts(value, call)]
        return self._own(value) if len(parts) <= 1 else {TEXT: parts}

    def _own(self, text: str) -> Json:
        return fresh(self._marked(text)) if self._run in text and RENEWED not in text else text

    def _marked(self, text: str) -> str:
        return text.replace(self._run, RENEWED)

    def _claim(self, call: Exchange, value: str) -> Json:
        """A claim of the caller's, else of another credential of the run."""
        found = self._claims.get(value, [])
        own = [each for each in found if each[0] == call.credential.name]
        return {CLAIM: list((own or found)[0])} if found else None

    def _ahead(self, call: Exchange, value: str) -> Json:
        at = instant(value)
        if at is None or self._began is None:
            return None
        seconds = at - self._began - call.sent / MICROSECONDS
        return {AHEAD: {"s": round(seconds, 3), "was": value}} if abs(seconds) < LONGEST_AHEAD_S else None

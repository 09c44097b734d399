"""The files of a drafted contract, each statement with what speaks for it or against it in a comment."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from conformance.contract.making import Call, State
from conformance.contract.promises import Promise
from conformance.contract.rows import Tool
from conformance.contract.saying import sentence
from conformance.model.events import Json
from conformance.model.exchange import Exchange, carried
from conformance.propose.contract.entities import Found
from conformance.propose.contract.envelope import Told, message
from conformance.propose.contract.examples import Example
from conformance.propose.toml import comment, text, value
from conformance.report.words import some

FIELDS = {field.name: field.type for field in msgspec.structs.fields(Tool)}
"""What a contract says of a tool."""
SHOWN = 200
"""Characters of what was seen in a comment."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """A promise under its id, as the draft holds it."""

    id: str
    promise: Promise
    why: str
    """What speaks for it."""
    holds: bool = True
    """Otherwise it is written as a comment."""
    against: str = ""
    """Why it is doubtful."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A contract that is not written yet."""

    name: str
    server: str
    """As it introduced itself."""
    tools: Sequence[Mapping[str, Any]]
    """As it lists them."""
    examples: Sequence[Example]
    """Good calls of tools that no entity has."""
    reads: Sequence[str]
    """Tools that are named for reading, do not say that they read, and belong to no entity."""
    found: Sequence[Found]
    told: Told
    promises: Sequence[Drafted]

    @property
    def idle(self) -> list[str]:
        """The tools of which no call was accepted."""
        called = {call.tool for each in self.found for call in each.make.calls}
        called |= {each.call.tool for each in self.examples}
        return [name for tool in self.tools if (name := str(tool.get("name", ""))) not in called]

    def files(self) -> dict[str, str]:
        """The files of the folder, by name."""
        return {
            "contract.toml": "\n".join([*self._contract(), ""]),
            "requirements.toml": "\n".join([*self._requirements(), ""]),
            "errors.toml": "\n".join([*self._errors(), ""]),
            "tools.json": msgspec.json.format(msgspec.json.encode([*map(_readable, self.tools)]), indent=2).decode()
            + "\n",
        }

    def _contract(self) -> Iterator[str]:
        yield comment(f"What {self.server or 'this server'} promises; begun by `conformance contract init`.")
        yield comment("Run it with: conformance run --contract FOLDER --server-command …")
        yield comment("Check it with: conformance contract check FOLDER")
        yield f"name = {text(self.name)}"
        yield f"title = {text(self.server or self.name)}"
        yield from self._envelope()
        for found in self.found:
            make = found.make
            yield from ("", "[[make]]", comment(found.evidence), f"entity = {text(make.entity)}")
            yield f"make = {_call(make.make)}"
            yield f"id = {text(make.id)}"
            for name in ("shown", "revision"):
                if place := getattr(make, name):
                    yield f"{name} = {text(place)}"
            for name in ("read", "change", "remove", "list"):
                call, why = getattr(make, name), found.left_out.get(name, "no tool was recognised")
                yield f"{name} = {_call(call)}" if call is not None else comment(f"{name}: {why}")
            if make.states:
                yield f"states = [{', '.join(map(_state, make.states))}]"
        yield from self._others()

    def _envelope(self) -> Iterator[str]:
        """How answers tell failure, and what stands where in texts."""
        rule = self.told.rule
        if rule.code_pattern or rule.failure_pattern:
            yield from ("", "[envelope]", *([comment(self.told.seen)] if self.told.seen else []))
            yield from [f"code_pattern = {text(rule.code_pattern)}"] if rule.code_pattern else []
            yield from [f"failure_pattern = {text(rule.failure_pattern)}"] if rule.failure_pattern else []
        elif rule.has_envelope:
            yield from ("", "[envelope]", comment(self.told.seen))
            if rule.failure_key is not None:
                yield f"failure_key = {text(rule.failure_key)}"
            by_value = value(list(rule.success_values)) if rule.success_values else ""
            yield f"success_values = {by_value}" if by_value else f"failure_value = {text(rule.failure_value)}"
            for name in ("error_key", "code_key") if not rule.code_key.startswith("/") else ("code_key",):
                yield f"{name} = {text(getattr(rule, name))}"
        for prose in rule.text:
            yield from ("", "[[envelope.text]]", f"tools = {value(list(prose.tools))}")
            yield f"fields = {value(dict(prose.fields))}"
            if prose.numbers:
                yield f"numbers = {value(list(prose.numbers))}"
            if prose.entries:
                yield f"entries = {text(prose.entries)}"

    def _others(self) -> Iterator[str]:
        """The tools that belong to no entity."""
        for call, doubt in self.examples:
            mark = "# " if doubt else ""
            yield from ("", *([comment(f"Doubtful: {_short(doubt)}")] if doubt else []), f"{mark}[[example]]")
            yield from (f"{mark}tool = {text(call.tool)}", f"{mark}arguments = {value(call.arguments)}")
        for tool in self.reads:
            why = f"Named for reading. Strike this out if {tool} changes anything."
            yield from ("", comment(why), "[[tool]]", f"name = {text(tool)}", 'effect = "read"')

    def _requirements(self) -> Iterator[str]:
        doubtful = sum(not each.holds for each in self.promises)
        held = some(len(self.promises) - doubtful, "promise")
        yield comment(f"Seen to hold: {held}. Doubtful, and comments: {doubtful}.")
        yield comment(
            "Take away the `# ` before those that your server does promise; strike out those that it does not."
        )
        for each in self.promises:
            mark = "" if each.holds else "# "
            yield from ("", comment(sentence(each.promise)), comment(f"Seen: {_short(each.why)}"))
            if not each.holds:
                yield comment(f"Doubtful: {_short(each.against)}")
            yield f"{mark}[[requirement]]"
            yield f"{mark}id = {text(each.id)}"
            yield f"{mark}promise = {value(_data(each.promise))}"

    def _errors(self) -> Iterator[str]:
        yield comment("The codes that were seen. There may be more: add them.")
        for code, calls in self.told.codes.items():
            yield from (
                "",
                comment(f"seen in {len(calls)} refusal{'s' * (len(calls) > 1)}, the first of {calls[0].tool}"),
                "[[error]]",
            )
            yield f"code = {text(code)}"
            yield f"meaning = {text(_meaning(calls[0], self.told) or 'say when it is answered')}"
            flag = self.told.retryable.get(code)
            if flag is not None:
                yield f"retryable = {value(flag)}"
            elif self.told.retry:
                yield comment(f"retryable: {self.told.retry.removeprefix('/')} was now true, now false, or absent")


def _state(state: State) -> str:
    parts = [f"name = {text(state.name)}", f"enter = {_call(state.enter)}"]
    parts += [f"leave = {_call(state.leave)}"] if state.leave is not None else []
    return f"{{ {', '.join(parts)} }}"


def _call(call: Call) -> str:
    parts = [f"tool = {text(call.tool)}"]
    parts += [f"arguments = {value(call.arguments)}"] if call.arguments else []
    parts += [f"at = {text(call.at)}"] if call.at else []
    parts += [f"state = {text(call.state)}"] if call.state else []
    return f"{{ {', '.join(parts)} }}"


def _data(promise: Promise) -> dict[str, Json]:
    found: dict[str, Json] = msgspec.to_builtins(promise)
    return found


def _short(said: str) -> str:
    return said if len(said) <= SHOWN else f"{said[:SHOWN]}…"


def _meaning(call: Exchange, told: Told) -> str:
    return _short(message(carried(call.result or {}), told))


def _readable(listed: Mapping[str, Any]) -> dict[str, Any]:
    """A tool as it is listed, without what cannot be read: annotations that are a text, a schema that is null."""
    return {name: said for name, said in listed.items() if name not in FIELDS or _is(said, FIELDS[name])}


def _is(said: Json, kind: Any) -> bool:
    try:
        msgspec.convert(said, kind)
    except msgspec.ValidationError:
        return False
    return True

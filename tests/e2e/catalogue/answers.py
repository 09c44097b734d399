"""What an answer to a call holds."""

import copy
from typing import Any

from kinds import TOOL, Json, RefusedError, Server, behaviour, text

CLAIMED = "io.modelcontextprotocol/protocolVersion"
EVIL = "\x1b[2J\x1b]0;owned\x07<script>alert(1)</script>\u202e]]>&\x00 | `**x**` [red]\r\n::error::x ##[error]x"
TRACE = "Traceback (most recent call last):\n  File \"/srv/app/tools.py\", line 7, in echo\nKeyError: 'text'"


class Called(Server):
    """Changes the whole answer to a call."""

    def changed(self, answer: Json) -> Any:
        """What is sent instead."""
        raise NotImplementedError

    def answer(self, message: Json) -> Any:
        """Answers all else as an ordinary server does."""
        answer = super().answer(message)
        return self.changed(answer) if answer is not None and message.get("method") == "tools/call" else answer


def whole(name: str, change: Any) -> None:
    """A behaviour that changes the answer to each call."""
    behaviour(name)(type(name, (Called,), {"changed": lambda _, answer: change(copy.deepcopy(answer))}))


@behaviour("ids of its own to all requests")
class _Counting(Server):
    """Answers under numbers of its own, from the first request on."""

    def answer(self, message: Json) -> Any:
        """As an ordinary server does, but for the id."""
        answer = super().answer(message)
        return answer and {**answer, "id": f"answer to {answer['id']}"}


def result(name: str, made: Any) -> None:
    """A behaviour whose every call has this result."""
    behaviour(name)(type(name, (Server,), {"call": lambda _, params: made(params)}))


whole("an answer without result and error", lambda answer: {"jsonrpc": "2.0", "id": answer["id"]})
whole("an answer with result and error", lambda answer: {**answer, "result": {}, "error": {"code": 1, "message": "x"}})
whole("an id as a string", lambda answer: {**answer, "id": str(answer["id"])})
whole("the id of another request", lambda answer: {**answer, "id": answer["id"] + 1_000_000})
whole("an id of null", lambda answer: {**answer, "id": None})
whole("an id of a float", lambda answer: {**answer, "id": answer["id"] + 0.5})
whole("no jsonrpc", lambda answer: {key: value for key, value in answer.items() if key != "jsonrpc"})
whole("an answer in a batch", lambda answer: [answer])
whole("an answer that is a string", lambda _: "ok")
whole("an answer of null", lambda _: [None])
whole("a result that is a list", lambda answer: {**answer, "result": []})
whole("an error that is a string", lambda answer: {"jsonrpc": "2.0", "id": answer["id"], "error": "no"})
whole("an error without message", lambda answer: {"jsonrpc": "2.0", "id": answer["id"], "error": {"code": -32000}})
whole(
    "an error code as a string",
    lambda answer: {"jsonrpc": "2.0", "id": answer["id"], "error": {"code": "-32000", "message": "no"}},
)
whole(
    "an error of a megabyte",
    lambda answer: {"jsonrpc": "2.0", "id": answer["id"], "error": {"code": -32000, "message": "no " * 350_000}},
)
whole("no resultType", lambda answer: {**answer, "result": {**answer.get("result", {}), "resultType": None}})
result("a resultType of its own", lambda _: text("x", resultType="perhaps"))
result(
    "input is asked for again and again",
    lambda _: {
        "resultType": "input_required",
        "inputRequests": {"q": {"method": "elicitation/create", "params": {"message": EVIL}}},
        "requestState": EVIL,
    },
)
result("no content", lambda _: {})
result("content that is a string", lambda _: {"content": "x"})
result("isError that is a string", lambda _: text("x", isError="false"))
result("a hundred thousand blocks", lambda _: {"content": [{"type": "text", "text": "x"}] * 100_000})
result("control characters, HTML and commands", lambda _: text(EVIL))
result("control characters in failures", lambda _: text(EVIL, isError=True))
result("keys of control characters", lambda _: text("x", structuredContent={EVIL: {EVIL: EVIL}}))
result("half of a surrogate pair", lambda _: text("\ud800 and \udfff"))
result("integers of a thousand digits", lambda _: text("x", structuredContent={"n": 10**1000}))
result("half a million values", lambda _: text("x", structuredContent={"n": [[n] for n in range(250_000)]}))
result("failures without isError", lambda _: text("Error: no such file"))
result("a stack trace", lambda _: text(TRACE, isError=True))


@behaviour("an internal error for every call")
class Internal(Server):
    """-32603."""

    def call(self, params: Json) -> Json:
        """Fails."""
        raise RefusedError(-32603, "Internal error")


@behaviour("a server error for every call")
class ServerError(Server):
    """-32000."""

    def call(self, params: Json) -> Json:
        """Fails."""
        raise RefusedError(-32000, EVIL, {"deep": [[[[EVIL]]]]})


@behaviour("any tool is accepted")
class AnyTool(Server):
    """One that it does not list as well."""

    def call(self, params: Json) -> Json:
        """Succeeds."""
        return text("ok")


@behaviour("any arguments are accepted")
class AnyArguments(Server):
    """Whatever the schema says."""

    def call(self, params: Json) -> Json:
        """Succeeds."""
        if params.get("name") != "echo":
            raise RefusedError(-32602, "Unknown tool")
        return text("ok")


@behaviour("structuredContent that breaks its schema")
class BreaksSchema(Server):
    """An outputSchema that asks for a number."""

    tools = ({**TOOL, "outputSchema": {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}},)

    def call(self, params: Json) -> Json:
        """Gives a text."""
        return {**super().call(params), "structuredContent": {"n": "one"}}


@behaviour("an outputSchema and no structuredContent")
class NoStructure(BreaksSchema):
    """It promises, and does not keep it."""

    def call(self, params: Json) -> Json:
        """A text alone."""
        return Server.call(self, params)


@behaviour("the server breaks after a bad call")
class Breaks(Server):
    """Whatever comes after arguments that are wrong is an internal error."""

    broken = False

    def call(self, params: Json) -> Json:
        """Once it was given no text, nothing works."""
        if self.broken:
            raise RefusedError(-32603, "Internal error")
        arguments = params.get("arguments") or {}
        self.broken = not isinstance(arguments.get("text", ""), str)
        return super().call(params)


@behaviour("answers of one and a half megabytes")
class Large(Server):
    """Within every limit."""

    def call(self, params: Json) -> Json:
        """A long text."""
        found = super().call(params)
        return {**found, **text("x" * 1_500_000)} if not found.get("isError") else found


@behaviour("answers of fifty megabytes")
class TooLarge(Server):
    """Beyond the limit of an answer."""

    def call(self, params: Json) -> Json:
        """A text that is too long."""
        return text("x" * 50_000_000)


@behaviour("the version of nobody is spoken")
class AnyVersion(Server):
    """Whatever revision a request claims is taken."""

    def answer(self, message: Json) -> Json | None:
        """Forgets what is claimed."""
        meta = message.get("params", {}).get("_meta", {})
        if CLAIMED in meta:
            meta[CLAIMED] = "2026-07-28"
        return super().answer(message)


@behaviour("every method is known")
class AnyMethod(Server):
    """And answered with an empty result."""

    def answer(self, message: Json) -> Json | None:
        """Never -32601."""
        answer = super().answer(message)
        if answer is not None and answer.get("error", {}).get("code") == -32601:
            return {"jsonrpc": "2.0", "id": message["id"], "result": {"resultType": "complete"}}
        return answer


@behaviour("everything is refused")
class Refuses(Server):
    """Any request."""

    def answer(self, message: Json) -> Json | None:
        """An error."""
        if "id" not in message:
            return None
        return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32000, "message": "go away"}}

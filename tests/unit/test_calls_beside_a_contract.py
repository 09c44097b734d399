"""What one contract wants of the suite: envelopes of some tools alone, planted values, calls without progress."""

import asyncio

from conformance.contract.catalogue import load
from conformance.drive.caller import Caller
from conformance.drive.connection import Connection
from conformance.drive.recorder import Recorder
from conformance.drive.tokens import token_of
from conformance.drive.wire.memory import MemoryWire
from conformance.model.events import Json, Message
from conformance.model.history import History
from tests.laws.histories import Story


def test_an_envelope_belongs_to_the_tools_that_the_contract_names() -> None:
    story = Story("invocation")
    story.call("invoke", {}, {"status": "Error", "error": {"code": "Timeout"}}, failed=True)
    story.call("invoke", {}, {"records": []})
    story.call("read_records", {}, {"records": []})
    story.call("read_records", {}, {"records": []}, failed=True)
    refused, without, read, failed = History.of(story.events, load("invocation").envelope).exchanges
    assert (refused.refused, refused.code) == (True, "Timeout")
    assert without.refused, "a Result has a status"
    assert (read.accepted, read.given) == (True, {"records": []})
    assert failed.refused


def test_a_planted_value_is_a_mark_and_no_leak() -> None:
    recorder = Recorder(load("invocation").envelope)
    recorder.planted("zq7vx0123456789abcdef", "input-1")
    recorder.write(Message(connection="c1", direction="in", payload={"a": "near zq7vx0123456789abcdef!"}, t=1))
    assert "near «private:planted input-1»!" in recorder.lines[-1].decode()


class Server:
    """Notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Json]] = []

    async def handle(self, message: Json, notify: object = None) -> Json:
        self.asked.append(message)
        return {"jsonrpc": "2.0", "id": message["id"], "result": {"content": [], "resultType": "complete"}}


def test_a_call_may_ask_for_no_progress() -> None:
    async def called(meta: dict[str, Json]) -> Json:
        server, recorder = Server(), Recorder(load("mcp").envelope)
        connection = Connection("c1", "main", recorder, limit_s=5, start_s=5)
        await connection.attach(MemoryWire(server, connection.hear))
        await connection.request("tools/call", {"name": "t", "arguments": {}, **meta}, Caller("by.hand"))
        await connection.close()
        return server.asked[-1]["params"].get("_meta")

    assert asyncio.run(called({})) == {"progressToken": token_of(1)}
    assert asyncio.run(called({"_meta": {"progressToken": None, "x": 1}})) == {"x": 1}
    assert asyncio.run(called({"_meta": {"progressToken": None}})) is None

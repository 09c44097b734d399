"""A store served in this process, and a run of its contract against it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance.certify import Options, certify, contract_of
from conformance.drive import target
from conformance.drive.loading import checked
from conformance.report.model import Report

Answer = Callable[[str, dict[str, Any]], tuple[dict[str, Any], bool]]
"""A tool and its arguments in, the envelope and whether the call failed out."""


class Inside:
    """A server without a transport."""

    def __init__(
        self, tools: list[dict[str, Any]], answer: Answer, *, structured: bool = True, prose: bool = False
    ) -> None:
        self.tools, self.answer, self.structured, self.prose = tools, answer, structured, prose

    async def handle(self, message: Any, _notify: object = None) -> Any:
        if "id" not in message:
            return None
        method, params = message["method"], message.get("params", {})
        match method:
            case "initialize":
                info = {"name": "store", "version": "1"}
                result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
            case "tools/list":
                result = {"tools": self.tools}
            case "tools/call":
                result = self.called(params)
            case "ping":
                result = {}
            case _:
                error = {"code": -32601, "message": "Method not found"}
                return {"jsonrpc": "2.0", "id": message["id"], "error": error}
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}

    def called(self, params: dict[str, Any]) -> dict[str, Any]:
        answer, failed = self.answer(params["name"], dict(params.get("arguments") or {}))
        text = answer if isinstance(answer, str) and self.prose else json.dumps(answer)
        result: dict[str, Any] = {"content": [{"type": "text", "text": text}], "isError": failed}
        wrapped = answer if isinstance(answer, dict) else {"result": answer}
        return {**result, "structuredContent": wrapped} if self.structured else result


def judged(
    monkeypatch: pytest.MonkeyPatch, folder: Path, server: Inside, *, only: tuple[str, ...] = (), **statement: Any
) -> Report:
    """The report on a run of the contract in a folder against a store."""

    class Entry:
        @staticmethod
        def open(_contract: str, **_: object) -> Inside:
            return server

    monkeypatch.setattr(target, "entry", lambda _name: Entry)
    name = contract_of(str(folder)).name
    endpoint = [{"transport": "in-process", "target": f"own:{name}"}]
    data = {"contract": name, "endpoint": endpoint, "protocol": "2025-11-25", **statement}
    return certify(checked(data, "the test"), Options(seed=1, only=only, protocol=False, command="conformance run"))


def verdicts(report: Report, *wanted: str) -> dict[str, str]:
    """The requirements of the contract with other verdicts than pass, or with these, each with what was seen."""
    own = [r for r in report.requirements if r.contract == report.contract]
    return {
        r.id: f"{r.verdict}: {r.findings[0].saw if r.findings else r.reason}"
        for r in own
        if (r.verdict in wanted if wanted else r.verdict != "pass")
    }

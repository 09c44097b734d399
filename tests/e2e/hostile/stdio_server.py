"""A server over stdio that misbehaves in one way: `python stdio_server.py MODE`. It needs nothing but Python."""

import json
import os
import signal
import sys
import time

MODE = sys.argv[1]
TOOL = {
    "name": "echo",
    "description": "Gives back what it is given.",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
    "annotations": {"readOnlyHint": True},
}
HOSTILE = "\x1b[2J\x1b]0;owned\x07<script>alert(1)</script>\u202e]]>&\x00 | `**x**` [red]\r\n::error::x"


def write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def answer(number: object, **content: object) -> None:
    write(json.dumps({"jsonrpc": "2.0", "id": number, **content}).encode() + b"\n")


def result(number: object, **content: object) -> None:
    answer(number, result={"resultType": "complete", **content})


def listed() -> list[dict]:
    if MODE == "thousands":
        return [{**TOOL, "name": f"tool_{n}", "annotations": {}} for n in range(5000)]
    if MODE == "control":
        return [TOOL, {**TOOL, "name": HOSTILE, "description": HOSTILE}]
    return [TOOL]


def call(number: object, params: dict) -> None:
    if MODE == "dies":
        os._exit(3)
    if MODE == "hangs":
        time.sleep(600)
    if MODE == "floods":
        write(b'{"jsonrpc": "2.0", "id": %d, "result": {"content": "' % number)
        for _ in range(100):
            write(b"x" * 1_000_000)
        write(b'"}}\n')
        return
    if MODE == "deep":
        write(b'{"jsonrpc": "2.0", "id": %d, "result": ' % number + b"[" * 100_000 + b"]" * 100_000 + b"}\n")
        return
    text = HOSTILE if MODE == "control" else json.dumps(params.get("arguments"))
    if MODE == "garbage":
        write(b"loading model...\n\xff\xfe\x00half a line {\n\n")
    if MODE == "uninvited":
        answer(987_654_321, result={"content": []})
    result(number, content=[{"type": "text", "text": text}], isError=MODE == "control")
    if MODE == "twice":
        result(number, content=[{"type": "text", "text": "again"}])


def main() -> None:
    if MODE == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin.buffer:
        message = json.loads(line)
        number, method, params = message.get("id"), message["method"], message.get("params", {})
        if number is None:
            continue
        if MODE == "refuses":
            answer(number, error={"code": -32000, "message": "go away"})
        elif method == "server/discover":
            result(number, supportedVersions=["2026-07-28"], capabilities={"tools": {}}, ttlMs=0, cacheScope="private")
        elif method == "tools/list":
            if MODE == "mute-list":
                continue
            result(number, tools=listed(), ttlMs=0, cacheScope="private")
        elif method == "tools/call":
            call(number, params)
        else:
            answer(number, error={"code": -32601, "message": "no such method"})
    while MODE == "stubborn":
        time.sleep(1)


main()

"""A server over stdio whose schemas take long, lead elsewhere or mean nothing: `python schemas_server.py [PORT]`."""

import json
import sys

FAR = f"http://127.0.0.1:{sys.argv[1] if len(sys.argv) > 1 else 9}/x"


def asking(**properties: object) -> dict:
    return {"type": "object", "properties": properties, "required": list(properties)}


def nested(levels: int, value: object, key: str) -> object:
    for _ in range(levels):
        value = {key: value}
    return value


TOWER = {f"d{n}": asking(left={"$ref": f"#/$defs/d{n + 1}"}, right={"$ref": f"#/$defs/d{n + 1}"}) for n in range(60)}
INPUTS = {
    "tree": {**asking(name={"type": "string"}), "additionalProperties": {"type": "array", "items": {"$ref": "#"}}},
    "endless": asking(a={"$ref": "#"}),
    "tower": {**asking(a={"$ref": "#/$defs/d0"}), "$defs": {**TOWER, "d60": {"type": "integer"}}},
    "backtracking": asking(a={"type": "string", "pattern": "^(a+)+$", "minLength": 40}),
    "negated": asking(a={"type": "string", "pattern": r"^[^ab1\-_.x]{3}$"}),
    "arrays": asking(a=nested(3, {"type": "string"}, "items") | {"type": "array", "minItems": 10**9}),
    "numbers": asking(a={"type": "number", "minimum": 1e308, "multipleOf": 1e-300}),
    "file": asking(a={"$ref": "file:///etc/hostname"}),
    "far": asking(a={"$ref": FAR}),
    "no_url": asking(a={"$ref": "http://[::1"}),
    "deep": asking(a=nested(400, {}, "items")),
    "none": {},
}
OUTPUTS = {
    "pattern": ({"properties": {"s": {"pattern": "^(a+)+$"}}}, {"s": "a" * 45 + "!"}),
    "dialect": (
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "properties": {"a": {"type": "string"}},
            "dependentSchemas": {"a": {"$ref": FAR}},
        },
        {"a": 5},
    ),
    "numbers_out": ({"properties": {"n": {"items": {"type": "string"}}}}, {"n": list(range(50_000))}),
    "deep_out": ({"type": "object"}, nested(500, 1, "d")),
}
TOOLS = [
    *({"name": name, "inputSchema": schema, "annotations": {"readOnlyHint": True}} for name, schema in INPUTS.items()),
    *(
        {"name": name, "inputSchema": {"type": "object"}, "outputSchema": {"type": "object", **schema}}
        for name, (schema, _) in OUTPUTS.items()
    ),
]
KEPT = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


def answer(method: str, params: dict) -> dict:
    if method == "server/discover":
        return {"result": {**KEPT, "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}}
    if method == "tools/list":
        return {"result": {**KEPT, "tools": TOOLS}}
    if method != "tools/call":
        return {"error": {"code": -32601, "message": "no such method"}}
    shown = OUTPUTS[params["name"]][1] if params["name"] in OUTPUTS else None
    text = {"type": "text", "text": json.dumps(shown)}
    return {"result": {"resultType": "complete", "content": [text], **({"structuredContent": shown} if shown else {})}}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        body = answer(message["method"], message.get("params", {}))
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **body}), flush=True)

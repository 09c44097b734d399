"""What the reference of the contract `mcp` serves besides its tools: resources and prompts about them.

Results have the form of 2026-07-28, resultType left out where it is complete. Every method may be replaced on one
instance: that is where deviations act.
"""

import base64
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Final

from reference_server.application import Json, Tool
from reference_server.bindings.encoding import encode
from reference_server.bindings.protocol import CAPABILITIES_KEY, INVALID_PARAMS, ProtocolError

Params = Mapping[str, Json]
Result = dict[str, Json]

CACHE_HINTS: Final[Result] = {"ttlMs": 0, "cacheScope": "private"}
MANUAL: Final = "reference://tools"
ICON: Final = "reference://icon"
TEMPLATE: Final = "reference://tools/{name}"
PNG: Final = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
        "0000000a49444154789c63600000000200014898a71d0000000049454e44ae426082"
    )
).decode()
"""One grey pixel."""
MIRRORED: Final[Mapping[str, Mapping[str, str]]] = {"get_thread": {"thread_id": "Thread-Id"}}
"""Arguments that clients repeat in a header, so that a gateway can route by them: by tool, the header's name."""
METHODS: Final[Mapping[str, str]] = {
    "resources/list": "list_resources",
    "resources/templates/list": "list_templates",
    "resources/read": "read",
    "prompts/list": "list_prompts",
    "prompts/get": "get_prompt",
}
"""The method of `Offers` by that of MCP."""


class Offers:
    """Resources and prompts over the tools of one server. They hold no state, and ask for no token of their own."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self.tools = tools

    def capabilities(self) -> Result:
        """What is declared of them."""
        return {"resources": {}, "prompts": {}}

    def handler(self, method: str) -> Callable[[Params], Result] | None:
        """What serves a method of MCP; None: nothing here does."""
        name = METHODS.get(method)
        return getattr(self, name) if name is not None else None

    def list_resources(self, params: Params) -> Result:
        """The result of `resources/list`."""
        one_page(params)
        listed = [
            {"uri": MANUAL, "name": "tools", "description": "All tools, one a line.", "mimeType": "text/markdown"},
            {"uri": ICON, "name": "icon", "description": "The server's icon.", "mimeType": "image/png"},
        ]
        return {"resources": listed, **CACHE_HINTS}

    def list_templates(self, params: Params) -> Result:
        """The result of `resources/templates/list`."""
        one_page(params)
        about = {"uriTemplate": TEMPLATE, "name": "tool", "description": "The definition of a tool."}
        return {"resourceTemplates": [{**about, "mimeType": "application/json"}], **CACHE_HINTS}

    def read(self, params: Params) -> Result:
        """The result of `resources/read`. ProtocolError: there is no such resource."""
        uri = params.get("uri")
        return {"contents": [self.contents(uri if isinstance(uri, str) else "")], **CACHE_HINTS}

    def contents(self, uri: str) -> Result:
        """What a resource holds."""
        if uri == MANUAL:
            text = "".join(f"- {tool.name}: {tool.description}\n" for tool in self.tools)
            return {"uri": uri, "mimeType": "text/markdown", "text": text}
        if uri == ICON:
            return {"uri": uri, "mimeType": "image/png", "blob": PNG}
        for tool in self.tools:
            if uri == TEMPLATE.format(name=tool.name):
                return {"uri": uri, "mimeType": "application/json", "text": encode(tool.as_listed()).decode()}
        raise ProtocolError(INVALID_PARAMS, "Resource not found", {"uri": uri})

    def list_prompts(self, params: Params) -> Result:
        """The result of `prompts/list`."""
        one_page(params)
        thread = {"name": "thread_id", "description": "The thread to be reviewed.", "required": True}
        focus = {"name": "focus", "description": "What to look at."}
        topic = {"name": "topic", "description": "What to ask about; left out, the user is asked for it."}
        listed = [
            {"name": "review_thread", "description": "Review a thread's messages.", "arguments": [thread, focus]},
            {"name": "interview", "description": "Ask a reviewer about a topic.", "arguments": [topic]},
        ]
        return {"prompts": listed, **CACHE_HINTS}

    def get_prompt(self, params: Params) -> Result:
        """The result of `prompts/get`. ProtocolError: there is no such prompt, or an argument is missing or no text."""
        given = params.get("arguments", {})
        if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
            raise ProtocolError(INVALID_PARAMS, "Invalid request parameters: arguments is an object of strings")
        match params.get("name"):
            case "review_thread":
                return self.review(given)
            case "interview":
                return self.interview(given, params)
            case name:
                raise ProtocolError(INVALID_PARAMS, f"Unknown prompt: {name}")

    def review(self, given: Mapping[str, str]) -> Result:
        """A prompt that needs an argument."""
        if not given.get("thread_id"):
            raise ProtocolError(INVALID_PARAMS, "Missing required argument: thread_id")
        focus = f" Look at {given['focus']}." if given.get("focus") else ""
        return said(f"Read thread {given['thread_id']} with read_messages and list what is open.{focus}")

    def interview(self, given: Mapping[str, str], params: Params) -> Result:
        """A prompt whose argument the user can be asked for, where the client can ask."""
        topic = given.get("topic") or answered(params)
        if topic is None and can_ask(params):
            wanted = {"type": "object", "properties": {"topic": {"type": "string"}}, "required": ["topic"]}
            asked = {"mode": "form", "message": "What is the interview about?", "requestedSchema": wanted}
            requests = {"topic": {"method": "elicitation/create", "params": asked}}
            return {"resultType": "input_required", "inputRequests": requests}
        return said(f"Ask the reviewer three questions about {topic or 'the latest thread'}.")


def one_page(params: Params) -> None:
    """ProtocolError: a cursor, though these lists have one page."""
    if params.get("cursor") is not None:
        raise ProtocolError(INVALID_PARAMS, "Invalid cursor")


def said(text: str) -> Result:
    """A prompt of one message."""
    return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}


def can_ask(params: Params) -> bool:
    """Whether the client of a request declares that it can ask its user."""
    meta = params.get("_meta")
    declared = meta.get(CAPABILITIES_KEY) if isinstance(meta, dict) else None
    return isinstance(declared, dict) and "elicitation" in declared


def answered(params: Params) -> str | None:
    """The topic that the user gave, in the client's second request."""
    responses = params.get("inputResponses")
    response = responses.get("topic") if isinstance(responses, dict) else None
    content = response.get("content") if isinstance(response, dict) else None
    topic = content.get("topic") if isinstance(content, dict) else None
    return topic if isinstance(topic, str) else None


def mirrored(name: str, schema: dict[str, Json]) -> dict[str, Json]:
    """The inputSchema of a tool with its arguments marked that clients repeat in a header."""
    marks = MIRRORED.get(name)
    if not marks:
        return schema
    marked = deepcopy(schema)
    for argument, header in marks.items():
        # a copy: other tools share the schema of a thread's id
        marked["properties"][argument] = {**marked["properties"][argument], "x-mcp-header": header}
    return marked

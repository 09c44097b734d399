"""What a tool says that lacks something no argument gives it: a host that it asks, or a key of the host's."""

import re

from conformance.judge.texts import texts
from conformance.model.arguments import properties
from conformance.model.ending import reason
from conformance.model.exchange import Exchange
from conformance.model.listed import ListedTool

_OUT_OF_REACH = re.compile(
    r"\b(?:ENOTFOUND|ECONNREFUSED|ECONNRESET|ECONNABORTED|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|getaddrinfo)\b"
    r"|\bname or service not known\b|\b(?:name|dns) resolution\b|\bno such host\b|\bfetch failed\b"
    r"|\bconnection (?:was )?(?:refused|reset|timed out|failed)\b|\ball connection attempts failed\b"
    r"|\bnetwork is unreachable\b|\bfailed to resolve\b",
    re.IGNORECASE,
)
"""Words of the network in Node, Python, Go, Rust and Java."""
_KEY = r"\b(?:api[ _-]?(?:key|token)|access[ _-]?token|credentials?)\b"
_KEYLESS = re.compile(
    rf"\b(?:missing|no|invalid|set|provide|configure)\b.{{0,30}}{_KEY}"
    rf"|{_KEY}.{{0,40}}\b(?:missing|required|invalid|not (?:set|found|provided|configured|valid))\b",
    re.IGNORECASE,
)
"""That a key is missing by which the tool names itself elsewhere."""


def lacking(call: Exchange, tool: ListedTool) -> bool:
    """Whether a refusal names what lies beyond the tool, and nothing of the call: neither an argument nor its text."""
    said = reason(call)
    if not call.refused or not (_OUT_OF_REACH.search(said) or _KEYLESS.search(said)):
        return False
    named = any(re.search(rf"\b{re.escape(name)}\b", said) for name in properties(tool.input_schema))
    return not named and not any(text and text in said for text in texts(call.arguments))

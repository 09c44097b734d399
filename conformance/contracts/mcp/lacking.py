"""What a tool says that lacks something no argument gives it: a host, its key or leave, a program, a setting."""

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
_PROGRAM = re.compile(
    r"\bspawn\w* \S+ ENOENT\b|\bcommand not found\b|\bis not installed\b"
    r"|\b(?:could|can) ?not find\b.{0,60}\bexecutable\b",
    re.IGNORECASE,
)
"""That a program is not there which the tool runs."""
_KEY = r"\b(?:api[ _-]?(?:key|token)|access[ _-]?token|credentials?)\b"
_KEYLESS = re.compile(
    rf"\b(?:missing|no|invalid|set|provide|configure)\b.{{0,30}}{_KEY}"
    rf"|{_KEY}.{{0,40}}\b(?:missing|required|invalid|not (?:set|found|provided|configured|valid))\b",
    re.IGNORECASE,
)
"""That a key is missing by which the tool names itself elsewhere."""
_SETTING = re.compile(
    r"\bnot[ _]configured\b|\w_not_configured\b|\bno .{1,40}\bis (?:set up|configured)\b", re.IGNORECASE
)
"""That the server was not set up with what the tool stands on."""
_TURNED_AWAY = re.compile(
    r"\b(?:status|http|error|code|answered)\b.{0,12}\b(?:401|403|429|502|503|504)\b"
    r"|\b(?:unauthori[sz]ed|not authori[sz]ed|too many requests|bad gateway|service unavailable)\b|\w_forbidden\b"
    r"|\b(?:session|token|key|login|password|licen[cs]e)s?\b.{0,20}\bexpired\b",
    re.IGNORECASE,
)
"""That a service of others does not serve the tool now, or not this account."""

_BEYOND = (_OUT_OF_REACH, _PROGRAM, _KEYLESS, _SETTING, _TURNED_AWAY)


def lacking(call: Exchange, tool: ListedTool) -> bool:
    """Whether a refusal names what lies beyond the tool, and nothing of the call: neither an argument nor its text."""
    said = reason(call)
    told = f"{call.code or ''} {said}"
    if not call.refused or not any(each.search(told) for each in _BEYOND):
        return False
    named = any(re.search(rf"\b{re.escape(name)}\b", said) for name in properties(tool.input_schema))
    return not named and not says_again(call)


def says_again(call: Exchange) -> bool:
    """Whether a refusal repeats a text of the call's arguments: it may be of that."""
    said = reason(call)
    return any(text and text in said for text in texts(call.arguments))

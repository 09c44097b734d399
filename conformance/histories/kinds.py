"""What kind of finding one is: while a conversation is shrunk, what it shows may not become another."""

import re

from conformance.model.history import History
from conformance.model.verdict import Finding

Kind = tuple[str, str, tuple[str, ...], str]
"""What was seen, without values; where; in calls of which tools; how the last of them ended."""
_QUOTED = re.compile(r"""(?<!\w)(['"]).*?\1""")
_MADE_UP = re.compile(r"\S*[\d-]\S*")
"""Words with a number or a hyphen: ids, revisions, names of a run."""
_PLACE = re.compile(r"/\d+(?=/|$)")


def kind_of(finding: Finding, history: History) -> Kind:
    """The kind of a finding: the same where a history shows it again with other names, ids and fewer calls."""
    named = [exchange for call in finding.calls if (exchange := history.find(call)) is not None]
    seen = _MADE_UP.sub("…", _QUOTED.sub("…", finding.saw))
    ended = (named[-1].code or ("accepted" if named[-1].accepted else "")) if named else ""
    tools = tuple(dict.fromkeys(each.tool or each.method for each in named))
    return seen, _PLACE.sub("/*", finding.pointer), tools, ended

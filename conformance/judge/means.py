"""What the target's statement says that it can be brought to."""

from conformance.model.events import Json
from conformance.model.history import History


def brings_about(history: History, condition: str) -> bool:
    """Whether a condition can be brought about on the target: at its start, by a command, or by what a request says."""
    statement = history.header.statement if history.header is not None else {}
    stated = statement.get("conditions")
    means = stated if isinstance(stated, dict) else {}
    named = {*_names(means.get("start")), *_names(means.get("command"))}
    honours = means.get("honours")
    return condition in named or (means.get("means") == "meta" and (honours is None or condition in _names(honours)))


def _names(value: Json) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, dict | list) else []

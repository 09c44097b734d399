"""Recognises how a server's answers tell failure, which codes they have, and what they say of trying again."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from conformance.model.envelope import EnvelopeRule
from conformance.model.events import Json
from conformance.model.exchange import Exchange, carried
from conformance.propose.contract.hints import first, is_retry

CODES = ("code", "error_code", "errorCode", "type", "kind", "reason")
"""Keys under which an error tells its code, the commonest first."""
FEW = 2
"""Answers that have to agree."""


@dataclass(frozen=True, slots=True)
class Told:
    """What all answers together tell of the envelope."""

    rule: EnvelopeRule
    codes: Mapping[str, Sequence[Exchange]] = field(default_factory=dict)
    """The refusals, by code."""
    retry: str = ""
    """The pointer, in the envelope, to the flag that says whether to try again."""
    retryable: Mapping[str, bool | None] = field(default_factory=dict)
    """By code what the flag says; None where it says now this, now that."""
    success: tuple[str, ...] = ()
    """Keys that every success has."""
    seen: str = ""
    """In words."""


def told(calls: Iterable[Exchange]) -> Told:
    """What these calls' answers have in common. Without an envelope of JSON objects it is MCP's own isError alone."""
    answered = [
        (call, body) for call in calls if call.result is not None and isinstance(body := carried(call.result), dict)
    ]
    errors = [(call, body) for call, body in answered if _error(body) is not None]
    if not errors:
        return Told(EnvelopeRule())
    holder, code = next(found for _, body in errors if (found := _error(body)) is not None)
    fine = [body for call, body in answered if _error(body) is None and (call.result or {}).get("isError") is not True]
    flag = _flag(fine, [body for _, body in errors])
    rule = EnvelopeRule(
        failure_key=flag or holder, failure_value="false" if flag else "present", error_key=holder, code_key=code
    )
    by_code: dict[str, list[Exchange]] = {}
    says: dict[str, set[bool]] = {}
    key = None
    for call, body in errors:
        error = body[holder] if isinstance(body.get(holder), dict) else {}
        if isinstance(found := error.get(code), str):
            by_code.setdefault(found, []).append(call)
            key = key or first((name for name, value in error.items() if isinstance(value, bool)), is_retry)
            if key is not None and isinstance(flagged := error.get(key), bool):
                says.setdefault(found, set()).add(flagged)
    common = set.intersection(*map(set, fine)) if len(fine) >= FEW else set()
    return Told(
        rule,
        by_code,
        f"/{holder}/{key}" if key is not None else "",
        {name: next(iter(flags)) if len(flags := says.get(name, set())) == 1 else None for name in by_code},
        tuple(sorted(common)),
        f"{len(errors)} refusals had {holder}.{code}, {len(fine)} successes had no {holder}",
    )


def _error(body: Mapping[str, Json]) -> tuple[str, str] | None:
    """The key of an error object in a body, and the key of its code."""
    for key, value in body.items():
        if isinstance(value, dict) and "error" in key.casefold():
            for code in CODES:
                if isinstance(value.get(code), str):
                    return key, code
    return None


def _flag(fine: Sequence[Mapping[str, Json]], failed: Sequence[Mapping[str, Json]]) -> str:
    """A key that is true in every success and false in every failure; empty where there is none."""
    if len(fine) < FEW:
        return ""
    return next(_agreed(fine, failed), "")


def _agreed(fine: Sequence[Mapping[str, Json]], failed: Sequence[Mapping[str, Json]]) -> Iterator[str]:
    for key in fine[0]:
        if all(body.get(key) is True for body in fine) and all(body.get(key) is False for body in failed):
            yield key

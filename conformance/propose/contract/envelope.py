"""Recognises how a server's answers tell failure, which codes they have, and what they say of trying again."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from conformance.model.envelope import EnvelopeRule
from conformance.model.events import Json
from conformance.model.exchange import Exchange, carried
from conformance.propose.contract.hints import first, is_retry

CODES = ("code", "error_code", "errorCode", "type", "kind", "reason")
"""Keys under which an error tells its code, the commonest first."""
HOLDERS = ("error", "problem", "fault", "failure")
"""Words in the key of an error object."""
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
    flagged = [(call, body, (call.result or {}).get("isError") is True) for call, body in answered]
    found = [(call, body, _error(body, failed=failed)) for call, body, failed in flagged]
    errors = [(call, body) for call, body, error in found if error is not None]
    if not errors:
        return Told(EnvelopeRule())
    holder, code = next(error for _, _, error in found if error is not None)
    fine = [body for _, body, failed in flagged if not failed and _error(body, failed=failed) is None]
    failed = [body for _, body in errors]
    flag, status = _flag(fine, failed), _status(fine, failed)
    rule = EnvelopeRule(
        failure_key=flag or status or holder,
        failure_value="false" if flag else "present",
        success_values=tuple(dict.fromkeys(str(body[status]) for body in fine)) if status and not flag else (),
        error_key=holder,
        code_key=code,
    )
    by_code: dict[str, list[Exchange]] = {}
    says: dict[str, set[bool]] = {}
    key = None
    for call, body in errors:
        error = body[holder] if isinstance(body.get(holder), dict) else {}
        if isinstance(said := error.get(code), str):
            by_code.setdefault(said, []).append(call)
            key = key or first((name for name, value in error.items() if isinstance(value, bool)), is_retry)
            if key is not None and isinstance(again := error.get(key), bool):
                says.setdefault(said, set()).add(again)
    common = set.intersection(*map(set, fine)) if len(fine) >= FEW else set()
    return Told(
        rule,
        by_code,
        f"/{holder}/{key}" if key is not None else "",
        {name: next(iter(flags)) if len(flags := says.get(name, set())) == 1 else None for name in by_code},
        tuple(sorted(common)),
        f"{len(errors)} refusals had {holder}.{code}, {len(fine)} successes had no {holder}",
    )


def _error(body: Mapping[str, Json], *, failed: bool) -> tuple[str, str] | None:
    """The key of an error object in a body, and the key of its code. `failed`: isError says that there is one."""
    for key, value in body.items():
        if isinstance(value, dict) and any(word in key.casefold() for word in (HOLDERS if failed else HOLDERS[:1])):
            for code in CODES:
                if isinstance(value.get(code), str):
                    return key, code
    return None


def _flag(fine: Sequence[Mapping[str, Json]], failed: Sequence[Mapping[str, Json]]) -> str:
    """A key that is true in every success and false in every failure; empty where there is none."""
    if len(fine) < FEW:
        return ""
    return next(_agreed(fine, failed), "")


def _status(fine: Sequence[Mapping[str, Json]], failed: Sequence[Mapping[str, Json]]) -> str:
    """A key with one text in every success, and with others in failures; empty where there is none."""
    if len(fine) < FEW or len(failed) < FEW:
        return ""
    for key in fine[0]:
        good, bad = ({str(body.get(key)) for body in bodies} for bodies in (fine, failed))
        texts = all(isinstance(body.get(key), str) for body in (*fine, *failed))
        if texts and len(good) == len(bad) == 1 and good.isdisjoint(bad):
            return key
    return ""


def _agreed(fine: Sequence[Mapping[str, Json]], failed: Sequence[Mapping[str, Json]]) -> Iterator[str]:
    for key in fine[0]:
        if all(body.get(key) is True for body in fine) and all(body.get(key) is False for body in failed):
            yield key

"""Recognises how a server's answers tell failure, which codes they have, and what they say of trying again."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from msgspec import structs

from conformance.contracts.mcp.laws.failures import told_failure
from conformance.model.envelope import EnvelopeRule
from conformance.model.events import Json
from conformance.model.exchange import Exchange, carried
from conformance.model.pointer import at, pointer_of, scalars, steps
from conformance.model.prose import Prose
from conformance.model.texts import decoded, texts_of
from conformance.propose.contract.hints import first, is_retry
from conformance.propose.contract.prose import general

CODES = ("code", "error_code", "errorCode", "type", "kind", "reason")
"""Keys under which an error tells its code, the commonest first."""
HOLDERS = ("error", "problem", "fault", "failure")
"""Words in the key of an error object."""
MESSAGES = ("message", "msg", "detail", "description", "title", "reason")
"""Keys under which an error says in words what is wrong."""
WORD = re.compile(r"(https?://|urn:)\S+|[A-Za-z][A-Za-z0-9]*([_.:/-][A-Za-z0-9]+)*")
"""A code, and no sentence: also an address, as problem details have it."""
PROSE = (
    r"^(?:[^:\n]*: )?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{4,}): ",
    r"^(?:[^:\n]*: )?\[([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{4,})\]",
    r"^(?:[^:\n]*: )?([a-z][a-z0-9]*(?:_[a-z0-9]+)+): ",
)
"""How codes stand in texts, behind the words in which an SDK says that a tool failed. A word of a sentence is none."""
ERROR = re.compile(r"\W{0,8}(?:\w+ ){0,2}(?:\w*error|\w*exception|failure|failed)\b[^:\n]{0,40}: ", re.IGNORECASE)
"""How a text begins that calls itself an error."""
MANY = 10
"""Failures to one text that a pattern fits and the suite takes for no failure."""
WAYS = 5
"""Forms of failures in texts."""
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
    code: str = ""
    """The pointer, in the envelope, to the code."""
    uncoded: bool = False
    """Whether a tool refused without any code."""


def told(calls: Iterable[Exchange], text: tuple[Prose, ...] = ()) -> Told:
    """What these calls' answers have in common, whose texts are read so. Without an envelope it is isError alone."""
    found = _told(list(calls))
    return replace(found, rule=structs.replace(found.rule, text=text))


def _told(calls: Sequence[Exchange]) -> Told:
    refused = [call for call in calls if call.result is not None and call.result.get("isError") is True]
    answered = [
        (call, body) for call in calls if call.result is not None and isinstance(body := carried(call.result), dict)
    ]
    flagged = [(call, body, (call.result or {}).get("isError") is True) for call, body in answered]
    found = [(call, body, next(_codes(body, failed=failed), "")) for call, body, failed in flagged]
    errors = [(call, body) for call, body, code in found if code]
    if not errors:
        failures, successes = _undisguised(calls)
        failing = _failing(failures, successes)
        refused += failures if failing else []
        plain = next(filter(None, (_worded(refused, pattern) for pattern in PROSE)), Told(EnvelopeRule()))
        return replace(plain, rule=structs.replace(plain.rule, failure_pattern=failing))
    code = Counter(code for _, _, code in found if code).most_common(1)[0][0]
    fine = [body for _, body, failed in flagged if not failed and not any(_codes(body, failed=failed))]
    failed = [body for _, body in errors]
    rule = _rule(code, fine, failed)
    area = pointer_of(steps(code)[:1]) if len(steps(code)) > 1 else ""
    retry = next(filter(None, (_retry(at(body, area), area) for body in failed)), "")
    by_code: dict[str, list[Exchange]] = {}
    says: dict[str, set[bool]] = {}
    for call, body in errors:
        if isinstance(said := at(body, code), str):
            by_code.setdefault(said, []).append(call)
            if retry and isinstance(again := at(body, retry), bool):
                says.setdefault(said, set()).add(again)
    coded = {id(call) for kept in by_code.values() for call in kept}
    common = set.intersection(*map(set, fine)) if len(fine) >= FEW else set()
    return Told(
        rule,
        by_code,
        retry,
        {name: next(iter(flags)) if len(flags := says.get(name, set())) == 1 else None for name in by_code},
        tuple(sorted(common)),
        f"{len(errors)} refusals had a code at {code}, {len(fine)} successes had none",
        code,
        uncoded=any(id(call) not in coded for call in refused),
    )


def _worded(refused: Sequence[Exchange], pattern: str) -> Told | None:
    """What refusals tell whose codes stand in their texts as a pattern says; None where too few have one."""
    rule, by_code = EnvelopeRule(code_pattern=pattern), dict[str, list[Exchange]]()
    for call in refused:
        found = rule.worded(next(iter(texts_of(call.result)), ""))
        if found is not None:
            by_code.setdefault(found[1], []).append(call)
    few = sum(map(len, by_code.values()))
    if few < FEW:
        return None
    return Told(rule, by_code, seen=f"{few} refusals had a code in their text", uncoded=few < len(refused))


def _undisguised(calls: Sequence[Exchange]) -> tuple[list[Exchange], list[str]]:
    """The calls whose texts tell of a failure without isError, and the texts of the others without it."""
    failures, fine = list[Exchange](), list[str]()
    for call in (call for call in calls if call.result is not None and call.result.get("isError") is not True):
        text = next(iter(texts_of(call.result)), "")
        if text and isinstance(decoded(text), str):
            if told_failure(call):
                failures.append(call)
            else:
                fine.append(text)
    return failures, fine


def _failing(failures: Sequence[Exchange], fine: Sequence[str]) -> str:
    """How texts tell of failures, as a pattern that fits no success; empty where none do."""
    texts = [texts_of(call.result)[0] for call in failures]
    begins = Counter(_beginning(call, text) for call, text in zip(failures, texts, strict=True))
    ways: list[str] = []
    # what says least of the rest comes first, and may stand for others
    for way, count in sorted(begins.most_common(WAYS), key=lambda each: ".*?" not in each[0]):
        left = [text for text in texts if not any(re.match(known, text) for known in ways)]
        # where a few of many are told alike, these are failures as well, in other words than the suite knows
        mistaken = sum(re.match(way, text) is not None for text in fine) * MANY > count
        if not mistaken and sum(re.match(way, text) is not None for text in left) >= FEW:
            ways.append(way)
    return f"^{ways[0]}" if len(ways) == 1 else f"^(?:{'|'.join(ways)})" if ways else ""


def _beginning(call: Exchange, text: str) -> str:
    """A pattern for how a text begins that tells of a failure: the words up to the first colon, else its first line."""
    named = ERROR.match(text)
    if named is not None:
        return general(named[0], ())
    line, more, _ = text.partition("\n")
    given = [value for _, value in scalars(call.arguments) if isinstance(value, str) and len(value) >= FEW]
    return f"{general(line, given)}{'' if more else '$'}"


def _rule(code: str, fine: Sequence[Mapping[str, Json]], failed: Sequence[Mapping[str, Json]]) -> EnvelopeRule:
    """How failure is told, by where the code stands."""
    path = steps(code)
    # what stands beside the rest of the answer tells failure only together with isError
    holder = path[0] if len(path) > 1 else None
    flag, status = _flag(fine, failed), _status(fine, failed)
    key = flag or status or holder
    usual = len(path) == 2  # noqa: PLR2004 -- an object of the error, and the code in it
    return EnvelopeRule(
        failure_key=key,
        failure_value="false" if flag else "present" if key else "isError",
        success_values=tuple(dict.fromkeys(str(body[status]) for body in fine)) if status and not flag else (),
        error_key=path[0] if usual else "error",
        code_key=path[1] if usual else code,
    )


def message(body: Json, told: Told) -> str:
    """What a refusal says in words, beside its code, above it or after it; empty where it says nothing."""
    if isinstance(body, str) and (found := told.rule.worded(body)) is not None:
        return body[found.end() :].strip()
    path = steps(told.code)
    for end in range(len(path) - 1, -1, -1):
        holder = at(body, pointer_of(path[:end]))
        for key in MESSAGES if isinstance(holder, dict) else ():
            if isinstance(said := holder.get(key), str):
                return said
    return ""


def _codes(body: Mapping[str, Json], *, failed: bool) -> Iterator[str]:
    """Where a body has a code: in an object named for an error; where isError says so, also beside the rest."""
    for key, value in body.items():
        if isinstance(value, dict) and any(word in key.casefold() for word in (HOLDERS if failed else HOLDERS[:1])):
            yield from _within(value, pointer_of([key]))
    for key in (*CODES[:3], *HOLDERS[:1]) if failed else ():
        if isinstance(said := body.get(key), str) and WORD.fullmatch(said):
            yield pointer_of([key])


def _within(error: Mapping[str, Json], pointer: str, levels: int = 3) -> Iterator[str]:
    """Where an error has its code: at its top, else in an object of it."""
    for code in CODES:
        if isinstance(error.get(code), str):
            yield pointer + pointer_of([code])
    for key, value in error.items():
        if isinstance(value, dict) and levels:
            yield from _within(value, pointer + pointer_of([key]), levels - 1)


def _retry(error: Json, pointer: str, levels: int = 3) -> str:
    """Where an error says whether to try again; empty where it does not."""
    if not isinstance(error, dict) or not levels:
        return ""
    key = first((name for name, value in error.items() if isinstance(value, bool)), is_retry)
    if key is not None:
        return pointer + pointer_of([key])
    inner = (_retry(value, pointer + pointer_of([name]), levels - 1) for name, value in error.items())
    return next(filter(None, inner), "")


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

"""Where a report differs from the one that its transcript gives."""

import msgspec
from msgspec.structs import fields

from conformance.report.model import Report
from conformance.report.printable import compact, plain
from conformance.report.story import everything

MOST = 5


def difference(judged: Report, held: bytes) -> tuple[str, str]:
    """In words, and what to do: `judged` is what the transcript gives, `held` the bundle's file."""
    try:
        kept = msgspec.json.decode(held, type=Report)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return f"report.json is no report: {plain(str(error), 200)}", "do not trust the bundle"
    if judged.complete != kept.complete and "took longer" in judged.reason:
        todo = "verify it on a faster machine, or when this one has less to do"
        return f"the transcript could not be judged to its end: {plain(judged.reason)}", todo
    told = _verdicts(judged, kept) or _parts(judged, kept) or ["it is written in another form"]
    more = f"; and {len(told) - MOST} more" if len(told) > MOST else ""
    return (
        f"report.json is not the report that the transcript gives: {'; '.join(told[:MOST])}{more}",
        "the report was changed, or made by other code than this version of the suite: do not trust the bundle",
    )


def _verdicts(judged: Report, kept: Report) -> list[str]:
    found = {result.id: result.verdict for result in everything(kept)}
    own = {result.id: result.verdict for result in everything(judged)}
    return [
        f"{plain(name)} is {own.get(name, 'not judged')}, and the report says {found.get(name, 'nothing of it')}"
        for name in dict.fromkeys((*own, *found))
        if own.get(name) != found.get(name)
    ]


def _parts(judged: Report, kept: Report) -> list[str]:
    told = []
    for field in fields(Report):
        own, other = getattr(judged, field.name), getattr(kept, field.name)
        if own != other:
            simple = isinstance(own, str | int | bool | None) and isinstance(other, str | int | bool | None)
            what = f" is {compact(own, 100)}, and the report says {compact(other, 100)}" if simple else " differs"
            told.append(f"`{field.encode_name}`{what}")
    return told

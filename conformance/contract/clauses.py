"""What a contract's document says to a requirement, and which SDK is known for breaking it: data of schemas/."""

import json
import re
import tomllib
from functools import cache

import msgspec
from msgspec import Struct

from conformance.contract.catalogue import folder
from conformance.model.events import Json

SPECIFICATION = "https://modelcontextprotocol.io/specification"
LONGEST = 20_000
"""Characters of an answer that are looked through."""


class Clause(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of clauses.toml."""

    id: str
    since: str
    """The revision from which on it stands there."""
    page: str
    """Empty where no page says it."""
    says: str
    """Its own sentence; empty where it has none on this."""
    right: str
    """What would have been right."""


class Behaviour(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of sdks.toml."""

    id: str
    answer: str
    """A regular expression that the JSON of the answer matches."""
    sdk: str
    note: str


class Said(Struct, frozen=True, kw_only=True):
    """What the specification says to a finding."""

    says: str
    url: str
    right: str


@cache
def _clauses(contract: str) -> dict[str, list[Clause]]:
    path = folder(contract, "clauses.toml")
    rows = tomllib.loads(path.read_text("utf-8"))["clause"] if path.exists() else []
    found: dict[str, list[Clause]] = {}
    for row in msgspec.convert(rows, list[Clause]):
        found.setdefault(row.id, []).append(row)
    return {name: sorted(each, key=lambda clause: clause.since) for name, each in found.items()}


@cache
def _behaviours(contract: str) -> tuple[Behaviour, ...]:
    path = folder(contract, "sdks.toml")
    rows = tomllib.loads(path.read_text("utf-8"))["behaviour"] if path.exists() else []
    return msgspec.convert(rows, tuple[Behaviour, ...])


def said(contract: str, requirement: str, revision: str | None) -> Said | None:
    """What the page of a revision says, else the first that says anything; None where nothing is known of it."""
    clauses = _clauses(contract).get(requirement, [])
    if not clauses:
        return None
    spoken = [clause for clause in clauses if revision is None or clause.since <= revision]
    clause = spoken[-1] if spoken else clauses[0]
    of = revision if spoken and revision is not None else clause.since
    url = f"{SPECIFICATION}/{of}/{clause.page}" if clause.page else ""
    return Said(says=clause.says, url=url, right=clause.right)


def sdk(contract: str, requirement: str, answer: Json) -> str:
    """Whose behaviour an answer shows to be, and what it is; empty where that is not known."""
    rows = [row for row in _behaviours(contract) if row.id == requirement]
    text = json.dumps(answer, ensure_ascii=False)[:LONGEST] if rows else ""
    return next((f"{row.sdk}: {row.note}" for row in rows if re.search(row.answer, text)), "")

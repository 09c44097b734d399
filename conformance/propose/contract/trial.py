"""Drafts a contract: what was recognised is tried out by the suite itself, and what did not hold becomes a comment."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from conformance.certify import Options, certify, history_of
from conformance.contract.catalogue import Contract
from conformance.contract.promises import Enforced, Lives, Promise, Served, Shows, Steady
from conformance.contract.registry import named
from conformance.contracts.mcp.reach.search import done
from conformance.contracts.mcp.reach.usual import deed
from conformance.contracts.mcp.reach.words import words
from conformance.drive.library import import_stimuli
from conformance.drive.statement import Statement
from conformance.judge.faults import declined
from conformance.judge.promised.calls import templates
from conformance.judge.promised.library import OVER_HISTORIES
from conformance.judge.promised.serving import Good
from conformance.model.arguments import properties
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Verdict
from conformance.propose.contract.callers import named_by_callers
from conformance.propose.contract.candidates import Candidate, candidates
from conformance.propose.contract.drafted import Draft, Drafted
from conformance.propose.contract.entities import Found, entities, with_removal, without_refused
from conformance.propose.contract.envelope import Told, told
from conformance.propose.contract.examples import example
from conformance.propose.contract.prose import told_in_texts
from conformance.propose.contract.states import with_state
from conformance.propose.looking import Looked, looked
from conformance.report.model import Report
from conformance.report.standing import some

PROBE = 9
"""The turn in which it is looked for what callers name."""
TEXTS = 10
"""That in which it is looked for what stands in texts."""
UNTRIED = "nothing of it was tried: contract.toml does not say how it is called, or what it is called with"
LONGEST = 8
"""Letters of a contract's name that begin the ids of its requirements."""


class Tried(NamedTuple):
    """A run of the suite with a draft."""

    report: Report
    history: History
    contract: Contract
    stimuli: dict[str, list[str]]
    """By requirement, the stimuli that exercise it."""

    def kept(self, promise: Promise) -> bool | None:
        """Whether a promise was broken nowhere; None where it was not tried, or could not be again."""
        if isinstance(promise, Enforced | Steady) and not any(templates(self.contract, tool) for tool in promise.tools):
            return None
        law = OVER_HISTORIES[type(promise)]
        judged = [each.ok for each in law(self.history, self.contract, promise) if each.judged]
        return all(judged) if judged else None

    def refused_well(self) -> dict[str, Exchange]:
        """By tool, a call that was refused, or tells of a failure, though nothing in the draft speaks against it."""
        good = Good(self.history, self.contract).calls(Served())
        return {call.tool or "": call for call in good if declined(call) or (call.accepted and not done(call))}

    def refused(self, identifier: str) -> Iterator[Exchange]:
        """The calls that were refused while a requirement was tried."""
        for stimulus in self.stimuli.get(identifier, ()):
            yield from (call for call in self.history.by_stimulus.get(stimulus, ()) if call.result is not None)


def drafted(statement: Statement, options: Options, name: str) -> Draft:
    """The draft for a live server: calls what the statement lets be called. UsageError where no server answers."""
    seen = looked(statement, options)
    tools, texts = told_in_texts(statement, replace(options, seed=_seed(options, TEXTS)), seen.tools)
    seen = seen._replace(tools=tools)
    found = entities(seen.tools)
    found += named_by_callers(statement, replace(options, seed=_seed(options, PROBE)), seen.tools, found)
    calls = [call for each in seen.tools for call in each.calls]
    first = told(calls, texts)
    offered = _numbered(name, candidates(seen.tools, found, first))
    # the envelope shows in refusals, and these come about only while the promises are tried
    tried = _tried(_draft(name, seen, found, first, offered), statement, options, 1)
    known = told([*calls, *tried.history.calls()], texts)
    stated = [replace(each, make=with_state(each.make, (calls, tried.history.calls()))) for each in found]
    refused = tried.refused_well()
    stated = [without_refused(with_removal(each, tried.history), refused) for each in stated]
    # what was taken for a success until now may have been a failure
    told_in_words = known.rule.failure_pattern != first.rule.failure_pattern
    if stated != found or refused or told_in_words:
        found = stated
        offered = _numbered(name, candidates(seen.tools, found, known))
        tried = _tried(_draft(name, seen, found, known, offered, refused), statement, options, 2)
        refused |= tried.refused_well()
        known = told([*calls, *tried.history.calls()], texts)
    more = _numbered(name, candidates(seen.tools, found, known, [*calls, *tried.history.calls()]))
    coded = [replace(one, promise=_coded(one.promise, tried, _id(one.promise, offered), known, found)) for one in more]
    draft = _draft(name, seen, found, known, coded, refused)
    last = _tried(draft, statement, options, 3)
    parted = [each for one in coded for each in _parted(one, last)]
    if len(parted) > len(coded):
        draft = replace(draft, promises=_renumbered(parted))
        last = _tried(draft, statement, options, 4)
    return replace(draft, promises=list(_settled(draft.promises, last.report)))


def _parted(one: Drafted, tried: Tried) -> Iterator[Drafted]:
    """A promise of several fields, or of several tools: once for those that kept it, once for those that did not.

    And once for those of which nothing was seen.
    """
    parts = _parts(one.promise, tried.contract)
    kept: dict[bool | None, list[Promise]] = {}
    for part in parts:
        kept.setdefault(tried.kept(part), []).append(part)
    if len(kept) < 2:  # noqa: PLR2004 -- what is said of all of them
        yield one
        return
    for way in (way for way in (True, False, None) if way in kept):
        against = UNTRIED if way is None else ""
        yield replace(one, promise=_joined(kept[way]), holds=not against, against=against)


def _parts(promise: Promise, contract: Contract) -> list[Promise]:
    """What a promise says of each field, or of each tool."""
    match promise:
        case Shows():
            return [msgspec.structs.replace(promise, fields={name: place}) for name, place in promise.fields.items()]
        case Steady():
            return [msgspec.structs.replace(promise, tools=(tool,)) for tool in promise.tools or contract.reads()]
        case Enforced():
            tools = [name for name, tool in contract.tools.items() if properties(tool.inputSchema)]
            return [msgspec.structs.replace(promise, tools=(tool,)) for tool in promise.tools or tools]
        case _:
            return []


def _joined(parts: Sequence[Promise]) -> Promise:
    """One promise for several fields, or for several tools."""
    first = parts[0]
    if isinstance(first, Shows):
        fields = {name: place for part in parts if isinstance(part, Shows) for name, place in part.fields.items()}
        return msgspec.structs.replace(first, fields=fields)
    tools = tuple(tool for part in parts if isinstance(part, Steady | Enforced) for tool in part.tools)
    return msgspec.structs.replace(first, tools=tools)


def _id(promise: Promise, offered: Sequence[Drafted]) -> str:
    """The id under which a promise was tried; empty where it was not."""
    return next((one.id for one in offered if one.promise == promise), "")


def _renumbered(promises: Sequence[Drafted]) -> list[Drafted]:
    """The same with ids of their own."""
    prefix = promises[0].id.rpartition("-")[0]
    return [replace(one, id=f"{prefix}-{number:02}") for number, one in enumerate(promises, 1)]


def _numbered(name: str, offered: Iterable[Candidate]) -> list[Drafted]:
    prefix = "".join(word[0] for word in words(name)) if len(name) > LONGEST else name
    prefix = "".join(letter for letter in prefix.upper() if letter.isascii() and letter.isalnum()) or "C"
    return [Drafted(f"{prefix}-{number:02}", one.promise, one.why) for number, one in enumerate(offered, 1)]


def _draft(  # noqa: PLR0913, PLR0917 -- what the files hold, each part
    name: str,
    seen: Looked,
    found: Sequence[Found],
    known: Told,
    promises: Sequence[Drafted],
    refused: Mapping[str, Exchange] = MappingProxyType({}),
) -> Draft:
    taken = {call.tool for each in found for call in each.make.calls}
    others = [each for each in seen.tools if each.accepted and each.tool.name not in taken]
    return Draft(
        name=name,
        server=" ".join(str(seen.server[part]) for part in ("name", "version") if seen.server.get(part)),
        tools=[each.tool.definition for each in seen.tools],
        examples=[example(each, found, seen.tools, refused) for each in others],
        reads=[each.tool.name for each in others if deed(each.tool) == "read" and not each.tool.reads_only],
        found=found,
        told=known,
        promises=promises,
    )


def _seed(options: Options, turn: int) -> int | None:
    """Another one in each turn: a server that keeps its store knows the names that an earlier turn gave."""
    return options.seed + turn if options.seed is not None else None


def _tried(draft: Draft, statement: Statement, options: Options, turn: int) -> Tried:
    """Runs the suite with a draft."""
    with tempfile.TemporaryDirectory(prefix="conformance-") as place:
        folder, record = Path(place, "contract"), Path(place, "run.jsonl")
        folder.mkdir()
        for name, content in draft.files().items():
            (folder / name).write_text(content, "utf-8")
        contract = named(str(folder))
        asked = replace(options, transcript=record, only=(), seed=_seed(options, turn))
        certify(statement.model_copy(update={"contract": contract}), asked)
        report, history, read = history_of(record, Options())
    stimuli: dict[str, list[str]] = {}
    for plan in import_stimuli(read):
        for identifier in plan.exercises:
            stimuli.setdefault(identifier, []).append(plan.name)
    return Tried(report, history, read, stimuli)


def _coded(promise: Promise, tried: Tried, identifier: str, known: Told, found: Sequence[Found]) -> Promise:
    """A promise with the one code that all refusals had while it was tried; as it is, where some had others or none."""
    if "codes" not in promise.__struct_fields__ or not known.codes:
        return promise
    # calls of two runs may have the same number
    tool = _tool(promise, found)
    refused = {id(call) for call in tried.refused(identifier) if call.refused and tool in ("", call.tool)}
    coded = {code: refused.intersection(map(id, calls)) for code, calls in known.codes.items()}
    codes = [code for code, calls in coded.items() if calls]
    # of those without a code another place may have refused them, such as a check of the arguments
    whole = len(codes) == 1 and len(coded[codes[0]]) == len(refused)
    return msgspec.structs.replace(promise, codes=tuple(codes)) if whole else promise


def _tool(promise: Promise, found: Sequence[Found]) -> str:
    """The tool that a promise expects to refuse; empty where that may be any."""
    if not isinstance(promise, Lives):
        return getattr(promise, "tool", "")
    make = next(each.make for each in found if each.make.entity == promise.entity)
    return make.read.tool if make.read is not None else ""


def _settled(promises: Sequence[Drafted], report: Report) -> Iterator[Drafted]:
    """Each with what came of it."""
    results = {result.id: result for result in report.requirements}
    for one in promises:
        result = results.get(one.id)
        if result is None:  # what was left out of the draft already
            yield one
        elif result.verdict is Verdict.PASS:
            yield replace(one, why=f"{one.why}; {some(result.subjects, 'check')} held")
        else:
            against = result.findings[0].saw if result.findings else result.reason or f"it was {result.verdict}"
            yield replace(one, holds=False, against=against)

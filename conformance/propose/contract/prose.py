"""Recognises what stands where in the texts that tools answer with: ids, and what their callers wrote."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise
from os.path import commonprefix
from typing import NamedTuple

from conformance.certify import Options, contract_of, driven
from conformance.contract.asked import nullable
from conformance.contract.schema import satisfied
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.reach.labels import AS_NUMBER, labels
from conformance.contracts.mcp.reach.search import done
from conformance.contracts.mcp.reach.usual import deed
from conformance.contracts.mcp.samples import GoodCall
from conformance.drive.library import import_stimuli
from conformance.drive.statement import Statement
from conformance.judge.kinds import is_integer
from conformance.model.arguments import properties
from conformance.model.events import Json
from conformance.model.exchange import Exchange, spoken
from conformance.model.pointer import scalars, steps
from conformance.model.prose import ENTRIES, READ_THROUGH, TEXT, Prose
from conformance.propose.contract.entities import is_free, named_places
from conformance.propose.contract.hints import first, is_cursor, is_next, is_revision, is_size
from conformance.propose.looking import STIMULUS, Seen

EACH = 3
"""Entities that are made, so that what differs from one to the next can be told from what does not."""
LEAST = 2
"""Answers, or entries, that a pattern has to fit."""
SHORTEST = 4
"""Characters of a written text that is looked for in answers."""
NUMBERS = (57, 68, 93, 4157, 5368, 7193, 3, 5, 7)
"""What is written where any number will do, a different one for each entity: not what a server counts to by itself."""
SMALLEST = 10
"""A written number that is looked for in answers: smaller ones stand there for other things as well."""
_ENDS_ID = re.compile(r"[^\w\n]{1,3}")
"""What ends an id within a line: no letters, as these may be another value's."""
_ENDS = re.compile(r"[^\w\n]{0,3}[^\w\s][^\w\n]{0,3}")
"""What ends what a caller wrote, which may have spaces in it."""
ID, WRITTEN, WHOLE = r"\S+?", ".*?", r"-?\d+"
"""What an id, what a written text, up to what follows it, and a written number may be."""
FORMS = (r"\d+", r"[0-9a-f-]+")
"""What ids may look like, of one form each."""
NEXT = "next_cursor"
"""The name of what tells where the next page begins."""
Said = Mapping[str, str]
"""Values, by the name of their field."""


class _Maker(NamedTuple):
    """A tool that tells in a text the id of what it made, or its revision."""

    tool: str
    name: str
    """Of the field: the label of the value."""
    number: bool
    """Whether other calls give it as a number."""

    @property
    def revises(self) -> bool:
        """Whether it is a revision."""
        return is_revision(self.name)


class _Heard(NamedTuple):
    """An answer that was told in a text."""

    text: str
    about: Said
    """What the one entity was written with that the call makes or names, and its id; none: it is about no one."""
    made: Mapping[str, Said]
    """By id, the same of all entities that there were."""


def told_in_texts(
    statement: Statement, options: Options, tools: Sequence[Seen]
) -> tuple[list[Seen], tuple[Prose, ...]]:
    """The tools with their answers as they can be read, and how; as they are where no text tells an id.

    Makes a few entities more: a single answer does not say what of it belongs to the entity.
    """
    makers = _makers(tools)
    if all(each.revises for each in makers):
        return [*tools], ()
    more = _again(statement, options, tools)
    heard: dict[str, list[_Heard]] = {}
    for run in ([call for each in tools for call in each.calls], more):
        for call, one in _told(run, makers):
            heard.setdefault(call.tool or "", []).append(one)
    numbers = _numbers([call for each in tools for call in each.calls] + more)
    numbers |= {each.name for each in makers if each.number}
    rules = {each.tool.name: _rules(each, heard.get(each.tool.name, ()), makers, numbers) for each in tools}
    seen = [
        each._replace(calls=[*each.calls, *(call for call in more if call.tool == each.tool.name)]) for each in tools
    ]
    for each in seen:
        for call in (call for call in each.calls if call.accepted and rules[each.tool.name]):
            call.read_as(rules[each.tool.name])
    return seen, tuple(rule for each in rules.values() for rule in each)


def _makers(tools: Sequence[Seen]) -> list[_Maker]:
    """Tools of whose texts others took a value."""
    speak = {seen.tool.name: deed(seen.tool) for seen in tools if seen.good is not None and spoken(seen.good)}
    accepted = [seen.arguments for seen in tools if seen.accepted]
    found = {(place.tool, *steps(place.pointer)): None for each in accepted for place in named_places(each)}
    asked = {value for each in accepted for _, value in scalars(each)}
    return [
        _Maker(tool, way[0], number=f"{{{{{tool}.{way[0]}{AS_NUMBER}}}}}" in asked)
        for tool, *way in found
        if tool in speak
        and len(way) == 1
        and way[0] not in (TEXT, ENTRIES)
        and (is_revision(way[0]) or speak[tool] in ("make", "change", None))
    ]


def _again(statement: Statement, options: Options, tools: Sequence[Seen]) -> list[Exchange]:
    """Good calls made once more, on several new entities: first what makes them, then what shows and changes them."""
    contract = contract_of(statement.contract)
    plan = next(plan for plan in import_stimuli(contract) if plan.name == STIMULUS)
    good = [each for each in tools if each.good is not None and each.arguments is not None]
    found: list[Exchange] = []

    async def probe(bench: McpBench) -> None:
        samples = [bench.samples() for _ in range(EACH)]
        for deeds in (("make",), ("read",), (None, "change"), ("read",)):
            for place, own in enumerate(samples):
                for seen in (each for each in good if deed(each.tool) in deeds):
                    fresh = _fresh(seen)
                    for arguments in (fresh | _counted(seen, place), fresh, seen.arguments or {}):
                        answer = await bench.run(GoodCall(seen.tool.name, arguments), own)
                        found.extend([answer] if answer is not None else [])
                        if answer is not None and done(answer):
                            break
                    if (least := _least(seen)) is not None:
                        page = await bench.run(GoodCall(seen.tool.name, least), own)
                        found.extend([page] if page is not None else [])

    driven(statement, contract, [replace(plan, run=probe)], options, {})
    return found


def _fresh(seen: Seen) -> dict[str, Json]:
    """A good call with new texts wherever any text will do: equal ones tell nothing."""
    literal = {
        name: value for name, value in (seen.arguments or {}).items() if isinstance(value, str) and "{{" not in value
    }
    return {**(seen.arguments or {}), **{name: f"{{{{fresh.{name}}}}}" for name in literal if is_free(seen, name)}}


def _counted(seen: Seen, place: int) -> dict[str, Json]:
    """New numbers wherever any whole number will do, for the entity at this place."""
    found: dict[str, Json] = {}
    for name, value in (seen.arguments or {}).items():
        about = properties(seen.tool.input_schema).get(name)
        schema = nullable(about) if isinstance(about, dict) else {}
        if is_integer(value) and not is_revision(name) and not is_size(name):
            fitting = [number for number in NUMBERS if number != value and satisfied(schema, number)]
            found |= {name: fitting[place]} if len(fitting) > place else {}
    return found


def _numbers(calls: Iterable[Exchange]) -> set[str]:
    """The arguments that are whole numbers in every call."""
    given = [
        (name, value) for call in calls if isinstance(call.arguments, dict) for name, value in call.arguments.items()
    ]
    return {name for name, _ in given} - {name for name, value in given if not is_integer(value)}


def _least(seen: Seen) -> dict[str, Json] | None:
    """A good call for the smallest page of a list that is read on by a cursor: its text tells where the next begins."""
    known = properties(seen.tool.input_schema)
    size = first(known, is_size)
    if size is None or first(known, is_cursor) is None or deed(seen.tool) != "read":
        return None
    return {**(seen.arguments or {}), size: 1}


def _told(calls: Iterable[Exchange], makers: Sequence[_Maker]) -> Iterator[tuple[Exchange, _Heard]]:
    """The answers of one run that were told in texts, each with what had been written until then."""
    made: dict[str, Said] = {}
    makes, revisions = [each for each in makers if not each.revises], {each.name for each in makers if each.revises}
    for call in sorted(calls, key=lambda each: each.sent):
        text = spoken(call) if done(call) else None
        if not text:
            continue
        told = {each.name: each.value for each in reversed(labels(text))}
        revised = {name: value for name, value in told.items() if name in revisions}
        name = next((each.name for each in makes if each.tool == call.tool and each.name in told), None)
        named = [str(value) for _, value in scalars(call.arguments) if str(value) in made]
        if name is not None:
            about = made[told[name]] = {**_written(call.arguments), **revised, name: told[name]}
        elif len(named) == 1:
            about = made[named[0]] = {**made[named[0]], **_written(call.arguments), **revised}
        else:
            about = {}
        yield call, _Heard(text, about, dict(made))


def _written(arguments: Json) -> dict[str, str]:
    """What a call wrote that can be recognised in a text."""
    top = [(way[0], value) for place, value in scalars(arguments) if len(way := steps(place)) == 1]
    texts = {name: value for name, value in top if isinstance(value, str) and len(value) >= SHORTEST}
    return texts | {name: str(value) for name, value in top if is_integer(value) and abs(value) >= SMALLEST}


def _rules(
    seen: Seen, heard: Sequence[_Heard], makers: Sequence[_Maker], numbers: AbstractSet[str]
) -> tuple[Prose, ...]:
    """How the texts of a tool are read; none where nothing of them is recognised."""
    tools, ids = (seen.tool.name,), dict.fromkeys(maker.name for maker in makers if not maker.revises)
    forms = dict.fromkeys(numbers, WHOLE) | dict.fromkeys(ids, ID)
    fields = dict(_fields([(each.text, each.about) for each in heard if each.about], forms))
    if fields:
        return (Prose(tools, fields, tuple(sorted(numbers & fields.keys()))),)
    for name in ids if deed(seen.tool) == "read" else ():
        listed = [(each.text, {one: said for one, said in each.made.items() if name in said}) for each in heard]
        entries, told = _listed(listed)
        fields = dict(_fields(told, forms))
        if name in fields:
            onward = _onward(seen, [each.text for each in heard])
            return (Prose(tools, fields, tuple(sorted(numbers & fields.keys())), entries), *onward)
    return ()


def _onward(seen: Seen, texts: Sequence[str]) -> Iterator[Prose]:
    """Where the pages of a list tell the cursor of the next one, where it takes a cursor."""
    known = properties(seen.tool.input_schema)
    cursor = first(known, is_cursor)
    about = known.get(cursor) if cursor is not None else None
    if cursor is None or not isinstance(about, dict):
        return
    kind = nullable(about).get("type")
    values = [
        (text, each.value) for text in texts for each in labels(text) if is_next(each.name) or is_cursor(each.name)
    ]
    for text, value in values:
        for pattern in _patterns(text, value, (), ID):
            if all(_first(pattern, other) == said for other, said in values):
                yield Prose((seen.tool.name,), {NEXT: pattern}, (NEXT,) if kind == "integer" else ())
                return


def _fields(told: Sequence[tuple[str, Said]], forms: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The fields whose values stand in each of these texts, in the same surroundings.

    `forms`: by name, what the values of ids and numbers look like; others are texts.
    """
    for name in dict.fromkeys(name for _, said in told for name in said):
        known = [(text, said[name], said) for text, said in told if name in said]
        form = forms.get(name, WRITTEN)
        found = (_patterns(text, value, said.values(), form) for text, value, said in known)
        for pattern, _ in Counter(pattern for patterns in found for pattern in patterns).most_common():
            fits = all(_first(pattern, text) == value for text, value, _ in known)
            differ = len({value for _, value, _ in known})
            if fits and (differ >= LEAST or (is_revision(name) and len(known) >= LEAST)):
                yield name, pattern
                break


def _patterns(text: str, value: str, others: Iterable[str], form: str) -> Iterator[str]:
    """How a value is found where it stands in a text: by its line up to it, and by what follows it."""
    known = [each for each in others if each != value]
    lines = text.removesuffix(value)
    if lines != text and (not lines or lines.endswith("\n")):
        above = lines.count("\n")
        yield rf"\A(?:.*\n){{{above}}}([\s\S]*)\Z" if above else r"\A([\s\S]*)\Z"
    for start in _places(text, value):
        end = start + len(value)
        before = text[text.rfind("\n", 0, start) + 1 : start]
        after = (_ENDS if form == WRITTEN else _ENDS_ID).match(text, end)
        behind = _plain(after[0]) if after is not None else ""
        if before if text[end : end + 1] in ("", "\n") else behind:
            yield f"^{general(before, known)}({form}){behind or '$'}"


def _places(text: str, value: str) -> Iterator[int]:
    """Where a value stands by itself."""
    for found in re.finditer(re.escape(value), text[:READ_THROUGH]):
        around = text[max(found.start() - 1, 0) : found.start()] + text[found.end() : found.end() + 1]
        if not any(each.isalnum() or each in "_-" for each in around):
            yield found.start()


def general(text: str, known: Sequence[str]) -> str:
    """A pattern for a text in which other values and numbers may be others, matched in time linear in the text.

    What stands for a value reaches to the first place where the words after it follow, and is not tried again: without
    that a server could send a line that takes hours.
    """
    inner = "|".join([*(re.escape(each) for each in sorted(known, key=len, reverse=True)), r"\d+"])
    found, after = "", ""
    for number, part in reversed([*enumerate(re.split(f"({inner})", text))]):
        if number % 2 == 0 or part.isdecimal():
            after = (r"\d+" if number % 2 else _plain(part)) + after
        else:
            found, after = (f"(?>.*?{after})" if after else ".*?") + found, ""
    return after + found


def _plain(text: str) -> str:
    """A text as a pattern, without backslashes that it can do without."""
    return re.sub(r"\\([ \-#&~\"'%,:;<=>@_`!/])", r"\1", re.escape(text))


def _listed(texts: Sequence[tuple[str, Mapping[str, Said]]]) -> tuple[str, list[tuple[str, Said]]]:
    """The pattern of the entries of a list that shows entities, each on a line or on several, and what it showed.

    Empty where none is recognised.
    """
    heads = Counter(
        pattern
        for text, made in texts
        for line in text.splitlines()
        for name, said in made.items()
        for pattern in _patterns(line, name, said.values(), ID)
    )
    for head in (head for head, count in heads.most_common(EACH) if count >= LEAST):
        # the heads of a table stand where ids do
        plain = head.replace(f"({ID})", _form({name for _, made in texts for name in made}))
        apart = any(_apart(plain, text) for text, _ in texts)
        begins = plain.removeprefix("^")
        whole = rf"{plain}.*(?:\n(?!{begins}).*)*" if apart else f"{plain.removesuffix('$')}.*$"
        shown = [
            (each[0], made.get(_first(head, each[0])))
            for text, made in texts
            for each in re.finditer(whole, text, re.MULTILINE)
        ]
        known = [(entry, said) for entry, said in shown if said is not None]
        if len(known) >= LEAST:
            return whole, known
    return "", []


def _form(ids: AbstractSet[str]) -> str:
    """A pattern for what looks like these ids."""
    begin = re.match(r"(?:[A-Za-z]{2,}|[A-Za-z]*[_-])?", commonprefix([*ids]))  # noqa: RUF071 -- of characters
    if begin is not None and begin[0]:
        return rf"{_plain(begin[0])}[\w-]+?"
    return next((each for each in FORMS if all(re.fullmatch(each, name) for name in ids)), ID)


def _apart(head: str, text: str) -> bool:
    """Whether other lines stand between the beginnings of entries."""
    found = list(re.finditer(head, text, re.MULTILINE))
    between = (text[one.end() : other.start()].partition("\n")[2] for one, other in pairwise(found))
    return any(lines.strip() for lines in between)


def _first(pattern: str, text: str) -> str:
    found = re.search(pattern, text[:READ_THROUGH], re.MULTILINE)
    return found[1] if found is not None and found[1] is not None else ""

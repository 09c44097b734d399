"""A statement held against its contract: every name that it uses is one that the contract knows, every value fits."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

from pydantic import ValidationError

from conformance.contract.catalogue import Contract, requirement
from conformance.contract.lines import line_of
from conformance.contract.rows import Callers
from conformance.contract.terms import Term
from conformance.drive.errors import UsageError
from conformance.drive.loading import said
from conformance.drive.statement import JUDGED_BY, Auth, Judged, Statement
from conformance.model.events import Json

Place = tuple[str | int, ...]


def agree(statement: Statement, contract: Contract, name: str, text: str = "") -> None:
    """UsageError that names each place of the statement that the contract does not know, with its line."""
    wrong = [f"{_where(place, text)}{said}" for place, said in _disagreements(statement, contract)]
    if wrong:
        raise UsageError(
            f"{name} does not fit the contract {contract.name}",
            why="\n  ".join(wrong),
            todo=f"`conformance conditions --contract {contract.named}` lists what it may say",
        )


def faults(statement: Mapping[str, Json], settings: Mapping[str, Json], contract: Contract) -> Iterator[str]:
    """What is wrong with a statement in a transcript's header, of the parts that are judged by.

    Names that this version does not know are none of its matters: another version may have written them.
    """
    known = {name: value for name, value in statement.items() if name in JUDGED_BY}
    try:
        Judged.model_validate(known)
    except ValidationError as error:
        yield from (said(entry) for entry in error.errors())
    for table, given, terms in (
        ("settings", settings, contract.settings()),
        ("choices", statement.get("choices"), contract.choices()),
    ):
        for name, value in given.items() if isinstance(given, Mapping) else ():
            if name in terms and (fault := terms[name].fault(value)):
                yield f"{table}.{name}: {terms[name].shape} is expected: {fault}"


def _where(place: Place, text: str) -> str:
    line = line_of(text, place) if text else None
    dotted = ".".join(map(str, place))
    return f"line {line}: {dotted}: " if line else f"{dotted}: "


def _disagreements(statement: Statement, contract: Contract) -> Iterator[tuple[Place, str]]:
    settings, conditions, choices = contract.settings(), contract.conditions(), contract.choices()
    yield from _valued("settings", statement.settings, settings)
    yield from _valued("choices", statement.choices, choices)
    yield from _called(statement.auth, contract.callers)
    means = statement.conditions
    startable = {**settings, **conditions}
    for key, named, known in (
        ("start", means.start, startable),
        ("command", means.command, conditions),
        ("honours", means.honours or (), startable),
    ):
        yield from _named(("conditions", key), named, known)
    for key, ids in (
        ("known_failure", [entry.id for entry in statement.known_failure]),
        ("known_flaky", [entry.id for entry in statement.known_flaky]),
        ("unobservable", [entry.id for entry in statement.unobservable]),
    ):
        for number, identifier in enumerate(ids):
            yield from _requirement((key, number, "id"), identifier, contract)
    if contract.tools:
        yield from _named(("unsupported", "tools"), statement.unsupported.tools, contract.tools)
        for parameter in statement.unsupported.parameters:
            yield from _parameter(parameter, contract)
    options = [option for choice in choices.values() for option in choice.schema.get("properties", {})]
    yield from _named(("unsupported", "options"), statement.unsupported.options, options)
    profiles = [profile.name for profile in contract.profiles]
    yield from _named(("profiles",), statement.profiles, profiles)


def _called(auth: Auth, known: Callers) -> Iterator[tuple[Place, str]]:
    if known.roles:
        yield from _named(("auth", "roles"), auth.roles, known.roles)
        for number, token in enumerate(auth.tokens):
            for _, wrong in _named((), [token.role], known.roles):
                yield ("auth", "tokens", number, "role"), f"{token.role} {wrong}"
    if known.claims:
        yield from _named(("auth", "claim_names"), auth.claim_names, (*known.claims, "iss", "aud"))


def _valued(table: str, given: Mapping[str, Json], known: Mapping[str, Term]) -> Iterator[tuple[Place, str]]:
    yield from _named((table,), given, known)
    for name, value in given.items():
        fault = known[name].fault(value) if name in known else ""
        if fault:
            yield (table, name), f"{known[name].shape} is expected ({known[name].about}): {fault}"


def _named(place: Place, given: Iterable[str], known: Iterable[str]) -> Iterator[tuple[Place, str]]:
    names = list(known)
    for name in given:
        if name not in names:
            near = get_close_matches(name, names, n=1, cutoff=0.5)
            meant = f"; did you mean {near[0]}?" if near else ""
            expected = f"known here: {', '.join(names)}" if names else "nothing is known here"
            yield (*place, name), f"is not known to the contract{meant or f'; {expected}'}"


def _requirement(place: Place, identifier: str, contract: Contract) -> Iterator[tuple[Place, str]]:
    if identifier in contract.requirements or requirement(identifier) is not None:
        return
    near = get_close_matches(identifier.upper(), list(contract.requirements), n=3, cutoff=0.4)
    yield place, f"no requirement is named {identifier}" + (f"; nearest: {', '.join(near)}" if near else "")


def _parameter(parameter: str, contract: Contract) -> Iterator[tuple[Place, str]]:
    tool, _, name = parameter.partition(".")
    known = contract.tools[tool].inputSchema.get("properties", {}) if tool in contract.tools else {}
    if name not in known:
        yield ("unsupported", "parameters", parameter), "write it as TOOL.PARAMETER, of a tool of the contract"

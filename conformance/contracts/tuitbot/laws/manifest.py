"""The Session 05 contract's manifest: what an entry holds, and that tools listed and codes answered are declared."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.declared import FLAGS, Row, declared
from conformance.contracts.tuitbot.listings import profile_listings
from conformance.judge.judgements import breach, holds
from conformance.judge.law import law
from conformance.model.events import Json
from conformance.model.history import History
from conformance.model.verdict import Judgement

TEXTS = ("name", "category")
LISTS = ("profiles", "possible_error_codes")


@law("TB-MAN-01")
def every_entry_is_whole(history: History, contract: Contract) -> Iterator[Judgement]:
    """Every entry of the published manifest has the eight keys, each of its type."""
    found = declared(history, contract)
    if found.published and not found.well_formed:
        yield breach("the manifest is no list of tools")
    for row in found.rows():
        fault = _fault(row.entry)
        saw = f"the manifest's {row.title} has {fault} that is absent or of another type"
        got = row.entry.get(fault) if isinstance(row.entry, dict) else row.entry
        yield holds(fault is None, saw, pointer=f"{row.pointer}/{fault}", got=got)


def _fault(entry: Json) -> str | None:
    """The first key that is absent or of another type."""
    if not isinstance(entry, dict):
        return TEXTS[0]
    for name in TEXTS:
        if not isinstance(entry.get(name), str) or not entry[name]:
            return name
    for name in FLAGS:
        if not isinstance(entry.get(name), bool):
            return name
    for name in LISTS:
        value = entry.get(name)
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            return name
    return None


def _listed(row: Row, name: str) -> list[Json] | None:
    """A list of an entry, None where it has none: then TB-MAN-01 is broken, and nothing is in the list."""
    value = row.entry.get(name) if isinstance(row.entry, dict) else None
    return value if isinstance(value, list) else None


@law("TB-MAN-02")
def names_are_unique(history: History, contract: Contract) -> Iterator[Judgement]:
    """No two entries of the published manifest have the same name."""
    seen: dict[str, str] = {}
    for row in declared(history, contract).rows():
        name = row.entry.get("name") if isinstance(row.entry, dict) else None
        if isinstance(name, str):
            saw = f"the manifest names {name} at {seen.get(name)} and again"
            yield holds(name not in seen, saw, pointer=f"{row.pointer}/name", got=name)
            seen.setdefault(name, row.pointer)


@law("TB-MAN-03")
def what_is_listed_is_what_is_declared(history: History, contract: Contract) -> Iterator[Judgement]:
    """A tool is listed in a profile exactly where the manifest puts it into that profile."""
    found = declared(history, contract)
    for profile, listing, tools in profile_listings(history):
        evidence = [call for call in map(history.find, listing.calls) if call is not None]
        listed = {tool.name for tool in tools}
        for name in sorted(listed.union(found.names())):
            profiles = found.profiles(name)
            if profiles is None and found.known(name):
                continue
            wanted = profile in (profiles or ())
            if wanted or name in listed:
                there, declares = ("lists", "does not") if name in listed else ("does not list", "does")
                saw = f"the profile {profile} {there} {name}, the manifest {declares}"
                yield holds(wanted == (name in listed), saw, *evidence, pointer="/result/tools", got=name)


@law("TB-MAN-04")
def codes_are_the_catalogues(history: History, contract: Contract) -> Iterator[Judgement]:
    """Every code that an entry of the published manifest lists is one of the edition's catalogue."""
    found = declared(history, contract)
    catalogue = list(contract.errors)
    for row in found.rows():
        listed = _listed(row, "possible_error_codes")
        if listed is not None:
            strangers = [code for code in listed if code not in catalogue]
            saw = f"the manifest's {row.title} lists {', '.join(map(repr, strangers))}, which the catalogue lacks"
            yield holds(not strangers, saw, pointer=f"{row.pointer}/possible_error_codes", got=strangers)


@law("TB-MAN-05")
def codes_answered_are_declared(history: History, contract: Contract) -> Iterator[Judgement]:
    """A code that a tool answers is among the codes that the manifest lists for it."""
    found = declared(history, contract)
    for call in history.calls():
        codes = found.codes(call.tool)
        if call.code is not None and codes is not None:
            saw = f"{call.tool} answers {call.code}, which its entry in the manifest does not list"
            yield holds(call.code in codes, saw, call, pointer="/error/code", expected=codes, got=call.code)


@law("TB-MAN-11")
def profiles_are_the_editions(history: History, contract: Contract) -> Iterator[Judgement]:
    """An entry of the published manifest names one profile at least, and none that the edition does not have."""
    found = declared(history, contract)
    editions = [p.name for p in contract.profiles]
    for row in found.rows():
        profiles = _listed(row, "profiles")
        if profiles is not None:
            strangers = [name for name in profiles if name not in editions]
            saw = f"the manifest puts {row.title} into {', '.join(map(repr, strangers)) or 'no profile'}"
            ok = bool(profiles) and not strangers
            yield holds(ok, saw, pointer=f"{row.pointer}/profiles", expected=editions, got=profiles)


@law("TB-MAN-12")
def the_hint_says_what_the_manifest_says(history: History, contract: Contract) -> Iterator[Judgement]:
    """A tool's readOnlyHint, false where it is absent, is the opposite of the mutation that the manifest declares."""
    found = declared(history, contract)
    for profile, listing, tools in profile_listings(history):
        evidence = [call for call in map(history.find, listing.calls) if call is not None]
        for tool in tools:
            mutation = found.flag(tool.name, "mutation")
            if mutation is not None:
                saw = f"{tool.name} in {profile} has mutation {mutation} and readOnlyHint {tool.hint('readOnlyHint')}"
                yield holds(tool.reads_only is not mutation, saw, *evidence, expected=not mutation, got=tool.reads_only)

"""What the contract's own manifest says of its tools: for laws and stimuli that need a tool's flags."""

import json
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import msgspec
from msgspec import Struct

from conformance.contract.catalogue import Contract, folder
from conformance.model.exchange import Exchange

UNIVERSAL = ("x_get", "x_post", "x_put", "x_delete")
"""Requests to X in X's own terms."""
PREFIX = "x_v2_"
"""How the tools begin that the later edition makes of X's endpoints."""
UNGATED = ("approve_item", "approve_all", "reject_item", "x_upload_media", "x_post", "x_put", "x_delete")
"""Mutations that do not ask the policy gate."""


class Entry(Struct, frozen=True):
    """One tool, as the manifest describes it."""

    name: str
    category: str
    mutation: bool
    requires_x_client: bool
    requires_llm: bool
    requires_db: bool
    profiles: tuple[str, ...]
    possible_error_codes: tuple[str, ...]

    @property
    def gated(self) -> bool:
        """Whether it asks the policy gate first, where the profile has one."""
        return self.mutation and self.name not in UNGATED


@cache
def manifest(edition: str) -> Mapping[str, Entry]:
    """The tools of an edition by name; what a target publishes itself is a document of the run, not this."""
    rows = json.loads(folder("tuitbot", f"manifest-{edition}.json").read_text("utf-8"))
    return MappingProxyType({entry.name: entry for entry in msgspec.convert(rows, list[Entry])})


@cache
def shown_by(edition: str) -> Mapping[str, tuple[str, ...]]:
    """The reads that show what each mutation does, as the contract's list of tools has it."""
    own, common = (folder("tuitbot", name) for name in (f"tools-{edition}.json", "tools.json"))
    rows = json.loads((own if own.is_file() else common).read_text("utf-8"))
    return MappingProxyType({row["name"]: tuple(row["shown"]) for row in rows if "shown" in row})


def entry(call: Exchange, contract: Contract) -> Entry | None:
    """What the edition's manifest says of the tool that is called; None where it is none of the call's profile.

    Where the profile is not known, a tool of any will do.
    """
    found = manifest(contract.edition).get(call.tool or "")
    return found if found is not None and (call.profile is None or call.profile in found.profiles) else None


def tools_of(contract: Contract, profile: str) -> tuple[str, ...]:
    """The tools of a profile, in the manifest's order."""
    return tuple(each.name for each in manifest(contract.edition).values() if profile in each.profiles)

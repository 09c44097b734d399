"""What the contract's own manifest says of its tools: for laws and stimuli that need a tool's flags."""

import json
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import msgspec
from msgspec import Struct

from conformance.contract.catalogue import folder

EDITION = "session-05"
UNGATED = ("approve_item", "approve_all", "reject_item", "x_upload_media")
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
def manifest(edition: str = EDITION) -> Mapping[str, Entry]:
    """The contract's tools by name; what a target publishes itself is a document of the run, not this."""
    rows = json.loads(folder("tuitbot", f"manifest-{edition}.json").read_text("utf-8"))
    return MappingProxyType({entry.name: entry for entry in msgspec.convert(rows, list[Entry])})


def serves(profile: str | None, tool: str | None) -> bool:
    """Whether a tool is of a profile; of any, where it is not known which."""
    entry = manifest().get(tool or "")
    return entry is not None and (profile is None or profile in entry.profiles)


def tools_of(profile: str) -> tuple[str, ...]:
    """The tools of a profile, in the manifest's order."""
    return tuple(entry.name for entry in manifest().values() if profile in entry.profiles)

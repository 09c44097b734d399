"""What each profile lists of its tools."""

from collections.abc import Iterator
from typing import NamedTuple

from conformance.model.events import Listing
from conformance.model.history import History
from conformance.model.listed import ListedTool, tools_of


class ProfileListing(NamedTuple):
    """A whole tools/list of a server whose profile is known."""

    profile: str
    listing: Listing
    tools: tuple[ListedTool, ...]


def profile_listings(history: History) -> Iterator[ProfileListing]:
    """The lists that came to their end, each content once a profile."""
    seen: dict[str, list[object]] = {}
    for listing in history.listings:
        instance = history.instances.get(listing.instance)
        profile = instance.profile if instance is not None else None
        if profile is not None and listing.ended == "done" and listing.tools not in seen.setdefault(profile, []):
            seen[profile].append(listing.tools)
            yield ProfileListing(profile, listing, tuple(tools_of(listing)))

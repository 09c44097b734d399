"""Whether a list that a server gives is all there is, or a page of a longer one."""

from conformance.judge.kinds import integer
from conformance.model.exchange import Exchange

TOKEN = "pagination_token"  # noqa: S105 -- a place in a list
USUAL = 10
"""Entries of a page where a caller names no number: fewer are no full one on any server."""


def whole(read: Exchange) -> bool:
    """Whether it is no page of a longer list: it says nothing of another one, and is none that is full."""
    found, meta = read.given.get("data"), read.given.get("meta")
    if read.argument(TOKEN) is not None or not isinstance(found, list):
        return False
    if isinstance(meta, dict):
        return meta.get("next_token") is None
    return len(found) < (integer(read.argument("max_results")) or USUAL)

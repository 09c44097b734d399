"""The vectors that a contract comes with: frozen, so that no library's update changes a verdict."""

from functools import cache

import msgspec
from msgspec import Struct

from conformance.contract.catalogue import folder
from conformance.drive.vectors.choosing import Vector


class _Tool(Struct, frozen=True):
    tool: str
    vectors: list[Vector]


@cache
def frozen(contract: str) -> dict[str, list[Vector]]:
    """The vectors of schemas/<contract>/vectors.json by tool; empty where the contract has none."""
    path = folder(contract, "vectors.json")
    if not path.exists():
        return {}
    return {each.tool: each.vectors for each in msgspec.json.decode(path.read_bytes(), type=list[_Tool])}

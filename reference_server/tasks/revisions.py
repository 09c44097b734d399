"""Optimistic concurrency: what a caller expects, what there is, and when it rises (Common types)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from reference_server.application import Json
from reference_server.tasks.refusal import Refusal, Suggestion

if TYPE_CHECKING:
    from reference_server.tasks.call import Call


class Revisioned(Protocol):
    """Anything mutable."""

    revision: int


class Revisions:
    """Compares before anything is written, and raises once a call."""

    def expected(self, arguments: Mapping[str, Json]) -> int | None:
        """expected_revision or its alias. Raises INVALID_INPUT where both are given and differ."""
        own, alias = arguments.get("expected_revision"), arguments.get("expected_version")
        if own is not None and alias is not None and own != alias:
            raise Refusal(
                "INVALID_INPUT",
                f"expected_revision is {own} and expected_version {alias}: one is the other's alias",
                recovery="give one of them",
            )
        return own if own is not None else alias

    def guard(self, call: "Call", entity: Revisioned, what: str, *reads: Suggestion) -> None:
        """Raises REVISION_MISMATCH where the caller expects another revision; `reads` show the one there is."""
        expected = self.expected(call.arguments)
        if expected is None or self.agree(call, entity, expected):
            return
        raise Refusal(
            "REVISION_MISMATCH",
            f"{what} is at revision {entity.revision}, not {expected}",
            recovery="read it again, then write with the revision read",
            suggestions=reads,
            result={"current_revision": entity.revision, "expected_revision": expected},
        )

    def agree(self, call: "Call", entity: Revisioned, expected: int) -> bool:  # noqa: ARG002 - a replaceable rule
        """Whether the write may go on."""
        return expected == entity.revision

    def rise(self, call: "Call", *entities: Revisioned) -> None:
        """By one each, however often a call writes to it."""
        for entity in entities:
            if id(entity) not in call.raised:
                call.raised.add(id(entity))
                entity.revision += 1

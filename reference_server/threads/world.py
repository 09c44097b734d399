"""What a request says of the world behind the server while it is served: people, runtimes, sessions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from reference_server.application import Json


@dataclass(frozen=True, slots=True)
class World:
    """Agent ids at whose runtime a person types now, whose runtime is out of reach, whose session cannot be resumed."""

    human_input: frozenset[str] = frozenset()
    runtime_down: frozenset[str] = frozenset()
    resume_unavailable: frozenset[str] = frozenset()
    spawn_unavailable: bool = False

    @classmethod
    def of(cls, conditions: Mapping[str, Json]) -> Self:
        """Reads the conditions of a request; what is not said does not hold."""
        return cls(
            human_input=frozenset(conditions.get("human_input", ())),
            runtime_down=frozenset(conditions.get("runtime_down", ())),
            resume_unavailable=frozenset(conditions.get("resume_unavailable", ())),
            spawn_unavailable=bool(conditions.get("spawn_unavailable", False)),
        )


CALM = World()
"""Nobody types, everything can be reached."""

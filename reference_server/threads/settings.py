"""How one instance is built: quota, retention of keys, wake policy."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

from reference_server.application import Json


@dataclass(frozen=True, slots=True)
class Settings:
    """Times in seconds. Defaults are those of the threads protocol, sections 3.8 and 7, and of the rulings."""

    quota_per_minute: int = 600
    retention_s: float = 86_400.0
    fallback: bool = True
    look_s: float = 5.0
    quiet_s: float = 20.0
    max_defer_s: float = 60.0

    @classmethod
    def of(cls, given: Mapping[str, Json] | None) -> Self:
        """Those given, defaults for the rest; keys that mean nothing here are the binding's and are passed over."""
        names = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in (given or {}).items() if name in names})

    def __post_init__(self) -> None:
        """Raises `ValueError` for a value of the wrong type or below 0."""
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) != (field.name == "fallback"):
                raise ValueError(f"{field.name} is not {value!r}")
            if not isinstance(value, int | float) or value < 0:
                raise ValueError(f"{field.name} is a number of at least 0, not {value!r}")
        if self.look_s == 0:
            raise ValueError("look_s is more than 0")

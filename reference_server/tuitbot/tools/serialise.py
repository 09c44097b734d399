"""Whether data can go out as JSON."""

from typing import Protocol

import msgspec

from reference_server.application import Json


class SerialisationError(Exception):
    """The data has no JSON form."""


class Serialiser(Protocol):
    """Raises `SerialisationError` for what cannot go out."""

    def check(self, data: Json) -> None:
        """Nothing, if the data has a JSON form."""


class JsonSerialiser:
    """Tries it."""

    def check(self, data: Json) -> None:
        """Encodes the data and drops the result."""
        try:
            msgspec.json.encode(data)
        except (TypeError, ValueError, OverflowError) as error:
            raise SerialisationError(f"the result has no JSON form: {error}") from error


class BrokenSerialiser:
    """Can encode nothing."""

    def check(self, data: Json) -> None:
        """Always raises `SerialisationError`."""
        raise SerialisationError(f"the result, a {type(data).__name__}, could not be encoded")

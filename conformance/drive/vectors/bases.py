"""Valid arguments, from which the others are made."""

from conformance.contract.dialect import opinion
from conformance.contract.references import Schema
from conformance.contract.schema import why
from conformance.drive.vectors.reading import Reader
from conformance.drive.vectors.sample import sample
from conformance.model.events import Json
from conformance.model.measure import measured

LARGEST = 5_000
"""Parts of the arguments of one call."""
LONGEST = 400_000
"""Characters of them."""
USUAL = 500
"""Parts of arguments with all that is named."""
LEVELS = (4, 2, 1)
"""Levels down to which all that is named is filled in: fewer where it grows too large."""
TOLD = 160
"""Characters of what is wrong with the nearest value."""


class Bases:
    """Such as are given, such with all that is required, such with all that is named."""

    def __init__(self, reader: Reader, schema: Schema) -> None:
        self._reader = reader
        self._schema = schema
        self.found: list[dict[str, Json]] = []
        self.why = ""
        """Why there are none."""

    def take(self, value: dict[str, Json]) -> bool:
        """Keeps a value, where it is valid."""
        size = measured(value, LARGEST)
        if size.values > LARGEST or size.characters > LONGEST:
            self.why = f"its arguments have more than {LARGEST} parts or {LONGEST} characters"
            return False
        told = opinion(self._schema, value)
        if told.valid:
            self.found.append(value)
        else:
            nearest = f"no value that was tried satisfies it; the nearest: {why(self._schema, value)[:TOLD]}"
            self.why = told.why or nearest
        return told.valid is True

    def add_plain(self) -> None:
        """One with what is required."""
        for depth in self._reader.depths:
            self._reader.reach(depth, LEVELS[0])
            value = sample(self._reader, self._schema)
            # Arguments are an object, also where the schema does not say so.
            if self.take(value if isinstance(value, dict) else {}):
                return

    def add_full(self) -> None:
        """One with all that is named, as many levels down as it stays of a usual size."""
        for levels in LEVELS:
            self._reader.reach(self._reader.depth, levels)
            value = sample(self._reader, self._schema, full=True)
            if levels == LEVELS[-1] or measured(value, USUAL).values <= USUAL:
                self.take(value if isinstance(value, dict) else {})
                return

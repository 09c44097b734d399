"""Parameters of a tool: their JSON Schema, their defaults and the range into which a number is clamped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.editions import EditionName

LONGEST_TEXT: Final = 25_000
"""Characters: what X takes of its longest posts."""
LONGEST_NAME: Final = 1_000
MOST_ENTRIES: Final = 1_000


@dataclass(frozen=True)
class Parameter:
    """One parameter. An optional one also takes null, which means absent."""

    name: str
    schema: Mapping[str, Json]
    required: bool = True
    default: Json = None
    clamp: tuple[int, int] | None = None
    """Bounds into which a value is brought silently; what is beyond them is no error."""
    description: str = ""
    since: EditionName | None = None
    """The edition that it came with; None: both have it."""

    def shown(self) -> dict[str, Json]:
        """Its JSON Schema."""
        shown = dict(self.schema)
        if not self.required:
            shown["type"] = [shown["type"], "null"]
        if self.default is not None:
            shown["default"] = self.default
        if self.description:
            shown["description"] = self.description
        return shown

    def value(self, arguments: Mapping[str, Json]) -> Json:
        """What a call means by it."""
        given = arguments.get(self.name)
        if given is None:
            return self.default
        if self.clamp is not None:
            return min(max(given, self.clamp[0]), self.clamp[1])
        return given


@dataclass(frozen=True)
class Parameters:
    """All parameters of a tool."""

    entries: Sequence[Parameter] = field(default=())

    def schema(self) -> dict[str, Json]:
        """The input schema; it closes the object."""
        schema: dict[str, Json] = {
            "type": "object",
            "properties": {entry.name: entry.shown() for entry in self.entries},
            "additionalProperties": False,
        }
        if required := [entry.name for entry in self.entries if entry.required]:
            schema["required"] = required
        return schema

    def bind(self, arguments: Mapping[str, Json]) -> dict[str, Json]:
        """A value for every parameter."""
        return {entry.name: entry.value(arguments) for entry in self.entries}


def name(
    parameter: str, description: str = "", *, required: bool = True, since: EditionName | None = None
) -> Parameter:
    """An id, a handle or another short text."""
    schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
    return Parameter(parameter, schema, required, description=description, since=since)


def text(parameter: str, description: str = "", *, required: bool = True) -> Parameter:
    """A text; whether it is empty or too long to be posted is the tool's to say."""
    return Parameter(parameter, {"type": "string", "maxLength": LONGEST_TEXT}, required, description=description)


def number(parameter: str, default: float | None = None, description: str = "") -> Parameter:
    """An optional score, 0 to 100."""
    return Parameter(
        parameter, {"type": "number", "minimum": 0, "maximum": 100}, False, default, description=description
    )


def count(parameter: str, default: int | None, most: int, description: str = "") -> Parameter:
    """An optional number of entries, hours or days, from 0."""
    schema = {"type": "integer", "minimum": 0, "maximum": most}
    return Parameter(parameter, schema, False, default, description=description)


def max_results(default: int, least: int, most: int) -> Parameter:
    """The size of a page; beyond its range it is clamped."""
    return Parameter(
        "max_results",
        {"type": "integer", "minimum": 0, "maximum": 2**31 - 1},
        False,
        default,
        (least, most),
        f"entries of a page, brought into {least} to {most}",
    )


def flag(parameter: str, description: str = "", since: EditionName | None = None) -> Parameter:
    """An optional boolean, false by default."""
    return Parameter(parameter, {"type": "boolean"}, False, False, description=description, since=since)


def whole(parameter: str, description: str = "") -> Parameter:
    """A required count of something outside, from 0."""
    return Parameter(parameter, {"type": "integer", "minimum": 0, "maximum": 2**53 - 1}, description=description)


def item_id() -> Parameter:
    """The id of an item of the approval queue."""
    return Parameter(
        "id",
        {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1},
        description="id of an item of the approval queue",
    )


def strings(parameter: str, description: str = "", *, required: bool = True, longest: int = LONGEST_NAME) -> Parameter:
    """A list of texts."""
    items = {"type": "string", "maxLength": longest}
    schema = {"type": "array", "items": items, "maxItems": MOST_ENTRIES}
    return Parameter(parameter, schema, required, description=description)


PAGINATION_TOKEN: Final = name("pagination_token", "next_token of the page before", required=False)
SINCE_ID: Final = name("since_id", "only tweets newer than this one", required=False)
MEDIA_IDS: Final = strings("media_ids", "ids that x_upload_media answered", required=False)

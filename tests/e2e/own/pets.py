"""Persons and pets: what makes one answers its id and nothing else, and a pet is read as its name alone.

It is correct, and may be broken.
"""

import uuid
from itertools import count
from typing import Any

from jsonschema import Draft202012Validator

BREAKS = {"same-number": "unique", "other-name": "shown", "unlisted": "listed", "any-pet": "refused"}
"""By what is broken, the law of a drafted promise that shows it."""
Json = dict[str, Any]


def _tool(name: str, says: str, /, **needed: str) -> Json:
    about = {key: {"type": kind, **({"minLength": 1} if kind == "string" else {})} for key, kind in needed.items()}
    schema = {"type": "object", "properties": about, "required": [*about], "additionalProperties": False}
    return {"name": name, "description": says, "inputSchema": schema}


def tools() -> list[Json]:
    return [
        _tool("add_person", "Adds a person.", name="string"),
        _tool("get_person", "Shows a person.", person_id="integer"),
        _tool("list_persons", "Lists persons."),
        _tool("add_pet", "Adds a pet.", name="string"),
        _tool("get_pet", "The name of a pet.", pet_id="string"),
    ]


class Pets:
    """The store."""

    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.persons: dict[int, str] = {}
        self.pets: dict[str, str] = {}
        self.numbers = count(1)
        self.schemas = {tool["name"]: Draft202012Validator(tool["inputSchema"]) for tool in tools()}

    def answer(self, name: str, arguments: Json) -> tuple[Any, bool]:
        if not self.schemas[name].is_valid(arguments):
            return "these are no arguments of it", True
        try:
            return getattr(self, name)(**arguments), False
        except KeyError:
            return "there is none", True

    def add_person(self, name: str) -> int:
        number = next(self.numbers)
        number -= self.broken == "same-number" and number % 4 == 0
        self.persons[number] = name
        return number

    def get_person(self, person_id: int) -> Json:
        return {"id": person_id, "name": self.persons[person_id]}

    def list_persons(self) -> Json:
        shown = [each for each in self.persons if self.broken != "unlisted" or each % 4]
        return {"persons": [self.get_person(each) for each in shown]}

    def add_pet(self, name: str) -> str:
        pet = str(uuid.uuid4())
        self.pets[pet] = f"{name}x" if self.broken == "other-name" else name
        return pet

    def get_pet(self, pet_id: str) -> str:
        return self.pets.get(pet_id, "somebody") if self.broken == "any-pet" else self.pets[pet_id]

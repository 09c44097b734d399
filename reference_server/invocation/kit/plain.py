"""Tools of the kit that answer at once: texts, sums, people, pages."""

import uuid
from typing import Final

from reference_server.application import Json
from reference_server.invocation.failure import Failure
from reference_server.invocation.providers.local import Function
from reference_server.invocation.providers.provider import Execution

ITEMS: Final = tuple(f"item-{number:02}" for number in range(1, 26))
DEFAULT_PAGE: Final = 10


class Plain:
    """Tools without a state."""

    def __init__(self) -> None:
        namespace = uuid.uuid4()
        self.pages = {uuid.uuid5(namespace, str(place)).hex: place for place in range(1, len(ITEMS))}
        """Where the page of a token begins."""
        self.tokens = {place: token for token, place in self.pages.items()}

    def functions(self) -> dict[str, Function]:
        """By the name of the tool."""
        return {
            "local::kit.echo": self.echo,
            "local::kit.sum": self.sum,
            "local::kit.limited": self.limited,
            "local::kit.list": self.list,
            "local::kit.bad_output": self.bad_output,
            "local::kit.unserialisable": self.unserialisable,
            "local::kit.fault": self.fault,
            "local::kit.person": self.person,
        }

    async def echo(self, execution: Execution) -> Json:
        """The text, the version, and what else was given."""
        given = execution.input
        extra = {"extra": given["extra"]} if "extra" in given else {}
        return {"text": given["text"], "version": execution.version, **extra}

    async def sum(self, execution: Execution) -> Json:
        """Adds."""
        return {"sum": int(execution.input["a"]) + int(execution.input["b"])}

    async def limited(self, execution: Execution) -> Json:
        """The text."""
        return {"text": execution.input["text"]}

    async def list(self, execution: Execution) -> Json:
        """A page of the items, and the token of the next one."""
        token, size = execution.input.get("pageToken"), int(execution.input.get("pageSize", DEFAULT_PAGE))
        if token is not None and token not in self.pages:
            raise Failure("SchemaInvalid", "pageToken is none that a page gave as its nextToken")
        start = 0 if token is None else self.pages[token]
        page: dict[str, Json] = {"items": [*ITEMS[start : start + size]]}
        if start + size < len(ITEMS):
            page["nextToken"] = self.tokens[start + size]
        return page

    async def bad_output(self, execution: Execution) -> Json:
        """Breaks its outputSchema."""
        return {"count": execution.input["text"]}

    async def unserialisable(self, execution: Execution) -> object:
        """What no JSON can hold."""
        return {"value": {execution.input["text"]}}

    async def fault(self, execution: Execution) -> Json:
        """Faults, with a text that nobody outside is to see."""
        message = f"cannot open /srv/kit/vault.db with {execution.input['secret']}"
        raise RuntimeError(message)

    async def person(self, execution: Execution) -> Json:
        """A person with what its rules withhold."""
        return {
            "name": execution.input["name"],
            "ssn": "078-05-1120",
            "tokens": [{"value": "tk-5f1d"}, {"value": "tk-9a07"}],
        }

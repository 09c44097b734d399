"""Resources and prompts: the methods that list them, and how many pages are followed."""

from collections.abc import Sequence
from typing import NamedTuple

from conformance.model.events import Json
from conformance.model.exchange import Connection

PAGES = 50
"""Pages that are followed of a list."""
LONG = 10
"""Pages of a list that is long."""
ASKED_FOR = 10
"""Resources or prompts of a server that are asked for."""
NO_SUCH_RESOURCE = "conformance://no-such-resource"
NO_SUCH_PROMPT = "no_such_prompt_of_this_server"


class Kind(NamedTuple):
    """What a method lists."""

    method: str
    key: str
    """Under which a page has them."""
    name: str
    """The member that tells them apart."""
    capability: str
    needed: Sequence[str]
    """The members that each of them has, texts all."""


RESOURCES = Kind("resources/list", "resources", "uri", "resources", ("uri", "name"))
TEMPLATES = Kind("resources/templates/list", "resourceTemplates", "uriTemplate", "resources", ("uriTemplate", "name"))
PROMPTS = Kind("prompts/list", "prompts", "name", "prompts", ("name",))
KINDS = (PROMPTS, RESOURCES, TEMPLATES)


def declares(connection: Connection, capability: str) -> bool:
    """Whether a server declares a capability. It is an object; where it is something else, it is declared wrongly."""
    return connection.capabilities.get(capability) not in (None, False)


def named(prompt: dict[str, Json], *, required: bool) -> set[str]:
    """The names of the arguments that a prompt requires, or of those that may be left out."""
    arguments = prompt.get("arguments")
    known = [each for each in arguments if isinstance(each, dict)] if isinstance(arguments, list) else []
    return {
        each["name"]
        for each in known
        if (each.get("required") is True) is required and isinstance(each.get("name"), str)
    }


def endless(pages: Sequence[Sequence[str]], *, again: bool) -> str:
    """Why a list does not end, by the names on its pages; empty where it may end after all.

    `again`: a cursor came twice. Pages without a new name may come between others, not for half of a long list.
    """
    if again:
        return "a cursor came twice"
    known: set[str] = set()
    last = 0
    for number, names in enumerate(pages, 1):
        if not known.issuperset(names):
            known.update(names)
            last = number
    idle = len(pages) - last
    return f"the last {idle} of {len(pages)} pages have nothing new" if 2 * idle >= max(len(pages), LONG) else ""

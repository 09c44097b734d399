"""Resources and prompts: the methods that list them, and how many pages are followed."""

from typing import NamedTuple

PAGES = 50
"""Pages after which a cursor is taken to be endless."""
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


RESOURCES = Kind("resources/list", "resources", "uri", "resources")
TEMPLATES = Kind("resources/templates/list", "resourceTemplates", "uriTemplate", "resources")
PROMPTS = Kind("prompts/list", "prompts", "name", "prompts")

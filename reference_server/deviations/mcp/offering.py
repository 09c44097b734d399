"""MC-RES and MC-PROMPT: what is served besides tools."""

from collections.abc import Mapping

from reference_server.application import Json
from reference_server.bindings.jsonrpc import Dispatcher
from reference_server.bindings.offers import ICON
from reference_server.bindings.protocol import INTERNAL_ERROR, ProtocolError
from reference_server.deviations.mcp.changing import offered, replace_method
from reference_server.deviations.registry import deviation

Params = Mapping[str, Json]
Result = dict[str, Json]


@deviation("MC-RES-01")
def resource_is_listed_twice(dispatcher: Dispatcher) -> None:
    """The first resource is listed again at the end."""
    offers = offered(dispatcher)
    original = offers.list_resources

    def list_resources(params: Params) -> Result:
        result = original(params)
        return {**result, "resources": [*result["resources"], result["resources"][0]]}

    replace_method(offers, "list_resources", list_resources)


@deviation("MC-RES-02")
def contents_have_no_uri(dispatcher: Dispatcher) -> None:
    """The contents of a resource do not say which one they are of."""
    offers = offered(dispatcher)
    original = offers.contents

    def contents(uri: str) -> Result:
        return {key: value for key, value in original(uri).items() if key != "uri"}

    replace_method(offers, "contents", contents)


@deviation("MC-RES-02", variant="broken")
def the_icon_is_broken(dispatcher: Dispatcher) -> None:
    """The last resource that is listed ends in an internal error whenever it is read."""
    offers = offered(dispatcher)
    original = offers.contents

    def contents(uri: str) -> Result:
        if uri == ICON:
            raise ProtocolError(INTERNAL_ERROR, "Internal error")
        return original(uri)

    replace_method(offers, "contents", contents)


@deviation("MC-RES-03")
def missing_resource_is_empty(dispatcher: Dispatcher) -> None:
    """A resource that there is not is read as one without contents."""
    offers = offered(dispatcher)
    original = offers.read

    def read(params: Params) -> Result:
        try:
            return original(params)
        except ProtocolError:
            return {"contents": [], "ttlMs": 0, "cacheScope": "private"}

    replace_method(offers, "read", read)


@deviation("MC-PROMPT-01")
def pages_of_prompts_never_end(dispatcher: Dispatcher) -> None:
    """The list of prompts always has a cursor, which leads to the same page."""
    offers = offered(dispatcher)
    original = offers.list_prompts

    def list_prompts(params: Params) -> Result:
        return {**original({**params, "cursor": None}), "nextCursor": "again"}

    replace_method(offers, "list_prompts", list_prompts)


@deviation("MC-PROMPT-02")
def prompt_speaks_as_the_system(dispatcher: Dispatcher) -> None:
    """The message of review_thread has the role system, which MCP does not have."""
    offers = offered(dispatcher)
    original = offers.review

    def review(given: Mapping[str, str]) -> Result:
        result = original(given)
        return {**result, "messages": [{**message, "role": "system"} for message in result["messages"]]}

    replace_method(offers, "review", review)


@deviation("MC-PROMPT-03")
def missing_argument_is_empty(dispatcher: Dispatcher) -> None:
    """review_thread without thread_id is given, about no thread at all."""
    offers = offered(dispatcher)
    original = offers.review

    def review(given: Mapping[str, str]) -> Result:
        return original({"thread_id": '""', **given})

    replace_method(offers, "review", review)

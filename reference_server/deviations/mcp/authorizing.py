"""MC-AUTH: who gets in over HTTP."""

from typing import TYPE_CHECKING

from reference_server.application import Json
from reference_server.deviations.mcp.changing import replace_method
from reference_server.deviations.registry import deviation

if TYPE_CHECKING:
    from starlette.requests import Request

    from reference_server.bindings.authorization import Guard
    from reference_server.bindings.sdk import HttpServer


def _guard(server: "HttpServer") -> "Guard":
    if server.guard is None:
        raise TypeError("this contract's server asks for no token at the door")
    return server.guard


@deviation("MC-AUTH-01", transport="http")
def expired_tokens_are_good(server: "HttpServer") -> None:
    """When a token expires is not looked at."""
    _guard(server).verifier.options["verify_exp"] = False


@deviation("MC-AUTH-02", transport="http")
def metadata_names_no_authorization_server(server: "HttpServer") -> None:
    """The metadata do not say who gives tokens."""
    guard = _guard(server)
    original = guard.metadata

    def metadata(request: "Request") -> dict[str, Json]:
        return {name: value for name, value in original(request).items() if name != "authorization_servers"}

    replace_method(guard, "metadata", metadata)


@deviation("MC-AUTH-03", transport="http")
def tokens_for_others_are_good(server: "HttpServer") -> None:
    """Whom a token is for is not looked at."""
    _guard(server).verifier.options["verify_aud"] = False


@deviation("MC-AUTH-04", transport="http")
def wanted_scope_is_not_named(server: "HttpServer") -> None:
    """A refusal does not say which scope is wanted."""
    guard = _guard(server)
    original = guard.challenge

    def challenge(request: "Request") -> dict[str, str]:
        return {name: value for name, value in original(request).items() if name != "scope"}

    replace_method(guard, "challenge", challenge)


@deviation("MC-AUTH-05", transport="http")
def tokens_in_the_url_are_good(server: "HttpServer") -> None:
    """A token is taken from the query of the URL as well."""
    guard = _guard(server)
    original = guard.token

    def token(request: "Request") -> str | None:
        return original(request) or request.query_params.get("access_token")

    replace_method(guard, "token", token)

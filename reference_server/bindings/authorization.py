"""MCP's authorization over HTTP: who has no good token does not get in, and is told where to get one."""

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from reference_server.application import Json
from reference_server.tokens import REFERENCE_SCOPE, TokenError, Trust, Verifier

METADATA: Final = "/.well-known/oauth-protected-resource"
UNAUTHORIZED: Final = 401
FORBIDDEN: Final = 403


class Guard:
    """Every method may be replaced on one instance: that is where deviations act."""

    def __init__(self, trust: Trust, path: str) -> None:
        self.path = path
        self.trust = trust
        self.verifier = Verifier(trust)

    def refusal(self, request: Request) -> Response | None:
        """The refusal of a request; None: it is let in."""
        token = self.token(request)
        if token is None:
            return self.refused(request, UNAUTHORIZED)
        try:
            claims = self.verifier.verify(token)
        except TokenError:
            return self.refused(request, UNAUTHORIZED, error="invalid_token")
        if REFERENCE_SCOPE not in str(claims.get("scope", "")).split():
            return self.refused(request, FORBIDDEN, error="insufficient_scope")
        return None

    def token(self, request: Request) -> str | None:
        """The token that a request brings, in its header alone."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        return token.strip() if scheme.lower() == "bearer" and token.strip() else None

    def refused(self, request: Request, status: int, **about: str) -> Response:
        """A refusal that says where tokens are to be had, and for which scope."""
        told = {**about, **self.challenge(request)}
        shown = ", ".join(f'{name}="{value}"' for name, value in told.items())
        return JSONResponse(
            {"error": about.get("error", "unauthorized")}, status, {"www-authenticate": f"Bearer {shown}"}
        )

    def challenge(self, request: Request) -> dict[str, str]:
        """What every refusal says."""
        return {"resource_metadata": f"{origin(request)}{METADATA}{self.path}", "scope": REFERENCE_SCOPE}

    def metadata(self, request: Request) -> dict[str, Json]:
        """The metadata of the protected resource (RFC 9728)."""
        return {
            "resource": f"{origin(request)}{self.path}",
            "authorization_servers": [self.trust.issuer],
            "scopes_supported": [REFERENCE_SCOPE],
            "bearer_methods_supported": ["header"],
        }

    def route(self) -> Route:
        """Where the metadata is served."""

        async def served(request: Request) -> Response:
            return JSONResponse(self.metadata(request))

        return Route(f"{METADATA}{self.path}", served, methods=["GET"])


class Gate:
    """Lets those through to the endpoint whom the guard does not refuse."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app = app
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        guarded = scope["type"] == "http" and scope["path"] == self._guard.path
        refusal = self._guard.refusal(Request(scope)) if guarded else None
        await (refusal or self._app)(scope, receive, send)


def origin(request: Request) -> str:
    """The address that the client called."""
    return f"{request.url.scheme}://{request.url.netloc}"

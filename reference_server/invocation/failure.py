"""What ends an invocation without an output."""

from collections.abc import Mapping

from reference_server.application import Json
from reference_server.invocation.taxonomy import CLASS_OF, Code, ErrorClass


class Failure(Exception):  # noqa: N818 -- the contract's word
    """A failure by its code. The message is for the caller: it quotes no value of the input."""

    def __init__(
        self,
        code: Code,
        message: str,
        *,
        details: Mapping[str, Json] | None = None,
        caused_by: dict[str, Json] | None = None,
    ) -> None:
        super().__init__(message)
        self.code: Code = code
        self.message = message
        self.details = dict(details or {})
        self.caused_by = caused_by

    @property
    def error_class(self) -> ErrorClass:
        """The class of its code."""
        return CLASS_OF[self.code]


def downstream(message: str, provider_code: str | None, caused_by: dict[str, Json] | None = None) -> Failure:
    """A failure of the service behind a tool, with the code that the service gave."""
    details = {} if provider_code is None else {"providerCode": provider_code}
    return Failure("DownstreamFailed", message, details=details, caused_by=caused_by)

"""What an answer says of a call that it refuses."""

from conformance.contract.catalogue import Contract
from conformance.model.exchange import INVALID_PARAMS, Exchange


def surely_refused(call: Exchange, contract: Contract) -> bool:
    """Whether the server says in the contract's or the protocol's words that it did nothing.

    An answer that is no JSON, an internal fault or a code of its own tells nothing about what was done before it; some
    of the contract's codes tell nothing either.
    """
    if not call.refused or call.raw is not None:
        return False
    if call.envelope is not None and contract.envelope.waits(call.envelope):
        return False
    rejected = call.status is not None and 400 <= call.status < 500  # noqa: PLR2004 -- HTTP: the request was wrong
    error = contract.errors.get(call.code or "")
    return (
        rejected
        or (error is not None and not error.uncertain)
        or call.protocol_code in (INVALID_PARAMS, -32600, -32601)
    )

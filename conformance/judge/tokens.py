"""What is wrong with the token of a call, in words."""

from conformance.model.events import Credential
from conformance.model.exchange import Exchange

WORDS = {
    "garbage": "with something that is no token",
    "signature": "with a token whose signature is wrong",
    "audience": "with a token for another audience",
    "issuer": "with a token of another issuer",
    "alg_none": "with a token that is not signed",
    "algorithm": "with a token signed with another algorithm",
}
OF_A_FORM = {
    "alg_none": "with a token that is not signed, and names {} as its algorithm",
    "algorithm": "with a token signed by HS256, its secret the public key ({})",
    "signature": "with a token whose signature is {}",
}
"""The same for one form of several."""
BROUGHT = "signature:brought"


def proof(call: Exchange) -> str:
    """What the caller of a call brings, where something is wrong with it."""
    return brought(call.credential)


def brought(credential: Credential) -> str:
    """What a caller brings, where something is wrong with it: "with a token that expired 90 s ago"."""
    kind, _, detail = (credential.defect or "").partition(":")
    if credential.defect == BROUGHT:
        return "with a token signed with a key that it brings itself"
    if kind in OF_A_FORM and detail:
        return OF_A_FORM[kind].format(detail)
    apart = f"{detail} s" if detail else "hours"
    said = {
        **WORDS,
        "missing": f"with a token that lacks {detail}" if detail else "without a token",
        "expired": f"with a token that expired {apart} ago",
        "not_yet": f"with a token whose iat lies {apart} ahead",
        "type": f"with a token whose {detail} is a list",
    }
    return said.get(kind, f"with a token whose defect is {credential.defect}")

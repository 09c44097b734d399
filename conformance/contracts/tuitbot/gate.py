"""What an answer says that the policy gate decided."""

from conformance.model.events import Json
from conformance.model.exchange import Exchange

DENIED, ROUTED, DRY = "denied", "routed_to_approval", "dry_run"
DENIALS = "policy_denied_"
LIMIT_USED_UP = "policy_denied_rate_limited"
UNGATED_PROFILES = ("api", "readonly", "api-readonly")
GATED_PROFILES = ("workflow", "write", "admin")
"""Profiles with a database and a gate: they tell their mode in every answer. The others never do."""
GUARDED_PROFILES = ("write", "admin")
"""Profiles in which a mutation may be refused that repeats another one, or that a scraper cannot make."""
UPLOAD = "x_upload_media"
DELETES = "x_delete_tweet"
"""A rule of the server's own comes before those of the policy, unless their priority is below its."""
PERHAPS_DELETES = ("x_v2_lists_delete", "x_v2_blocks_delete", "x_v2_mutes_delete")
"""What that rule may be about as well."""
UNTOLD = "serialization_error"
"""The code of a call that did what it does, and whose result is not told."""
PREVIEWS = "_dry_run"
"""How reads of the later edition end that ask the gate without effect."""


def decision(call: Exchange) -> str | None:
    """What the gate decided by the answer, other than to allow: denied, routed_to_approval or dry_run."""
    if previews(call):
        return None
    if call.accepted:
        routed, dry = call.given.get("routed_to_approval") is True, call.given.get("dry_run") is True
        return ROUTED if routed else DRY if dry else None
    if not call.refused:
        return None
    told = policy_decision(call)
    if told in (DENIED, ROUTED, DRY):
        return str(told)
    return DENIED if (call.code or "").startswith(DENIALS) else None


def queue_id(call: Exchange) -> Json:
    """The id in the queue that the answer of a routed mutation names, be it a success or a failure; else None."""
    data = call.envelope.get("data") if call.envelope is not None and decision(call) == ROUTED else None
    return data.get("approval_queue_id") if isinstance(data, dict) else None


def previews(call: Exchange) -> bool:
    """Whether a call asks on purpose what would be done: a success says dry_run, and no gate held it back."""
    return (call.tool or "").endswith(PREVIEWS) or (call.tool == UPLOAD and call.argument("dry_run") is True)


def policy_decision(call: Exchange) -> Json:
    """error.policy_decision, None where there is none."""
    error = call.envelope.get("error") if call.envelope is not None else None
    return error.get("policy_decision") if isinstance(error, dict) else None


def let_through(call: Exchange) -> bool:
    """Whether a call was accepted and the gate did not answer in the tool's place."""
    return call.accepted and decision(call) is None

"""What a target was set to when a call was made."""

from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History


def setting(history: History, call: Exchange, name: str) -> Json:
    """A setting of the call's instance, else what the target claims of itself; None where neither says anything."""
    instance = history.instances.get(call.instance)
    if instance is not None and name in instance.settings:
        return instance.settings[name]
    return history.header.settings.get(name) if history.header is not None else None

"""Which condition held for a call: that its request named, a command had brought about, or its server began with."""

from collections import defaultdict

from conformance.model.events import Condition, Json
from conformance.model.exchange import Exchange
from conformance.model.history import History


class Circumstances:
    """The conditions of a run, by instance and name."""

    def __init__(self, history: History) -> None:
        self._instances = history.instances
        self._commands: dict[tuple[str, str], list[Condition]] = defaultdict(list)
        for condition in history.conditions:
            self._commands[condition.instance, condition.name].append(condition)

    def value(self, call: Exchange, name: str) -> Json:
        """The condition's value while the call was served; None where it did not hold."""
        if name in call.conditions:
            return call.conditions[name]
        if self._commands:
            earlier = [event for event in self._commands.get((call.instance, name), ()) if event.t <= call.sent]
            if earlier:
                return earlier[-1].value if earlier[-1].state == "on" else None
        instance = self._instances.get(call.instance)
        return instance.settings.get(name) if instance is not None else None

    def names(self, call: Exchange, name: str, member: str) -> bool:
        """Whether the condition held for this member: its value is the member, or a list in which it is."""
        value = self.value(call, name)
        return value == member or (isinstance(value, list) and member in value)

    def commanded(self, instance: str, name: str) -> bool:
        """Whether a command ever brought the condition about: then it held between calls, too."""
        return (instance, name) in self._commands

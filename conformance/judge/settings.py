"""What a target was set to when a call was made, and what its statement says of what the contract leaves open."""

from conformance.contract.catalogue import Contract
from conformance.judge.kinds import fraction
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History


def setting(history: History, call: Exchange, name: str) -> Json:
    """A setting of the call's instance, else what the target claims of itself; None where neither says anything."""
    instance = history.instances.get(call.instance)
    if instance is not None and name in instance.settings:
        return instance.settings[name]
    return history.header.settings.get(name) if history.header is not None else None


def number(history: History, contract: Contract, call: Exchange, name: str) -> float:
    """A setting that is a number, else the contract's default for it."""
    known, place = _numbers(history, contract), (call.instance, name)
    if place not in known:
        found = fraction(setting(history, call, name))
        known[place] = float(contract.settings()[name].default) if found is None else found
    return known[place]


@once
def _numbers(_: History, __: Contract) -> dict[tuple[str, str], float]:
    """By instance and name, once somebody has asked: laws ask of every call."""
    return {}


def choice(history: History, contract: Contract, name: str) -> Json:
    """What the target's statement says of something that the contract leaves open, else the contract's default."""
    return _choices(history).get(name, contract.choices()[name].default)


def chosen(history: History, name: str) -> bool:
    """Whether the target's statement says anything of it: else the default is what stimuli try, and is not promised."""
    return name in _choices(history)


def _choices(history: History) -> dict[str, Json]:
    table = history.header.statement.get("choices") if history.header is not None else None
    return table if isinstance(table, dict) else {}

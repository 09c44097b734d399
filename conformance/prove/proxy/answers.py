"""Breakages of single answers: their form, their codes, whether they refuse at all."""

from dataclasses import dataclass

from conformance.contract.promises import Outcome, Place, Unit
from conformance.contract.schema import compiled
from conformance.drive.wire.between import Message, Passed
from conformance.judge.promised.calls import values
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, ASKED, at, last
from conformance.prove.proxy.breakage import Breakage, World
from conformance.prove.proxy.rewriting import another, carries, coded, given, having, lacking, paying

NOWHERE = "OF_NO_CATALOGUE"
"""A code that no contract has."""
MISFITS: tuple[Json, ...] = (None, "?", -1, True, [], {"other": True}, ["?"])


@dataclass
class _OfTools(Breakage):
    """One that acts on the answers of some tools."""

    tools: tuple[str, ...]
    """None: all."""

    def concerns(self, call: Exchange, world: World) -> bool:
        """Whether this is about a call."""
        known = self.tools or tuple(world.contract.tools)
        return call.tool is not None and (call.tool in known or not known)


@dataclass
class Refuses(_OfTools):
    """A good call is done, and answered with a refusal."""

    code: str = ""

    def answered(self, call: Exchange, world: World) -> Message | None:
        """A success becomes a refusal."""
        return world.refusal(call, self.code) if self.concerns(call, world) and call.accepted else None


@dataclass
class Spoils(_OfTools):
    """What stands at a place of the envelope is another value, or is not there."""

    outcome: Outcome
    at: Place
    new: Json = None
    gone: bool = False

    def answered(self, call: Exchange, world: World) -> Message | None:
        """The place is spoilt where there is one."""
        whole = carries(call)
        fits = self.outcome == "any" or (self.outcome == "success") is call.accepted
        if not self.concerns(call, world) or not fits or not isinstance(whole, dict) or not self._there(whole):
            return None
        return given(call, lacking(whole, self.at) if self.gone else having(whole, self.at, self.new))

    def _there(self, whole: Json) -> bool:
        """Whether it can be spoilt: a new key wants something to stand in."""
        holder = self.at.rpartition("/")[0]
        found = last(whole, self.at) if self.gone else last(whole, holder)
        return found is not ABSENT and (self.gone or isinstance(found, dict | list))


@dataclass
class Misfits(_OfTools):
    """What stands at a place satisfies the schema no more."""

    outcome: Outcome
    at: Place
    schema: dict[str, Json]

    def answered(self, call: Exchange, world: World) -> Message | None:
        """Takes the first value that the schema does not allow."""
        whole = carries(call)
        fits = self.outcome == "any" or (self.outcome == "success") is call.accepted
        if not self.concerns(call, world) or not fits or not isinstance(whole, dict) or last(whole, self.at) is ABSENT:
            return None
        schema = compiled(self.schema)
        new = next((each for each in MISFITS if not schema.is_valid(each)), ABSENT)
        return given(call, having(whole, self.at, new)) if new is not ABSENT and self.at else None


@dataclass
class Flags(_OfTools):
    """isError says the opposite."""

    refusals: bool

    def answered(self, call: Exchange, world: World) -> Message | None:
        """Of refusals, or of successes."""
        if not self.concerns(call, world) or call.result is None or call.refused is not self.refusals:
            return None
        return {**(call.response or {}), "result": {**call.result, "isError": not self.refusals}}


@dataclass
class Codes(_OfTools):
    """A refusal has another code."""

    code: str
    codes: tuple[str, ...] = ()
    """Only where it has one of these; none: any."""

    def answered(self, call: Exchange, world: World) -> Message | None:
        """The code is exchanged."""
        mine = call.code is not None and (not self.codes or call.code in self.codes)
        if not self.concerns(call, world) or not call.refused or not mine:
            return None
        return coded(call, world.contract.envelope, self.code)


@dataclass
class Retries(_OfTools):
    """A refusal says the opposite of trying again, or nothing."""

    at: Place
    gone: bool

    def answered(self, call: Exchange, world: World) -> Message | None:
        """The flag is turned round, or left out, where the catalogue knows the code."""
        whole = carries(call) if call.envelope is None else call.envelope
        found = at(whole, self.at)
        error = world.contract.errors.get(call.code or "")
        if not self.concerns(call, world) or not call.refused or error is None or error.retryable is None:
            return None
        if not isinstance(found, bool):
            return None
        return given(call, lacking(whole, self.at) if self.gone else having(whole, self.at, not found))


@dataclass
class Accepts(_OfTools):
    """A call that is refused, rightly, is answered as if it were accepted."""

    codes: tuple[str, ...] = ()

    def answered(self, call: Exchange, world: World) -> Message | None:
        """A refusal becomes the success of another call."""
        mine = not self.codes or call.code in self.codes
        return world.success(call) if self.concerns(call, world) and call.refused and mine else None


@dataclass
class Echoes(_OfTools):
    """What an answer gives back is something else, or is not there."""

    argument: Place
    at: Place
    gone: bool

    def answered(self, call: Exchange, world: World) -> Message | None:
        """Where the argument was given."""
        whole, asked = carries(call), last(call.arguments, self.argument.removeprefix(ASKED))
        if not self.concerns(call, world) or asked is ABSENT or asked is None or last(whole, self.at) is ABSENT:
            return None
        return given(call, lacking(whole, self.at) if self.gone else having(whole, self.at, another(asked)))


@dataclass
class Bounds(_OfTools):
    """An argument at its bound is refused, or one beyond it accepted."""

    argument: Place
    unit: Unit
    bound: float
    upper: bool
    beyond: bool
    code: str = ""

    def asked(self, call: Exchange, world: World) -> Passed | None:
        """Where the argument is at the bound: who refuses it does nothing of what is asked."""
        if self.beyond or self.bound not in self._sizes(call, world):
            return None
        refusal = world.refusal(call, self.code)
        return Passed(call.request, answer=refusal) if refusal is not None and isinstance(call.request, dict) else None

    def answered(self, call: Exchange, world: World) -> Message | None:
        """Where it is beyond it."""
        if not self.beyond or not call.refused:
            return None
        out = [size > self.bound if self.upper else size < self.bound for size in self._sizes(call, world)]
        return world.success(call) if any(out) else None

    def _sizes(self, call: Exchange, world: World) -> list[float]:
        found = values(call, self.argument) if self.concerns(call, world) else []
        return [size for each in found if (size := measured(each, self.unit)) is not None]


def measured(found: Json, unit: Unit) -> float | None:
    """How large an argument is; None where it has no size of this unit."""
    match unit:
        case "characters":
            return len(found) if isinstance(found, str) else None
        case "bytes":
            return len(found.encode()) if isinstance(found, str) else None
        case "entries":
            return len(found) if isinstance(found, list | dict) else None
        case "number":
            return found if isinstance(found, int | float) and not isinstance(found, bool) else None


@dataclass
class Reverses(_OfTools):
    """A list comes in the opposite order."""

    entries: Place
    by: Place

    def answered(self, call: Exchange, world: World) -> Message | None:
        """Where its entries differ in what orders them."""
        found = last(call.payload, self.entries) if call.accepted else ABSENT
        if not self.concerns(call, world) or not isinstance(found, list):
            return None
        if len({repr(at(each, self.by)) for each in found}) < 2:  # noqa: PLR2004 -- one value has no order
            return None
        return paying(call, world.contract.envelope, having(call.payload, self.entries, found[::-1]))

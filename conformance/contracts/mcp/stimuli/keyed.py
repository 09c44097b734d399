"""Keys that make writes repeatable: a new one in each call, so that none is refused for what an earlier one said."""

from typing import NamedTuple
from uuid import NAMESPACE_OID, UUID, uuid5

from conformance.contract.dialect import seems_valid
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.reach.keys import is_key
from conformance.contracts.mcp.samples import Arguments, Samples
from conformance.model.events import Json
from conformance.model.listed import ListedTool


class Keys(NamedTuple):
    """The keys of a tool, of which any new one will do."""

    bench: McpBench
    base: Arguments
    """A good call, from which those that are to be made differ in one argument."""
    names: tuple[str, ...]

    @classmethod
    async def of(cls, bench: McpBench, tool: ListedTool, good: Arguments, samples: Samples) -> "Keys":
        """Those of a good call, where the same call with new ones is accepted; else there are none."""
        keys = cls(bench, good, tuple(name for name, value in good.items() if is_key(name) and isinstance(value, str)))
        new, answer = keys.anew(good), None
        if (
            keys.names
            and samples.works(tool.name)
            and not bench.slow(tool.name)
            and seems_valid(tool.input_schema, new)
        ):
            answer = await bench.tried(tool.name, new, samples)
        return keys if answer is not None and answer.accepted else keys._replace(names=())

    def anew(self, arguments: Arguments) -> Arguments:
        """The same arguments with new keys, but for a key that is what differs from the good call."""
        same = (name for name in self.names if name in arguments and arguments[name] == self.base[name])
        return {**arguments, **{name: self._new(self.base[name]) for name in same}}

    def _new(self, key: Json) -> str:
        """A key of the form of another one."""
        fresh = str(self.bench.samples().filled("{{fresh.key}}"))
        return str(uuid5(NAMESPACE_OID, fresh)) if _is_uuid(key) else fresh


def _is_uuid(key: Json) -> bool:
    try:
        UUID(str(key))
    except ValueError:
        return False
    return True

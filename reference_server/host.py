"""Keeps the instances of one contract's domain, and settles what a request's `_meta` says about them."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from reference_server.application import Application, Json
from reference_server.bindings.protocol import CONDITIONS_KEY, INSTANCE_KEY, INVALID_PARAMS, ProtocolError
from reference_server.contracts import served
from reference_server.deviations.registry import Deviation, find
from reference_server.keeping import Kept, Shelf

if TYPE_CHECKING:
    from reference_server.tokens import Trust

MOST_INSTANCES: Final = 10_000
"""Beyond this the least recently used one goes: a server left running in test mode must not fill the memory."""


class UnkeptError(ValueError):
    """A contract whose instances cannot be kept on disk."""

    def __init__(self, contract: str) -> None:
        super().__init__(f"{contract} keeps no store on disk")


@dataclass(frozen=True, slots=True)
class Instance:
    """One store with what belongs to its bindings."""

    application: Application
    page_size: int | None
    """Tools a page of tools/list; None: all in one."""


class Host:
    """All instances of one contract that one process serves.

    Outside test mode there is one instance and no request carries conditions.
    """

    def __init__(  # noqa: PLR0913 -- what a server is started with, each by name
        self,
        contract: str,
        *,
        edition: str | None = None,
        test_conditions: bool = False,
        deviations: Sequence[str] = (),
        settings: Mapping[str, Json] | None = None,
        store: str | None = None,
        trust: "Trust",
    ) -> None:
        """Raises UnknownContractError, KeyError for an unknown deviation, ValueError for settings that do not fit.

        `store`: the file on which instances are kept; None: they are gone with the process. UnkeptError: the contract
        is not kept. sqlite3.Error, pickle.UnpicklingError: the file holds no store. LookupError: no such edition.
        """
        self.served = served(contract)
        self.edition = self.served.edition_of(edition)
        self.contract = contract
        self.test_conditions = test_conditions
        self.deviations: tuple[Deviation, ...] = tuple(find(requirement) for requirement in deviations)
        self._settings = dict(settings or {})
        self.trust = trust
        self._instances: OrderedDict[str, Instance] = OrderedDict()
        self._closing: set[asyncio.Task[None]] = set()
        if store is not None and not self.served.state:
            raise UnkeptError(contract)
        self._shelf = Shelf(store) if store is not None else None
        # settings that do not fit are told now, not to whoever sends the first request
        self._opened("", {})

    def instance(self, meta: Mapping[str, Json]) -> Instance:
        """The instance that `_meta` names, made at its first mention. ProtocolError: malformed name or settings."""
        name = meta.get(INSTANCE_KEY, "") if self.test_conditions else ""
        known = self._instances.get(name) if isinstance(name, str) else None
        if known is not None:
            self._instances.move_to_end(name)
            return known
        if not isinstance(name, str):
            raise ProtocolError(INVALID_PARAMS, f"{INSTANCE_KEY} is a string")
        try:
            made = self._opened(name, self.conditions(meta).get("settings") or {})
        except (ValueError, TypeError) as error:
            raise ProtocolError(INVALID_PARAMS, f"settings of instance {name!r}: {error}") from error
        self._instances[name] = made
        if len(self._instances) > MOST_INSTANCES:
            self._let_go(self._instances.popitem(last=False)[1].application)
        return made

    def _let_go(self, application: Application) -> None:
        """Ends what an instance has started, where it can have started anything."""
        close: Callable[[], Coroutine[Any, Any, None]] | None = getattr(application, "close", None)
        if close is not None:
            task = asyncio.get_running_loop().create_task(close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    def conditions(self, meta: Mapping[str, Json]) -> Mapping[str, Json]:
        """What holds for a request: empty unless the server was started for testing."""
        found = meta.get(CONDITIONS_KEY) if self.test_conditions else None
        if found is None:
            return {}
        if not isinstance(found, dict):
            raise ProtocolError(INVALID_PARAMS, f"{CONDITIONS_KEY} is an object")
        return found

    def _opened(self, name: str, settings: Json) -> Instance:
        if not isinstance(settings, dict):
            message = "settings is an object"
            raise TypeError(message)
        merged = {**self._settings, **settings}
        page_size = merged.pop("page_size", None)
        if page_size is not None and (isinstance(page_size, bool) or not isinstance(page_size, int) or page_size < 1):
            message = f"page_size is an integer from 1, not {page_size!r}"
            raise ValueError(message)
        application = self.served.open(merged, self.trust, self.edition)
        for deviation in self.deviations:
            in_domain = deviation.transport is None and not deviation.store
            if in_domain and not deviation.requirement.startswith("MC-"):
                deviation.apply(application)
        return Instance(self._kept(application, name), page_size)

    def _kept(self, application: Application, name: str) -> Application:
        """The instance on its shelf, where there is one, with those deviations that act there."""
        if self._shelf is None:
            return application
        kept = Kept(application, self.served.state, self._shelf, name)
        for deviation in self.deviations:
            if deviation.store:
                deviation.apply(kept)
        return kept

"""The instances of a run: the target as it is found, and stores of their own, each with how it is set and reached."""

from collections.abc import Iterable, Mapping

from conformance.drive.errors import SkipError
from conformance.drive.recorder import Recorder
from conformance.drive.statement import Statement
from conformance.drive.target import Target
from conformance.model.events import NAMED, Instance, Json


class Instances:
    """What is known of each instance by its name."""

    def __init__(self, statement: Statement, target: Target, recorder: Recorder, nonce: str) -> None:
        self._statement = statement
        self._target = target
        self._recorder = recorder
        self._nonce = nonce
        self._settings: dict[str, Mapping[str, Json]] = {"main": {}}
        self.alone: dict[str, str] = {}
        """Those that are a server of their own, each with the name under which that is started."""
        self.lasting: set[str] = set()
        """Those of them whose store outlives the server."""

    @property
    def addressed(self) -> bool:
        """Whether requests may name an instance."""
        return self._statement.conditions.means == "meta"

    def named(self, instance: str) -> bool:
        """Whether requests name an instance."""
        return self.addressed and instance != "main" and instance not in self.alone

    def settings(self, instance: str) -> Mapping[str, Json]:
        """What an instance was set to."""
        return self._settings.get(instance, {})

    def isolated(self, endpoint: int) -> bool:
        """Whether a fresh one can be had at an endpoint."""
        return self.addressed or self._target.isolates(endpoint)

    def fresh(self, endpoint: int, settings: Mapping[str, Json], wanting: Iterable[str]) -> str:
        """One with these settings: named in requests, or a process of its own; SkipError where there can be none.

        `wanting`: those of the settings that nothing brings about.
        """
        if wanted := ", ".join(wanting):
            message = f"the target cannot be set to {wanted}; say how under [conditions.start] in conformance.toml"
            raise SkipError(message)
        if not self.isolated(endpoint):
            message = "the suite cannot start a fresh server: give the endpoint a command, and {listening} in its url"
            raise SkipError(message)
        name = self.new_name()
        self._settings[name] = settings
        if not self.addressed:
            self.alone[name] = name
        self._introduce(name, endpoint, NAMED if self.addressed else "own process")
        return name

    def kept(self, endpoint: int) -> str:
        """One that is a server of its own whose store outlives it; SkipError where there can be none."""
        if not self._statement.store.kept:
            message = "the target does not say that it keeps its store; [store] in conformance.toml says so"
            raise SkipError(message)
        if not self._target.keeps(endpoint):
            message = (
                "the suite cannot kill the server, as it did not start it: give the endpoint a command, and "
                "{listening} or {port} in its url"
            )
            raise SkipError(message)
        name = self.new_name()
        self.own(name, name, endpoint, "own process, its store kept")
        return name

    def new_name(self) -> str:
        """A name that no other has; it is taken.

        It is the run's own: a server that goes on may still hold what an earlier run called i1.
        """
        name = f"i{len(self._settings)}-{self._nonce}"
        self._settings[name] = {}
        return name

    def own(self, name: str, server: str, endpoint: int, means: str) -> None:
        """Has an instance be a server whose store outlives it."""
        self.alone[name] = server
        self.lasting.add(name)
        self._introduce(name, endpoint, means)

    def started(self, instance: str) -> str:
        """How the server of an instance that is kept was started, in words."""
        return "with its store" if self.alone[instance] == instance else "after it was killed, started on its store"

    def found(self, endpoint: int) -> str:
        """The one that an endpoint has as found: `main`, or one of its own where its store is another."""
        first, here = self._statement.endpoint[0], self._statement.endpoint[endpoint]
        if self._statement.shares(0, endpoint):
            return "main"
        name = f"main-{here.profile if here.profile != first.profile else endpoint}"
        if name not in self._settings:
            self._settings[name] = {}
            self._introduce(name, endpoint, "as found")
        return name

    def _introduce(self, name: str, endpoint: int, means: str) -> None:
        """Writes an instance down."""
        settings = self._settings[name]
        profile = settings.get("profile", self._statement.profile_of(endpoint))
        self._recorder.write(Instance(id=name, profile=profile, settings=dict(settings), means=means))

"""A whole tools/list, put together from the pages that a client of others asked for."""

from conformance.drive.pages import PAGES
from conformance.drive.tap.tape import INSTANCE
from conformance.model.events import Json, Listing


class Listings:
    """The pages of one connection. A listing that a client did not follow to its end is none."""

    def __init__(self, connection: str) -> None:
        self._connection = connection
        self._tools: list[Json] = []
        self._calls: list[int] = []
        self._next: Json = None

    def page(self, call: int, params: dict[str, Json], result: dict[str, Json], t: int) -> Listing | None:
        """The whole listing, where this was its last page."""
        cursor, tools = params.get("cursor"), result.get("tools")
        if cursor is None:
            self._tools, self._calls = [], []
        elif not self._calls or cursor != self._next or len(self._calls) == PAGES:
            return None
        if not isinstance(tools, list):
            self._calls = []
            return None
        self._tools, self._calls = [*self._tools, *tools], [*self._calls, call]
        self._next = result.get("nextCursor")
        if self._next is not None:
            return None
        return Listing(connection=self._connection, instance=INSTANCE, tools=self._tools, calls=tuple(self._calls), t=t)

"""How a store on disk may fail, whatever it holds."""

from reference_server.deviations.rewriting import instead
from reference_server.keeping import Domain, Kept


def one_behind(kept: Kept[Domain]) -> None:
    """Writes a state down when the next one comes: the last is lost with the process."""
    original = kept.keep
    waiting: list[bytes] = []

    @instead(kept, "keep")
    def keep(state: bytes) -> None:
        for earlier in waiting:
            original(earlier)
        waiting[:] = [state]

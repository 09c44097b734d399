"""Imports the laws that a contract's requirements need, its own and those of its foundation."""

from conformance.contract.catalogue import Contract, requirement
from conformance.contract.modules import import_all


def import_laws(contract: Contract) -> None:
    """Afterwards `law.LAWS` holds every law that judging this contract asks for."""
    owners = {owner.contract for owner in map(requirement, contract.foundation) if owner is not None}
    for name in sorted({contract.name, *owners}):
        import_all(f"conformance.contracts.{name}.laws")

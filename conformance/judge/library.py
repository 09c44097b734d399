"""Imports the laws that a contract's requirements need, its own and those of its protocol."""

from conformance.contract.catalogue import Contract
from conformance.contract.modules import import_all


def import_laws(contract: Contract) -> None:
    """Afterwards `law.LAWS` holds every law that judging this contract asks for."""
    for name in filter(None, (contract.protocol, contract.name)):
        import_all(f"conformance.contracts.{name}.laws")

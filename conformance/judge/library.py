"""Imports the laws that a contract's requirements need, its own and those of its protocol."""

from conformance.contract.catalogue import Contract, load
from conformance.contract.modules import import_all
from conformance.contract.source import has


def import_laws(contract: Contract) -> None:
    """Afterwards `law.LAWS` holds every law that judging this contract asks for."""
    for each in (*((load(contract.protocol),) if contract.protocol is not None else ()), contract):
        if has(each.package, "laws"):
            import_all(f"{each.package}.laws")

"""Imports what every run needs, so that a process forked from one that did so starts at once."""

from conformance.contract.catalogue import readable
from conformance.drive.library import bench_of, import_stimuli
from conformance.judge.library import import_laws
from conformance.prove import runs as runs

for contract in readable():
    import_laws(contract)
    import_stimuli(contract)
    bench_of(contract)

"""Imports what every run needs, so that a process forked from one that did so starts at once."""

from conformance.contract.catalogue import load, names
from conformance.drive.library import bench_of, import_stimuli
from conformance.judge.library import import_laws
from conformance.prove import runs as runs

for name in names():
    import_laws(load(name))
    import_stimuli(load(name))
    bench_of(load(name))

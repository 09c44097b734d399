"""The 36 tools, in the order in which they are listed."""

from reference_server.tasks.spec import Spec
from reference_server.tasks.tools import (
    branching,
    conflicts,
    exporting,
    focusing,
    graphs,
    notes,
    overview,
    patching,
    planning,
    stepping,
    thinking,
    workspace,
)

SPECS: tuple[Spec, ...] = (
    *workspace.SPECS,
    *branching.SPECS,
    *notes.SPECS,
    *exporting.SPECS,
    *graphs.SPECS,
    *conflicts.SPECS,
    *thinking.SPECS,
    *planning.SPECS,
    *stepping.SPECS,
    *patching.SPECS,
    *overview.SPECS,
    *focusing.SPECS,
)

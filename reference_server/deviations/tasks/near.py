"""Names that are near one another are taken for one."""

from collections.abc import Callable, Collection

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.tasks import Tasks
from reference_server.tasks.call import Call
from reference_server.tasks.spec import Spec

LENGTH = 64
"""Characters after which a name is cut."""


def _rename(tasks: Tasks, names: Collection[str], changed: Callable[[str], str]) -> None:
    """Changes arguments of these names, at any depth, before anything is done with them."""
    original = tasks.opened

    @instead(tasks, "opened")
    def opened(spec: Spec, given: Json) -> Call:
        return original(spec, _renamed(given, names, changed))


def _renamed(value: Json, names: Collection[str], changed: Callable[[str], str]) -> Json:
    if isinstance(value, dict):
        return {
            name: changed(inner) if name in names and isinstance(inner, str) else _renamed(inner, names, changed)
            for name, inner in value.items()
        }
    return [_renamed(inner, names, changed) for inner in value] if isinstance(value, list) else value


@deviation("TK-SRV-02", variant="document-case")
def documents_are_found_without_case(tasks: Tasks) -> None:
    """Documents whose names differ in case alone are one."""
    _rename(tasks, ("doc",), str.lower)


@deviation("TK-SRV-02", variant="document-end")
def names_of_documents_are_cut(tasks: Tasks) -> None:
    """Documents whose names differ after many characters alone are one."""
    _rename(tasks, ("doc",), lambda name: name[:LENGTH])


@deviation("TK-SRV-02", variant="node-end")
def names_of_nodes_are_cut(tasks: Tasks) -> None:
    """Nodes whose ids differ after many characters alone are one."""
    _rename(tasks, ("id",), lambda name: name[:LENGTH])


@deviation("TK-SRV-01", variant="branch-case")
def branches_are_found_without_case(tasks: Tasks) -> None:
    """Branches whose names differ in case alone are one."""
    _rename(tasks, ("name", "branch"), str.lower)


@deviation("TK-SRV-01", variant="branch-end")
def names_of_branches_are_cut(tasks: Tasks) -> None:
    """Branches whose names differ after many characters alone are one."""
    _rename(tasks, ("name", "branch"), lambda name: name[:LENGTH])

"""Tools that make, list and check out branches."""

from collections.abc import Sequence

from reference_server.application import Json
from reference_server.tasks.branches import Branch
from reference_server.tasks.call import Call
from reference_server.tasks.schema import MAX_CHARS, NAME, WORKSPACE, limit
from reference_server.tasks.spec import Spec, Writes


def create(call: Call) -> dict[str, Json]:
    """Branches off `from`, or what is checked out."""
    base = call.parts.branches.find(call, call.arguments.get("from", call.workspace.checkout))
    made = call.parts.branches.make(call, call.arguments["name"], base)
    return {"workspace": call.workspace.name, "branch": made.as_json(call.parts.clock)}


def listing(call: Call) -> dict[str, Json]:
    """By name."""
    workspace = call.workspace

    def render(branches: Sequence[Branch]) -> dict[str, Json]:
        return {
            "workspace": workspace.name,
            "checkout": workspace.checkout,
            "branches": [branch.as_json(call.parts.clock) for branch in branches],
            "count": len(branches),
        }

    everything = sorted(workspace.branches.values(), key=lambda branch: branch.name)
    return call.parts.budgets.page(call, everything, render)[0]


def checkout(call: Call) -> dict[str, Json]:
    """Points tools that name no branch at another one."""
    branch = call.parts.branches.find(call, call.arguments["ref"])
    previous, call.workspace.checkout = call.workspace.checkout, branch.name
    return {"workspace": call.workspace.name, "previous": previous, "current": branch.name}


SPECS = (
    Spec(
        "branchmind_branch_create",
        "branchmind_branch_create",
        "Makes a branch that sees what its base holds now and nothing that the base gets later.",
        create,
        WORKSPACE | {"name": NAME, "from": NAME | {"description": "The base; left out: the branch checked out."}},
        required=("workspace", "name"),
        writes=Writes("branch", None, "/branch/revision", ("branchmind_branch_list",)),
    ),
    Spec(
        "branchmind_branch_list",
        "branchmind_branch_list",
        "Lists the branches of a workspace by name, those of its plans and tasks among them.",
        listing,
        WORKSPACE | limit(200) | MAX_CHARS,
    ),
    Spec(
        "branchmind_checkout",
        "branchmind_checkout",
        "Makes a branch the one that tools work on when they name none.",
        checkout,
        WORKSPACE | {"ref": NAME},
        required=("workspace", "ref"),
        writes=Writes("checkout", None, None, ("branchmind_status", "branchmind_branch_list")),
        repeatable=True,
    ),
)

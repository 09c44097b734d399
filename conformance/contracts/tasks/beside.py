"""The controls of refusals: the accepted call that is like the refused one but for its fault."""

from collections.abc import Callable

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.causes.form import GUARDS, WHOLE, mistaken
from conformance.contracts.tasks.forms import NODE, RELATION, TYPE, GraphForm, identifiers, in_graph, without
from conformance.contracts.tasks.known import known
from conformance.judge.conditional import Beside
from conformance.judge.controls import ARGUMENTS, ButFor, Controls, but_for
from conformance.judge.memo import once
from conformance.model.exchange import Exchange
from conformance.model.history import History

BRANCHES = ("branch", "from", "to", "into", "ref", "name", "doc", "trace_doc", "graph_doc")
JOINED = ("supports", "blocks")
PLAIN = but_for()
GUARDED = but_for(*GUARDS)

Differing = ButFor | Callable[[Exchange], ButFor]


@once
def controls(history: History, contract: Contract) -> Controls:
    """The controls of a run, by what the contract says of which calls are good."""
    return Controls(history, known(history, contract).good)


def beside(history: History, contract: Contract, differing: Differing) -> Beside:
    """Finds the control of a call that differs from it in this alone."""
    return controls(history, contract).look(differing)


def said(words: str) -> Callable[[Exchange], str]:
    """The same words of each call."""
    return lambda _: words


def spelling(*forms: GraphForm) -> ButFor:
    """Controls whose operations have other graph identifiers of these forms."""
    return _SPELLINGS[forms]


def _ops(*forms: GraphForm) -> ButFor:
    # one for each choice of forms: controls are kept by what they may differ in
    return ButFor(shape=lambda call: without(call, *forms))


_EACH: tuple[tuple[GraphForm, ...], ...] = ((NODE,), (TYPE,), (RELATION,), (NODE, TYPE, RELATION))
_SPELLINGS = {forms: _ops(*forms) for forms in _EACH}


def _elsewhere(call: Exchange) -> object:
    """The operations of a call, wherever they are made."""
    shaped = without(call, NODE)
    return {name: value for name, value in shaped.items() if name not in BRANCHES} if isinstance(shaped, dict) else None


_ENDS = ButFor(shape=_elsewhere)


def of_ids(call: Exchange) -> ButFor:
    """Controls that name something else: another item, step, conflict or branch, other nodes."""
    if call.tool == "branchmind_graph_apply":
        return _ENDS
    return but_for(*{each.argument for each in identifiers(call)}, *BRANCHES, *JOINED)


def of_names(_: Exchange) -> ButFor:
    """Controls with other names of branches and documents."""
    return but_for(*BRANCHES)


def of_form(contract: Contract) -> Callable[[Exchange], ButFor]:
    """Controls without the arguments that are missing, mistyped or malformed, or with good ones."""

    def differing(call: Exchange) -> ButFor:
        names = mistaken(call.arguments, contract.tools[call.tool or ""].inputSchema)
        if WHOLE in names:
            return ARGUMENTS
        names |= {each.argument for each in identifiers(call) if each.malformed}
        if not names and any(form.broken(value) for form, value in in_graph(call)):
            return spelling(NODE, TYPE, RELATION)
        return but_for(*names)

    return differing

"""The first page: who keeps what, and what each contract asks."""

from collections.abc import Mapping, Sequence

from conformance.contract.catalogue import Contract
from conformance.model.requirement import Level
from conformance.report.html.element import Html, el
from conformance.report.html.finding import command
from conformance.report.html.frame import framed
from conformance.report.site.contract import levels
from conformance.report.site.style import SITE
from conformance.report.site.target import Told, table
from conformance.report.words import some, upper

LEAD = (
    "A contract is what a family of MCP tools promises beyond MCP itself. The suite calls a server, records the "
    "answers and judges the record: a server conforms where every MUST that applies was tested and holds."
)
NONE = "No report was given. A run writes one, and these pages are written again with it:"
COMMANDS = ("conformance run --config conformance.toml --output report.json", "conformance site pages report.json")
UNPROVED = (
    "Each row tells what its report says. A report is not proof by itself: "
    "judging the run's transcript again gives the same verdicts."
)


def page(contracts: Mapping[str, Contract], told: Sequence[Told]) -> str:
    """The whole page; `contracts` by the path of their pages."""
    return framed(
        "MCP contract conformance",
        el("header", el("h1", "MCP contract conformance"), el("p", LEAD, class_="lead")),
        el("main", _targets(told), _contracts(contracts)),
        el("footer", "These pages load nothing and run nothing."),
        style=SITE,
    )


def _targets(told: Sequence[Told]) -> Html:
    if not told:
        typed = [el("p", command(words)) for words in COMMANDS]
        return el("section", el("h2", "Targets"), el("p", NONE, class_="lead"), typed, id="targets")
    caption = f"{some(len(told), 'report')}. {UNPROVED}"
    return el("section", el("h2", "Targets"), table(told, caption), id="targets")


def _contracts(contracts: Mapping[str, Contract]) -> Html:
    heads = [el("th", head, scope="col") for head in ("contract", "what it is about", "editions")]
    heads += [el("th", head, scope="col", class_="number") for head in ("requirements", *Level)]
    return el(
        "section",
        el("h2", "Contracts"),
        el(
            "table",
            el("caption", "Each page says what every requirement asks, why, how it is judged, and what breaks it."),
            el("thead", el("tr", heads)),
            el("tbody", [_row(path, contract) for path, contract in contracts.items()]),
            class_="list",
        ),
        id="contracts",
    )


def _row(path: str, contract: Contract) -> Html:
    counts: dict[str, int] = {
        "requirements": len(contract.requirements),
        **{level.value: number for level, number in levels(contract).items()},
    }
    title = contract.title.partition(": ")[2] or contract.title
    return el(
        "tr",
        el("th", el("a", contract.name, href=path), scope="row", class_="whole"),
        el("td", upper(title)),
        el("td", ", ".join(contract.editions), data_name="editions"),
        [el("td", str(number), class_="number", data_name=name) for name, number in counts.items()],
    )

"""The page of a contract: every requirement with its reason, its law, a breach, and the server that proves it."""

from collections.abc import Iterator, Sequence

from conformance.contract.catalogue import Contract, load
from conformance.contract.sources import SHARED
from conformance.model.requirement import Level, Requirement
from conformance.report.explained import Explained, explained
from conformance.report.html.element import Child, Html, el, joined
from conformance.report.html.finding import command
from conformance.report.html.frame import framed
from conformance.report.html.table import by_section
from conformance.report.site.style import SITE
from conformance.report.site.target import Told, table
from conformance.report.words import some, upper

UP = "../"
"""From this page to the index."""


def page(contract: Contract, told: Sequence[Told]) -> str:
    """The whole page; `told` are the reports on this contract."""
    sections = sorted(by_section(contract.requirements.values()), key=lambda section: _foreign(section[0], contract))
    return framed(
        contract.title,
        el("nav", el("a", "All targets and contracts", href=f"{UP}index.html"), class_="way"),
        el("header", _about(contract)),
        el(
            "main",
            el("section", table(told, "Targets that were judged by it", UP), class_="judged") if told else None,
            el("nav", el("h2", "Sections"), el("dl", _sections(sections), class_="within"), aria_label="Sections"),
            [
                el("section", el("h2", name, id=f"section-{n}"), [_requirement(row) for row in rows])
                for n, (name, rows) in enumerate(sections, 1)
            ],
        ),
        el("footer", "This page loads nothing and runs nothing."),
        style=SITE,
    )


def _foreign(section: str, contract: Contract) -> bool:
    """Whether a section is of the protocol that the contract stands on: its own come first."""
    return contract.protocol is not None and section.startswith(SHARED["MCP"])


def levels(contract: Contract) -> dict[Level, int]:
    """How many requirements of each level a contract has."""
    return {level: sum(row.level == level for row in contract.requirements.values()) for level in Level}


def _about(contract: Contract) -> Iterator[Html]:
    yield el("p", f"Contract {contract.name}", class_="soft")
    yield el("h1", contract.title)
    counts = " + ".join(f"{number} {level}" for level, number in levels(contract).items() if number)
    yield el("p", f"{some(len(contract.requirements), 'requirement')} = {counts}", class_="sum")
    editions = f" Editions: {', '.join(contract.editions)}." if len(contract.editions) > 1 else ""
    yield el("p", f"Stated in: {contract.document}.{editions}", class_="lead")
    if contract.protocol is not None:
        protocol = load(contract.protocol)
        link = el("a", protocol.title, href=f"{protocol.name}.html")
        yield el("p", "Its tools are served over MCP, which has a page of its own: ", link, ".", class_="lead")


def _sections(sections: Sequence[tuple[str, Sequence[Requirement]]]) -> Iterator[Html]:
    """The ways to the sections, those of a document together."""
    documents: dict[str, list[Html]] = {}
    for number, (name, rows) in enumerate(sections, 1):
        document, _, section = name.partition(", ")
        link = el("a", section or "all of it", href=f"#section-{number}")
        documents.setdefault(document, []).append(el("li", link, " ", el("span", f"({len(rows)})", class_="soft")))
    for document, links in documents.items():
        yield el("div", el("dt", document), el("dd", el("ul", links)))


def _requirement(about: Requirement) -> Html:
    found = explained(about)
    return el(
        "article",
        el(
            "h3",
            el("a", about.id, href=f"#{about.id}"),
            " ",
            el("span", about.level, class_=f"level {about.level}"),
        ),
        el("p", about.statement, class_="says"),
        el("dl", [el("div", el("dt", heading), el("dd", said)) for heading, said in _parts(found)]),
        class_="ask",
        id=about.id,
    )


def _parts(found: Explained) -> Iterator[tuple[str, Child]]:
    for heading, said in found.parts():
        if said in (", ".join(found.rests_on), ", ".join(found.about.falls_with)):
            yield heading, joined(*(_link(name, found.about.contract) for name in said.split(", ")), by=", ")
        else:
            yield heading, upper(said)
    if found.deviation is not None:
        yield "See it fail", command(found.deviation.command(found.about.id))


def _link(name: str, here: str) -> Html:
    """The way to a requirement, of this contract or of its protocol."""
    own = name in load(here).requirements
    return el("a", name, href=f"#{name}" if own else f"{load(here).protocol}.html#{name}")

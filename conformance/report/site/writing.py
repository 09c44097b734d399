"""Writes the site: an index, a page a contract, a page a report."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from conformance.contract.catalogue import Contract, names, readable
from conformance.report.html.frame import Site
from conformance.report.html.page import render
from conformance.report.model import Report
from conformance.report.site import contract as contract_page
from conformance.report.site import index
from conformance.report.site.target import Told

LONGEST_NAME = 60
"""Characters of a report's file name: a target may be named by a whole command."""


def write(folder: Path, reports: Sequence[Report]) -> list[Path]:
    """Writes all pages into a folder, which is made; gives their paths, the index first. OSError: it cannot be."""
    contracts = {f"contracts/{contract.name}.html": contract for contract in readable()}
    told = _named(sorted(reports, key=lambda each: each.started_at, reverse=True))
    site = Site("../index.html", _ways(contracts))
    pages = {"index.html": index.page(contracts, told)}
    for path, contract in contracts.items():
        pages[path] = contract_page.page(contract, [each for each in told if each.report.contract == contract.name])
    for each in told:
        pages[each.page] = render(each.report, site)
    written = []
    for path, text in pages.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8", newline="\n")
        written.append(place)
    return written


def _ways(contracts: Mapping[str, Contract]) -> dict[str, str]:
    """By requirement, the way from a report's page to where it is explained."""
    return {row: f"../{path}#{row}" for path, contract in contracts.items() for row in contract.requirements}


def _named(reports: Sequence[Report]) -> list[Told]:
    """Each report with a page of its own: contracts in their order, in each the targets by name, the newest first."""
    found: list[Told] = []
    taken: set[str] = set()
    for report in sorted(reports, key=lambda each: (_order(each.contract), each.target.name)):
        slug = re.sub(r"[^a-z0-9]+", "-", f"{report.contract}-{report.target.name}".lower()).strip("-")[:LONGEST_NAME]
        slug = slug or "report"
        name = next(name for name in (slug, *(f"{slug}-{n}" for n in range(2, len(reports) + 2))) if name not in taken)
        taken.add(name)
        found.append(Told(report, f"reports/{name}.html"))
    return found


def _order(contract: str) -> int:
    return names().index(contract) if contract in names() else len(names())

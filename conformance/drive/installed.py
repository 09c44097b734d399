"""The statement that an installed target has of itself."""

from collections.abc import Mapping
from typing import Any

from conformance.drive.errors import UsageError
from conformance.drive.target import Named, entry


def of_installed(
    target: str, *, contract: str | None = None, edition: str | None = None, transport: str | None = None
) -> dict[str, Any]:
    """What a target says of itself, named as reference:threads; UsageError where it serves no such contract.

    Contract and edition that are given stand in the place of those in its name.
    """
    named = Named.of(target)
    contract = contract or named.contract or "threads"
    edition = edition or named.edition
    of_edition = {"edition": edition} if edition is not None else {}
    module = entry(named.entry)
    try:
        found: Mapping[str, Any] = module.statement(
            contract, transport=transport or "in-process", deviations=named.deviations, **of_edition
        )
    except LookupError as error:
        raise UsageError(f"{named.entry} cannot serve {target}", "--target", str(error)) from error
    over = f" over {transport}" if transport not in (None, "in-process") else ""
    shown = f"{named.entry}:{contract}" + (f"@{edition}" if edition is not None else "")
    return {"name": "+".join((shown, *named.deviations)) + over, **found}


def complete(data: dict[str, Any]) -> None:
    """Adds the tokens and conditions of an installed target that a statement names, where it says nothing of them."""
    named = next((e["target"] for e in data["endpoint"] if e["transport"] == "in-process" and e.get("target")), None)
    if named is None:
        return
    target = Named.of(str(named))
    about: Mapping[str, Any] = entry(target.entry).statement(target.contract)
    for key in ("auth", "conditions"):
        if key in about:
            data.setdefault(key, about[key])

"""The claim as the JSON from which shields.io draws a badge: https://shields.io/badges/endpoint-badge."""

import msgspec

from conformance.report.badge import badge
from conformance.report.model import Report


def render(report: Report) -> str:
    """Its text."""
    said = badge(report)
    about = {"schemaVersion": 1, "label": said.label, "message": said.message, "color": said.colour}
    return msgspec.json.format(msgspec.json.encode(about), indent=2).decode() + "\n"

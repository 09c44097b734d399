"""A run judged within a time: what its record is judged by, and what of it is asked."""

import time
from collections.abc import Callable, Collection

from conformance.contract.catalogue import Contract
from conformance.judge.claims import claims_of
from conformance.judge.judge import Judged, judge
from conformance.model.events import Header
from conformance.model.parts import Parts
from conformance.model.transcript import Lines, Reading

JUDGING_S = 120.0
"""How long judging may take: a transcript of 12.5 MB takes 3 s. What is left then is not judged, and it is said so."""
JUDGED_A_SECOND = 2_000_000
"""Octets of a file; a larger file is given more time."""


def judge_run(  # noqa: PLR0913 -- what is judged, by what, and within which bounds
    events: Lines | Reading,
    header: Header,
    contract: Contract,
    *,
    limit_s: float,
    parts: Parts | None = None,
    only: Collection[str] | None = None,
) -> Judged:
    """Judges a run by its contract and by what its statement says of known failures.

    `only` these requirements are told of. Where failures are known, a report tells of every one that was not met, so
    all is judged then.
    """
    claims = claims_of(header.statement)
    return judge(
        events,
        contract,
        claims=claims,
        spent=_patience(limit_s),
        weigh=lambda: events.octets,
        parts=parts,
        source=events,
        only=None if claims.failing or claims.wavering else only,
    )


def _patience(limit_s: float) -> Callable[[], str]:
    """Tells when judging has taken as long as it may."""
    until = time.monotonic() + limit_s
    return lambda: f"judging took longer than {limit_s:.0f} s" if time.monotonic() > until else ""

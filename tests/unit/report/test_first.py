"""What a report says to do first."""

from msgspec.structs import replace

from conformance.model.verdict import Finding, Verdict
from conformance.report.first import first
from tests.unit.report.samples import passing, result


def begins_with(*found: tuple[str, Verdict], hidden: tuple[tuple[str, str], ...] = ()) -> tuple[str, ...]:
    """The requirements of the first step, where these were broken, in this order, and hid others."""
    roots = tuple(Finding(requirement=name, saw=f"saw {name}") for name, _ in found)
    broken = [result(name, verdict) for name, verdict in found]
    blocked = [result(name, Verdict.BLOCKED, blocked_by=by) for name, by in hidden]
    steps = first(replace(passing(), roots=roots, requirements=(*broken, *blocked), foundation=(), gaps=()))
    return steps[0].ids


def test_what_hides_most_comes_first() -> None:
    found = (("MC-CALL-04", Verdict.FAIL), ("MC-CALL-09", Verdict.FAIL))
    assert begins_with(*found) == ("MC-CALL-04",)
    assert begins_with(*found, hidden=(("MC-CALL-07", "MC-CALL-09"),)) == ("MC-CALL-09",)


def test_a_warning_that_hides_another_comes_after_what_breaks_a_must() -> None:
    found = (("MC-CALL-04", Verdict.FAIL), ("MC-CALL-16", Verdict.WARN))
    assert begins_with(*found, hidden=(("MC-CALL-07", "MC-CALL-16"),)) == ("MC-CALL-04",)
    # but it comes first where it hides whether a MUST holds
    assert begins_with(*found, hidden=(("MC-CALL-13", "MC-CALL-16"),)) == ("MC-CALL-16",)

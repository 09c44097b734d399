"""The bench of the mcp contract."""

from conformance.drive.bench import Bench

BENCH = Bench
DEFAULT_ROLE = "orchestrator"

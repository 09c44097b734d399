"""The numbers to hold, as ratios measured side by side in one run: `make bench` prints them, and writes them down.

Nothing here fails a build: timings are noisy, ratios less so. What misses its mark is marked.
"""

import json
import statistics
import subprocess
import sys
from pathlib import Path

from calls import driving, serving, tapping, waiting
from judging import checking, judging, memory
from rows import CONTRACTS, ROWS, row, timed


def starting() -> None:
    """`conformance --help` beside a Python that does nothing."""

    def median(*words: str) -> float:
        times = [timed(lambda: subprocess.run(words, capture_output=True, check=True)) for _ in range(9)]
        return statistics.median(times)

    nothing = median(sys.executable, "-c", "pass")
    told = median(sys.executable, "-m", "conformance", "--help")
    row(
        "starting: --help, over 3 × an empty Python + 0.1 s",
        told / (3 * nothing + 0.1),
        1,
        "×",
        detail=f"{told * 1000:.0f} ms",
    )


def proving() -> None:
    """The whole kill matrix of a contract, in seconds."""
    for contract in CONTRACTS:
        words = [
            sys.executable,
            "-m",
            "conformance",
            "prove",
            "--contract",
            contract,
            "--trial",
            "deviations",
            "--output",
            "reports/run",
        ]
        row(f"proving {contract}", timed(lambda: subprocess.run(words, capture_output=True, check=False)), 60, " s")


PARTS = {
    part.__name__: part for part in (starting, judging, checking, memory, waiting, driving, serving, tapping, proving)
}


def main() -> None:
    """All parts, or those named."""
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()
    path = Path("reports/bench.json")
    before = json.loads(path.read_text()) if path.exists() else []
    measured = {each["what"] for each in ROWS}
    rows = [*(each for each in before if each["what"] not in measured), *ROWS]
    path.write_text(json.dumps(sorted(rows, key=lambda each: each["what"]), indent=1) + "\n")


if __name__ == "__main__":
    main()

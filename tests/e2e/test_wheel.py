"""The wheel works outside the checkout: built, installed in an empty environment, it certifies the reference."""

import fcntl
import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The bin folder of an environment that holds the wheel, its dependencies and nothing of the checkout.

    Workers of one run share it, as half a minute goes into it: the first one makes it, the others wait.
    """
    own = tmp_path_factory.getbasetemp()
    place = (own if worker_id == "master" else own.parent) / "wheel"
    place.mkdir(exist_ok=True)
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "made").exists():
            install(place)
            (place / "made").touch()
    return place / "env/bin"


def install(place: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(place), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    venv.create(place / "env", with_pip=True)
    (wheel,) = place.glob("*.whl")
    pip = [str(place / "env/bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pinned = ["--constraint", str(ROOT / "requirements.lock")]
    subprocess.run([*pip, *pinned, f"mcp-contract-conformance[reference] @ {wheel.as_uri()}"], check=True)


def run(installed: Path, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    path = f"{installed}{os.pathsep}{clean['PATH']}"
    command = [str(installed / "conformance"), *words]
    return subprocess.run(command, cwd=cwd, env={**clean, "PATH": path}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("contract", "transport"), [("threads", "in-process"), ("mcp", "http"), ("mcp", "stdio")])
def test_the_reference_conforms(installed: Path, tmp_path: Path, contract: str, transport: str) -> None:
    target = ["--target", f"reference:{contract}", "--transport", transport]
    done = run(installed, "run", *target, "--format", "json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["conformant"]
    assert report["totals"]["pass"] > 40


def test_the_other_commands_need_no_checkout(installed: Path, tmp_path: Path) -> None:
    assert "TH-IDEM-01" in run(installed, "explain", "TH-IDEM-01", cwd=tmp_path).stdout
    listed = json.loads(run(installed, "requirements", "--format", "json", cwd=tmp_path).stdout)
    assert {"threads", "mcp"} <= {row["contract"] for row in listed}

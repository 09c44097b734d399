"""What a CI is given: the action's shell steps run as they stand, the files hold what their readers ask for."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.cli.main import parser_of

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
EXAMPLES = sorted((ROOT / "fixtures" / "ci").iterdir())
TARGET = 'contract = "threads"\n[[endpoint]]\ntransport = "in-process"\ntarget = "reference:threads"\n'
FEW = "--only\nTH-IDEM-01\n\n--seed\n1\n"
INJECTED = "$(touch injected); touch injected `touch injected` \"; touch injected; ' && touch injected"

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")


def loaded(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


ACTION = loaded(ROOT / "action.yml")


def step(name: str) -> dict[str, Any]:
    """A shell step of the action, by its id."""
    return next(one for one in ACTION["runs"]["steps"] if one.get("id") == name)


def run(
    name: str, cwd: Path, inputs: dict[str, str], tools: Path | None = None, **known: str
) -> subprocess.CompletedProcess[str]:
    """Runs a step as the runner does: its variables are the inputs, by their defaults where none is given.

    `tools` come first where commands are looked for.
    """
    values = {f"inputs.{key}": inputs.get(key, about["default"]) for key, about in ACTION["inputs"].items()}
    values |= {"steps.install.outputs.bin": str(BIN), **known}
    about = step(name)
    variables = {
        key: re.sub(r"\$\{\{ (.+?) \}\}", lambda found: values[found[1]], text) for key, text in about["env"].items()
    }
    files = {key: str(cwd / key.lower()) for key in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    env = {**os.environ, **files, **variables}
    if tools is not None:
        env["PATH"] = f"{tools}:{env['PATH']}"
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", about["run"]],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_the_action_is_composite_and_splices_no_input_into_a_script():
    assert ACTION["runs"]["using"] == "composite"
    assert {"name", "description", "inputs", "outputs", "runs"} <= ACTION.keys()
    assert all({"description", "default"} <= about.keys() for about in ACTION["inputs"].values())
    for one in ACTION["runs"]["steps"]:
        assert ("uses" in one) != ("run" in one)
        assert "run" not in one or one["shell"] == "bash"
        assert "${{" not in one.get("run", "")


def test_every_input_is_used():
    used = set(re.findall(r"inputs\.([a-z-]+)", json.dumps(ACTION["runs"])))
    assert used == set(ACTION["inputs"])


def test_the_action_runs_a_target_and_writes_the_reports_and_the_summary(tmp_path):
    (tmp_path / "conformance.toml").write_text(TARGET)
    done = run("run", tmp_path, {"options": FEW})
    assert done.returncode == 0, done.stdout + done.stderr
    folder = tmp_path / ACTION["inputs"]["output"]["default"]
    assert sorted(path.name for path in folder.iterdir()) == [
        "report.html",
        "report.json",
        "report.xml",
        "summary.md",
    ]
    assert "TH-IDEM-01" in (tmp_path / "github_step_summary").read_text("utf-8")
    assert (tmp_path / "github_output").read_text() == "code=0\n"


def test_the_action_fails_where_the_server_does_and_tells_it_all_the_same(tmp_path):
    (tmp_path / "server.toml").write_text(TARGET.replace('"reference:threads"', '"reference:threads+TH-IDEM-01"'))
    done = run("run", tmp_path, {"config": "server.toml", "options": FEW})
    assert done.returncode == 1, done.stdout + done.stderr
    assert "TH-IDEM-01" in (tmp_path / "github_step_summary").read_text("utf-8")
    assert (tmp_path / "github_output").read_text() == "code=1\n"


def test_the_action_tests_nothing_where_no_server_is_named(tmp_path):
    """Without a target the command takes the reference: a job that passes so would claim what nobody looked at."""
    done = run("run", tmp_path, {})
    assert done.returncode == 2
    assert "No server is named" in done.stderr


@pytest.mark.parametrize("name", ["config", "server-command", "server-url", "contract", "options", "output"])
def test_no_input_of_the_run_is_executed(tmp_path, name):
    (tmp_path / "conformance.toml").write_text(TARGET)
    done = run("run", tmp_path, {"options": FEW, name: INJECTED})
    assert done.returncode in ({0} if name == "output" else {2}), done.stdout + done.stderr
    assert not list(tmp_path.rglob("injected"))


@pytest.mark.parametrize("version", ["", "0.1.0", INJECTED])
def test_the_action_installs_in_an_environment_of_its_own(tmp_path, version):
    """With a Python that notes what it is asked: what pip does is pip's."""
    place, tools = tmp_path / "place", tmp_path / "tools"
    (place / "bin").mkdir(parents=True)
    tools.mkdir()
    for python in (tools / "python", place / "bin" / "python"):
        python.write_text(f'#!/bin/bash\nprintf "%s\\n" "$@" >> {shlex.quote(str(tmp_path / "asked"))}\n')
        python.chmod(0o755)
    known = {"github.action_path": str(ROOT), "runner.temp": str(tmp_path)}
    (tmp_path / "mcp-contract-conformance").symlink_to(place)
    done = run("install", tmp_path, {"version": version}, tools, **known)
    assert done.returncode == 0, done.stderr
    asked = (tmp_path / "asked").read_text().splitlines()
    assert (f"mcp-contract-conformance=={version}" if version else str(ROOT)) in asked
    assert "bin=" in (tmp_path / "github_output").read_text()
    assert not list(tmp_path.rglob("injected"))


def test_the_hook_checks_the_files_that_it_is_given():
    (hook,) = loaded(ROOT / ".pre-commit-hooks.yaml")
    assert {"id", "name", "entry", "language", "files"} <= hook.keys()
    assert re.search(hook["files"], "services/notes/conformance.toml")
    assert not re.search(hook["files"], "my-conformance.toml")
    words = [*shlex.split(hook["entry"])[1:], "conformance.toml"]
    assert parser_of(words, words[:1]).parse_args(words).command == "check"


def scripts(document: Any) -> list[str]:
    """Every line of shell in a CI's file."""
    if isinstance(document, dict):
        own = [document["run"]] if isinstance(document.get("run"), str) else []
        own += [line for key in ("script", "after_script") for line in document.get(key, [])]
        return own + [line for value in document.values() for line in scripts(value)]
    return [line for value in document for line in scripts(value)] if isinstance(document, list) else []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_commands_of_an_example_run(path, tmp_path):
    (tmp_path / "conformance.toml").write_text(TARGET)
    lines = [line for line in scripts(loaded(path)) if not line.startswith("pip install ")]
    env = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}
    for line in lines:
        few = f"{line} --only TH-IDEM-01" if " run " in line else line
        done = subprocess.run(["bash", "-c", few], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert not lines or (tmp_path / "pages" / "index.html").exists()


def test_the_examples_use_what_there_is():
    (used,) = [
        one
        for one in loaded(ROOT / "fixtures/ci/github-action.yml")["jobs"]["conformance"]["steps"]
        if "OWNER" in one["uses"]
    ]
    assert set(used["with"]) <= set(ACTION["inputs"])
    (hooks,) = loaded(ROOT / "fixtures/ci/pre-commit-config.yaml")["repos"]
    assert [hook["id"] for hook in hooks["hooks"]] == [hook["id"] for hook in loaded(ROOT / ".pre-commit-hooks.yaml")]


DOCKER = (ROOT / "Dockerfile").read_text("utf-8")


def test_the_image_copies_all_that_its_wheel_is_made_of(tmp_path):
    """There is no Docker here: what its first stage does with the files is done without one."""
    copied = [line.split()[1:] for line in DOCKER.splitlines() if line.startswith("COPY ") and "--from" not in line]
    for *sources, _ in copied:
        for source in sources:
            assert (ROOT / source).exists()
            (shutil.copytree if (ROOT / source).is_dir() else shutil.copy)(ROOT / source, tmp_path / source)
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert {line[1:] for line in ignored if line.startswith("!")} == {name for *names, _ in copied for name in names}
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path / "out")]
    done = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_image_runs_as_nobody_and_starts_commands_that_there_are():
    stages = DOCKER.split("\nFROM ")[1:]
    assert all(":" in stage.split()[0] or stage.startswith("base ") for stage in stages)
    assert re.search(r"^USER 10001$", DOCKER, re.MULTILINE)
    assert not re.search(r"^(ADD|USER root|USER 0)\b", DOCKER, re.MULTILINE)
    started = [json.loads(found) for found in re.findall(r"^ENTRYPOINT (.*)$", DOCKER, re.MULTILINE)]
    assert started == [["python", "-m", "reference_server"], ["conformance"]]

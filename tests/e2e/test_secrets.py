"""Secrets are planted wherever a run takes values; a server gives them back in every form; no output has one."""

import base64
import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

SERVER = Path(__file__).parent / "servers" / "echoes_secrets.py"
OUTPUTS = ("o.json", "o.xml", "o.md", "o.html", "o.txt", "o.svg")
WRITTEN = [word for name in OUTPUTS for word in ("--output", name)]


def forms(value: str) -> set[str]:
    """What must be found nowhere: the value as it is, and what encodings make of it."""
    octets = value.encode()
    cores = {
        base64.b64encode(bytes(n) + octets).decode()[-(-8 * n // 6) : 8 * (n + len(octets)) // 6] for n in range(3)
    }
    return {value, quote(value, safe=""), quote_plus(value), json.dumps(value)[1:-1], *cores}


def conformance(place: Path, *words: str, **env: str) -> str:
    """Runs a command; gives all that it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "conformance.cli.main", *words],
        cwd=place, env={"PATH": "/usr/bin:/bin", **env}, capture_output=True, text=True, check=False, timeout=180,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


def leaks(place: Path, printed: str, planted: list[str]) -> list[tuple[str, str, str]]:
    """Every form of a planted value that stands anywhere, with where and what is around it."""
    files = {path.name: path.read_text() for path in place.iterdir() if path.name in (*OUTPUTS, "run.jsonl")}
    assert len(files) == len(OUTPUTS) + 1
    found = []
    for name, text in {**files, "printed": printed}.items():
        for form in {form for value in planted for form in forms(value)}:
            word = rf"(?<![A-Za-z0-9]){re.escape(form)}(?![A-Za-z0-9])" if len(form) < 8 else re.escape(form)
            if hit := re.search(word, text):
                found.append((name, form, text[max(0, hit.start() - 60) : hit.end() + 60]))
    return found


def test_over_stdio(tmp_path: Path) -> None:
    env = {
        "API_KEY": "sk-live-51HabcDEFghij",
        "SHORT_TOKEN": "tok-1",
        "PIN": "73519264",
        "DB_URL": "postgres://dbuser-9:dbpass-9@db.example/x",
        "TENANT": "acme-4711",
        "ODD_SECRET": 'q"u\\o/t+e d&x',
        "LEVEL": "debug",
        "NUMBER": "1",
        "FLAG": "true",
        "WORD_TOKEN": "message",
    }
    command = [sys.executable, str(SERVER), "--password", "cmd-pass-1", "--key=cmd-key-22", "Bearer", "cmd-bearer-3"]
    (tmp_path / "conformance.toml").write_text(
        f"""
contract = "mcp"
[[endpoint]]
transport = "stdio"
command = {json.dumps(command)}
env = {{ PLANTED = {json.dumps(json.dumps(list(env)))}, {", ".join(f"{k} = {json.dumps(v)}" for k, v in env.items())} }}
[[auth.tokens]]
role = "orchestrator"
token = "role-token-10"
"""
    )
    printed = conformance(tmp_path, "run", "--transcript", "run.jsonl", *WRITTEN)
    planted = [env[name] for name in ("API_KEY", "SHORT_TOKEN", "PIN", "TENANT", "ODD_SECRET")]
    planted += ["dbpass-9", "cmd-pass-1", "cmd-key-22", "cmd-bearer-3", "role-token-10"]
    assert leaks(tmp_path, printed, planted) == []
    text = (tmp_path / "run.jsonl").read_text()
    assert "«secret:environment API_KEY»" in text
    assert "«private:environment TENANT»" in text
    assert text.count("tools/call") > 5, "ordinary values left the record as it was"
    assert "debug" in text
    printed += conformance(tmp_path, "judge", "run.jsonl", *WRITTEN)
    assert leaks(tmp_path, printed, planted) == []


def test_over_http(tmp_path: Path) -> None:
    env = {"AUTH": "Bearer tok-1x", "KEY": "83519265"}
    server = subprocess.Popen(
        [sys.executable, str(SERVER), "http"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    try:
        assert server.stderr is not None
        port = server.stderr.readline().rpartition(":")[2].strip()
        basic = base64.b64encode(b"jim-7:basic-pass-2").decode()
        words = [
            "--server-url", f"http://user-3:pw-1234@127.0.0.1:{port}/a/kj3h5k2j3h5k2j3h5?key=query-99&page=two-2two",
            "--header", "Authorization: env:AUTH", "--header", "X-Api-Key: env:KEY",
            "--header", "X-Other: literal-1234",
            "--header", f"X-Basic: Basic {basic}", "--header", "Cookie: a=1; session=cookie-5",
            "--header", "X-Word: message",
        ]  # fmt: skip
        printed = conformance(tmp_path, "run", *words, "--transcript", "run.jsonl", *WRITTEN, **env)
    finally:
        server.kill()
        server.communicate()
    planted = ["tok-1x", env["KEY"], "pw-1234", "user-3:pw-1234", "query-99", "two-2two", "literal-1234", "cookie-5"]
    planted += [basic, "basic-pass-2", "jim-7:basic-pass-2", "kj3h5k2j3h5k2j3h5"]
    assert leaks(tmp_path, printed, planted) == []
    header = json.loads((tmp_path / "run.jsonl").read_text().partition("\n")[0])
    assert header["statement"]["endpoint"][0]["headers"]["Authorization"] == "env:AUTH"
    assert header["statement"]["endpoint"][0]["url"] == f"http://***:***@127.0.0.1:{port}/a/***?key=***&page=***"
    assert "--header 'X-Other: ***'" in header["command"]


@pytest.mark.parametrize(
    "words",
    [
        ["--server-url", "ftp://u:planted-99@h/?key=planted-98"],
        ["--server-url", "http://u:planted-99@127.0.0.1:1/mcp?key=planted-98"],
        ["--server-command", "/no/such/program --token planted-97"],
        ["--header", "Authorization: Bearer planted-96", "--server-url", "http://127.0.0.1:1/mcp"],
        ["--header", "Authorization:", "Bearer", "planted-95"],
        ["--header", "Authorization: Bearer planted-94\n", "--server-url", "http://127.0.0.1:1/mcp"],
        ["--server-command", f"{sys.executable} -c \"raise SystemExit('planted-93')\" --key planted-93"],
        ["--server-command", f"env A_TOKEN=planted-92 {sys.executable} -c \"import os; print(os.environ['A_TOKEN'])\""],
    ],
)  # fmt: skip
def test_in_errors(words: list[str], tmp_path: Path) -> None:
    printed = conformance(tmp_path, "run", *words)
    assert "planted" not in printed
    assert "conformance" in printed


def test_in_errors_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "conformance.toml").write_text(
        """
contract = "mcp"
[[endpoint]]
transport = "http"
url = ["http://u:planted-1@h/"]
headers = { Authorization = ["Bearer planted-2"], "bad name" = "planted-3" }
env = { TOKEN = 4444444444, "A=B" = "planted-5" }
"""
    )
    printed = conformance(tmp_path, "run")
    assert "planted" not in printed
    assert "4444444444" not in printed
    assert "line 5" in printed

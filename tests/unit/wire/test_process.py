"""Processes: waited for by themselves, ended with what they started, commands within a limit."""

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest

from conformance.drive.errors import UsageError
from conformance.drive.process import Process, ran

HOLDS = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); sys.exit(5)"


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


async def ended(code: str, grace_s: float, *, by_signal: bool = False) -> tuple[Process, float]:
    process = await Process.start(python(code), {})
    began = time.monotonic()
    await process.end(grace_s, by_signal=by_signal)
    return process, time.monotonic() - began


def test_a_process_is_waited_for_and_not_its_pipes() -> None:
    async def story() -> None:
        process = await Process.start(python(HOLDS), {})
        assert await process.gone(20)
        assert process.status == 5
        found = await process.end(5)
        assert any("time.sleep(60)" in command for command in found.left) or sys.platform != "linux"

    asyncio.run(story())


def test_its_last_words_are_kept() -> None:
    async def story() -> str:
        process = await Process.start(
            python("import sys; sys.stderr.write('a' * 9000 + 'last\\nwords\\n'); sys.exit(3)"), {}
        )
        await process.gone(20)
        await process.end(1)
        return process.fate

    fate = asyncio.run(story())
    assert fate.startswith("the server's process has ended with status 3; it last wrote: …aaa")
    assert fate.endswith("last | words")


def test_a_signal_is_named() -> None:
    process, _ = asyncio.run(ended("import time; time.sleep(60)", 0.3))
    assert process.fate == "the server's process has ended with signal SIGTERM"


def test_it_is_killed_with_its_group_and_what_it_had_written_is_read() -> None:
    code = HOLDS.replace("sys.exit(5)", "print('said', flush=True); import time; time.sleep(60)")

    async def story() -> None:
        process = await Process.start(python(code), {})
        assert process.stdout is not None
        assert await process.stdout.readline() == b"said\n"
        began = time.monotonic()
        await process.kill()
        assert process.status == -9
        found = await process.end(5)
        assert (found.status, found.forced) == (-9, "")
        assert found.left == ()
        assert time.monotonic() - began < 5

    asyncio.run(story())


def test_the_shorter_of_two_graces_holds_and_whoever_waits_may_be_cancelled() -> None:
    async def story() -> float:
        process = await Process.start(python("import time; time.sleep(60)"), {})
        began = time.monotonic()
        waiting = asyncio.create_task(process.end(40))
        await asyncio.sleep(0.1)
        waiting.cancel()
        found = await process.end(0.2)
        assert found.forced == "SIGTERM"
        return time.monotonic() - began

    assert asyncio.run(story()) < 10


@pytest.mark.parametrize("command", [["/no/such/program"], ["a\0b"], [""]])
def test_what_cannot_be_started_is_told(command: list[str]) -> None:
    with pytest.raises(UsageError, match="cannot be started"):
        asyncio.run(Process.start(command, {}))


def test_a_command_has_a_limit(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code = f"import os, pathlib, time; pathlib.Path({str(pid)!r}).write_text(str(os.getpid())); time.sleep(317)"
    assert asyncio.run(ran(python(code), 2)) == "it did not end within 2 s"
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
    assert asyncio.run(ran(python("raise SystemExit(4)"), 30)) == "exit 4"
    assert asyncio.run(ran(python("raise SystemExit('no such clock')"), 30)) == "exit 1: no such clock"
    assert asyncio.run(ran(python("pass"), 30)) == ""
    assert "cannot be started" in asyncio.run(ran(["/no/such/program"], 30))


def test_what_a_command_leaves_in_the_background_is_not_waited_for() -> None:
    began = time.monotonic()
    code = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(20)'])"
    assert asyncio.run(ran(python(code), 15)) == ""
    assert time.monotonic() - began < 10


def test_what_the_suite_is_late_is_given_to_a_process_that_ends() -> None:
    """On a machine that is busy the suite may look only after the time: that says nothing of the server."""

    async def story() -> tuple[str, int | None]:
        process = await Process.start(python("import sys, time; sys.stdin.read(); time.sleep(1.8)"), {})
        ending = asyncio.create_task(process.end(0.5))
        await asyncio.sleep(0.1)
        time.sleep(1.4)  # noqa: ASYNC251 -- the suite is kept from looking
        found = await ending
        return found.forced, found.status

    assert asyncio.run(story()) == ("", 0)

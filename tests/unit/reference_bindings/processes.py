"""The reference as a process of its own, spoken to without the SDK."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]


class Lines:
    """A server over stdio: one message a line."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def ask(self, message: dict[str, Any]) -> Any:
        """The next line after a message was sent."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        return json.loads(await self.line())

    async def line(self) -> bytes:
        """The next line of stdout."""
        assert self.process.stdout is not None
        return await self.process.stdout.readline()

    async def close(self) -> int:
        """Closes stdin; the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return await self.process.wait()


async def start(*arguments: str, stdin: int | None = asyncio.subprocess.PIPE) -> asyncio.subprocess.Process:
    """Starts `python -m reference_server`."""
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "reference_server", *arguments, stdin=stdin, stdout=pipe, stderr=pipe, cwd=ROOT
    )


@asynccontextmanager
async def over_stdio(*arguments: str) -> AsyncIterator[Lines]:
    """A server over stdio, ended afterwards."""
    process = await start("threads", "--transport", "stdio", "--test-conditions", *arguments)
    try:
        yield Lines(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@asynccontextmanager
async def over_http(*arguments: str) -> AsyncIterator[str]:
    """The address of a server over HTTP, ended afterwards."""
    process = await start("threads", "--transport", "http", "--test-conditions", *arguments)
    assert process.stderr is not None
    try:
        said = (await process.stderr.readline()).decode()
        assert said.startswith("listening on http://127.0.0.1:"), said
        yield said.removeprefix("listening on ").strip()
    finally:
        process.terminate()
        await process.wait()


async def outcome(*arguments: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a run that ends by itself."""
    process = await start(*arguments, stdin=asyncio.subprocess.DEVNULL)
    out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()

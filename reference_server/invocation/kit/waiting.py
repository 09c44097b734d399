"""Tools of the kit that take their time: waits, streams, jobs."""

from typing import Final
from uuid import uuid4

from reference_server.application import Json
from reference_server.invocation.failure import Failure, downstream
from reference_server.invocation.kit.state import Job, State
from reference_server.invocation.providers.local import Function
from reference_server.invocation.providers.provider import Execution
from reference_server.invocation.stopwatch import Stopwatch

FRAME_S: Final = 0.002


class Waiting:
    """Tools that wait by the stopwatch."""

    def __init__(self, state: State, stopwatch: Stopwatch) -> None:
        self.state = state
        self.stopwatch = stopwatch

    def functions(self) -> dict[str, Function]:
        """By the name of the tool."""
        return {
            "local::kit.wait": self.wait,
            "local::kit.narrow": self.wait,
            "local::kit.wait_and_append": self.wait_and_append,
            "local::kit.stream": self.stream,
            "local::kit.start_job": self.start_job,
            "local::kit.job_status": self.job_status,
        }

    async def wait(self, execution: Execution) -> Json:
        """Waits."""
        ms = int(execution.input["ms"])
        await self.stopwatch.sleep(ms / 1000)
        return {"waited": ms}

    async def wait_and_append(self, execution: Execution) -> Json:
        """Waits, then appends to a list."""
        await self.stopwatch.sleep(execution.input["ms"] / 1000)
        return self.state.append(execution.input["list"], execution.input["item"])

    async def stream(self, execution: Execution) -> Json:
        """Sends a partial for each frame; fails at the one that it was told."""
        frames, fails_at = int(execution.input["frames"]), execution.input.get("failAt")
        for frame in range(1, frames + 1):
            if fails_at is not None and frame >= fails_at:
                raise downstream("the stream broke off", "STREAM_BROKEN")
            await execution.emit({"frame": frame})
            await self.stopwatch.sleep(FRAME_S)
        return {"frames": frames}

    async def start_job(self, execution: Execution) -> Json:
        """Begins a long operation, and answers at once."""
        operation = uuid4().hex
        fails = execution.input.get("fail", False)
        self.state.jobs[operation] = Job(self.stopwatch.now(), int(execution.input["ms"]), fails)
        return {"operationId": operation}

    async def job_status(self, execution: Execution) -> Json:
        """How far a long operation is."""
        operation = execution.input["operationId"]
        job = self.state.jobs.get(operation)
        if job is None:
            raise Failure("NotFound", "there is no operation of this id")
        told: dict[str, Json] = {"operationId": operation}
        if self.stopwatch.now() - job.started < job.ms / 1000:
            return {**told, "state": "running"}
        return {**told, "state": "failed"} if job.fails else {**told, "state": "succeeded", "result": {"ms": job.ms}}

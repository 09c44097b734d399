"""The target: what is called by a name has it alone."""

import asyncio
from pathlib import Path

from conformance.drive.loading import checked
from conformance.drive.recorder import Recorder
from conformance.drive.target import Target, entry
from conformance.drive.workspace import Workspace
from conformance.model.envelope import PLAIN


def test_connections_to_servers_that_start_meanwhile_have_names_of_their_own() -> None:
    """Two that were started for one stimulus each, and one to the server that runs, while these start."""
    statement = checked(entry("reference").statement("threads", transport="http"), "the reference")
    target = Target(statement, Recorder(PLAIN), Path(), Workspace())

    async def named() -> list[str]:
        try:
            made = await asyncio.gather(
                target.connection(0, "i1", {}, own="i1", kept=True),
                target.connection(0, "i2", {}, own="i2", kept=True),
                target.connection(0, "main", {}),
            )
            for connection in made:
                await connection.wire.close()
            return [connection.name for connection in made]
        finally:
            await target.close()

    assert asyncio.run(named()) == ["c1", "c2", "c3"]

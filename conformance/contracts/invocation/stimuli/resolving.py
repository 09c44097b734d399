"""Names and ranges of versions, good ones beside bad ones."""

from conformance.contracts.invocation.bench import InvocationBench
from conformance.contracts.invocation.kit import EXECUTION
from conformance.drive.stimulus import stimulus

ECHO, SUM = "local::kit.echo", "local::kit.sum"
MALFORMED = (
    "kit.echo", "echo", "", "local:kit.echo", "local::", "local::kit", "::kit.echo", "local::kit.", "local::.echo",
    "mcp::kit", "mcp::", "mcp::::echo", "mcp::kit::", "mcp::kit.echo", "local::kit echo", "remote::kit.echo",
    "local::kit::", " local::kit.echo", "local::kit.echo ", "\tlocal::kit.echo\n", "LOCAL::kit.echo",
    "Local::kit.echo", "local::kit::echo", "local::kit/echo", "local.kit.echo",
)  # fmt: skip
UNKNOWN = (
    "local::kit.no_such_tool", "local::kit.ECHO", "local::Kit.echo", "local::kit.ech", "local::kit.echoo",
    "local::nopack.echo", "mcp::kit::no_such_tool", "mcp::noserver::echo",
)  # fmt: skip
SATISFIED = (
    "1.0.0", "1.2.0", "1.2.5", "2.0.0", "3.0.0-beta.1", "^1.0.0", "^1.2.0", "^1.2.5", "^2.0.0", "1.*", "1.2.*", "2.*",
    "2.0.*", "1.0.*", "*",
)  # fmt: skip
UNSATISFIED = (
    "9.9.9", "1.1.0", "1.2.1", "1.2.9", "^9.0.0", "^1.3.0", "^2.0.1", "4.*", "1.3.*", "3.0.*", "3.0.0", "3.0.0-beta.2",
    "^3.0.0", "3.*",
)  # fmt: skip


@stimulus(
    "invocation",
    exercises=(
        "IR-INV-01", "IR-ERR-SchemaInvalid", "IR-ERR-ToolNotFound", "IR-ERR-01", "IR-ERR-02", "IR-RES-10", "IR-RES-06",
    ),
)  # fmt: skip
async def names_of_every_form_are_tried(bench: InvocationBench) -> None:
    """The same input to the echo tool under its own name, under malformed ones, and under names that no tool bears."""
    given = {"text": bench.unique("text")}
    for name in (ECHO, *MALFORMED, *UNKNOWN, ECHO):
        await bench.invoke(name, given)


@stimulus("invocation", exercises=("IR-INV-02", "IR-RES-07", "IR-ERR-UnsupportedVersion"))
async def ranges_of_every_form_are_resolved(bench: InvocationBench) -> None:
    """Ranges that one or several versions satisfy, ranges that none does, and no range."""
    for tool, ranges in ((ECHO, SATISFIED), (SUM, ("1.0.0", "2.0.0", "^1.0.0", "1.*"))):
        await bench.look(await bench.invoke(tool, bench.good(tool)), EXECUTION)
        for wanted in ranges:
            call = await bench.invoke(tool, bench.good(tool), versionRange=wanted)
            await bench.look(call, EXECUTION)
    for tool in (ECHO, SUM, "local::kit.append", "mcp::kit::echo"):
        given = bench.good(tool)
        await bench.invoke(tool, given)
        for wanted in UNSATISFIED if tool == ECHO else ("^9.0.0", "9.9.9"):
            await bench.invoke(tool, given, versionRange=wanted)

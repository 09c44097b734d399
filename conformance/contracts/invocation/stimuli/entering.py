"""What an invocation brings: input, keys, headers, deadlines, metadata."""

from conformance.contracts.invocation.bench import HOUR_S, InvocationBench
from conformance.contracts.invocation.kit import AUDIT, DESCRIBE, EVENT, EXECUTION, SPAN, KitTool, kit
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus
from conformance.drive.sweeps.variants import broken, spelled_out
from conformance.model.events import Json

ECHO, APPEND, PUT = "local::kit.echo", "local::kit.append", "local::kit.put"
BEHIND = "mcp::kit::echo"
READ_LIST, GUARDED, FLAKY_PUT = "local::kit.read_list", "local::kit.guarded", "local::kit.flaky_put"
WEST_M, EAST_M = -8 * 60, 9 * 60 + 30
"""Offsets from UTC, in minutes."""
HALF = 1.5
"""A number that is no integer: who only cuts it off runs with another one than was given."""
LATE_S = 1.5
"""A deadline that passed this long ago is past by the clock of any server on this machine."""
SECRETS = ("Authorization", "x-api-key", "Password", "client_secret", "auth-token", "X-Refresh-Token", "apikey")


def faulty(tool: KitTool, good: dict[str, Json]) -> list[dict[str, Json]]:
    """The good input with one thing wrong: a field missing, mistyped, null or beyond its bounds, or not known."""
    wrong = (*broken(tool.inputSchema, good), *spelled_out(tool.inputSchema, good))
    about = {name: part for name, part in tool.inputSchema["properties"].items() if "type" in part}
    halves = ({**good, name: HALF} for name, part in about.items() if part["type"] == "integer")
    nulls = ({**good, name: None} for name in about if name not in tool.inputSchema.get("required", ()))
    return [*(each.arguments for each in wrong), *halves, *nulls, {**good, "unheard_of": "x"}]


@stimulus(
    "invocation",
    exercises=(
        "IR-INV-03", "IR-ERR-SchemaInvalid", "IR-ERR-MissingField", "IR-ERR-07", "IR-ERR-02", "IR-SRV-01", "IR-RES-06",
    ),
    sweep=True,
)  # fmt: skip
async def input_of_every_tool_breaks_its_schema(bench: InvocationBench) -> None:
    """Each tool of the kit with good input, with input in which one thing is wrong, and with good input again.

    What is refused for its input comes to no policy: no limit, budget or circuit counts it.
    """
    if bench.supports(DESCRIBE):
        await bench.describe()
    for tool in kit().values():
        here = bench.apart()
        good = here.good(tool.name)
        if tool.name == "local::kit.job_status":
            started = await here.invoke("local::kit.start_job", {"ms": 0})
            good = {"operationId": started.given.get("operationId", "none")}
        await here.look(await here.invoke(tool.name, good), EXECUTION)
        for given in faulty(tool, good):
            await here.look(await here.invoke(tool.name, given), EXECUTION)
        await here.invoke(tool.name, good if tool.effect == "Pure" else here.good(tool.name))
    for given in ({"text": None}, {"text": ["x"]}):
        await bench.invoke(ECHO, given)
    await bench.invoke(ECHO, {"text": "x"})
    await bench.invoke("local::kit.list", {"pageToken": bench.unique("none")})
    for name in ("input", "toolName"):
        await bench.invoke(ECHO, {"text": "x"}, without=(name,))
    for no_object in ("text", ["text"], 5):
        await bench.invoke(ECHO, no_object)
    odd: tuple[dict[str, Json], ...] = (
        {"metadata": "text"}, {"metadata": []}, {"headers": []}, {"headers": "text"}, {"correlationId": 5},
        {"versionRange": 5}, {"causationId": {}}, {"deadline": "soon"}, {"deadline": 5},
    )  # fmt: skip
    for fields in odd:
        await bench.invoke(ECHO, {"text": "x"}, **fields)


@stimulus("invocation", exercises=("IR-INV-03", "IR-INV-07", "IR-ERR-Timeout", "IR-ERR-04"))
async def a_refused_append_appends_nothing(bench: InvocationBench) -> None:
    """A list, read around appends that are good, that break the schema, and that come after their deadline."""
    for tool, more in ((APPEND, {}), ("local::kit.limited_append", {}), ("local::kit.flaky_append", {"failures": 0}),
                       ("local::kit.wait_and_append", {"ms": 1})):  # fmt: skip
        here, name = bench.apart(), bench.unique("list")
        given = {"list": name, **more}

        def item() -> dict[str, Json]:
            return {**given, "item": bench.unique("item")}  # noqa: B023 -- called within the round

        await here.look(await here.invoke(tool, item()), EXECUTION)
        late = await here.invoke(tool, item(), deadline=bench.instant(-HOUR_S))
        await here.look(late, EXECUTION)
        for field in given:
            wrong = {**item(), field: True}
            await here.look(await here.invoke(tool, wrong), EXECUTION)
        await here.look(await here.invoke(tool, {**item(), "unheard_of": "x"}), EXECUTION)
        await here.invoke(READ_LIST, {"list": name})


@stimulus("invocation", exercises=("IR-INV-04", "IR-INV-05", "IR-CACHE-01", "IR-ERR-MissingField", "IR-ERR-07"))
async def writes_are_repeated_with_their_keys(bench: InvocationBench) -> None:
    """A write with its key, the same again, under another key, without one; one key for two tools."""
    for tool in (PUT, FLAKY_PUT, GUARDED):
        here, key = bench.apart(), bench.unique("key")
        given = here.good(tool)
        await here.look(await here.invoke(tool, given, idempotencyKey=key), EXECUTION)
        await here.look(await here.invoke(tool, given, idempotencyKey=key), EXECUTION)
        here = bench if tool == PUT else bench.apart()
        await here.look(await here.invoke(tool, given), EXECUTION)
        await bench.look(await bench.apart().invoke(tool, given, without=("idempotencyKey",)), EXECUTION)
    given, key = bench.good(PUT), bench.unique("key")
    for again in (given, dict(reversed(given.items()))):
        await bench.look(await bench.invoke(PUT, again, idempotencyKey=key), EXECUTION)
    given, key = bench.good(PUT), bench.unique("key")
    for tool in (PUT, GUARDED):
        await bench.look(await bench.invoke(tool, given, idempotencyKey=key), EXECUTION)
    here, given, key = bench.apart(), bench.good(PUT), bench.unique("key")
    for _ in range(3):
        await here.invoke(PUT, given, idempotencyKey=key)
    await here.invoke(PUT, given)
    for tool, failures in ((PUT, {}), (FLAKY_PUT, {"failures": 1})):
        given, key = {**bench.good(tool), **failures}, bench.unique("key")
        await here.together(*(here.invoke(tool, given, idempotencyKey=key) for _ in range(2)))
        await here.invoke(tool, given)


@stimulus("invocation", exercises=("IR-INV-05", "IR-CACHE-01"))
async def writes_are_repeated_with_other_fields(bench: InvocationBench) -> None:
    """A write with its key, and again with what belongs to the repetition: metadata, a cause, a new deadline.

    One is repeated after another write of the same thing: it gives what it gave, not what is there now.
    """
    for tool in (PUT, FLAKY_PUT):
        here, key = bench.apart(), bench.unique("key")
        given = here.good(tool)
        again: tuple[dict[str, Json], ...] = (
            {},
            {"metadata": {"try": 2}},
            {"metadata": {"try": 3}, "causationId": bench.unique("cause")},
            {"deadline": bench.instant(HOUR_S)},
        )
        for more in again:
            await here.look(await here.invoke(tool, given, idempotencyKey=key, **more), EXECUTION)
        other = {**given, "value": bench.unique("text")}
        await here.look(await here.invoke(tool, other), EXECUTION)
        await here.look(await here.invoke(tool, given, idempotencyKey=key), EXECUTION)
        await here.invoke(tool, other)


@stimulus("invocation", exercises=("IR-INV-06", "IR-ERR-SchemaInvalid", "IR-RED-01"))
async def headers_are_named_like_secrets(bench: InvocationBench) -> None:
    """The same call with a header that is harmless, and with one that is named like a secret, with a planted value.

    It is the name that says so, however short the value is.
    """
    headers: dict[str, Json] = {"tenant": bench.unique("tenant"), "locale": "de-CH"}
    for tool in (PUT, BEHIND, "local::kit.notify"):
        given = bench.good(tool)
        await bench.invoke(tool, given, headers=headers)
        for name, value in ((SECRETS[0], bench.secret("header")), (SECRETS[1], "x1")):
            await bench.look(await bench.invoke(tool, given, headers={**headers, name: value}), AUDIT)
    for tool in (ECHO, APPEND):
        given = bench.good(tool)
        await bench.invoke(tool, given, headers=headers)
        for name in SECRETS:
            call = await bench.invoke(tool, given, headers={**headers, name: bench.secret("header")})
            await bench.look(call, AUDIT, EVENT, SPAN)
        await bench.invoke(tool, given, headers=headers)


@stimulus("invocation", exercises=("IR-INV-07", "IR-ERR-Timeout", "IR-ERR-04"))
async def deadlines_have_passed(bench: InvocationBench) -> None:
    """Tools of each effect with no deadline, with one ahead and one that has passed, also written in other offsets.

    Who reads the hours without the offset takes the one for the other.
    """
    for tool in (ECHO, PUT, "local::kit.notify", APPEND, "mcp::kit::echo"):
        given = bench.good(tool)
        await bench.look(await bench.invoke(tool, given), EXECUTION)
        for ahead_s, offset_m in ((HOUR_S, 0), (-HOUR_S, 0), (HOUR_S, WEST_M), (-HOUR_S, EAST_M), (-LATE_S, 0)):
            # counted from when the call leaves: the calls before it take a while
            deadline = bench.instant(ahead_s, offset_m)
            await bench.look(await bench.invoke(tool, given, deadline=deadline), EXECUTION)


@stimulus("invocation", exercises=("IR-INV-08", "IR-RED-01", "IR-RED-02"))
async def metadata_is_written_to_the_ledger(bench: InvocationBench) -> None:
    """The same call without metadata, with plain metadata, and with some that holds a planted secret."""
    with in_parts() as part:
        for tool in (ECHO, APPEND, "mcp::kit::echo"):
            with part():
                given = bench.good(tool)
                plain = {"ticket": bench.unique("ticket"), "steps": [{"name": bench.unique("step"), "count": 3}]}
                await bench.invoke(tool, given)
                await bench.look(await bench.invoke(tool, given, metadata=plain), AUDIT)
                secret = {
                    **plain,
                    "access_token": bench.secret("metadata"),
                    "deep": [{"password": bench.secret("deep")}],
                }
                await bench.look(await bench.invoke(tool, given, metadata=secret), AUDIT, "event", "span", EXECUTION)
                await bench.invoke(tool, given)


@stimulus("invocation", exercises=("IR-INV-08", "IR-INV-04"))
async def metadata_says_what_fields_say(bench: InvocationBench) -> None:
    """Calls whose metadata has an entry named like a field of the invocation, and writes whose key stands there.

    What is opaque is read by nobody: it is neither a deadline nor a version.
    """
    for tool in (ECHO, BEHIND):
        given = bench.good(tool)
        await bench.invoke(tool, given)
        for name, value in (
            ("deadline", bench.instant(-HOUR_S)),
            ("versionRange", "1.0.0"),
            ("toolName", READ_LIST),
            ("input", {"text": bench.unique("other")}),
            ("correlationId", bench.unique("other")),
        ):
            await bench.invoke(tool, given, metadata={name: value})
    said: dict[str, Json] = {"idempotencyKey": bench.unique("key")}
    for without in ((), (), ("idempotencyKey",)):
        await bench.look(await bench.invoke(PUT, bench.good(PUT), without=without, metadata=said), EXECUTION)


@stimulus("invocation", exercises=("IR-INV-08",))
async def metadata_comes_with_calls_of_every_end(bench: InvocationBench) -> None:
    """Metadata of a write and of its repetition, of an answer that may come from a cache, and of calls that fail."""
    key, write = bench.unique("key"), bench.good(PUT)
    for _ in range(2):
        told = {"ticket": bench.unique("ticket")}
        await bench.look(await bench.invoke(PUT, write, idempotencyKey=key, metadata=told), AUDIT)
    plus = bench.good("local::kit.sum")
    tools = ("local::kit.sum", "local::kit.sum", "mcp::kit::fail", "local::kit.fault", "local::kit.bad_output")
    for tool in tools:
        more: dict[str, Json] = {"ticket": bench.unique("ticket"), "steps": [{"count": 3}]}
        given = plus if tool == "local::kit.sum" else bench.good(tool)
        await bench.look(await bench.invoke(tool, given, metadata=more), AUDIT)
    await bench.look(await bench.invoke(APPEND, bench.good(APPEND), metadata={"ticket": "plain"}), AUDIT)
    late = await bench.invoke(ECHO, bench.good(ECHO), deadline=bench.instant(-HOUR_S), metadata={"ticket": "late"})
    await bench.look(late, AUDIT)

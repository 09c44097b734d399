"""Secrets that are planted in input, and fields that a tool's rules name."""

from conformance.contracts.invocation.bench import HOUR_S, InvocationBench
from conformance.contracts.invocation.kit import AUDIT, EVENT, KINDS, SPAN
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

ECHO, PERSON, FAULT, RELAY = "local::kit.echo", "local::kit.person", "local::kit.fault", "local::kit.relay"
GUARDED = "local::kit.guarded"
WRITTEN = (AUDIT, EVENT, SPAN)


@stimulus("invocation", exercises=("IR-RED-01", "IR-RED-02", "IR-RED-03", "IR-ERR-03"))
async def secrets_are_planted(bench: InvocationBench) -> None:
    """In fields that a rule names, in fields named like a secret at any depth, and within longer texts."""
    for _ in range(2):
        await bench.look(await bench.invoke(PERSON, bench.good(PERSON)), *KINDS)
    await bench.look(await bench.invoke(FAULT, bench.good(FAULT)), *KINDS)
    longer = f"the password is {bench.secret('longer')}, keep it"
    await bench.look(await bench.invoke(FAULT, {"secret": longer}), *KINDS)
    extra: dict[str, Json] = {
        "apiKey": bench.secret("key"),
        "people": [{"Client-Secret": bench.secret("deep"), "name": "plain"}],
        "authorization": {"scheme": "Bearer", "value": bench.secret("below")},
    }
    await bench.look(await bench.invoke(ECHO, {"text": "with secrets", "extra": extra}), *KINDS)
    for tool in (PERSON, FAULT):
        await bench.look(await bench.invoke(RELAY, {"tool": tool, "input": bench.good(tool)}), *KINDS)


@stimulus("invocation", exercises=("IR-RED-01", "IR-ERR-03"))
async def secrets_are_in_calls_that_are_refused(bench: InvocationBench) -> None:
    """At each stage: no such tool, no such version, bad input, no scope, a deadline that has passed, a limit.

    What is refused is written down as well, and by then perhaps nobody knows the rules of the tool.
    """
    for given in ({"name": "x", "password": 5}, {"name": 5, "password": "plain"}, {"name": "x", "unheard_of": "x"}):
        secret = {"password": bench.secret("password")} if "password" not in given else {}
        hidden = {"apiKey": bench.secret("key"), "deep": [{"client_secret": bench.secret("deep")}]}
        await bench.look(await bench.invoke(PERSON, {**given, **secret, **hidden}), *WRITTEN)
    refused: tuple[tuple[str, dict[str, Json]], ...] = (
        (bench.unique("local::kit.none"), {}),
        ("kit person", {}),
        (PERSON, {"versionRange": "^9.0.0"}),
        (PERSON, {"deadline": bench.instant(-HOUR_S)}),
        (FAULT, {"deadline": "never"}),
    )
    for tool, more in refused:
        given = {"name": "x", "password": bench.secret("password"), "secret": bench.secret("input")}
        known = bench.good(tool) if tool in (PERSON, FAULT) else given
        await bench.look(await bench.invoke(tool, known, **more, metadata=_hidden(bench)), *WRITTEN)
    for caller in (bench.perhaps(), bench.nobody):
        here = bench.apart()
        call = await here.invoke(GUARDED, here.good(GUARDED), by=caller, metadata=_hidden(bench))
        await here.look(call, *WRITTEN)
    here = bench.apart()
    for units in (100, 1):
        call = await here.invoke("local::kit.costly", {"units": units}, metadata=_hidden(bench))
    await here.look(call, *WRITTEN)


def _hidden(bench: InvocationBench) -> dict[str, Json]:
    """Metadata with a secret."""
    return {"ticket": "plain", "accessToken": bench.secret("metadata")}

"""Secrets that are planted in input, and fields that a tool's rules name."""

from conformance.contracts.invocation.bench import InvocationBench
from conformance.contracts.invocation.kit import KINDS
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

ECHO, PERSON, FAULT, RELAY = "local::kit.echo", "local::kit.person", "local::kit.fault", "local::kit.relay"


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

"""A list read page by page, and operations that are followed to their end."""

import asyncio

from conformance.contracts.invocation.bench import InvocationBench
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

LIST, START, STATUS = "local::kit.list", "local::kit.start_job", "local::kit.job_status"
MOST_PAGES = 30
LASTS_MS = 700
LOOK_S = 0.2
MOST_S = 8.0


@stimulus("invocation", exercises=("IR-PAGE-01",))
async def a_list_is_read_page_by_page(bench: InvocationBench) -> None:
    """The whole list in pages of several sizes, each page by the token of the one before."""
    sizes: tuple[dict[str, Json], ...] = (
        {},
        {"pageSize": 1},
        {"pageSize": 7},
        {"pageSize": 5},
        {"pageSize": 12},
        {"pageSize": 100},
    )
    for size in sizes:
        page = await bench.invoke(LIST, size)
        for _ in range(MOST_PAGES):
            token = page.given.get("nextToken")
            if not isinstance(token, str) or not token:
                break
            page = await bench.invoke(LIST, {**size, "pageToken": token})


@stimulus("invocation", exercises=("IR-ERR-SchemaInvalid",))
async def a_page_is_asked_for_by_an_invented_token(bench: InvocationBench) -> None:
    """A token that no page gave, that of a page with something added, and that of the page itself."""
    size: dict[str, Json] = {"pageSize": 7}
    page = await bench.invoke(LIST, size)
    token = page.given.get("nextToken")
    if isinstance(token, str) and token:
        for other in (bench.unique("none"), f"{token}-{bench.unique('more')}", token):
            await bench.invoke(LIST, {**size, "pageToken": other})


@stimulus("invocation", exercises=("IR-PAGE-02",))
async def operations_are_followed_to_their_end(bench: InvocationBench) -> None:
    """A long operation that succeeds, one that fails, short ones, and one that was never started."""
    inputs: tuple[dict[str, Json], ...] = (
        {"ms": LASTS_MS},
        {"ms": LASTS_MS, "fail": True},
        {"ms": 0},
        {"ms": 0, "fail": False},
    )
    for given in inputs:
        await _followed(bench, given)
    await bench.invoke(STATUS, {"operationId": bench.unique("none")})


async def _followed(bench: InvocationBench, given: dict[str, Json]) -> None:
    started = await bench.invoke(START, given)
    name = started.given.get("operationId")
    if not started.accepted or not isinstance(name, str):
        return
    for _ in range(round(MOST_S / LOOK_S)):
        look = await bench.invoke(STATUS, {"operationId": name})
        if not look.accepted or look.given.get("state") in ("succeeded", "failed"):
            break
        await asyncio.sleep(LOOK_S)
    await bench.invoke(STATUS, {"operationId": name})

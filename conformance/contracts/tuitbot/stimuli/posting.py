"""Threads and uploads that fail (seed 000)."""

from importlib.resources import files

from conformance.contracts.tuitbot.bench import OPEN, TuitbotBench
from conformance.contracts.tuitbot.calls import PICTURE
from conformance.contracts.tuitbot.looking import about_post, look
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

CAPITALS = str(files("conformance.contracts.tuitbot").joinpath("media", "CAPITALS.PNG"))
PARTS = 4
SPARED = 2
"""Calls of X that succeed before it fails."""


@stimulus("tuitbot", exercises=("TB-SAFE-06",), needs=("x_after",))
async def a_thread_breaks_in_workflow(bench: TuitbotBench) -> None:
    """X takes two of four tweets; what is out is read."""
    await _break(await bench.workflow(policy=OPEN))


@stimulus("tuitbot", exercises=("TB-SAFE-06",), needs=("x_after",))
async def a_thread_breaks_in_api(bench: TuitbotBench) -> None:
    """X takes two of four tweets; what is out is read."""
    await _break(await bench.api())


async def _break(server: TuitbotBench) -> None:
    word = server.unique("thread")
    tweets: Json = [f"{word} part {number}" for number in range(PARTS)]
    failing = await server.under(x_after={"calls": SPARED, "failure": "api_error"})
    broken = await failing.call("x_post_thread", {"tweets": tweets})
    data = broken.envelope.get("data") if broken.envelope is not None else None
    ids = data.get("posted_tweet_ids") if isinstance(data, dict) else None
    await look(server, tuple(("get_tweet_by_id", {"tweet_id": each}) for each in ids or () if isinstance(each, str)))
    await look(server, about_post(word))


@stimulus("tuitbot", exercises=("TB-SAFE-07",))
async def files_that_are_no_media_in_workflow(bench: TuitbotBench) -> None:
    """A text, a file that cannot be, and pictures whose names end in capitals."""
    await _upload(await bench.workflow(policy=OPEN))


@stimulus("tuitbot", exercises=("TB-SAFE-07",))
async def files_that_are_no_media_in_api(bench: TuitbotBench) -> None:
    """A text, a file that cannot be, and pictures whose names end in capitals."""
    await _upload(await bench.api())


async def _upload(server: TuitbotBench) -> None:
    for path in ("notes.txt", "NOTES.TXT", f"{PICTURE}/absent.png", PICTURE, CAPITALS):
        await server.call("x_upload_media", {"file_path": path})


@stimulus("tuitbot", exercises=("TB-SAFE-07",), needs=("media_upload",))
async def an_upload_is_not_taken(bench: TuitbotBench) -> None:
    """A picture that X takes, and then does not."""
    server = await bench.workflow(policy=OPEN)
    await server.call("x_upload_media", {"file_path": PICTURE})
    await (await server.under(media_upload="failing")).call("x_upload_media", {"file_path": PICTURE})

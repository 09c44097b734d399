"""Threads and uploads that fail (Session 05 contract)."""

from conformance.contracts.tuitbot.bench import FIRST, TuitbotBench, apart
from conformance.contracts.tuitbot.calls import MEDIA, PICTURE, Calls
from conformance.contracts.tuitbot.looking import about_post, item_of, look
from conformance.contracts.tuitbot.tweets import posted_before_failing
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

CAPITALS = ("CAPITALS.PNG", "CAPITALS.JPEG", "Capitals.Gif")
PICTURES, OTHERS = ("pixel.gif", "pixel.jpg"), ("pixel.webp", "clip.mp4")
"""A picture can be posted as soon as it is there; of other kinds X may have to make something first."""
UNKNOWN_MEDIUM = "1999999999999999999"
PARTS = 4
BREAKS = (
    (1, "api_error"),
    (2, "rate_limited"),
    (3, "forbidden"),
    (1, "auth_expired"),
    (2, "network_error"),
    (3, "account_restricted"),
)
"""Calls of X that succeed before it fails, and how it fails then: at the second, third and last tweet, in each way."""
AT_START = 3
"""Those before it are tried where each takes a server of its own, but for the first."""


@stimulus("tuitbot", exercises=("TB-SAFE-06", "TB-ERR-thread_partial_failure"), needs=("x_after",))
async def threads_break_in_workflow(bench: TuitbotBench) -> None:
    """X takes some of four tweets; what is out is read. Also a thread that was approved, and one that does not fail."""
    server = await bench.working()
    await apart(_break_all(server), *([_break_approved(bench)] if bench.toggles("x_after") else []))


@stimulus("tuitbot", exercises=("TB-SAFE-06", "TB-ERR-thread_partial_failure"), needs=("x_after",), editions=FIRST)
async def threads_break_in_api(bench: TuitbotBench) -> None:
    """X takes some of four tweets; what is out is read."""
    await _break_all(await bench.raw())


@stimulus("tuitbot", exercises=("TB-ERR-thread_partial_failure",), needs=("x",))
async def threads_fail_from_the_beginning(bench: TuitbotBench) -> None:
    """X takes none of four tweets; in each profile that posts."""
    for _, server in await bench.profiles(("api", "workflow", "write", "admin")):
        calls = await Calls.at(server)
        await (await server.under(x="api_error")).call("x_post_thread", {"tweets": _parts(calls)[1]})
        await server.call("x_post_thread", {"tweets": _parts(calls)[1]})


async def _break_all(server: TuitbotBench) -> None:
    calls = await Calls.at(server)
    toggled = server.toggles("x_after")
    for spared, failure in BREAKS if toggled else BREAKS[1:AT_START]:
        word, tweets = _parts(calls)
        failing = await server.given(x_after={"calls": spared, "failure": failure})
        broken = await failing.call("x_post_thread", {"tweets": tweets})
        ids = posted_before_failing(broken) or ()
        there = server if toggled else failing
        await look(there, tuple(("get_tweet_by_id", {"tweet_id": each}) for each in ids))
        await look(there, about_post(word))
    await _unknown_medium(calls)
    await server.call("x_post_thread", {"tweets": _parts(calls)[1]})


async def _unknown_medium(calls: Calls) -> None:
    """X refuses the second of four tweets alone: it would take those after it."""
    word, tweets = _parts(calls)
    media: Json = [[], [UNKNOWN_MEDIUM]]
    await calls.bench.call("x_post_thread", {"tweets": tweets, "media_ids": media})
    await look(calls.bench, about_post(word))


async def _break_approved(bench: TuitbotBench) -> None:
    """Two threads wait for approval; X takes half of the first, and the whole of the second."""
    rule = bench.policies.rule("require_approval", "x_post_thread", priority=bench.policies.naming.first)
    server = await bench.workflow(policy=bench.policies.ruled(rule))
    calls = await Calls.at(server)
    waiting = []
    for _ in range(2):
        _, tweets = _parts(calls)
        waiting.append(await item_of(server, await server.call("x_post_thread", {"tweets": tweets})))
    failing = await server.under(x_after={"calls": 2, "failure": "api_error"})
    await failing.call("approve_item", {"id": waiting[0]})
    await server.call("approve_item", {"id": waiting[1]})
    await look(server, (("x_get_home_timeline", {}),))


def _parts(calls: Calls) -> tuple[str, Json]:
    """A word of its own, and four tweets that begin with it."""
    word = calls.words().partition(" ")[0]
    return word, [f"{word} part {number}" for number in range(PARTS)]


@stimulus("tuitbot", exercises=("TB-SAFE-07", "TB-SRV-01", "TB-MAN-06"))
async def files_that_are_no_media_in_workflow(bench: TuitbotBench) -> None:
    """A text, a file that cannot be, and a file of each kind that X takes, some in capitals; pictures are posted."""
    await _upload(await bench.working())


@stimulus("tuitbot", exercises=("TB-SAFE-07", "TB-SRV-01", "TB-MAN-06"), editions=FIRST)
async def files_that_are_no_media_in_api(bench: TuitbotBench) -> None:
    """A text, a file that cannot be, and a file of each kind that X takes, some in capitals; pictures are posted."""
    await _upload(await bench.raw())


async def _upload(server: TuitbotBench) -> None:
    pictures, others = ([str(MEDIA.joinpath(name)) for name in kind] for kind in (CAPITALS + PICTURES, OTHERS))
    for path in ("notes.txt", "NOTES.TXT", f"{PICTURE}/absent.png", PICTURE, *others):
        await server.call("x_upload_media", {"file_path": path})
    media: list[Json] = []
    for path in pictures:
        medium = (await server.call("x_upload_media", {"file_path": path})).given.get("media_id")
        if isinstance(medium, str) and server.supports("x_post_tweet", "media_ids"):
            await server.call("x_post_tweet", {"text": server.unique("picture"), "media_ids": [medium]})
            media.append(medium)
    if media[1:]:
        await server.call("x_post_tweet", {"text": server.unique("pictures"), "media_ids": media[::2]})

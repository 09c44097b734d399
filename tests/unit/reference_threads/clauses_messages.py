"""Sections 2.2, 3.2 to 3.4, 7 and 8: messages, keys, pages, cursors."""

import asyncio

from reference_server.threads.events import EVENT_TYPES

from .desk import Desk, message
from .filing import clause

DAY_S = 86_400.0


@clause("TH-MSG-01")
async def message_fields(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.post(thread)
    fields = {"message_id", "seq", "kind", "body", "sender_agent_id", "created_at"}
    return fields <= set((await desk.read(thread))[0])


@clause("TH-MSG-02")
async def concurrent_seqs(desk: Desk) -> bool:
    thread = await desk.thread()
    answers = await asyncio.gather(*(desk.post(thread, f"m{n}") for n in range(4)))
    return sorted(each["seq"] for each in answers) == [1, 2, 3, 4]


@clause("TH-MSG-03")
async def message_ids(desk: Desk) -> bool:
    first, second = await desk.thread(), await desk.thread()
    return bool((await desk.post(first))["message_id"] != (await desk.post(second))["message_id"])


@clause("TH-MSG-04")
async def senders(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.post(thread)
    read = (await desk.read(thread))[0]
    return (read["sender_agent_id"], read["sender_session_id"]) == ("ann", "sess_ann")


@clause("TH-MSG-06")
async def replies(desk: Desk) -> bool:
    first, second = await desk.thread(), await desk.thread()
    elsewhere = (await desk.post(first))["message_id"]
    return await desk.code("post_message", "ann", **message(second), in_reply_to=elsewhere) != "ok"


@clause("TH-MSG-07")
async def event_types(desk: Desk) -> bool:
    thread = await desk.thread()
    posts = [message(thread, kind="event", metadata={"event_type": each}) for each in EVENT_TYPES]
    return {await desk.code("post_message", "ann", **each) for each in posts} == {"ok"}


@clause("TH-MSG-08")
async def read_whole(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.post(thread, "a longer body")
    return [(await desk.read(thread, by))[0]["body"] for by in ("ann", "bob")] == ["a longer body"] * 2


@clause("TH-MSG-09")
async def plain_chat(desk: Desk) -> bool:
    return await desk.code("post_message", "ann", **message(await desk.thread())) == "ok"


@clause("TH-RET-01")
async def kept_for_years(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.post(thread)
    return len(await desk.read(thread, conditions={"clock": 1_000 * DAY_S})) == 1


@clause("TH-IDEM-01")
async def replay_is_the_original(desk: Desk) -> bool:
    thread = await desk.thread()
    return await desk.post(thread, idempotency_key="k") == await desk.post(thread, idempotency_key="k")


@clause("TH-IDEM-02")
async def replay_adds_nothing(desk: Desk) -> bool:
    thread = await desk.thread()
    for _ in range(2):
        await desk.post(thread, idempotency_key="k")
    return len(await desk.read(thread)) == 1


@clause("TH-IDEM-03")
async def another_payload(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.post(thread, "one", idempotency_key="k")
    return await desk.code("post_message", "ann", **message(thread, "two", idempotency_key="k")) != "ok"


@clause("TH-IDEM-04")
async def another_sender(desk: Desk) -> bool:
    thread = await desk.thread()
    first = await desk.post(thread, by="ann", idempotency_key="k")
    return bool(first["seq"] != (await desk.post(thread, by="bob", idempotency_key="k"))["seq"])


@clause("TH-IDEM-05")
async def no_key(desk: Desk) -> bool:
    thread = await desk.thread()
    return bool((await desk.post(thread))["seq"] != (await desk.post(thread))["seq"])


@clause("TH-IDEM-06")
async def concurrent_keys(desk: Desk) -> bool:
    thread = await desk.thread()
    await asyncio.gather(*(desk.post(thread, idempotency_key="k") for _ in range(4)))
    return len(await desk.read(thread)) == 1


@clause("TH-IDEM-07")
async def retention(desk: Desk) -> bool:
    thread = await desk.thread()
    first = await desk.post(thread, idempotency_key="k")
    later = await desk.post(thread, idempotency_key="k", conditions={"clock": DAY_S - 1})
    after = await desk.post(thread, idempotency_key="k", conditions={"clock": DAY_S + 1})
    return bool(first["seq"] == later["seq"] != after["seq"])


@clause("TH-IDEM-08")
async def key_order(desk: Desk) -> bool:
    thread = await desk.thread()
    await desk.post(thread, idempotency_key="k", metadata={"a": 1, "b": {"c": 2, "d": 3}})
    again = message(thread, idempotency_key="k", metadata={"b": {"d": 3, "c": 2}, "a": 1})
    return await desk.code("post_message", "ann", **again) == "ok"


async def _five(desk: Desk) -> str:
    thread = await desk.thread()
    for n in range(5):
        await desk.post(thread, f"m{n}")
    return thread


@clause("TH-READ-01")
async def ascending(desk: Desk) -> bool:
    return [each["seq"] for each in await desk.read(await _five(desk), since_seq=2)] == [3, 4, 5]


@clause("TH-READ-02")
async def has_more(desk: Desk) -> bool:
    thread = await _five(desk)
    pages = [await desk.ok("read_messages", thread_id=thread, limit=limit) for limit in (4, 5, 6)]
    return [(len(page["messages"]), page["has_more"]) for page in pages] == [(4, True), (5, False), (5, False)]


@clause("TH-READ-03")
async def reading_on(desk: Desk) -> bool:
    thread = await _five(desk)
    seqs: list[int] = []
    since = 0
    for _ in range(4):
        page = await desk.ok("read_messages", thread_id=thread, since_seq=since, limit=2)
        since = page["next_seq"]
        seqs += [each["seq"] for each in page["messages"]]
        await desk.post(thread)
    return seqs == list(range(1, 9))


@clause("TH-READ-04")
async def empty_page(desk: Desk) -> bool:
    page = await desk.ok("read_messages", thread_id=await _five(desk), since_seq=5)
    return (page["messages"], page["next_seq"], page["has_more"]) == ([], 5, False)


@clause("TH-READ-05")
async def reading_moves_nothing(desk: Desk) -> bool:
    thread = await _five(desk)
    await desk.read(thread)
    return await desk.code("ack_read", "ann", thread_id=thread, last_read_seq=1) == "ok"


@clause("TH-ACK-02")
async def no_way_back(desk: Desk) -> bool:
    thread = await _five(desk)
    codes = [await desk.code("ack_read", "ann", thread_id=thread, last_read_seq=seq) for seq in (3, 2, 2)]
    return codes[0] == "ok" and "ok" not in codes[1:]


@clause("TH-ACK-03")
async def not_beyond(desk: Desk) -> bool:
    return await desk.code("ack_read", "ann", thread_id=await _five(desk), last_read_seq=6) != "ok"


@clause("TH-ACK-04")
async def own_cursors(desk: Desk) -> bool:
    thread = await _five(desk)
    await desk.ok("ack_read", "ann", thread_id=thread, last_read_seq=5)
    return await desk.code("ack_read", "bob", thread_id=thread, last_read_seq=1) == "ok"


@clause("TH-ACK-05")
async def the_same_again(desk: Desk) -> bool:
    thread = await _five(desk)
    return [await desk.code("ack_read", "ann", thread_id=thread, last_read_seq=3) for _ in range(2)] == ["ok"] * 2

"""Breaks sections 3.3 and 3.4: pages and cursors."""

from reference_server.application import Json, Request
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import Envelope, crowded, instead, leave_out, rewrite_results
from reference_server.threads import Threads
from reference_server.threads.call import Call
from reference_server.threads.cursors import Cursor
from reference_server.threads.refusal import Refusal
from reference_server.threads.store import Message, Thread


@deviation("TH-READ-01")
def the_newest_come_first(threads: Threads) -> None:
    """A page shows its messages in descending order."""

    def reversed_page(request: Request, envelope: Envelope) -> Envelope:
        del request
        return {**envelope, "messages": envelope["messages"][::-1]}

    rewrite_results(threads, "read_messages", reversed_page)


@deviation("TH-READ-02")
def a_full_page_promises_more(threads: Threads) -> None:
    """has_more is true wherever a page is full, also where nothing follows."""
    original = threads.reading.page

    @instead(threads.reading, "page")
    def page(thread: Thread, since: int, limit: int) -> tuple[list[Message], bool]:
        messages, _ = original(thread, since, limit)
        return messages, len(messages) == limit


@deviation("TH-READ-03")
def next_seq_is_the_threads_latest(threads: Threads) -> None:
    """next_seq names the latest message of the thread: what lies between is skipped."""
    original = threads.methods["read_messages"]

    def read(call: Call) -> dict[str, Json]:
        page = original(call)
        return {**page, "next_seq": call.thread.latest_seq} if page["messages"] else page

    threads.methods["read_messages"] = read


@deviation("TH-READ-04")
def an_empty_page_starts_over(threads: Threads) -> None:
    """An empty page gives 0 as next_seq."""

    @instead(threads.reading, "next_seq")
    def next_seq(page: list[Message], since: int) -> int:
        del since
        return int(page[-1]["seq"]) if page else 0


@deviation("TH-READ-05")
def reading_acknowledges(threads: Threads) -> None:
    """read_messages moves the reader's cursor to the last message that it gave."""
    original = threads.methods["read_messages"]

    def read(call: Call) -> dict[str, Json]:
        page = original(call)
        key = threads.cursors.key(call)
        cursor = threads.cursors.cursors.get(key)
        if page["messages"] and (cursor is None or cursor.last_read_seq < page["next_seq"]):
            last = page["messages"][-1]
            threads.cursors.cursors[key] = Cursor(last["seq"], last["message_id"], threads.instants.text(call.now))
        return page

    threads.methods["read_messages"] = read


@deviation("TH-ACK-01")
def ack_read_does_not_say_when(threads: Threads) -> None:
    """ack_read answers without updated_at."""
    leave_out(threads, "ack_read", "updated_at")


@deviation("TH-ACK-02")
def a_cursor_may_go_back(threads: Threads) -> None:
    """A smaller last_read_seq is accepted and kept."""

    @instead(threads.cursors, "check_forward")
    def check_forward(cursor: Cursor, seq: int) -> None:
        del cursor, seq


@deviation("TH-ACK-02", variant="race")
def the_last_of_two_acks_at_once_is_kept(threads: Threads) -> None:
    """Acks of one agent that are under way at once are not compared: the cursor is where the last one left it."""
    check = threads.cursors.check_forward

    def place(request: Request) -> str | None:
        given = request.arguments
        named = request.tool == "ack_read" and isinstance(given, dict)
        return repr([given.get("thread_id"), request.authorization]) if named else None

    late = crowded(threads, place)

    @instead(threads.cursors, "check_forward")
    def check_forward(cursor: Cursor, seq: int) -> None:
        if not late():
            check(cursor, seq)


@deviation("TH-ACK-03")
def a_cursor_may_run_ahead(threads: Threads) -> None:
    """A last_read_seq beyond the latest message is accepted and kept."""

    @instead(threads.cursors, "check_exists")
    def check_exists(thread: Thread, seq: int) -> None:
        del thread, seq


@deviation("TH-ACK-04")
def a_thread_has_one_cursor(threads: Threads) -> None:
    """The cursor is kept per thread: one agent's ack moves all the others'."""

    @instead(threads.cursors, "key")
    def key(call: Call) -> tuple[str, str]:
        return (call.thread.thread_id, "")


@deviation("TH-ACK-05")
def the_same_position_counts_as_going_back(threads: Threads) -> None:
    """The last_read_seq that a cursor has already is refused."""
    original = threads.cursors.check_forward

    @instead(threads.cursors, "check_forward")
    def check_forward(cursor: Cursor, seq: int) -> None:
        original(cursor, seq)
        if seq == cursor.last_read_seq:
            raise Refusal("CONFLICT", "last_read_seq must go forward")

"""Breaks sections 2.2, 3.2, 4 and 8: messages, their fields and what is kept of them."""

import dataclasses

from reference_server.application import Answer, Json, Request
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import Envelope, instead, lag, leave_out, rewrite_results
from reference_server.threads import Threads
from reference_server.threads.call import Call
from reference_server.threads.events import event_type
from reference_server.threads.idempotency import Payload
from reference_server.threads.refusal import Refusal
from reference_server.threads.store import Message, Thread

PREVIEW = 4
WEEK_S = 7 * 86_400.0


@deviation("TH-MSG-01")
def messages_are_read_without_their_time(threads: Threads) -> None:
    """read_messages leaves out created_at."""

    def undated(request: Request, envelope: Envelope) -> Envelope:
        del request
        messages = [
            {name: value for name, value in message.items() if name != "created_at"} for message in envelope["messages"]
        ]
        return {**envelope, "messages": messages}

    rewrite_results(threads, "read_messages", undated)


@deviation("TH-MSG-02")
def concurrent_posts_share_a_seq(threads: Threads) -> None:
    """The seq is looked up before the store has answered: concurrent posts get the same one."""
    original = threads.call
    looked_up: dict[str, int] = {}

    @instead(threads, "call")
    async def call(request: Request) -> Answer:
        thread = _named(threads, request)
        if request.tool != "post_message" or thread is None:
            return await original(request)
        seq = thread.latest_seq + 1
        await lag()
        looked_up[thread.thread_id] = seq
        # nothing awaits from here to the end of the call that uses it
        return await original(request)

    @instead(threads.posting, "next_seq")
    def next_seq(thread: Thread) -> int:
        return looked_up[thread.thread_id]


@deviation("TH-MSG-03")
def message_ids_are_counted_per_thread(threads: Threads) -> None:
    """Each thread counts its messages from msg_1: ids repeat over threads."""
    original = threads.posting.message

    @instead(threads.posting, "message")
    def message(call: Call, payload: Payload) -> Message:
        made = original(call, payload)
        return {**made, "message_id": f"msg_{made['seq']}"}


@deviation("TH-MSG-04")
def the_session_of_a_sender_is_its_agent(threads: Threads) -> None:
    """A message bears the agent's id as sender_session_id."""
    original = threads.posting.message

    @instead(threads.posting, "message")
    def message(call: Call, payload: Payload) -> Message:
        return {**original(call, payload), "sender_session_id": call.claims.agent_id}


@deviation("TH-MSG-05")
def post_message_does_not_tell_the_status(threads: Threads) -> None:
    """post_message answers without thread_status."""
    leave_out(threads, "post_message", "thread_status")


@deviation("TH-MSG-06")
def replies_may_name_anything(threads: Threads) -> None:
    """A message that replies to one of another thread, or to none, is accepted."""

    @instead(threads.posting, "check_reply")
    def check_reply(thread: Thread, in_reply_to: str | None) -> None:
        del thread, in_reply_to


@deviation("TH-MSG-07")
def the_registry_lacks_an_event_type(threads: Threads) -> None:
    """An event of type thread_escalated is refused as unknown."""
    original = threads.posting.accept

    @instead(threads.posting, "accept")
    def accept(call: Call, payload: Payload) -> Message:
        if event_type(payload.kind, call.arguments.get("metadata")) == "thread_escalated":
            raise Refusal("VALIDATION_ERROR", "the event type is not registered")
        return original(call, payload)


@deviation("TH-MSG-08")
def others_read_a_preview(threads: Threads) -> None:
    """Whoever did not write a message reads the first 4 characters of its body."""

    def previewed(request: Request, envelope: Envelope) -> Envelope:
        reader = threads.identity.claims(request.authorization).agent_id
        messages = [
            message if message["sender_agent_id"] == reader else {**message, "body": message["body"][:PREVIEW]}
            for message in envelope["messages"]
        ]
        return {**envelope, "messages": messages}

    rewrite_results(threads, "read_messages", previewed)


@deviation("TH-MSG-08", variant="first")
def seq_begins_at_zero(threads: Threads) -> None:
    """The first message of a thread has seq 0, and reads show what is above 0."""

    @instead(threads.posting, "next_seq")
    def next_seq(thread: Thread) -> int:
        return len(thread.messages)


@deviation("TH-MSG-09")
def chat_needs_metadata(threads: Threads) -> None:
    """A chat message with neither metadata nor an idempotency_key is VALIDATION_ERROR."""
    original = threads.posting.accept

    @instead(threads.posting, "accept")
    def accept(call: Call, payload: Payload) -> Message:
        if payload.kind == "chat" and not {"metadata", "idempotency_key"} & call.arguments.keys():
            raise Refusal("VALIDATION_ERROR", "metadata is required")
        return original(call, payload)


@deviation("TH-RET-01")
def messages_expire(threads: Threads) -> None:
    """Messages older than a week are not read any more."""
    original = threads.reading.page

    @instead(threads.reading, "page")
    def page(thread: Thread, since: int, limit: int) -> tuple[list[Message], bool]:
        oldest = threads.instants.text(threads.instants.now() - WEEK_S)
        kept = [message for message in thread.messages if message["created_at"] >= oldest]
        return original(dataclasses.replace(thread, messages=kept), since, limit)


def _named(threads: Threads, request: Request) -> Thread | None:
    named: Json = request.arguments.get("thread_id") if isinstance(request.arguments, dict) else None
    return threads.store.threads.get(named) if isinstance(named, str) else None

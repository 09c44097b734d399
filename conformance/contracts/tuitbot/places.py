"""The places that writes write to and reads show: tweets, what is done to them, lists, users, the queue."""

from conformance.judge.kinds import spelled
from conformance.judge.registers import Register
from conformance.model.events import Json

TEXT = "/text"
THERE, WAITS, CONTENT = "there", "waits", "content"
PLAIN = "quotes nothing"
RETWEET, FOLLOW = "x_retweet", "x_follow_user"
QUOTE, MEMBER, WITH = "quote of ", "member of ", "lists with "
HIDDEN, HEAD = "hidden reply", "pinned tweet"
ANSWERS = "belongs to a conversation that another tweet began"
LIST, OWNED, PINNED, BLOCK, MUTE = "list", "owned list", "pinned list", "block", "mute"
NAME, DESCRIBED, PRIVATE = "list's name", "list's description", "private list"


def text_of_tweet(instance: str, name: Json) -> Register:
    """The text of a tweet, as the rows of [[shown]] name it."""
    return (instance, "tweet", spelled(name)), TEXT


def place(instance: str, what: str, name: Json) -> Register:
    """Whether something holds of a tweet, a user, a list or an item of the queue."""
    return instance, what, spelled(name)


def member(list_id: Json) -> str:
    """The kind of place that says who is on a list."""
    return f"{MEMBER}{list_id}"


def membership(user_id: Json) -> str:
    """The kind of place that says which lists an account is on."""
    return f"{WITH}{spelled(user_id)}"


def follower(list_id: Json) -> str:
    """The kind of place that says who follows a list."""
    return f"follower of {list_id}"


def quote(tweet_id: Json) -> str:
    """The kind of place that says which tweets quote one."""
    return f"{QUOTE}{spelled(tweet_id)}"

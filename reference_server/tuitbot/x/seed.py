"""The world at its beginning: an own account and some others who have already tweeted."""

from typing import Final, Literal

from reference_server.conditions import Clock
from reference_server.tuitbot.x.world import AccountList, Space, Tweet, User, World

OWN: Final = "1001"
"""The account as which the reference acts."""

USERS: Final = (
    User(OWN, "tuitbot_ref", "Tuitbot Reference", followers=1200, following=180),
    User("2001", "ada_codes", "Ada", followers=5200, following=310),
    User("2002", "grace_ships", "Grace", followers=860, following=95),
    User("2003", "linus_reads", "Linus", followers=48_000, following=12),
    User("2004", "margaret_flies", "Margaret", followers=15_400, following=77),
    User("2005", "quiet_reader", "Quiet", followers=14, following=220),
)
TWEETS: Final = (
    # author, age in minutes, text, likes, retweets, replies
    ("2001", 3000, "Rust ownership clicked once I drew the borrows on paper", 84, 12, 6),
    ("2002", 2400, "We cut our CI from forty minutes to six. Most of it was caching.", 31, 4, 3),
    ("2003", 1500, "Reading old kernel mailing lists is the best systems programming course", 940, 88, 41),
    (OWN, 1300, "Shipping small developer tools every week. Ask me anything about automation.", 22, 3, 2),
    ("2004", 700, "What do you use for developer automation? Looking for open source tools", 57, 9, 14),
    ("2002", 240, "Does anybody have a good way of testing MCP servers?", 9, 1, 2),
    (OWN, 180, "Release notes are a feature: write them for the reader", 18, 2, 1),
    ("2001", 45, "Async rust testing question: how do you keep tests fast and honest?", 12, 2, 1),
    ("2005", 20, "@tuitbot_ref how do I get started with automation?", 0, 0, 0),
    ("2004", 5, "Developer productivity is mostly about removing waiting", 6, 1, 0),
)
FOLLOWS: Final = ((OWN, "2001"), (OWN, "2004"), ("2001", OWN), ("2002", OWN), ("2005", OWN), ("2002", "2001"))
SPACES: Final[tuple[tuple[str, str, Literal["live", "scheduled", "ended"], str, int, int], ...]] = (
    # id, title, state, creator, age in minutes, participants
    ("1OyKAVQrWmoGb", "Testing developer tools, live", "live", "2001", 30, 212),
    ("1vAxRAVQWyYxl", "Automation office hours", "scheduled", "2004", 600, 0),
)
LIST: Final = ("Builders of tools", "People who build developer tools", "2001")
"""A list of somebody else: name, description, owner."""


def seeded(clock: Clock) -> World:
    """A fresh world; the tweets' ages count from now on its clock."""
    world = World(clock)
    world.users.update((user.id, user) for user in USERS)
    now = clock.now()
    for author, minutes, text, likes, retweets, replies in TWEETS:
        own_id = world.new_id()
        world.add(
            Tweet(own_id, text, author, now - 60 * minutes, own_id, likes=likes, retweets=retweets, replies=replies)
        )
    for follower, followed in FOLLOWS:
        world.follows.setdefault(follower, {})[followed] = None
    first, *_, last = world.tweets
    world.likes[first] = {"2002": None, "2005": None}
    world.likes[last] = {OWN: None}
    world.bookmarks[OWN] = {first: None}
    world.retweets[first] = {"2005": None}
    for space_id, title, state, creator, minutes, participants in SPACES:
        shared, buyers = ((first,), ("2002",)) if state == "live" else ((), ())
        began = now - 60 * minutes
        world.spaces[space_id] = Space(space_id, title, state, creator, began, participants, shared, buyers)
    name, about, owner = LIST
    kept = AccountList(world.new_id(), name, about, private=False, owner_id=owner, created_at=now)
    world.lists[kept.id] = kept
    world.members[kept.id] = {"2002": None, OWN: None}
    world.list_followers[kept.id] = {"2004": None}
    return world

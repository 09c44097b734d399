"""The database at its beginning: days of followers and measured posts, so that reads have something to show."""

from datetime import UTC, datetime, timedelta
from typing import Final

from reference_server.conditions import Clock
from reference_server.tuitbot.store.content import Measured, Snapshot
from reference_server.tuitbot.store.database import MemoryDatabase

FOLLOWERS: Final = (1168, 1171, 1175, 1180, 1179, 1184, 1188, 1195, 1200)
"""Day by day, yesterday last."""
POSTS: Final = (
    # age in days, topic, format, preview, performance
    (20, "testing", "tweet", "A flaky test is a test of the reader", 71.0),
    (16, "testing", "thread", "How we made 4,000 tests take two minutes", 88.0),
    (12, "testing", "tweet", "Delete the test that cannot fail", 64.0),
    (9, "automation", "tweet", "Automate the second time", 35.0),
    (6, "automation", "tweet", "A cron job is a promise", 22.0),
    (4, "automation", "tweet", "What we stopped automating", 30.0),
    (2, "developer tools", "tweet", "Small tools age well", 52.0),
)
DAY_S: Final = 86_400


def seeded(clock: Clock) -> MemoryDatabase:
    """A fresh database; ages count from now on the clock."""
    database = MemoryDatabase()
    now = clock.now()
    today = datetime.fromtimestamp(now, UTC).date()
    for days_ago, followers in zip(range(len(FOLLOWERS), 0, -1), FOLLOWERS, strict=True):
        date = today - timedelta(days=days_ago)
        database.content.snapshots.append(Snapshot(date.isoformat(), followers, 180, 40 + len(FOLLOWERS) - days_ago))
    for age, topic, kind, preview, performance in POSTS:
        database.content.measured.append(Measured(topic, kind, preview, performance, now - age * DAY_S))
    return database

"""The rules of a policy, as far as the policy itself leaves no doubt which of them a mutation meets."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from typing import NamedTuple, TypeGuard

from conformance.contracts.tuitbot.gate import DELETES, DENIED, DRY, ROUTED
from conformance.contracts.tuitbot.naming import BUILT_IN, DAYS, USERS, Naming
from conformance.contracts.tuitbot.zones import zone_of
from conformance.judge.kinds import integer
from conformance.model.events import Json

ANSWERS = {"deny": DENIED, "require_approval": ROUTED, "dry_run": DRY}
"""What is answered where a rule with this action decides."""
HARD, BLOCKED, USER, LIST, SERVERS, TEMPLATE = "hard", "blocked", "user", "list", "server", "template"
"""Kinds of rule: hard ones, the blocked list, a user's, the other lists of a policy, the server's own, a template's."""
COMPOSER = 10
"""Priority of the server's own rule that routes all mutations in composer mode."""
LISTS_FROM = 300
SURELY: Mapping[str, str] = {
    "x_post_tweet": "write",
    "x_reply_to_tweet": "write",
    "x_quote_tweet": "write",
    "compose_tweet": "write",
    "x_like_tweet": "engage",
    "x_follow_user": "engage",
    "x_unfollow_user": "engage",
    "x_retweet": "engage",
    "x_unretweet": "engage",
    "x_delete_tweet": "delete",
}
"""Categories that nobody can doubt. What posts threads and takes back likes or bookmarks may be in one or another."""
TEMPLATES: Mapping[str, tuple[tuple[str, str, int], ...]] = {
    "safe_default": (
        ("delete", "require_approval", 100),
        ("write", "require_approval", 101),
        ("thread", "require_approval", 102),
        ("engage", "allow", 103),
    ),
    "growth_aggressive": (("delete", "require_approval", 100), ("", "allow", 150)),
    "agency_mode": (("delete", "require_approval", 100), ("", "allow", 150)),
}
"""What the templates say: category (none: all), action, priority."""


class Ruling(NamedTuple):
    """The rule that is bound to decide: its action, of which kind it is, and whether it names tools."""

    action: str
    kind: str
    names_tools: bool = False

    @property
    def answer(self) -> str | None:
        """The decision that it leads to; None where it allows."""
        return ANSWERS.get(self.action)


class Met(NamedTuple):
    """A rule that a mutation meets, or may meet."""

    priority: int
    ruling: Ruling | None
    """None: it is in doubt whether it matches, or what it says."""


class Around(NamedTuple):
    """What a rule may look at besides the tool."""

    mode: Json
    at: float | None
    """Seconds since 1970 by the server's calendar; None where nothing tells."""


def met(policy: Mapping[str, Json], tool: str, around: Around, naming: Naming) -> list[Met]:
    """The rules of a policy that a mutation by this tool meets or may meet, those asked first in front."""
    found = [*_servers_own(tool, around), *_of_template(policy.get("template"), tool)]
    rules = policy.get("rules")
    enabled = [rule for rule in rules if _enabled(rule)] if isinstance(rules, list | tuple) else []
    for rule in enabled:
        found += _of_rule(rule, tool, around, naming)
    if not policy.get("template") and not enabled:
        listed = _of_lists(policy, tool, naming)
        # whether the lists hold where all rules are switched off is open
        found += [met._replace(ruling=None) for met in listed] if rules else listed
    return sorted(found, key=lambda each: each.priority)


def _enabled(rule: Json) -> TypeGuard[dict[str, Json]]:
    return isinstance(rule, dict) and rule.get("enabled") is not False


def _servers_own(tool: str, around: Around) -> Iterator[Met]:
    if tool == DELETES:
        yield Met(BUILT_IN, Ruling("require_approval", SERVERS))
    if around.mode == "composer":
        yield Met(COMPOSER, Ruling("require_approval", SERVERS))


def _of_template(name: Json, tool: str) -> Iterator[Met]:
    if not name:
        return
    if not isinstance(name, str) or name not in TEMPLATES:
        yield Met(BUILT_IN, None)
        return
    for category, action, priority in TEMPLATES[name]:
        matches = True if not category else SURELY[tool] == category if tool in SURELY else None
        if matches is not False:
            yield Met(priority, Ruling(action, TEMPLATE) if matches else None)


def _of_rule(rule: Mapping[str, Json], tool: str, around: Around, naming: Naming) -> Iterator[Met]:
    priority = integer(rule.get("priority", USERS))
    matches = _matches(rule.get("conditions") or {}, tool, around, naming)
    action = rule.get("action")
    kind = action.get("type") if isinstance(action, dict) else None
    if matches is not False:
        sure = matches and isinstance(kind, str) and priority is not None
        names = isinstance(rule.get("conditions"), dict) and bool(rule["conditions"].get("tools"))
        ruling = Ruling(str(kind), _kind(rule.get("id"), naming), names) if sure else None
        yield Met(priority if priority is not None else BUILT_IN, ruling)


def _matches(conditions: Json, tool: str, around: Around, naming: Naming) -> bool | None:
    """Whether all conditions of a rule hold; None where that is in doubt."""
    if not isinstance(conditions, dict):
        return None
    found = [_holds(name, value, tool, around, naming) for name, value in conditions.items() if value]
    return False if False in found else None if None in found else True


def _holds(name: str, value: Json, tool: str, around: Around, naming: Naming) -> bool | None:
    match name:
        case "tools":
            return naming.tool(tool) in value if isinstance(value, list | tuple) else None
        case "categories":
            return SURELY[tool] in value if tool in SURELY and isinstance(value, list | tuple) else None
        case "modes":
            return around.mode in value if around.mode is not None and isinstance(value, list | tuple) else None
        case "schedule_window":
            return _within(value, around.at, naming)
    return None


def _within(window: Json, at: float | None, naming: Naming) -> bool | None:
    """Whether a moment is in a window; None within a quarter of an hour of its ends, and where a part is in doubt."""
    told = window if isinstance(window, dict) else {}
    start, end, zone = integer(told.get("start_hour")), integer(told.get("end_hour")), _zone(told, naming)
    local = _local(at, zone) if at is not None and zone is not None else None
    if local is None or start is None or end is None:
        return None
    hour = local.hour + local.minute / 60
    edges = (start, end, 0) if told.get("days") else (start, end)
    if any(min((hour - edge) % 24, (edge - hour) % 24) < 1 / 4 for edge in edges):
        return None
    on_day = _on_day(told, local, naming)
    if start <= end:
        open_now = start <= hour < end
    else:
        open_now = hour >= start or hour < end
        # of which day the hours after midnight are is open
        on_day = None if told.get("days") else on_day
    return False if not open_now else on_day


def _local(at: float, zone: tzinfo) -> datetime | None:
    """A moment in a time zone; None where no calendar has it: a server may claim any year."""
    try:
        return datetime.fromtimestamp(at, zone)
    except (ValueError, OverflowError, OSError):
        return None


def _zone(window: Mapping[str, Json], naming: Naming) -> tzinfo | None:
    """The time zone of a window; None where the target does not say that it takes any, or nobody knows it."""
    name = window.get("timezone")
    if name in (None, "UTC"):
        return UTC
    if "timezone" not in naming.parts or not isinstance(name, str):
        return None
    return zone_of(name)


def _on_day(window: Mapping[str, Json], local: datetime, naming: Naming) -> bool | None:
    """Whether a day is among those of a window; None where the target does not say that it takes days so."""
    days = window.get("days")
    if not days:
        return True
    if "days" not in naming.parts or not isinstance(days, list | tuple):
        return None
    return DAYS[local.weekday()] in days if set(DAYS).issuperset(map(str, days)) else None


def _kind(identifier: Json, naming: Naming) -> str:
    name = identifier if isinstance(identifier, str) else ""
    return HARD if name.startswith(naming.hard) else BLOCKED if name.startswith("v1:blocked:") else USER


def _of_lists(policy: Mapping[str, Json], tool: str, naming: Naming) -> Iterator[Met]:
    """Blocked tools, dry run, approvals, in this order. Without its own list of approvals a server has one."""
    name = naming.tool(tool)
    if name in (policy.get("blocked_tools") or ()):
        yield Met(LISTS_FROM, Ruling("deny", BLOCKED, names_tools=True))
    if policy.get("dry_run_mutations") is True:
        yield Met(LISTS_FROM + 1, Ruling("dry_run", LIST))
    if "require_approval_for" not in policy:
        yield Met(LISTS_FROM + 2, None)
    elif name in (policy.get("require_approval_for") or ()):
        yield Met(LISTS_FROM + 2, Ruling("require_approval", LIST, names_tools=True))

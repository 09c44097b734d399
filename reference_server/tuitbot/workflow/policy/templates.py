"""Ready-made policies."""

from dataclasses import dataclass
from typing import Final

from reference_server.tuitbot.policy import Action, Category, Conditions, RateLimit, Rule
from reference_server.tuitbot.workflow.errors import PolicyEvaluationError

HOUR_S: Final = 3600
DAY_S: Final = 86_400


@dataclass(frozen=True, slots=True)
class Template:
    """Rules with priorities 100 to 199, and limits."""

    rules: tuple[Rule, ...]
    rate_limits: tuple[RateLimit, ...]


def _approval(rule_id: str, priority: int, category: Category) -> Rule:
    action = Action("require_approval", f"the template routes every {category} to approval")
    return Rule(rule_id, action, Conditions(categories=(category,)), priority, f"{category} requires approval")


def _allowing(rule_id: str, priority: int, label: str, *categories: Category) -> Rule:
    return Rule(rule_id, Action("allow"), Conditions(categories=categories), priority, label)


TEMPLATES: Final = {
    "safe_default": Template(
        (
            _approval("tpl:safe:delete_approval", 100, "delete"),
            _approval("tpl:safe:write_approval", 101, "write"),
            _approval("tpl:safe:thread_approval", 102, "thread"),
            _allowing("tpl:safe:engage_allow", 103, "engagement is allowed", "engage"),
        ),
        (
            RateLimit("mcp:global:hourly", "global", 20, HOUR_S),
            RateLimit("mcp:category:engage:daily", "category", 50, DAY_S, "engage"),
        ),
    ),
    "growth_aggressive": Template(
        (
            _approval("tpl:growth:delete_approval", 100, "delete"),
            _allowing("tpl:growth:allow_all", 150, "all else is allowed"),
        ),
        (
            RateLimit("mcp:global:hourly", "global", 50, HOUR_S),
            RateLimit("mcp:category:engage:daily", "category", 100, DAY_S, "engage"),
        ),
    ),
    "agency_mode": Template(
        (
            _approval("tpl:agency:delete_approval", 100, "delete"),
            _allowing("tpl:agency:allow_all", 150, "all else is allowed"),
        ),
        (
            RateLimit("mcp:global:daily", "global", 200, DAY_S),
            RateLimit("mcp:tool:x_post_tweet:daily", "tool", 30, DAY_S, "x_post_tweet"),
            RateLimit("mcp:tool:x_like_tweet:daily", "tool", 50, DAY_S, "x_like_tweet"),
            RateLimit("mcp:tool:x_follow_user:daily", "tool", 20, DAY_S, "x_follow_user"),
        ),
    ),
}


def template(name: str) -> Template:
    """The template of that name. PolicyEvaluationError: there is none."""
    if name not in TEMPLATES:
        raise PolicyEvaluationError(f"there is no policy template {name!r}; there are {', '.join(TEMPLATES)}")
    return TEMPLATES[name]

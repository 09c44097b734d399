"""How the tools and X were used."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.store.telemetry import EndpointCall, ToolCall
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.days import DAY_S, HOUR_S, day, day_start

READ_COST: Final = 0.005
WRITE_COST: Final = 0.01
"""US dollars a call, as X bills by use."""


def tool_metrics(ctx: WorkflowContext, since_hours: int) -> dict[str, Json]:
    """Calls, outcomes and latencies of each tool in the last hours."""
    calls = _tool_calls(ctx, since_hours)
    failures = sum(call.error_code is not None for call in calls)
    tools = sorted({call.tool for call in calls})
    return {
        "window_hours": since_hours,
        "since": ctx.clock.instant(_since(ctx, since_hours)),
        "summary": {
            "total_calls": len(calls),
            "total_successes": len(calls) - failures,
            "total_failures": failures,
            "overall_success_rate": _rate(len(calls) - failures, len(calls)),
            "avg_latency_ms": _average([call.latency_ms for call in calls]),
            "unique_tools": len(tools),
            "policy_decisions": dict(Counter(call.policy_decision for call in calls if call.policy_decision)),
        },
        "tools": [_tool(tool, [call for call in calls if call.tool == tool]) for tool in tools],
    }


def error_breakdown(ctx: WorkflowContext, since_hours: int) -> dict[str, Json]:
    """Which tools answered which codes in the last hours, the most frequent first."""
    latest: dict[tuple[str, str], float] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for call in _tool_calls(ctx, since_hours):
        if call.error_code is not None:
            counts[call.tool, call.error_code] += 1
            latest[call.tool, call.error_code] = call.at
    return {
        "window_hours": since_hours,
        "since": ctx.clock.instant(_since(ctx, since_hours)),
        "total_errors": counts.total(),
        "breakdown": [
            {
                "tool_name": tool,
                "error_code": code,
                "count": count,
                "latest_at": ctx.clock.instant(latest[tool, code]),
            }
            for (tool, code), count in counts.most_common()
        ],
    }


def x_usage(ctx: WorkflowContext, days: int) -> dict[str, Json]:
    """Calls of X and what they cost."""
    calls = list(ctx.db.telemetry.endpoints)
    today = day_start(ctx.clock.now())
    spans = {"today": today, "7d": today - 6 * DAY_S, "30d": today - 29 * DAY_S, "all_time": 0.0}
    summary: dict[str, Json] = {}
    for name, since in spans.items():
        inside = [call for call in calls if call.at >= since]
        summary[f"cost_{name}"] = _cost(inside)
        summary[f"calls_{name}"] = len(inside)
    recent = [call for call in calls if call.at >= today - max(0, days - 1) * DAY_S]
    return {
        "summary": summary,
        "daily": [
            {"date": date, "calls": len(group), "cost": _cost(group)}
            for date, group in _grouped([(day(call.at), call) for call in recent]).items()
        ],
        "endpoints": [
            {
                "endpoint": endpoint,
                "method": "POST" if group[0].mutation else "GET",
                "calls": len(group),
                "cost": _cost(group),
                "error_count": sum(call.failed for call in group),
            }
            for endpoint, group in _grouped([(call.endpoint, call) for call in recent]).items()
        ],
    }


def _tool(tool: str, calls: list[ToolCall]) -> dict[str, Json]:
    failures = sum(call.error_code is not None for call in calls)
    latencies = sorted(call.latency_ms for call in calls)
    return {
        "tool_name": tool,
        "category": calls[0].category,
        "total_calls": len(calls),
        "success_count": len(calls) - failures,
        "failure_count": failures,
        "success_rate": _rate(len(calls) - failures, len(calls)),
        "avg_latency_ms": _average(latencies),
        "p50_latency_ms": latencies[len(latencies) // 2],
        "p95_latency_ms": latencies[min(len(latencies) - 1, len(latencies) * 95 // 100)],
        "min_latency_ms": latencies[0],
        "max_latency_ms": latencies[-1],
    }


def _since(ctx: WorkflowContext, hours: int) -> float:
    return ctx.clock.now() - hours * HOUR_S


def _tool_calls(ctx: WorkflowContext, hours: int) -> list[ToolCall]:
    since = _since(ctx, hours)
    return [call for call in ctx.db.telemetry.tools if call.at >= since]


def _grouped(pairs: Sequence[tuple[str, EndpointCall]]) -> dict[str, list[EndpointCall]]:
    groups: dict[str, list[EndpointCall]] = {}
    for key, call in pairs:
        groups.setdefault(key, []).append(call)
    return dict(sorted(groups.items()))


def _cost(calls: Sequence[EndpointCall]) -> float:
    return round(sum(WRITE_COST if call.mutation else READ_COST for call in calls), 4)


def _rate(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _average(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 3) if values else 0.0

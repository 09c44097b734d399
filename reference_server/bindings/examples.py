"""Calls that work, for whoever tests a server without knowing its contract: what no schema can tell."""

from typing import Final

from reference_server.application import Json

THREADS: Final[tuple[dict[str, Json], ...]] = (
    {
        "tool": "create_thread",
        "arguments": {
            "workspace_id": "{{claims.workspace_id}}",
            "title": "Profile mapper review loop",
            "type": "workflow",
            "participants": ["{{claims.agent_id}}", "reviewer_agent"],
        },
    },
    {"tool": "get_thread", "arguments": {"thread_id": "{{create_thread.thread_id}}"}},
    {
        "tool": "post_message",
        "arguments": {
            "thread_id": "{{create_thread.thread_id}}",
            "schema_version": 1,
            "kind": "chat",
            "body": "Blocking issue found in null fallback",
        },
    },
    {"tool": "read_messages", "arguments": {"thread_id": "{{create_thread.thread_id}}", "since_seq": 0, "limit": 50}},
    {"tool": "ack_read", "arguments": {"thread_id": "{{create_thread.thread_id}}", "last_read_seq": 1}},
    {"tool": "summarize_thread", "arguments": {"thread_id": "{{create_thread.thread_id}}", "max_messages": 200}},
    {
        "tool": "heartbeat_session",
        "arguments": {
            "workspace_id": "{{claims.workspace_id}}",
            "runtime": "codex_cli",
            "management_mode": "managed",
            "resumable": True,
            "status": "idle",
        },
    },
    {
        "tool": "trigger_participant",
        "arguments": {
            "thread_id": "{{create_thread.thread_id}}",
            "target_agent_id": "reviewer_agent",
            "reason": "new_unread_messages",
            "trigger_prompt": "Read the new messages and post a status update.",
        },
    },
    {
        "tool": "update_thread_status",
        "arguments": {
            "thread_id": "{{create_thread.thread_id}}",
            "status": "resolved",
            "reason": "all_findings_verified",
        },
    },
)
"""One working call a tool, in order. `{{claims.NAME}}` is a claim of the caller's token, `{{TOOL.FIELD}}` what the
example of that tool answered."""

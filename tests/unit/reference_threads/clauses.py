"""Each clause as a short scenario that says whether it is kept: true of the reference, false under its deviation."""

from . import clauses_errors, clauses_identity, clauses_messages, clauses_wake
from .filing import SCENARIOS, keys

__all__ = ["SCENARIOS", "clauses_errors", "clauses_identity", "clauses_messages", "clauses_wake"]

keys("TH-THR-01", "get_thread", "thread_id", "workspace_id", "title", "type", "status", "participants", "updated_at")
keys("TH-THR-04", "create_thread", "thread_id", "status", "created_at")
keys("TH-MSG-05", "post_message", "message_id", "seq", "thread_status", "created_at")
keys("TH-ACK-01", "ack_read", "ok", "updated_at")
keys("TH-STAT-01", "update_thread_status", "thread_id", "status", "updated_at")
keys("TH-SES-01", "heartbeat_session", "ok", "recorded_at")
keys("TH-TRIG-01", "trigger_participant", "target_agent_id", "action", "result", "triggered_at")

"""An example of a promise under each law. Each is a line of a contract that the tests run, break and prove."""

from collections.abc import Mapping

SAMPLES: Mapping[str, str] = {
    "served": '{ law = "served" }',
    "answer": (
        '{ law = "answer", tools = ["get_note", "save_note", "update_note"], outcome = "success", at = "/note", '
        'schema = { type = "object", required = ["id", "title", "body", "revision"], additionalProperties = false, '
        'properties = { id = {}, title = {}, body = {}, revision = { type = "integer" } } } }'
    ),
    "mirrored": '{ law = "mirrored" }',
    "catalogued": '{ law = "catalogued" }',
    "retryable": '{ law = "retryable", at = "/error/retryable" }',
    "refused": (
        '{ law = "refused", tool = "get_note", cause = "unknown", entity = "note", argument = "@/note_id", '
        'codes = ["NOT_FOUND"] }'
    ),
    "barred": '{ law = "barred", tool = "update_note", entity = "note", state = "archived", codes = ["ARCHIVED"] }',
    "replayed": (
        '{ law = "replayed", tool = "save_note", key = "@/request_key", gives = ["/note/id", "/note/revision"] }'
    ),
    "conflicting": '{ law = "conflicting", tool = "save_note", key = "@/request_key", codes = ["KEY_REUSED"] }',
    "revised": '{ law = "revised", entity = "note" }',
    "guarded": (
        '{ law = "guarded", entity = "note", tool = "update_note", expected = "@/expected_revision", '
        'codes = ["REVISION_MISMATCH"] }'
    ),
    "shown": '{ law = "shown", entity = "note", tool = "save_note", fields = { title = "/title", body = "/body" } }',
    "lives": '{ law = "lives", entity = "note", codes = ["NOT_FOUND"] }',
    "listed": '{ law = "listed", entity = "file" }',
    "steady": '{ law = "steady" }',
    "rising": '{ law = "rising", tool = "ticket.open", at = "/ticket/number" }',
    "ordered": '{ law = "ordered", tool = "list_notes", entries = "/notes", by = "/title" }',
    "unique": '{ law = "unique", entity = "note", at = "/id" }',
    "paged": (
        '{ law = "paged", entity = "note", tool = "list_notes", cursor = "@/cursor", next = "/next_cursor", '
        'size = "@/limit" }'
    ),
    "filtered": (
        '{ law = "filtered", tool = "list_photos", argument = "@/begins", entries = "/photos", by = "/caption", '
        'how = "begins" }'
    ),
    "capped": '{ law = "capped", tool = "list_notes", entries = "/notes", size = "@/limit", most = 50 }',
    "bounded": (
        '{ law = "bounded", tool = "save_note", argument = "@/title", unit = "characters", least = 1, most = 200, '
        'codes = ["INVALID_ARGUMENT"] }'
    ),
    "enforced": '{ law = "enforced", codes = ["INVALID_ARGUMENT"] }',
    "echoed": '{ law = "echoed", argument = "@/request_key", at = "/request_key", outcome = "success" }',
    "declared": '{ law = "declared" }',
}

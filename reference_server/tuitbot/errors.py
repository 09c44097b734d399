"""The codes of both editions. Whether a code may be retried follows from the code alone (Session 05 contract)."""

from enum import StrEnum


class ErrorCode(StrEnum):
    """The 27 codes of the Session 05 contract, and the 28th of convergence (Architecture decisions, AD-10)."""

    X_RATE_LIMITED = "x_rate_limited"
    X_AUTH_EXPIRED = "x_auth_expired"
    X_FORBIDDEN = "x_forbidden"
    X_ACCOUNT_RESTRICTED = "x_account_restricted"
    X_NETWORK_ERROR = "x_network_error"
    X_NOT_CONFIGURED = "x_not_configured"
    X_API_ERROR = "x_api_error"
    DB_ERROR = "db_error"
    VALIDATION_ERROR = "validation_error"
    INVALID_INPUT = "invalid_input"
    TWEET_TOO_LONG = "tweet_too_long"
    LLM_ERROR = "llm_error"
    LLM_NOT_CONFIGURED = "llm_not_configured"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    FILE_READ_ERROR = "file_read_error"
    MEDIA_UPLOAD_ERROR = "media_upload_error"
    THREAD_PARTIAL_FAILURE = "thread_partial_failure"
    POLICY_ERROR = "policy_error"
    POLICY_DENIED_BLOCKED = "policy_denied_blocked"
    POLICY_DENIED_RATE_LIMITED = "policy_denied_rate_limited"
    POLICY_DENIED_HARD_RULE = "policy_denied_hard_rule"
    POLICY_DENIED_USER_RULE = "policy_denied_user_rule"
    CONTEXT_ERROR = "context_error"
    RECOMMENDATION_ERROR = "recommendation_error"
    TOPIC_ERROR = "topic_error"
    NOT_FOUND = "not_found"
    SERIALIZATION_ERROR = "serialization_error"
    SCRAPER_MUTATION_BLOCKED = "scraper_mutation_blocked"

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later without change (Session 05 contract, Retry Semantics)."""
        return self in RETRYABLE


RETRYABLE = frozenset(
    {
        ErrorCode.X_RATE_LIMITED,
        ErrorCode.X_NETWORK_ERROR,
        ErrorCode.X_API_ERROR,
        ErrorCode.DB_ERROR,
        ErrorCode.LLM_ERROR,
        ErrorCode.THREAD_PARTIAL_FAILURE,
        ErrorCode.POLICY_ERROR,
    }
)
"""The seven codes that the Session 05 contract lists as retryable."""

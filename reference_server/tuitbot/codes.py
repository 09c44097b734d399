"""Which code an error of the layers below is answered with (Architecture decisions, AD-10)."""

from typing import Final

from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.store.database import DatabaseFailureError
from reference_server.tuitbot.toolkit import errors as toolkit
from reference_server.tuitbot.workflow import errors as workflow

LayerError = toolkit.ToolkitError | workflow.WorkflowError | DatabaseFailureError

CODES: Final[dict[type[LayerError], ErrorCode]] = {
    toolkit.XRateLimitedError: ErrorCode.X_RATE_LIMITED,
    toolkit.XAuthExpiredError: ErrorCode.X_AUTH_EXPIRED,
    toolkit.XForbiddenError: ErrorCode.X_FORBIDDEN,
    toolkit.XAccountRestrictedError: ErrorCode.X_ACCOUNT_RESTRICTED,
    toolkit.XNetworkError: ErrorCode.X_NETWORK_ERROR,
    toolkit.XNotConfiguredError: ErrorCode.X_NOT_CONFIGURED,
    toolkit.XApiError: ErrorCode.X_API_ERROR,
    toolkit.TweetTooLongError: ErrorCode.TWEET_TOO_LONG,
    toolkit.InvalidInputError: ErrorCode.INVALID_INPUT,
    toolkit.NotFoundError: ErrorCode.NOT_FOUND,
    toolkit.UnsupportedMediaTypeError: ErrorCode.UNSUPPORTED_MEDIA_TYPE,
    toolkit.FileReadError: ErrorCode.FILE_READ_ERROR,
    toolkit.MediaUploadError: ErrorCode.MEDIA_UPLOAD_ERROR,
    toolkit.ThreadPartialFailureError: ErrorCode.THREAD_PARTIAL_FAILURE,
    toolkit.ScraperMutationBlockedError: ErrorCode.SCRAPER_MUTATION_BLOCKED,
    workflow.LlmNotConfiguredError: ErrorCode.LLM_NOT_CONFIGURED,
    workflow.LlmFailedError: ErrorCode.LLM_ERROR,
    workflow.PolicyEvaluationError: ErrorCode.POLICY_ERROR,
    workflow.ItemNotFoundError: ErrorCode.NOT_FOUND,
    workflow.AuthorContextError: ErrorCode.CONTEXT_ERROR,
    workflow.RecommendationError: ErrorCode.RECOMMENDATION_ERROR,
    workflow.TopicAnalysisError: ErrorCode.TOPIC_ERROR,
    workflow.RepeatedMutationError: ErrorCode.VALIDATION_ERROR,
    DatabaseFailureError: ErrorCode.DB_ERROR,
}


def code_of(error: LayerError) -> ErrorCode:
    """The code of an error."""
    return CODES[type(error)]

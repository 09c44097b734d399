"""What a toolkit function may raise. Each class is one error of the contract (Architecture decisions, AD-10)."""


class ToolkitError(Exception):
    """Root of the layer's errors; never raised itself."""


class XRateLimitedError(ToolkitError):
    """X answered 429."""

    def __init__(self, detail: str, reset_at: float | None = None) -> None:
        super().__init__(detail)
        self.reset_at = reset_at
        """Seconds since the epoch; None where X does not say."""


class XAuthExpiredError(ToolkitError):
    """The OAuth token has expired."""


class XForbiddenError(ToolkitError):
    """X refuses the permission."""


class XAccountRestrictedError(ToolkitError):
    """The account is suspended or restricted."""


class XNetworkError(ToolkitError):
    """The network failed or timed out."""


class XNotConfiguredError(ToolkitError):
    """There is no X client."""


class XApiError(ToolkitError):
    """X failed in any other way."""


class TweetTooLongError(ToolkitError):
    """A tweet weighs more than the limit."""


class InvalidInputError(ToolkitError):
    """A value that the types allow and that cannot be meant."""


class NotFoundError(ToolkitError):
    """X does not know what was named."""


class UnsupportedMediaTypeError(ToolkitError):
    """The extension is none that X takes."""


class FileReadError(ToolkitError):
    """The media file cannot be read."""


class MediaUploadError(ToolkitError):
    """X did not take the upload."""


class ScraperMutationBlockedError(ToolkitError):
    """X is reached by a scraper, which may change nothing."""


class ThreadPartialFailureError(ToolkitError):
    """Some tweets of a thread were posted, then one failed."""

    def __init__(self, posted_tweet_ids: list[str], failed_at_index: int, cause: ToolkitError) -> None:
        super().__init__(f"{len(posted_tweet_ids)} tweets were posted, then tweet {failed_at_index} failed: {cause}")
        self.posted_tweet_ids = posted_tweet_ids
        self.failed_at_index = failed_at_index
        """Counts from 0."""

"""What a workflow function may raise besides the toolkit's errors. Each class is one error of the contract (AD-10)."""


class WorkflowError(Exception):
    """Root of the layer's errors; never raised itself."""


class LlmNotConfiguredError(WorkflowError):
    """There is no LLM provider."""


class LlmFailedError(WorkflowError):
    """The LLM provider failed."""


class PolicyEvaluationError(WorkflowError):
    """The gate could not decide."""


class ItemNotFoundError(WorkflowError):
    """The store does not hold what was named."""


class AuthorContextError(WorkflowError):
    """The author's context could not be looked up."""


class RecommendationError(WorkflowError):
    """No recommendation could be made."""


class TopicAnalysisError(WorkflowError):
    """The topics could not be analysed."""


class RepeatedMutationError(WorkflowError):
    """The same mutation was made a moment ago."""

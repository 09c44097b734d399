"""The invocation contract: a runtime that calls any tool under policies, in memory."""

from reference_server.invocation.application import Invocations
from reference_server.invocation.opening import default_settings, open_invocation

__all__ = ["Invocations", "default_settings", "open_invocation"]

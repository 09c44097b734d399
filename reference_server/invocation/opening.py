"""Puts one instance of the runtime together, with the tools of the kit."""

import sys
from collections.abc import Mapping

from reference_server.application import Json
from reference_server.conditions import Clock
from reference_server.invocation.application import Invocations
from reference_server.invocation.authorisation import Authorisation
from reference_server.invocation.caching import Cache
from reference_server.invocation.executing import Executing
from reference_server.invocation.form import Form
from reference_server.invocation.kit.catalogue import KIT
from reference_server.invocation.kit.plain import Plain
from reference_server.invocation.kit.policed import Policed
from reference_server.invocation.kit.state import State
from reference_server.invocation.kit.waiting import Waiting
from reference_server.invocation.kit.writing import Writing
from reference_server.invocation.ledger import Ledger
from reference_server.invocation.limits.admission import Admission
from reference_server.invocation.limits.budgets import Budgets
from reference_server.invocation.limits.circuits import Circuits
from reference_server.invocation.limits.places import Places
from reference_server.invocation.limits.rates import Rates
from reference_server.invocation.observing import Observing
from reference_server.invocation.outputs import Outputs
from reference_server.invocation.pipeline import Pipeline
from reference_server.invocation.providers.local import LocalProvider
from reference_server.invocation.providers.mcp import McpProvider
from reference_server.invocation.providers.provider import Provider
from reference_server.invocation.redaction import Redaction
from reference_server.invocation.registry import Registry
from reference_server.invocation.replaying import Replays
from reference_server.invocation.results import Results
from reference_server.invocation.retrying import Retrying
from reference_server.invocation.stopwatch import RealStopwatch, Stopwatch
from reference_server.invocation.timing import Timing
from reference_server.invocation.validation import Validation
from reference_server.tokens import Trust

KIT_SERVER = (sys.executable, "-m", "reference_server.mcp_kit")


def default_settings() -> dict[str, Json]:
    """The settings of an instance that is given none."""
    return {"cache_in_logs": False}


def open_invocation(
    settings: Mapping[str, Json] | None = None,
    *,
    trust: Trust,
    clock: Clock | None = None,
    stopwatch: Stopwatch | None = None,
) -> Invocations:
    """A fresh instance. Settings: `cache_in_logs` (bool, default false). TypeError or ValueError for others."""
    given = {**default_settings(), **(settings or {})}
    cache_in_logs = given.pop("cache_in_logs")
    if given:
        message = f"unknown settings: {', '.join(sorted(given))}"
        raise ValueError(message)
    if not isinstance(cache_in_logs, bool):
        message = f"cache_in_logs is a boolean, not {cache_in_logs!r}"
        raise TypeError(message)
    clock, stopwatch = clock or Clock(), stopwatch or RealStopwatch()
    ledger, redaction, budgets, state = Ledger(), Redaction(), Budgets(), State()
    validation, timing = Validation(KIT), Timing(stopwatch, clock)
    observing = Observing(ledger, redaction, clock, cache_in_logs=cache_in_logs)
    kit = (Plain(), Writing(state), Waiting(state, stopwatch), Policed(budgets))
    providers: dict[str, Provider] = {
        "local": LocalProvider({name: function for part in kit for name, function in part.functions().items()}),
        "mcp::kit": McpProvider(KIT_SERVER),
    }
    pipeline = Pipeline(
        stopwatch=stopwatch,
        clock=clock,
        form=Form(),
        registry=Registry(KIT),
        validation=validation,
        authorisation=Authorisation(trust),
        timing=timing,
        admission=Admission(Rates(stopwatch), Circuits(stopwatch), budgets, Places(), observing),
        replays=Replays(timing),
        cache=Cache(),
        retrying=Retrying(stopwatch, timing),
        executing=Executing(providers, timing, observing, redaction),
        outputs=Outputs(validation, redaction),
        redaction=redaction,
        observing=observing,
        results=Results(stopwatch),
    )
    return Invocations(pipeline, ledger, clock)

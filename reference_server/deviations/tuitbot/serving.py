"""Refuses what is offered, hides what was written, shows the inside."""

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead, rewrite_results
from reference_server.tuitbot import Tuitbot
from reference_server.tuitbot.codes import LayerError
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.session import Session
from reference_server.tuitbot.tools.definition import ToolDefinition
from reference_server.tuitbot.tools.outcome import Failure, Outcome


@deviation("TB-SRV-01")
def one_parameter_is_not_taken(tuitbot: Tuitbot) -> None:
    """get_stats refuses every call that names days."""
    original = tuitbot.pipeline.run

    @instead(tuitbot.pipeline, "run")
    def run(definition: ToolDefinition, arguments: Json, session: Session) -> Outcome:
        if definition.name == "get_stats" and "days" in arguments:
            return Failure(ErrorCode.VALIDATION_ERROR, "days is not known")
        return original(definition, arguments, session)


@deviation("TB-SRV-02")
def the_latest_like_is_not_listed(tuitbot: Tuitbot) -> None:
    """x_get_liked_tweets leaves out its first entry."""

    def without_the_first(_: object, envelope: dict[str, Json]) -> dict[str, Json]:
        return {**envelope, "data": {**envelope["data"], "data": envelope["data"]["data"][1:]}}

    rewrite_results(tuitbot, "x_get_liked_tweets", without_the_first)


@deviation("TB-SRV-03")
def failures_of_the_database_tell_its_tables(tuitbot: Tuitbot) -> None:
    """The message of a db_error is the database's own."""
    original = tuitbot.pipeline.failure

    @instead(tuitbot.pipeline, "failure")
    def failure(error: LayerError) -> Failure:
        answered = original(error)
        if answered.code is not ErrorCode.DB_ERROR:
            return answered
        return Failure(answered.code, "(code: 1) no such table: approval_queue", answered.data)

"""Tools of the kit that give something else than the kit says."""

from reference_server.deviations.invocation.handling import Object, serve
from reference_server.deviations.registry import deviation
from reference_server.invocation import Invocations
from reference_server.invocation.providers.local import Function
from reference_server.invocation.providers.provider import Execution


@deviation("IR-SRV-01", variant="other-text")
def an_echo_is_in_capitals(invocations: Invocations) -> None:
    """kit.echo gives its text in capital letters."""

    @serve(invocations, "local::kit.echo")
    def shouting(original: Function) -> Function:
        async def echo(execution: Execution) -> object:
            given = await original(execution)
            assert isinstance(given, dict)
            return {**given, "text": given["text"].upper()}

        return echo


@deviation("IR-SRV-01", variant="other-sum")
def a_sum_of_negative_numbers_is_wrong(invocations: Invocations) -> None:
    """kit.sum takes a negative number for a positive one."""

    @serve(invocations, "local::kit.sum")
    def unsigned(original: Function) -> Function:
        del original

        async def add(execution: Execution) -> Object:
            return {"sum": abs(execution.input["a"]) + abs(execution.input["b"])}

        return add

"""The ways in which a tool is called: plainly, with each optional argument, with all of them."""

from collections.abc import Iterator, Mapping

from conformance.model.events import Json

Arguments = dict[str, Json]
SERVED = ("TK-SRV-01", "TK-SRV-03")


def ways(plain: Arguments, optional: Mapping[str, Json]) -> Iterator[Arguments]:
    """Arguments with none of the optional ones, with each of them, and with all."""
    yield plain
    for name, value in optional.items():
        yield {**plain, name: value}
    if len(optional) > 1:
        yield {**plain, **optional}

"""What is asked of an invocation: names, versions, arguments, keys, headers, deadlines."""

from tests.laws.invocation.desk import PAST, SECRET, echo
from tests.laws.invocation.scenes.scene import GIVEN, PUT, Scene, scene


@scene("IR-INV-01")
def names(it: Scene) -> None:
    it.like()
    it.refused("kit.echo", GIVEN, "SchemaInvalid", echo())


@scene("IR-INV-02")
def ranges(it: Scene) -> None:
    it.like()
    it.refused("echo", GIVEN, "UnsupportedVersion", echo(), versionRange="^9.0.0")


@scene("IR-INV-03")
def inputs(it: Scene) -> None:
    it.like()
    it.refused("echo", {"text": 5}, "SchemaInvalid", echo())


@scene("IR-INV-04")
def keys(it: Scene) -> None:
    it.like("put", PUT, {**PUT, "writes": 1})
    it.refused("put", PUT, "MissingField", {**PUT, "writes": 2}, without=("idempotencyKey",))


@scene("IR-INV-05")
def repeated(it: Scene) -> None:
    for writes in (1, 2 if it.broken else 1):
        it.desk.ok("put", PUT, {**PUT, "writes": writes}, idempotencyKey="one")


@scene("IR-INV-06")
def headers(it: Scene) -> None:
    it.like()
    secret = {"tenant": "t", "x-api-key": SECRET}
    it.refused("echo", GIVEN, "SchemaInvalid", echo(), headers=secret)


@scene("IR-INV-07")
def deadlines(it: Scene) -> None:
    it.like()
    it.refused("echo", GIVEN, "Timeout", echo(), deadline=PAST)


@scene("IR-INV-08")
def metadata(it: Scene) -> None:
    told = {"ticket": "T-1", "deep": [{"password": SECRET, "name": "n"}]}
    it.desk.ok("echo", GIVEN, echo())
    call = it.desk.ok("echo", GIVEN, echo(), metadata=told)
    kept = {"ticket": "T-1", "deep": [{"password": "[redacted]", "name": "n"}]}
    it.desk.shown("audit", call, {"metadata": {} if it.broken else kept})


@scene("IR-INV-09")
def order(it: Scene) -> None:
    it.desk.ok("guarded", PUT, {**PUT, "writes": 1}, tenant="a")
    if it.control:
        it.desk.no("guarded", PUT, "Forbidden", by="weak", tenant="b")
    it.desk.no("guarded", {"key": "k", "value": 5}, "SchemaInvalid", tenant="c")
    first, second = "SchemaInvalid", "Forbidden"
    it.desk.no("guarded", {"key": "k", "value": 5}, second if it.broken else first, by="weak", tenant="d")


@scene("IR-INV-10")
def limits_of_others(it: Scene) -> None:
    for number in range(2):
        it.desk.ok("guarded", PUT, {**PUT, "writes": number + 1}, tenant="full")
    if it.control:
        it.desk.no("guarded", PUT, "RateLimited", tenant="full")
    for _ in range(3):
        it.desk.no("guarded", PUT, "Forbidden", by="weak")
    if it.broken:
        it.desk.no("guarded", PUT, "RateLimited")
    else:
        it.desk.ok("guarded", PUT, {**PUT, "writes": 3})


@scene("IR-INV-11")
def tried_again(it: Scene) -> None:
    if it.control:
        it.desk.ok("fragile", {"fail": False}, {"ok": True}, tenant="a")
    call = it.desk.no("fragile", {"fail": True}, "DownstreamFailed", result={"attempts": 2 if it.broken else 1})
    if it.control:
        runs = [{"version": "1.0.0"}] * (2 if it.broken else 1)
        it.desk.shown("execution", call, *runs, tool="fragile")

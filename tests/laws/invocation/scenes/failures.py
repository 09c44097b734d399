"""Each code of the taxonomy, where its cause holds."""

from tests.laws.invocation.desk import echo
from tests.laws.invocation.scenes.scene import GIVEN, PUT, Scene, scene


@scene("IR-ERR-07")
def missing(it: Scene) -> None:
    it.like()
    it.desk.no("echo", {}, "MissingField", error={"details": {"missingField": "name" if it.broken else "/input/text"}})


@scene("IR-ERR-08")
def providers(it: Scene) -> None:
    details = {} if it.broken else {"providerCode": "QUOTA"}
    it.desk.no("mcp::kit::fail", {"code": "QUOTA"}, "DownstreamFailed", error={"details": details})


@scene("IR-ERR-SchemaInvalid")
def schema_invalid(it: Scene) -> None:
    it.like()
    it.coded("echo", {"text": 5}, "SchemaInvalid")


@scene("IR-ERR-UnsupportedVersion")
def unsupported(it: Scene) -> None:
    it.like()
    it.coded("echo", GIVEN, "UnsupportedVersion", versionRange="9.9.9")


@scene("IR-ERR-MissingField")
def missing_field(it: Scene) -> None:
    it.like()
    it.coded("echo", {}, "MissingField")


@scene("IR-ERR-ToolNotFound")
def not_found(it: Scene) -> None:
    it.like()
    it.coded("local::kit.none", GIVEN, "ToolNotFound")


@scene("IR-ERR-Timeout")
def timeout(it: Scene) -> None:
    it.like("wait", {"ms": 1}, {"waited": 1})
    it.refused("wait", {"ms": 900}, "Timeout", {"waited": 900}, took=305)


@scene("IR-ERR-RateLimited")
def rate_limited(it: Scene) -> None:
    if it.control:
        for number in range(3):
            it.desk.ok("limited", {"text": str(number)}, {"text": str(number)})
    it.refused("limited", {"text": "4"}, "RateLimited", {"text": "4"})


@scene("IR-ERR-CircuitOpen")
def circuit_open(it: Scene) -> None:
    it.like("fragile", {"fail": False}, {"ok": True})
    for _ in range(3):
        it.desk.no("fragile", {"fail": True}, "DownstreamFailed")
    it.refused("fragile", {"fail": False}, "CircuitOpen", {"ok": True})


@scene("IR-ERR-BudgetExceeded")
def budget(it: Scene) -> None:
    if it.control:
        it.desk.ok("costly", {"units": 60}, {"left": 40})
    it.refused("costly", {"units": 50}, "BudgetExceeded", {"left": 0})


@scene("IR-ERR-ConcurrencyLimited")
def concurrency(it: Scene) -> None:
    it.desk.ok("narrow", {"ms": 1}, {"waited": 1}, tenant="other")
    it.desk.together()
    if it.control:
        it.desk.ok("narrow", {"ms": 300}, {"waited": 300})
    it.refused("narrow", {"ms": 301}, "ConcurrencyLimited", {"waited": 301})
    it.desk.t += 310_000
    it.desk.settle()


@scene("IR-ERR-Unauthenticated")
def unauthenticated(it: Scene) -> None:
    it.like()
    it.refused("echo", GIVEN, "Unauthenticated", echo(), by="bad")


@scene("IR-ERR-Forbidden")
def forbidden(it: Scene) -> None:
    it.like("guarded", PUT, {**PUT, "writes": 1})
    it.refused("guarded", PUT, "Forbidden", {**PUT, "writes": 2}, by="weak")


@scene("IR-ERR-DownstreamFailed")
def downstream(it: Scene) -> None:
    it.like("fragile", {"fail": False}, {"ok": True})
    it.refused("fragile", {"fail": True}, "DownstreamFailed", {"ok": True})


@scene("IR-ERR-Unhandled")
def unhandled(it: Scene) -> None:
    it.like()
    it.refused("fault", {"secret": "s"}, "Unhandled")


@scene("IR-ERR-SerializationFailed")
def unserialisable(it: Scene) -> None:
    it.like()
    it.refused("unserialisable", GIVEN, "SerializationFailed", {"value": 1})

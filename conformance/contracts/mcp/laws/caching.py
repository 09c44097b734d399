"""How long an answer keeps: what lists and server/discover say of it since 2026-07-28."""

from conformance.model.events import Json


def cached_wrongly(result: dict[str, Json]) -> tuple[str, str]:
    """Where and in what the hints on keeping are wrong; two empty texts where they are right."""
    ttl, scope = result.get("ttlMs"), result.get("cacheScope")
    if not isinstance(ttl, int | float) or isinstance(ttl, bool) or ttl < 0:
        return "/ttlMs", f"ttlMs is {ttl!r}" if "ttlMs" in result else "it has no ttlMs"
    if scope not in ("public", "private"):
        return "/cacheScope", f"cacheScope is {scope!r}" if "cacheScope" in result else "it has no cacheScope"
    return "", ""

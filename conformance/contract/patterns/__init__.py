"""Regular expressions of strangers' schemas: read as ECMA-262, matched in bounded time."""

"""Which values are looked for wherever they come up, and which are too ordinary for it.

A value that is hidden everywhere must not be one that stands everywhere: hiding `1`, `true` or `message` would leave no
record to judge.
"""

import re
from itertools import pairwise

SHORTEST = 5
"""Characters of a value that is a secret by its name. Shorter ones stand in too many other words."""
SHORTEST_UNNAMED = 6
LONGEST_WORD = 13
"""Letters of one case: up to here they are taken for a word of a language, as `authorization` is."""
LEAST_DIGITS = 6
LEAST_DIGITS_UNNAMED = 12
LEAST_RANDOM = 16
LEAST_CHANGES = 3
"""Changes between letters and digits in a word that somebody drew at random; `x86_64-linux-gnu` has two."""

_SECRETS = frozenset({
    "auth", "authorization", "authentication", "key", "keys", "apikey", "token", "secret", "secrets", "password",
    "passwd", "passphrase", "pass", "pwd", "pw", "cookie", "credential", "credentials", "session", "signature",
    "sig", "bearer", "private", "jwt", "dsn", "pin", "pat",
})  # fmt: skip
_ABOUT = frozenset({
    "public", "max", "min", "limit", "count", "size", "budget", "type", "name", "file", "path", "dir", "url",
    "uri", "host", "alg", "algorithm", "ttl", "expiry", "timeout", "seconds", "port", "mode", "enabled",
    "required",
})  # fmt: skip
"""Words of a name that make it one of something about a secret."""
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_RUN_TOGETHER = re.compile(r"(token|secret|password|passwd|apikey)$")
_WORD = re.compile(rf"(?:[A-Z]?[a-z]{{1,{LONGEST_WORD - 1}}}|[A-Z]{{1,{LONGEST_WORD}}})")
_WORDS = re.compile(r"[A-Za-z]+(?:[-_. /,;:=+*()&|]+[A-Za-z]+)*[-_. /,;:=+*()&|]*")
_PATH = re.compile(r"(?:~?/|\.{1,2}/|[A-Za-z]:[\\/])")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_HOST = re.compile(r"(?:[A-Za-z0-9-]+\.)*[A-Za-z][A-Za-z0-9-]*:\d{1,5}")
_FILLED_IN = re.compile(r"\{(?:value|tmp|port|listening)\}")
"""What stands for a value, and is none itself."""
_RANDOM = re.compile(r"[A-Za-z0-9_.~+=-]+")


def says_secret(name: str) -> bool:
    """Whether the name of a header, variable, option or parameter says that its value is a secret."""
    parts = [part.lower() for part in _PARTS.findall(name)]
    named = any(part in _SECRETS or _RUN_TOGETHER.search(part) for part in parts)
    return named and _ABOUT.isdisjoint(parts)


def ordinary(value: str, *, named: bool) -> bool:
    """Whether a value is too ordinary to be looked for. `named`: its name says that it is a secret."""
    digits = sum(map(str.isdigit, value))
    if len(value) < (SHORTEST if named else SHORTEST_UNNAMED):
        return True
    if not any(map(str.isalpha, value)):
        return digits < (LEAST_DIGITS if named else LEAST_DIGITS_UNNAMED)
    if named:
        return _WORD.fullmatch(value) is not None
    if _FILLED_IN.search(value):
        return True
    whole, beginning = (_WORDS, _HOST), (_PATH, _ADDRESS)
    return any(form.fullmatch(value) for form in whole) or any(form.match(value) for form in beginning)


def random_looking(word: str) -> bool:
    """Whether a word is one that nobody would think of: long, with letters and digits in turns."""
    if len(word) < LEAST_RANDOM or not _RANDOM.fullmatch(word):
        return False
    kinds = [letter.isdigit() for letter in word if letter.isalnum()]
    return sum(a != b for a, b in pairwise(kinds)) >= LEAST_CHANGES

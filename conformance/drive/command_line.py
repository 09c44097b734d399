"""The words of a command, and which of them are nobody else's business."""

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from conformance.drive.ordinary import random_looking, says_secret

HIDDEN = "***"
_OPTION = re.compile(r"(--?[A-Za-z][\w.-]*)(?:=(.*))?", re.DOTALL)
_VARIABLE = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_HEADER = re.compile(r"([A-Za-z][A-Za-z0-9-]*):(\s*)(\S.*)", re.DOTALL)
_SCHEME = re.compile(r"Bearer|Basic|Token", re.IGNORECASE)
_QUERY = re.compile(r"(?<=[?&])([^=&#]*)=([^&#]*)")
_REFERENCE = re.compile(r"(env|file):.+")
_TAKE_HEADERS = ("--header", "-H")
_NESTED = ("--server-command",)
_FILES = ("--signing-key", "--config", "--transcript", "--output")
"""Options of ours whose value is a path."""


class _Word(NamedTuple):
    """A word as it is shown, and the values that are hidden in it, each with its name."""

    shown: str
    hides: tuple[tuple[str, str], ...] = ()


def hidden(command: Any) -> Any:
    """A command, as a string or as words, with placeholders for what it hides."""
    if isinstance(command, str):
        words = _split(command)
        found = list(_words(words))
        return shlex.join(word.shown for word in found) if any(word.hides for word in found) else command
    if isinstance(command, list | tuple):
        return [word.shown for word in _words([str(word) for word in command])]
    return command


def values(command: Any) -> Iterator[tuple[str, str]]:
    """What is hidden in it: each value with its name. A header's name begins with `header `; a URL is given whole."""
    words = _split(command) if isinstance(command, str) else command if isinstance(command, list | tuple) else ()
    for word in _words([str(each) for each in words]):
        yield from word.hides


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


def _words(words: Sequence[str]) -> Iterator[_Word]:
    before = ""
    for word in words:
        yield _word(word, before)
        before = word


def _word(word: str, before: str) -> _Word:
    if before in _FILES:
        return _Word(word)
    if before in _NESTED:
        return _Word(hidden(word), tuple(values(word)))
    if word.startswith("-"):
        return _assigned(word) or _Word(word)
    return _after(word, before) or _assigned(word) or _alone(word)


def _after(word: str, before: str) -> _Word | None:
    """The value of the word before it: of an option, or of a scheme such as Bearer."""
    if _SCHEME.fullmatch(before):
        return _value(f"after {before}", word)
    option = _OPTION.fullmatch(before)
    if option is None or option[2] is not None:
        return None
    if before in _TAKE_HEADERS:
        header = _HEADER.fullmatch(word)
        return _header(header) if header else None
    return _value(f"option {option[1]}", word) if says_secret(option[1]) and not _is_file(word) else None


def _assigned(word: str) -> _Word | None:
    """An option or a variable with its value."""
    found = _OPTION.fullmatch(word) or _VARIABLE.fullmatch(word)
    if found is None or not found[2]:
        return None
    name, value = found[1], found[2]
    inner = _after(value, name) if _OPTION.fullmatch(name) else None
    if inner is None and says_secret(name) and not _is_file(value):
        inner = _value(name, value)
    if inner is None:
        inner = _word(value, name if name in (*_NESTED, *_FILES) else "")
    return _Word(f"{name}={inner.shown}", inner.hides)


def _alone(word: str) -> _Word:
    """A URL, a header, or a word that somebody drew at random."""
    if "://" in word:
        return _url(word)
    header = _HEADER.fullmatch(word)
    if header and says_secret(header[1]):
        return _header(header)
    return _value("word of a command", word) if random_looking(word) else _Word(word)


def _is_file(value: str) -> bool:
    """Whether an option names a file, as --signing-key does: its path is no secret."""
    return value.endswith((".json", ".pem", ".jwk", ".key", ".txt", ".toml")) or value.startswith(("/", "./", "~/"))


def _value(name: str, value: str) -> _Word:
    return _Word(value) if not value or _REFERENCE.fullmatch(value) else _Word(HIDDEN, ((name, value),))


def _header(header: re.Match[str]) -> _Word:
    name, space, value = header.groups()
    inner = _value(f"header {name}", value)
    return _Word(f"{name}:{space}{inner.shown}", inner.hides)


def hidden_url(url: str) -> str:
    """A URL without user, password and values of the query."""
    return _url(url).shown


def _url(word: str) -> _Word:
    scheme, colon, rest = word.partition("://") if "://" in word else ("", "", word)
    place, slash, path = rest.partition("/")
    if "?" in place:
        place, slash, path = rest, "", ""
    account, at, host = place.rpartition("@")
    shown_account = ":".join(HIDDEN for _ in account.split(":", 1)) if account else ""
    tail = _QUERY.sub(lambda found: f"{found[1]}={HIDDEN}", f"{host}{slash}{path}")
    path, question, query = tail.partition("?")
    path = "/".join(HIDDEN if random_looking(part) else part for part in path.split("/"))
    shown = f"{scheme}{colon}{shown_account}{at}{path}{question}{query}"
    return _Word(shown, (("URL", word),)) if shown != word else _Word(word)

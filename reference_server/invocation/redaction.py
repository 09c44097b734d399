"""Takes secrets out of outputs and records: fields that a tool's rules name, and fields that are named like secrets."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from reference_server.application import Json

MARK: Final = "[redacted]"
SECRET_WORDS: Final = ("token", "authorization", "password", "secret", "apikey")
NO_SECRETS: Final = frozenset({"pagetoken", "nexttoken", "tokens"})

Path = tuple[str | int, ...]


def named_like_a_secret(name: str) -> bool:
    """Whether a field or header of this name holds a secret."""
    plain = name.casefold().replace("-", "").replace("_", "")
    return plain not in NO_SECRETS and any(word in plain for word in SECRET_WORDS)


class Redaction:
    """Every method gives a copy; what it was given stays as it is."""

    def output(self, output: Json, rules: Iterable[str]) -> tuple[Json, list[str]]:
        """An output without the fields that the rules name, and the pointers of those that were there."""
        found = [path for rule in rules for path in self.matches(output, self.steps(rule, "output"))]
        for path in found:
            output = _without(output, path)
        return output, [_pointer("output", path) for path in found]

    def recorded_input(self, given: Json, rules: Iterable[str]) -> tuple[Json, list[str]]:
        """An input as records show it, and the pointers of what is masked in it."""
        found = [path for rule in rules for path in self.matches(given, self.steps(rule, "input"))]
        return self.masked("input", given, found)

    def recorded(self, place: str, value: Json) -> tuple[Json, list[str]]:
        """A value as records show it, masked by the names of its fields alone."""
        return self.masked(place, value, [])

    def masked(self, place: str, value: Json, paths: list[Path]) -> tuple[Json, list[str]]:
        """A value with a mark at these paths and at every field that is named like a secret."""
        found = dict.fromkeys([*paths, *_secrets(value)])
        for path in found:
            value = _marked(value, path)
        return value, [_pointer(place, path) for path in found]

    def steps(self, rule: str, place: str) -> Sequence[str] | None:
        """The steps of a rule below /input or /output; None where it is about the other one."""
        first, *rest = rule.removeprefix("/").split("/")
        return [step.replace("~1", "/").replace("~0", "~") for step in rest] if first == place else None

    def matches(self, value: Json, steps: Sequence[str] | None) -> Iterator[Path]:
        """The paths in a value that a rule names."""
        if steps is None:
            return
        if not steps:
            yield ()
            return
        for key, below in _children(value):
            if steps[0] in ("*", str(key)) and (steps[0] != "*" or isinstance(key, int)):
                yield from ((key, *path) for path in self.matches(below, steps[1:]))


def _children(value: Json) -> Iterable[tuple[str | int, Json]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def _secrets(value: Json) -> Iterator[Path]:
    for key, below in _children(value):
        if isinstance(key, str) and named_like_a_secret(key):
            yield (key,)
        else:
            yield from ((key, *path) for path in _secrets(below))


def _marked(value: Json, path: Path) -> Json:
    if not path:
        return MARK
    # a mark above this place has taken it away already
    if not isinstance(value, dict | list):
        return value
    copy = value.copy()
    copy[path[0]] = _marked(value[path[0]], path[1:])  # type: ignore[index]  # the path was found in this value
    return copy


def _without(value: Json, path: Path) -> Json:
    copy = value.copy()
    if len(path) == 1:
        copy.pop(path[0])
    else:
        copy[path[0]] = _without(value[path[0]], path[1:])
    return copy


def _pointer(place: str, path: Path) -> str:
    return "/".join(("", place, *(str(step).replace("~", "~0").replace("/", "~1") for step in path)))

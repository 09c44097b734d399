"""The files of a contract's folder: read as TOML or JSON, each row turned into its type, faults with their lines."""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from conformance.contract.errors import ContractError, Fault
from conformance.contract.lines import line_of

T = TypeVar("T")
Step = str | int
_AT = re.compile(r" - at `\$([^`]*)`$")
_STEP = re.compile(r"\.([A-Za-z0-9_-]+)|\[(\d+)\]")


class Text:
    """One file; what is wrong in it is collected in `faults`, which all files of a folder share."""

    def __init__(self, path: Path, faults: list[Fault]) -> None:
        self.path = path
        self.text = ""
        self.faults = faults

    def toml(self, *, needed: bool = False) -> dict[str, Any]:
        """Its tables; none where it does not exist and need not."""
        if not self._read(needed=needed):
            return {}
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"at line (\d+)", str(error))
            what = re.sub(r" \(at .*\)$", "", str(error))
            self.wrong(f"it is no TOML: {what}", int(line.group(1)) if line else None)
        except RecursionError:
            self.wrong("it is no TOML: tables or arrays lie too deep in one another")
        return {}

    def json(self) -> Any:
        """Its value; None where it does not exist or holds none."""
        if not self._read(needed=False):
            return None
        try:
            return json.loads(self.text)
        except json.JSONDecodeError as error:
            self.wrong(f"it is no JSON: {error.msg}", error.lineno)
        except RecursionError:
            self.wrong("it is no JSON: it is nested too deep")
        return None

    def rows(self, data: Mapping[str, Any], key: str, kind: type[T]) -> dict[int, T]:
        """The rows of a table, by their places in the file: those that are not valid are faults."""
        rows = data.get(key, [])
        if not isinstance(rows, list):
            self.wrong(f"{key} is no list of tables", self.line((key,)), f"write [[{key}]] before each")
            return {}
        found = {number: self.row(row, kind, (key, number)) for number, row in enumerate(rows)}
        return {number: row for number, row in found.items() if row is not None}

    def row(self, value: Any, kind: Any, place: Sequence[Step], named: str = "", known: Sequence[str] = ()) -> Any:
        """A value in its type; None where it is not valid, which is a fault of what is `named`.

        `known` are names that may stand beside the type's own.
        """
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            said = str(error)
            at = _AT.search(said)
            inner = [name or int(number) for name, number in _STEP.findall(at.group(1))] if at else []
            what = _AT.sub("", said)
            where = [*place, *inner]
            dotted = ".".join(str(step) for step in where if isinstance(step, str))
            told = ": ".join(filter(None, (named, dotted, _plain(what))))
            about = _reached(inspect.type_info(kind), value, inner)
            self.wrong(told, self.line([*where, *_named(what)]), _meant(what, about, () if inner else known))
        return None

    def wrong(self, what: str, line: int | None = None, todo: str = "") -> None:
        """Writes down what is wrong."""
        self.faults.append(Fault(str(self.path), line, what, todo))

    def line(self, place: Sequence[Step]) -> int | None:
        """The line of a place in the file."""
        if self.path.suffix == ".toml":
            return line_of(self.text, place)
        named = next((step for step in place if isinstance(step, str)), None)
        wanted = re.compile(rf'"name"\s*:\s*{re.escape(json.dumps(named))}')
        return next((n for n, line in enumerate(self.text.splitlines(), 1) if wanted.search(line)), None)

    def _read(self, *, needed: bool) -> bool:
        try:
            self.text = self.path.read_text("utf-8-sig")
        except FileNotFoundError:
            if needed:
                self.wrong(
                    "the file is missing", todo="a contract is a folder with contract.toml and requirements.toml"
                )
            return False
        except (OSError, UnicodeDecodeError) as error:
            why = (error.strerror or "") if isinstance(error, OSError) else "it is not UTF-8"
            self.wrong(f"the file cannot be read: {why}")
            return False
        return True


def _plain(what: str) -> str:
    """Msgspec's words in ours."""
    for pattern, words in (
        (r"Object contains unknown field `(.*)`", r"there is no field \1"),
        (r"Object missing required field `(.*)`", r"\1 is missing"),
        (r"Invalid value '(.*)'", r"\1 is not known here"),
        (r"Invalid enum value (.*)", r"\1 is not known here"),
        (r"Expected `(.*)`, got `(.*)`", r"\1 is expected, and it is \2"),
    ):
        if re.fullmatch(pattern, what):
            return re.sub(pattern, words, what)
    return what[:1].lower() + what[1:]


def _named(what: str) -> list[str]:
    """The field that is not known."""
    given = re.search(r"unknown field `(.*)`", what)
    return [given.group(1)] if given else []


def _meant(what: str, about: inspect.Type | None, more: Sequence[str]) -> str:
    """What may have been meant by a word that is not known."""
    given = re.search(r"unknown field `(.*)`|Invalid (?:enum )?value '(.*)'", what)
    if given is None:
        return ""
    known = [*_names(about), *more]
    near = get_close_matches(given.group(1) or given.group(2), known, n=1, cutoff=0.6)
    return f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}" if known else ""


def _reached(about: inspect.Type, value: Any, path: Sequence[Step]) -> inspect.Type | None:
    """The type that is wanted at a place of a value."""
    found: inspect.Type | None = _chosen(about, value)
    for step in path:
        match found:
            case inspect.UnionType():
                # the place is that of the tag, which names none of them
                return found
            case inspect.StructType():
                found = next((field.type for field in found.fields if field.encode_name == step), None)
            case inspect.ListType() | inspect.VarTupleType():
                found = found.item_type
            case _:
                return None
        value = value[step]
        found = _chosen(found, value) if found is not None else None
    return found


def _chosen(about: inspect.Type, value: Any) -> inspect.Type:
    """Of several types the one that a value says it is by its tag, or the only one besides none at all."""
    if not isinstance(about, inspect.UnionType):
        return about
    some = [each for each in about.types if not isinstance(each, inspect.NoneType)]
    if len(some) > 1 and isinstance(value, Mapping):
        tagged = [each for each in some if isinstance(each, inspect.StructType) and each.tag_field is not None]
        some = [each for each in tagged if value.get(each.tag_field) == each.tag]
    return some[0] if len(some) == 1 else about


def _names(about: inspect.Type | None) -> list[str]:
    """The names of a struct's fields, the tags of a union of structs, the few values of a text."""
    match about:
        case inspect.StructType():
            return [field.encode_name for field in about.fields]
        case inspect.UnionType():
            return [str(each.tag) for each in about.types if isinstance(each, inspect.StructType) and each.tag]
        case inspect.LiteralType():
            return [str(each) for each in about.values]
        case inspect.EnumType():
            return [str(each.value) for each in about.cls]
        case _:
            return []


def all_right(name: str, faults: Sequence[Fault]) -> None:
    """ContractError where something is wrong."""
    if faults:
        raise ContractError(name, faults)

"""fleet.toml: which targets there are, and what each of them is asked."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from conformance.certify import contract_of, found_anywhere
from conformance.drive.command_line import hidden
from conformance.drive.endpoints import SCHEMES, at_url, by_command
from conformance.drive.errors import UsageError
from conformance.drive.installed import complete, of_installed
from conformance.drive.loading import checked, load, said
from conformance.fleet.task import Task

ANY_SERVER = "mcp"
"""The contract that a target is judged by where none is named."""
SAYS = "the README tells what a fleet.toml may hold"


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Member(_Table):
    """A row of [[target]]: one target, or many of a kind. What it says stands in the place of what its file says."""

    name: str | None = Field(None, min_length=1, max_length=200)
    config: str | None = Field(None, description="a conformance.toml, or a pattern of many: servers/*/conformance.toml")
    list: str | None = Field(None, description="a file with a URL or a command in each line")
    server_command: str | None = None
    server_url: str | None = None
    target: str | None = Field(None, description="an installed target: reference:threads")
    transport: Literal["in-process", "stdio", "http"] = Field("in-process", description="of an installed target")
    contract: str | None = None
    edition: str | None = None
    statement: dict[str, Any] = Field(default_factory=dict, description="what else conformance.toml may hold")

    @model_validator(mode="after")
    def _one(self) -> "Member":
        ways = ("config", "list", "server_command", "server_url", "target")
        given = [name for name in ways if getattr(self, name)]
        if len(given) != 1:
            message = f"a target has one of {', '.join(ways)}; this one has {' and '.join(given) or 'none'}"
            raise ValueError(message)
        return self


class Fleet(_Table):
    """The whole file."""

    output: str = Field("fleet", min_length=1, description="the folder of results, from the file's own folder")
    jobs: int | None = Field(None, ge=1, description="targets at once; without it, one a processor")
    engine: str = Field("processes", description="processes, or dask://HOST:PORT")
    timeout_s: float = Field(900, gt=0, description="seconds that a target's process may take")
    memory_bytes: int = Field(4_000_000_000, ge=100_000_000, description="memory that it may take")
    seed: int | None = None
    strict: bool = False
    only: list[str] = Field(default_factory=list, description="requirement ids or patterns")
    target: list[Member] = Field(min_length=1)


def read(path: Path) -> Fleet:
    """The file; UsageError where it is none."""
    try:
        text = path.read_text("utf-8-sig")
        return Fleet.model_validate(tomllib.loads(text))
    except (OSError, UnicodeDecodeError) as error:
        why = (error.strerror or "") if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"{path} cannot be read", why=why, todo=SAYS) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{path} is no TOML", why=str(error)) from error
    except ValidationError as error:
        wrong = "\n  ".join(said(entry, text) for entry in error.errors())
        raise UsageError(f"{path} is not valid", why=wrong, todo=SAYS) from error


def tasks(fleet: Fleet, base: Path) -> list[Task]:
    """What each target is asked, under names that differ. UsageError for a target that cannot be asked."""
    found: list[Task] = []
    taken: set[str] = set()
    for member in fleet.target:
        for name, data, place in _meant(member, base):
            checked(data, f"the target {name}")
            about = contract_of(data["contract"], data.get("edition"), place)
            data["contract"] = found_anywhere(about)
            found.append(
                Task(
                    name=unique(name, taken),
                    kind="run",
                    contract=about.name,
                    statement=data,
                    base=str(place.resolve()),
                    seed=fleet.seed,
                    strict=fleet.strict,
                    only=tuple(fleet.only),
                    timeout_s=fleet.timeout_s,
                    memory_bytes=fleet.memory_bytes,
                )
            )
    return found


def unique(name: str, taken: set[str]) -> str:
    """A name that can be a file's, and that no other has."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:100] or "target"
    found, number = plain, 2
    while found.casefold() in taken:
        found, number = f"{plain}-{number}", number + 1
    taken.add(found.casefold())
    return found


def _meant(member: Member, base: Path) -> Iterator[tuple[str, dict[str, Any], Path]]:
    """The targets of a row: the name, the statement, and where its relative paths begin."""
    if member.config is not None:
        paths = sorted(base.glob(member.config))
        if not paths:
            todo = "patterns begin at the folder of the fleet's file"
            raise UsageError(f"no file is named {member.config}", "config", todo=todo)
        for path in paths:
            data = load(path).model_dump(exclude_unset=True)
            complete(data)
            name = data.get("name") or (path.parent.name if path.name == "conformance.toml" else path.stem)
            yield member.name if member.name and len(paths) == 1 else name, _merged(data, member), path.parent
        return
    if member.list is not None:
        for line in _lines(base / member.list):
            yield _called(line), _merged({"contract": ANY_SERVER, "endpoint": [_endpoint(line)]}, member), base
        return
    if member.target is not None:
        data = of_installed(member.target, contract=member.contract, edition=member.edition, transport=member.transport)
        yield member.name or data["name"], _merged(data, member), base
        return
    line = member.server_url or member.server_command or ""
    yield member.name or _called(line), _merged({"contract": ANY_SERVER, "endpoint": [_endpoint(line)]}, member), base


def _endpoint(line: str) -> dict[str, Any]:
    return at_url(line) if line.startswith(SCHEMES) else by_command(line)


def _called(line: str) -> str:
    """A name for a URL, without its query and whoever logs in by it, or a command without its options and secrets."""
    if line.startswith(SCHEMES):
        place = line.partition("://")[2].partition("?")[0]
        return place.rpartition("@")[2].rstrip("/")
    words = [word for word in hidden(line).split() if not word.startswith("-") and "=" not in word]
    return "-".join(word.rpartition("/")[2] for word in words)


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = (error.strerror or "") if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"{path} cannot be read", "list", why) from error
    found = [line.strip() for line in text.splitlines()]
    found = [line for line in found if line and not line.startswith("#")]
    if not found:
        raise UsageError(f"{path} names no target", "list", todo="write a URL or a command in each line")
    return found


def _merged(data: dict[str, Any], member: Member) -> dict[str, Any]:
    """A statement with what the row says: its tables are joined, all else is replaced."""
    named = {key: value for key in ("contract", "edition") if (value := getattr(member, key)) is not None}
    return _joined(_joined(data, member.statement), named)


def _joined(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(under)
    for key, value in over.items():
        below = found.get(key)
        found[key] = _joined(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return found

"""A conversation as a file: what was said to a server, so that it can be said again to another.

Values of arguments are JSON. An object with one of these keys alone stands for a value:
`$answer` what an earlier call was answered, `$fresh` a text with a name of the run in it, `$claim` a claim of a caller,
`$ahead` an instant so many seconds from the beginning, `$planted` a mark, `$text` parts that are joined, `$literal` an
object as it is.
"""

import json
from pathlib import Path

import msgspec
from msgspec import Struct, field

from conformance.model.events import Json

FORMAT = 1
WIDTH = 110
"""Characters of a line."""


class ConversationError(ValueError):
    """A file that is no conversation: what is wrong with it."""


class Store(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """An instance that the calls are about."""

    settings: dict[str, Json] = field(default_factory=dict)
    fresh: bool = False
    """Whether it holds nothing when the conversation begins, as far as the target can give such a one."""
    endpoint: int = 0
    """The target's endpoint, counted from 0; the first where it has fewer."""


class Line(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A connection that is opened for some calls, beside the one that all share."""

    store: str
    unmet: bool = False
    """Whether the suite says nothing on it before the calls, no handshake either."""


class Who(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """In whose name a call is made."""

    role: str
    agent: str = ""
    """Different agents of a role are different callers."""
    claims: dict[str, Json] = field(default_factory=dict)
    """Those that differ from what the suite would claim."""
    defect: str | None = None


class Said(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One call. Of tool, method, path and raw one says what is asked."""

    id: int
    store: str
    line: str | None = None
    """The connection; None: the one that all calls about this store share."""
    by: str | None = None
    """The credential, by its name; None: none is named."""
    tool: str | None = None
    arguments: Json = None
    """Of the tool; with a method its params, with a path the body."""
    method: str | None = None
    """A JSON-RPC method, with a path the HTTP method."""
    path: str | None = None
    """Over plain HTTP, for what is no call of a tool."""
    message: Json = None
    """A whole message that is no ordinary request, as it was sent but for its id where that was the call's own."""
    raw: str | None = None
    """Text that is no JSON, as it was sent."""
    headers: dict[str, str | None] = field(default_factory=dict)
    """Of HTTP, where they differ from those of an ordinary request; null: it has none of that name."""
    conditions: dict[str, Json] = field(default_factory=dict)
    together: int | None = None
    """Calls of the same number, which follow one another here, are made at once."""
    pause_ms: int = 0
    """What is waited before it, once the calls before it are answered."""
    stimulus: str = ""
    label: str = ""


class Conversation(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Calls in the order in which they are made, with all that they need."""

    format: int = FORMAT
    suite: str
    contract: str
    edition: str | None = None
    protocol: str | None = None
    """The revision of MCP that was spoken."""
    seed: int = 0
    """Of the run that it is from."""
    about: str = ""
    """What was seen in it, in a sentence."""
    requirements: tuple[str, ...] = ()
    """Those that it was found to break: what it is judged by."""
    left_out: tuple[str, ...] = ()
    """What of it is not made again."""
    stores: dict[str, Store] = field(default_factory=dict)
    lines: dict[str, Line] = field(default_factory=dict)
    credentials: dict[str, Who] = field(default_factory=dict)
    calls: tuple[Said, ...] = ()


def read(path: Path) -> Conversation:
    """The conversation that a file holds; ConversationError where it holds none."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Conversation)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConversationError(f"{path} is no conversation: {error}") from error
    if found.format > FORMAT:
        raise ConversationError(f"{path}: format {found.format} is newer than this version reads ({FORMAT})")
    for said in found.calls:
        for what, name, known in (("line", said.line, found.lines), ("store", said.store, found.stores)):
            if name is not None and name not in known:
                raise ConversationError(f"{path}: call {said.id} names the {what} {name!r}, which is not there")
        if said.by is not None and said.by not in found.credentials:
            raise ConversationError(f"{path}: call {said.id} is made by {said.by!r}, which is no credential in it")
        if said.tool is None and said.method is None and said.message is None and said.raw is None:
            raise ConversationError(f"{path}: call {said.id} says nothing: it has no tool, method, message or raw")
    return found


def text(conversation: Conversation) -> str:
    """A conversation as its file holds it."""
    return _laid_out(msgspec.to_builtins(conversation), "") + "\n"


def _laid_out(value: Json, indent: str) -> str:
    """JSON in which what is short stands on one line."""
    short = json.dumps(value, ensure_ascii=False)
    if len(short) + len(indent) <= WIDTH or not isinstance(value, dict | list | tuple):
        return short
    inner = f"{indent}  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(name, ensure_ascii=False)}: {_laid_out(each, inner)}" for name, each in value.items()]
        return "{\n" + ",\n".join(f"{inner}{part}" for part in parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(f"{inner}{_laid_out(each, inner)}" for each in value) + f"\n{indent}]"


def write(conversation: Conversation, path: Path) -> None:
    """Writes it, and the folder that it stands in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(conversation), "utf-8", newline="\n")

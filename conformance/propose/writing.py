"""The text of a conformance.toml for a server that was inspected."""

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.drive.private import without
from conformance.model.events import Json
from conformance.propose.looking import Looked, Seen
from conformance.propose.toml import comment, text, value
from conformance.report.standing import some

HIDDEN = "***"
SHOWN = 160
"""Characters of a refusal or an answer in a comment."""
HEADINGS = {
    "likely": "These look harmless: take away the `# ` before those that are.",
    "unclear": "Of these nobody but you knows.",
    "changes": "These change something: allow them on a server whose data may be changed.",
}


def written(looked: Looked, statement: Mapping[str, Any]) -> str:
    """The whole text."""
    parts = [*_head(looked), "", *_endpoints(statement), "", *_calls(looked, statement), *_examples(looked)]
    return "\n".join([*parts, ""])


def _head(looked: Looked) -> Iterator[str]:
    server = " ".join(str(looked.server[name]) for name in ("name", "version") if looked.server.get(name))
    called = sum(bool(seen.calls) for seen in looked.tools)
    accepted = sum(seen.accepted for seen in looked.tools)
    yield comment(f"What the conformance suite has to know of {server or 'this server'}; begun by `conformance init`.")
    yield comment("Run it with: conformance run --config conformance.toml")
    yield "#"
    yield comment(f"{some(len(looked.tools), 'tool')}; called: {called}; accepted a call: {accepted}.")
    todo = list(_decisions(looked))
    yield comment("To decide:" if todo else "Nothing is left to decide.")
    for number, decision in enumerate(todo, 1):
        yield comment(f"{number}. {decision}")
    yield 'contract = "mcp"'


def _decisions(looked: Looked) -> Iterator[str]:
    idle = [seen for seen in looked.tools if not seen.calls]
    if idle:
        yield f"Not called: {some(len(idle), 'tool')}. Which of them may be? See [calls] harmless."
    refused = [seen.tool.name for seen in looked.tools if seen.calls and not seen.accepted]
    if refused:
        yield f"No call was found that these accept; give one in [[calls.examples]]: {', '.join(refused)}"
    lying = [seen.tool.name for seen in looked.tools if seen.look.kind == "likely"]
    if lying:
        yield f"These look as if they only read; if so, annotate them readOnlyHint in the server: {', '.join(lying)}"


def _endpoints(statement: Mapping[str, Any]) -> Iterator[str]:
    for endpoint in without(statement)["endpoint"]:
        yield "[[endpoint]]"
        for name in ("transport", "url", "command", "cwd"):
            if endpoint.get(name) is not None:
                hidden = HIDDEN in str(endpoint[name])
                yield f"{name} = {value(endpoint[name])}" + ("  # *** stands for a secret: put it in" if hidden else "")
        if endpoint.get("headers"):
            yield f"headers = {value({name: _header(name, said) for name, said in endpoint['headers'].items()})}"
            yield comment("env:NAME is read from the environment variable NAME")
        plain = {name: said for name, said in endpoint.get("env", {}).items() if said != HIDDEN}
        if plain:
            yield f"env = {value(plain)}"
        for name in endpoint.get("env", {}).keys() - plain.keys():
            yield comment(f"{name} is a secret, and not written here: pass it with --env {name}=…")


def _header(name: str, said: str) -> str:
    return f"env:{name.upper().replace('-', '_')}" if said == HIDDEN else said


def _calls(looked: Looked, statement: Mapping[str, Any]) -> Iterator[str]:
    allowed = [seen for seen in looked.tools if seen.look.kind == "annotated" or seen.calls]
    yield "[calls]"
    yield comment('Which tools may be called: these, or "read-only" (those annotated readOnlyHint), "all", "none".')
    yield "harmless = ["
    for seen in allowed:
        why = seen.look.why if seen.look.kind == "annotated" else f"you named it; {seen.look.why}"
        yield f"  {text(seen.tool.name)},  {comment(why)}"
    for kind, heading in HEADINGS.items():
        idle = [seen for seen in looked.tools if seen.look.kind == kind and seen not in allowed]
        if idle:
            yield f"  {comment(heading)}"
        for seen in idle:
            yield f"  # {text(seen.tool.name)},  {comment(seen.look.why)}"
    yield "]"
    skipped = statement.get("calls", {}).get("skip")
    if skipped:
        yield f"skip = {value(skipped)}"


def _examples(looked: Looked) -> Iterator[str]:
    if looked.tools:
        yield ""
        yield comment("A call of each tool. {{fresh.NAME}} is a new name each time, {{files.KIND}} a file or")
        yield comment(
            "folder that the run makes, {{TOOL.KEY}} a value of an earlier answer, {{TOOL.KEY|number}} one that"
        )
        yield comment("stands in a text, as a number.")
    for seen in sorted(looked.tools, key=lambda each: not each.accepted):
        yield from ("", *_example(seen))


def _example(seen: Seen) -> Iterator[str]:
    name, mark = seen.tool.name, "" if seen.accepted and seen.arguments is not None else "# "
    if seen.arguments is None:
        yield comment(f"{name}: no arguments could be made for its schema. Give a call that works.")
    elif seen.accepted:
        yield comment(f"{name}: accepted; it answered {_answer(seen)}")
    elif seen.calls:
        yield comment(f"{name}: accepted none of {len(seen.calls)} calls; the last: {seen.refusal[:SHOWN]}")
        yield comment("Put in what works, and take away the `# `:")
    else:
        yield comment(f"{name}: not called. These arguments are a proposal, and were not tried:")
    yield f"{mark}[[calls.examples]]"
    yield f"{mark}tool = {text(name)}"
    yield f"{mark}arguments = {value(seen.arguments or {})}"


def _answer(seen: Seen) -> str:
    accepted = [call for call in seen.calls if call.accepted]
    shown: Json = accepted[-1].payload if accepted else None
    if shown is None and accepted:
        shown = (accepted[-1].result or {}).get("content")
    said = value(shown) if shown is not None else "nothing"
    return said if len(said) <= SHOWN else f"{said[:SHOWN]}…"

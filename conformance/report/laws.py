"""The shared laws and their fields as text for a terminal and as a page: schemas/laws.md."""

import textwrap
from collections.abc import Iterator, Sequence

from conformance.contract.laws import Field, SharedLaw, laws, places, tables

WIDTH = 100
INDENT = "  "
PAGE = f"""# Promises as data

`conformance contract laws LAW` prints a part of this page; `python -m conformance.report.schemas` writes it. A
requirement in a contract's requirements.toml names one of these laws, with its fields.

{places()}
"""


def told(law: SharedLaw) -> str:
    """A law for a terminal."""
    width = max((len(field.name) for field in law.fields), default=0)
    lines = [law.name, *_wrapped(law.says), "", *_wrapped(f"Where it shows: {law.seen}."), ""]
    for field in law.fields:
        lines += _wrapped(f"{field.name:<{width}}  {_about(field)}", deeper=" " * (width + 2))
    lines += ["", f"{INDENT}promise = {law.sample}", *_wrapped(f"says: {law.sentence}")]
    return "\n".join(lines)


def summary() -> str:
    """All laws in a line each."""
    return "\n".join(f"{law.name:<12} {law.says.partition('. ')[0].rstrip('.')}." for law in laws().values())


def page() -> str:
    """All of them, as Markdown."""
    return "\n".join([PAGE, *_page()])


def _page() -> Iterator[str]:
    for law in laws().values():
        yield from (f"## {law.name}", "", law.says, "", f"It shows {law.seen}.", "")
        yield from _table(law.fields)
        yield from ("```toml", f"promise = {law.sample}", "```", "", law.sentence, "")
    yield from ("# Entities and calls", "", "What contract.toml says of how the tools are called.", "")
    for name, (says, fields) in tables().items():
        yield from (f"## {name}", "", says, "")
        yield from _table(fields)


def _table(fields: Sequence[Field]) -> Iterator[str]:
    if fields:
        yield from ("| field | holds | if left out | |", "|---|---|---|---|")
        for field in fields:
            yield f"| `{field.name}` | {field.kind} | {_default(field)} | {field.says} |"
        yield ""


def _default(field: Field) -> str:
    return f"`{field.default}`" if field.default not in ("", "none") else field.default or "it is needed"


def _about(field: Field) -> str:
    return f"{field.kind} ({_default(field).strip('`')}). {field.says}"


def _wrapped(text: str, deeper: str = "") -> list[str]:
    more = INDENT + deeper
    return textwrap.wrap(text, WIDTH, initial_indent=INDENT, subsequent_indent=more, break_on_hyphens=False)

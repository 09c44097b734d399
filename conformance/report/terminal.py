"""The report on a terminal: what is broken first, then totals that add up, the claim, and what to do next."""

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from conformance.model.verdict import Verdict
from conformance.report.asides import Aside, asides
from conformance.report.excerpt import Kind, Line, excerpt
from conformance.report.first import first
from conformance.report.model import Call, Report
from conformance.report.printable import called, compact, plain
from conformance.report.progress import Progress as Progress
from conformance.report.story import Story, advice, changes, sides, stories
from conformance.report.words import LOOKS, PLAIN_GLYPHS, caller, caveat, counted, introduced, some, state, took, totals

MOST_WHOLE = 8
"""Findings told whole; of the others one line each."""
MOST_ITEMS = 12
WIDEST = 110
SIDES = {"expected": "green", "got": "red"}
KINDS: dict[Kind, str] = {
    "key": "cyan",
    "string": "",
    "number": "",
    "word": "",
    "sign": "dim",
    "cut": "dim italic",
}


def render(report: Report, console: Console) -> None:
    """Prints it. A console that cannot encode a character shows what stands for it, and never fails."""
    if console.encoding.lower().startswith("utf"):
        _print(report, console)
        return
    with console.capture() as captured:
        _print(report, console)
    shown = captured.get().translate(PLAIN_GLYPHS)
    console.file.write(shown.encode(console.encoding, "backslashreplace").decode(console.encoding))


def _print(report: Report, console: Console) -> None:
    width = min(console.width, WIDEST)
    told = list(stories(report))
    for story in told[:MOST_WHOLE]:
        for part in _story(story, width):
            _show(console, part, width)
        console.print()
    for story in told[MOST_WHOLE:]:
        _show(console, Text.assemble(_name(story), "  ", plain(story.finding.saw, 200)), width)
    if told[MOST_WHOLE:]:
        console.print()
    for part in _ending(report, width):
        _show(console, part, width)


def _show(console: Console, part: RenderableType, width: int) -> None:
    if isinstance(part, Text) and part.no_wrap:
        console.print(part, soft_wrap=True, highlight=False)
    else:
        console.print(part, width=width, highlight=False)


def _name(story: Story) -> Text:
    look = LOOKS[story.result.verdict]
    return Text.assemble(
        (f"{look.glyph} {plain(story.finding.requirement)}", look.style), f"  {plain(story.result.level)}"
    )


def _story(story: Story, width: int) -> Iterator[RenderableType]:
    finding, result = story.finding, story.result
    heading = Table.grid(padding=(0, 2, 0, 0), expand=True)
    heading.add_column(no_wrap=True)
    heading.add_column(justify="right", style="dim")
    heading.add_row(_name(story), f"{plain(result.source)} · {story.share}")
    yield heading
    yield _in(Text(plain(result.statement), style="italic"))
    facts = _facts()
    facts.add_row("seen", Text(plain(finding.saw, 600), style="bold"))
    for label, value in _comparison(story, width - 14):
        facts.add_row(label, value)
    for label, said in advice(result):
        facts.add_row(label, Text(plain(said, 600)))
    yield _in(facts)
    yield Text()
    for call in story.calls[:-1]:
        yield _in(Group(_asked(call, width - 4), _answered(call, width - 4)))
    for call in story.calls[-1:]:
        shown = (
            excerpt(call.answer, finding.pointer, width=width - 8, lines=24, longest=64)
            if call.answer is not None
            else []
        )
        lines = map(_line, shown)
        yield _in(Group(_asked(call, width - 4), _answered(call), *lines))
    if story.blocks:
        more = _facts()
        more.add_row("blocks", ", ".join(map(plain, story.blocks)))
        yield _in(more)
    if story.reproduce:
        yield Text.assemble(("  reproduce  ", "dim"), plain(story.reproduce), no_wrap=True)


def _in(part: RenderableType) -> Padding:
    return Padding(part, (0, 0, 0, 2), expand=False)


def _facts() -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", min_width=9, no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _comparison(story: Story, room: int) -> Iterator[tuple[str, Text]]:
    expected, got = story.finding.expected, story.finding.got
    explained = changes(expected, got)
    for change in explained:
        yield (
            "differs",
            Text.assemble(
                (f"{plain(change.pointer, 60)}  ", "cyan"),
                ("- " + ("nothing" if change.missing == "expected" else compact(change.expected, room)), "green"),
                "  ",
                ("+ " + ("nothing" if change.missing == "got" else compact(change.got, room)), "red"),
            ),
        )
    for name, value in [] if explained else sides(story.finding):
        yield name, Text(compact(value, 2 * room), style=SIDES[name])


def _asked(call: Call, room: int) -> Text:
    whole = called(call.tool or call.method, call.arguments, max(40, 2 * room))
    text = Text.assemble(("→ ", "blue"), whole, (f"  #{call.call} {plain(caller(call))}", "dim"))
    if call.conditions:
        text.append(f" under {compact(call.conditions, room)}", "dim")
    return text


def _answered(call: Call, room: int = 0) -> Text:
    text = Text.assemble(("← ", "magenta"), plain(call.ended), (f"  {took(call.took_us)}", "dim"))
    left = room - len(text.plain) - 2
    return text.append(f"  {compact(call.answer, left - 1)}", "dim") if left > len("{…}") and call.answer else text


def _line(line: Line) -> Text:
    text = Text("▶ " if line.marked else "  ", style="bold red" if line.marked else "", overflow="fold")
    text.append("  " * line.depth)
    for piece in line.pieces:
        text.append(piece.text, "bold red" if line.marked else KINDS[piece.kind])
    return text


def _ending(report: Report, width: int) -> Iterator[RenderableType]:
    server = introduced(report)
    about = f"{plain(report.target.name)}{f' ({plain(server)})' if server else ''}"
    spoken = " · ".join((*report.target.endpoints, *report.target.revisions))
    yield Text.assemble((about, "bold"), (f"  {plain(spoken)}", "dim"))
    yield Text(
        f"{some(report.calls, 'call')}, {some(report.judged, 'check')}, {report.duration_ms / 1000:.1f} s, "
        f"seed {report.seed}, suite {plain(report.suite)}",
        style="dim",
    )
    if report.fuzz:
        yield Text(plain(report.fuzz), style="dim")
    yield _bar(report, width)
    yield Text(totals(report))
    for aside in asides(report):
        yield from _aside(aside)
    if said := caveat(report):
        yield Text(plain(said), style="yellow")
    yield Text.assemble((plain(report.claim), LOOKS[state(report)].style))
    yield from _first(report)
    yield Text()
    if report.roots:
        yield Text.assemble(
            ("explain  ", "dim"),
            f"conformance explain {plain(report.roots[0].requirement)}{_folder(report)}",
            no_wrap=True,
        )
    if report.command:
        whole = f"{plain(report.command)} --format html --output report.html"
        yield Text.assemble(("report   ", "dim"), whole, no_wrap=True)


def _first(report: Report) -> Iterator[RenderableType]:
    """What to do first, in steps."""
    steps = first(report)
    if not steps:
        return
    yield Text()
    yield Text("what to do first", style="bold")
    for number, step in enumerate(steps, 1):
        yield _in(Text(f"{number}. {plain(step.text, 400)}{_named(step.ids)}{plain(step.rest, 400)}"))


def _named(ids: Sequence[str]) -> str:
    """The requirements that something is about: of many the first, and how many more there are."""
    more = f" and {len(ids) - MOST_ITEMS} more" if ids[MOST_ITEMS:] else ""
    return f" {', '.join(map(plain, ids[:MOST_ITEMS]))}{more}" if ids else ""


def _folder(report: Report) -> str:
    """The option that names a contract which is not known by its name."""
    return f" --contract {plain(report.named)}" if report.named not in ("", report.contract) else ""


def _aside(aside: Aside) -> Iterator[RenderableType]:
    """A heading and its items; of many items the first, and how many more there are."""
    style = LOOKS[aside.verdict].style if aside.verdict is not None else "dim"
    if not aside.items:
        yield Text(aside.heading, style=style)
        return
    yield Text.assemble((f"{aside.glyph} {aside.heading}".strip(), style))
    for item in aside.items[:MOST_ITEMS]:
        yield _in(Text(f"{plain(item.text)}{':' if item.ids else ''}{_named(item.ids)}"))
    if aside.items[MOST_ITEMS:]:
        yield _in(Text(f"and {len(aside.items) - MOST_ITEMS} more", style="dim"))


def _bar(report: Report, width: int) -> Text:
    """One cell a share of the requirements, at least one for each verdict that was given."""
    shares, whole = counted(report), max(1, len(report.requirements))
    room = min(width, 60)
    bar = Text()
    for verdict, number in shares:
        look = LOOKS[verdict]
        cells = max(1, round(room * number / whole))
        bar.append(("━" if verdict is Verdict.PASS else look.glyph) * cells, look.style)
    return bar

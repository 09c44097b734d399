"""Texts that show the inside of a server: stack traces, statements of its database, its paths, its types."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from conformance.judge.memo import of_each
from conformance.judge.sought import REMEMBERED, SHORT, Sought
from conformance.judge.texts import first, texts
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.ours import PREFIX

LONGEST = 200_000
"""Characters of an answer that are looked through: 0.1 s."""
# Neither of the next two goes back over what it has taken: a text is looked through once, whatever it says.
STACK = re.compile(
    r"Traceback \(most recent call last\)"
    r"|File \"[^\"\n]++\", line \d++, in "
    r"|\n[^\S\n]++at (?:async )?[\w$.<>\[\] ]+\(?(?:file://|node:|/|[A-Za-z]:\\)[^\n]*:\d+:\d"
    r"|\n[^\S\n]++at [\w$.<>]++ \([^\s():]++:\d++:\d++\)"
    r"|\n[^\S\n]++at [\w$.<>]++\([\w$]++\.(?:java|kt|scala):\d++\)"
    r"|\n[^\S\n]++at [\w.<>`\[\]]++\((?>[^\n]*?\) in )[^\n]*?:line \d"
    r"|goroutine \d++ \[[a-z ]++\]:"
    r"|thread '[^']*+' (?:\(\d++\) )?+panicked at "
    r"|stack backtrace:\n"
    r"|[\w./-]{0,80}\.rb:\d++:in [`']"
    r"|#\d++ [^\n#]+\.php\(\d++\): "
    r"| in (?:/|[A-Za-z]:\\)[^\s:]+\.php(?: on line |:)\d"
)
PLACE = re.compile(
    # a path after a verb of HTTP is a route
    r"(?:(?<=file://)|(?<![\w/.:~-])(?<!GET )(?<!POST )(?<!PUT )(?<!PATCH )(?<!DELETE )(?<!HEAD ))"
    r"/(?:home|Users|root|usr|var|tmp|opt|etc|srv|mnt|private|app|workspace|build|nix)/[\w.+@/-]++"
    r"|(?<!\w)[A-Za-z]:(?:\\{1,2}|/(?!/))[\w .+@-]++(?:(?:\\{1,2}|/)[\w .+@-]++)++"
)
DRIVE = re.compile(r"[A-Za-z]:\\")
BACKSLASHES = re.compile(r"\\{2,}")
STATEMENT = re.compile(
    r"\binsert\s+into\s+[\w\"`.]+\s*\("
    r"|\bselect\s[^;\n]{1,300}\sfrom\s+[\w\"`.]+\s+(?:where|limit|order|join|inner|left)\b"
    r"|\bselect\s+\*\s+from\s+[\w\"`.]"
    r"|\bupdate\s+[\w\"`.]+\s+set\s+[\w\"`.]+\s*="
    r"|\bdelete\s+from\s+[\w\"`.]+\s+where\b"
    r"|\bSQLSTATE\b|violates (?:unique|foreign key|check|not-null) constraint|UNIQUE constraint failed"
    r"|syntax error at or near|no such (?:table|column):",
    re.IGNORECASE,
)
TYPE = re.compile(
    r"\b(?:KeyError|TypeError|AttributeError|IndexError|NameError|UnboundLocalError|ZeroDivisionError|ReferenceError"
    r"|RecursionError|AssertionError|NullPointerException|IllegalStateException|ClassCastException"
    r"|IndexOutOfBoundsException|NullReferenceException)\b"
    r"|\b(?:sqlite3|aiosqlite|psycopg\d?|asyncpg|pymysql|sqlalchemy)\.(?:\w+\.)*\w*Error\b"
    r"|'NoneType' object|Cannot read propert(?:y|ies) of (?:undefined|null)|is not a function\b"
    r"|runtime error: |called `(?:Option|Result)::unwrap\(\)`"
    # an error as Rust and Node print what is in it
    r"|\b[A-Z][A-Za-z]*Error \{ \w+: "
)
STACKS = Sought(
    STACK, "Traceback", 'File "', ("\n", "at "), "goroutine ", "panicked", "stack backtrace", ".rb:", ".php(", ".php:",
    (".php", " on line "),
)  # fmt: skip
STATEMENTS = Sought(
    STATEMENT, ("insert", "into"), ("select", "from"), ("update", "set"), ("delete", "from"), "sqlstate", "constraint",
    "syntax error", "no such ",
)  # fmt: skip
PLACES = Sought(
    PLACE, "/home/", "/Users/", "/root/", "/usr/", "/var/", "/tmp/", "/opt/", "/etc/", "/srv/", "/mnt/", "/private/",  # noqa: S108 -- looked for
    "/app/", "/workspace/", "/build/", "/nix/", ":\\", ":/",
)  # fmt: skip
# the errors by how they end: isError is in every refusal
TYPES = Sought(
    TYPE, "eError", "gError", "lError", "nError", "xError", "yError", "Exception", "NoneType", "Cannot read",
    "is not a function", "runtime error", "unwrap()", "Error {",
)  # fmt: skip
KINDS = (
    ("a stack trace", STACKS),
    ("a statement of its database", STATEMENTS),
    ("a path", PLACES),
    ("a type of its own", TYPES),
)
EXAMPLE = re.compile(
    r"\be\.?g\.?\W|\bfor example\b|\bexamples?:|\bsuch as\b|\blike\b(?!.*[.:;!?]\s)[^\n]*\Z", re.IGNORECASE
)
"""Words that say that what follows is an example. After `like` it stands in the same part of the sentence."""
SHOWN = 80
"""Characters between such words and what is an example."""

BETWEEN = "\0"
"""Between texts that are joined: no word that is sought has it."""


@of_each
def discreet(call: Exchange) -> bool:
    """Whether an answer has no word of those without which nothing of the inside is shown; most answers have none.

    Its texts are looked through together. One that has more than is looked through is not discreet.
    """
    # an envelope that comes as JSON in a text has its lines' ends escaped there
    apart = call.envelope is not None and call.envelope is not (call.result or {}).get("structuredContent")
    found, whole = first([_heard(call), call.envelope] if apart else _heard(call), LONGEST, keys=True)
    return whole and not (_may_show(BETWEEN.join(found)) and any(map(_may_show, found)))


def _heard(call: Exchange) -> Json:
    if call.response is not None or call.raw is None:
        return call.response
    return call.raw.payload if call.raw.raw is None else call.raw.raw


def _may_show(text: str) -> bool:
    if any(pattern.may_match(text) for _, pattern in KINDS):
        return True
    return "\\n" in text and STACKS.may_match(text.replace("\\n", "\n"))


def stack(text: str) -> str:
    """The stack trace in a text, be it in JSON within the text, where ends of lines are escaped; empty: none."""
    found = STACKS.search(text)
    if found is None and "\\n" in text:
        found = STACKS.search(text.replace("\\n", "\n").replace("\\t", "\t"))
    return found.group() if found is not None else ""


def _long_betrays(text: str) -> bool:
    return PLACES.search(text) is not None or stack(text) != ""


_short_betrays = lru_cache(REMEMBERED)(_long_betrays)


def betraying(texts: Iterable[str]) -> list[str]:
    """Those of some texts that show a stack trace or a path."""
    return [text for text in texts if (_short_betrays(text) if len(text) <= SHORT else _long_betrays(text))]


def _long_tells(text: str) -> bool:
    return stack(text) != "" or any(pattern.search(text) for _, pattern in KINDS)


_short_tells = lru_cache(REMEMBERED)(_long_tells)


def telling(texts: Iterable[str]) -> list[str]:
    """Those of some texts that show anything of the inside at all; short ones come again in every answer."""
    return [text for text in texts if (_short_tells(text) if len(text) <= SHORT else _long_tells(text))]


def repeats(shown: str, sent: str) -> bool:
    """Whether a text is the caller's own: as it was sent, escaped, or with the sentence around it.

    Blanks may stand in a path of Windows, so the words that follow one are taken for a part of it.
    """
    own, sent = _unescaped(shown).strip().rstrip("./"), _unescaped(sent)
    while own not in sent:
        if DRIVE.match(own) is None or " " not in own:
            return False
        own = own.rpartition(" ")[0].rstrip("./ ")
    return True


def _unescaped(text: str) -> str:
    """A text whose backslashes stand once: what quotes a value as a literal of some language doubles each."""
    return BACKSLASHES.sub(r"\\", text)


def places(text: str) -> Iterator[str]:
    """The paths in a text, each once; what it gives as an example is no place of this machine, nor one of ours."""
    seen = set[str]()
    for found in PLACES.every(text):
        place = found.group().rstrip("./")
        example = EXAMPLE.search(text[max(0, found.start() - SHOWN) : found.start()])
        if place not in seen and example is None and f"/{PREFIX}" not in place:
            seen.add(place)
            yield place


def _insides(text: str) -> Iterator[tuple[str, str]]:
    """All that a text shows of the inside, each with its kind."""
    if trace := stack(text):
        yield "a stack trace", trace
    for kind, pattern in KINDS:
        if pattern is PLACES:
            yield from ((kind, place) for place in places(text))
        elif pattern is not STACKS:
            yield from ((kind, found.group()) for found in pattern.every(text))


def shown_inside(call: Exchange) -> str:
    """What of its inside a refusal shows that the caller did not send: the kind and the text; empty where nothing."""
    if discreet(call):
        return ""
    sent = "\n".join(texts([call.request, call.asked.path if call.asked is not None else ""], keys=True))
    for text in telling(first([_heard(call), call.envelope], LONGEST, keys=True)[0]):
        for kind, inside in _insides(text):
            if not repeats(inside, sent):
                return f"{kind}: {' '.join(inside.split())[:120]!r}"
    return ""

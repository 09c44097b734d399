"""The forms in which a server may say a value again: as it is, escaped, URL-encoded, in another case, as digits."""

import base64
import html
import json
import re
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

LONG = 12
"""Characters of a value that is no other word in another case."""
_HEX = re.compile(r"%[0-9A-F]{2}")


class _Escapes(dict[int, str]):
    """What an escape makes of each character, as `str.translate` asks for it: a run masks hundreds of tokens."""

    def __init__(self, escape: str) -> None:
        super().__init__()
        self._escape = escape

    def __missing__(self, character: int) -> str:
        escaped = self[character] = self._escape.format(character)
        return escaped


_ESCAPES = [_Escapes(each) for each in ("&#{};", "&#x{:x};", "&#x{:X};", "\\x{:02x}", "\\u{:04x}", "\\u{:04X}")]


def spellings(value: str) -> Iterator[str]:
    """Each form that can be read once, the value itself first."""
    yield from dict.fromkeys(form for form in _forms(value) if form)


def encodings(value: str) -> Iterator[str]:
    """What base64 makes of it, wherever it stands in what is encoded, and other ways to spell out its octets."""
    octets = value.encode("utf-8", "surrogatepass")
    digits = octets.hex()
    percents = f"%{octets.hex('%')}"
    yield from (digits, digits.upper(), percents, percents.upper(), base64.b32encode(octets).decode().rstrip("="))
    for escapes in _ESCAPES:
        yield value.translate(escapes)
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for before in range(3):
            yield _core(encode(bytes(before) + octets).decode(), before, len(octets))


def _forms(value: str) -> Iterator[str]:
    yield value
    for text in (json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1], html.escape(value)):
        yield text
        # a text that holds JSON that holds a text
        yield json.dumps(text, ensure_ascii=False)[1:-1]
    if len(value) >= LONG:
        yield from (value.upper(), value.lower())
    octets = value.encode("utf-8", "surrogatepass")
    for text in (quote(octets, safe=""), quote(octets), quote_plus(octets)):
        yield text
        yield _HEX.sub(lambda found: found.group().lower(), text)


def _core(encoded: str, before: int, size: int) -> str:
    """The characters that such octets alone decide, wherever they stand in what is encoded."""
    return encoded[-(-8 * before // 6) : 8 * (before + size) // 6]

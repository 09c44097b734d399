"""A message without the secrets that were typed; options that were typed without a value."""

import re
from collections.abc import Sequence
from itertools import pairwise

KEYS = ("--key", "--public-key")
"""Options whose value is the path of a key, or the address of one."""

_EMPTY = re.compile("--[a-z-]+=")


def unvalued(words: Sequence[str]) -> str:
    """The option whose value is an empty text; empty where there is none."""
    spelled = next((word[:-1] for word in words if _EMPTY.fullmatch(word)), "")
    pairs = pairwise(words)
    return spelled or next((name for name, value in pairs if name.startswith("--") and not value.strip()), "")


def unspoken(text: str, words: Sequence[str]) -> str:
    """The text without what is secret among these words, and without what a terminal or a CI would obey."""
    from conformance.drive.masking import Masking  # noqa: PLC0415 -- only for an error
    from conformance.drive.private import of_command  # noqa: PLC0415 -- as above
    from conformance.report.printable import plain  # noqa: PLC0415 -- as above

    known, files = Masking(), {value for option, value in pairwise(words) if option in KEYS and "://" not in value}
    for value, name, named in of_command(list(words)):
        if value not in files:
            known.add(value, name, named=named)
    return "\n".join(plain(line) for line in known.text(text).splitlines())

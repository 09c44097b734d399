"""A message without the secrets that were typed."""

from collections.abc import Sequence


def unspoken(text: str, words: Sequence[str]) -> str:
    """The text without what is secret among these words, and without what a terminal or a CI would obey."""
    from conformance.drive.masking import Masking  # noqa: PLC0415 -- only for an error
    from conformance.drive.private import of_command  # noqa: PLC0415 -- as above
    from conformance.report.printable import plain  # noqa: PLC0415 -- as above

    known = Masking()
    for value, name, named in of_command(list(words)):
        known.add(value, name, named=named)
    return "\n".join(plain(line) for line in known.text(text).splitlines())

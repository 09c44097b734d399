"""A stranger's words within a message of ours: on one line, so that no terminal and no CI takes them for its own."""


def line(text: str, limit: int) -> str:
    """The text on one line, as far as it can be seen: its end where it is longer than `limit`."""
    joined = " | ".join(part.strip() for part in text.splitlines() if part.strip())
    shown = joined if len(joined) <= limit else f"…{joined[-limit:]}"
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in shown)

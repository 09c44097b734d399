"""What others wrote, on one line."""

from conformance.drive.words import line

FRAMES = "\n".join(f"#{number} /srv/app/Session.php(322): handle()" for number in range(40))


def test_a_short_text_is_whole() -> None:
    assert line(" one \n\n two\x07\n", 40) == "one | two\\x07"


def test_of_a_long_text_the_end_is_shown() -> None:
    assert line("a" * 90 + "\nend", 20) == "…" + "a" * 14 + " | end"


def test_the_line_that_says_what_went_wrong_comes_first_where_the_end_lacks_it() -> None:
    shown = line(f"Fatal error: Uncaught RuntimeException: no session\n{FRAMES}\nthrown", 120)
    assert shown.startswith("Fatal error: Uncaught RuntimeException: …")
    assert shown.endswith("handle() | thrown")
    assert len(shown) <= 123


def test_an_error_at_the_end_is_not_told_twice() -> None:
    shown = line(f"{FRAMES}\nValueError: no such note", 60)
    assert shown.count("ValueError") == 1
    assert shown.startswith("…")

import pytest

from divergent._text import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("très hard, ß", "très hard, ß"),
        ("\x1b[2J\x1b]0;title\x07", r"\x1b[2J\x1b]0;title\x07"),
        ("two\nlines\r", r"two\nlines\r"),
        ("\x9b31m", r"\x9b31m"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("\ud800 alone", r"\ud800 alone"),
    ],
)
def test_printable_escapes_all_that_controls_a_terminal(text, shown):
    assert printable(text) == shown
    assert shown.encode("utf-8").decode("utf-8") == shown


def test_printable_takes_errors_and_paths():
    assert printable(ValueError("line\nbreak")) == r"line\nbreak"

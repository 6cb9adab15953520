"""Escaping of unprintable characters in text from files and arguments."""


def printable(text: object) -> str:
    """Escape every character that is not printable in a terminal or on a page.

    Control characters, terminal escape sequences, line breaks, bidirectional overrides and lone surrogates become
    backslash escapes. The result is a single line that UTF-8 can encode.

    Parameters
    ----------
    text : object
        A string, or an object such as a path or an error that is converted by `str`.

    Returns
    -------
    str

    Examples
    --------
    >>> printable("très\\x1b[2J hard")
    'très\\\\x1b[2J hard'
    """
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in str(text)
    )

"""Generated blocks (tables and sentences) of Markdown pages.

An HTML comment with the kind and the name of a block precedes the block, and a second comment ends the block.
"""

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

Source = TypeVar("Source")


def render_blocks(text: str, kind: str, blocks: Mapping[str, Callable[[Source], str]], source: Source) -> str:
    """Return a Markdown page in which all generated blocks of one kind are rendered again.

    Parameters
    ----------
    text : str
        Markdown page with generated blocks.
    kind : str
        Kind of the blocks to render, such as "results".
    blocks : mapping of str to callable
        Rendering function of each block; the keys are the names of the blocks.
    source : object
        Argument of the rendering functions, such as the results.

    Returns
    -------
    str
        Markdown page with rendered blocks.

    Raises
    ------
    ValueError
        If the page has a block whose name is not in `blocks`.

    Examples
    --------
    >>> print(render_blocks("<!-- sums: total -->\\n<!-- end of sums -->", "sums", {"total": str}, 3))
    <!-- sums: total -->
    3
    <!-- end of sums -->
    """

    def render(match: re.Match[str]) -> str:
        name, opening = match.groups()
        if name not in blocks:
            raise ValueError(f"name of a {kind} block must be one of {', '.join(blocks)}, got {name!r}; fix the name")
        return f"{name}{opening}{blocks[name](source)}\n"

    pattern = rf"(?<=<!-- {kind}: )(\w+)( -->\n).*?(?=<!-- end of {kind} -->)"
    return re.sub(pattern, render, text, flags=re.DOTALL)

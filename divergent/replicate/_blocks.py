"""Generated blocks of Markdown pages.

Blocks are enclosed in HTML comments `<!-- KIND: NAME -->` and `<!-- end of KIND -->`, which name their kind.
"""

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

Source = TypeVar("Source")


def render_blocks(text: str, kind: str, blocks: Mapping[str, Callable[[Source], str]], source: Source) -> str:
    """Render the generated blocks of a page again and return the page.

    Parameters
    ----------
    text : str
        Markdown with blocks.
    kind : str
        Kind of the blocks to render, such as "results".
    blocks : mapping of str to callable
        Function that renders a block, by name of the block.
    source : object
        Argument of these functions.

    Returns
    -------
    str
        The text.

    Raises
    ------
    ValueError
        If a block has an unknown name.

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
            raise ValueError(f"the name of a block of {kind} must be one of {', '.join(blocks)}, got {name!r}")
        return f"{name}{opening}{blocks[name](source)}\n"

    pattern = rf"(?<=<!-- {kind}: )(\w+)( -->\n).*?(?=<!-- end of {kind} -->)"
    return re.sub(pattern, render, text, flags=re.DOTALL)

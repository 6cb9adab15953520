"""Redraw the figures of documentation pages by running the Python blocks of each page in this folder.

Usage: python docs/images/draw.py docs/start.md docs/explanation/surprise.md docs/howto/neat.md
"""

import os
import re
import sys
from pathlib import Path

import matplotlib


def draw(page):
    """Run a page's blocks, one after the other, as one program."""
    code = "\n".join(re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
    exec(compile(code, str(page), "exec"), {"__name__": "__main__"})


if __name__ == "__main__":
    matplotlib.use("Agg")
    pages = [Path(name).resolve() for name in sys.argv[1:]]
    os.chdir(Path(__file__).parent)
    for page in pages:
        draw(page)

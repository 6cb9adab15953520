"""Redraw the figures of documentation pages by running the Python blocks of each page in this folder.

PNG files are reduced to 256 colours.

Usage: python docs/images/draw.py docs/start.md docs/explanation/surprise.md docs/howto/neat.md
"""

import os
import re
import sys
from pathlib import Path

import matplotlib
from PIL import Image


def draw(page):
    """Run a page's blocks, one after the other, as one program."""
    code = "\n".join(re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
    exec(compile(code, str(page), "exec"), {"__name__": "__main__"})


def reduce_colours(path):
    """Reduce a PNG file to 256 colours."""
    with Image.open(path) as image:
        method = Image.Quantize.MAXCOVERAGE  # keeps colours with few pixels, such as markers
        reduced = image.convert("RGB").quantize(256, method, kmeans=3, dither=Image.Dither.NONE)
    reduced.save(path, optimize=True)


if __name__ == "__main__":
    matplotlib.use("Agg")
    pages = [Path(name).resolve() for name in sys.argv[1:]]
    os.chdir(Path(__file__).parent)
    for page in pages:
        before = {path: path.stat().st_mtime_ns for path in Path().glob("*.png")}
        draw(page)
        for path in Path().glob("*.png"):
            if before.get(path) != path.stat().st_mtime_ns:
                reduce_colours(path)

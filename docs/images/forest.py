"""Draw docs/images/forest.png: the effect of each claim in our runs, relative to the effect in the paper.

Usage: python docs/images/forest.py [FILE.png]     (reads results/, one minute)
"""

import sys
from pathlib import Path

import matplotlib

from divergent.plots import STYLE
from divergent.replicate._forest import draw_forest
from divergent.replicate._replication import read_replication
from divergent.replicate._sections.claims import effects

HOME = Path(__file__).parents[2]


def draw(target: Path) -> None:
    """Draw the effects of all directional claims in the committed results."""
    axes = draw_forest(effects(read_replication(HOME / "results")))
    with matplotlib.rc_context(STYLE):
        axes.figure.savefig(target, bbox_inches="tight", dpi=130)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("forest.png"))

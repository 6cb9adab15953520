"""Draw docs/images/side_by_side.png: where robots end under three searches of the hard maze, and who gets through.

Usage: python docs/images/side_by_side.py [FILE.png] [GENERATIONS]     (default: the paper's 300, half a minute)
"""

import sys
from pathlib import Path

import matplotlib
from matplotlib import pyplot

from divergent import Settings, run
from divergent.analysis import visits
from divergent.plots import STYLE, draw_heatmap, draw_maze, label

SEED = 2


def draw(target, generations):
    """One run of each search, with the same seed, side by side."""
    matplotlib.rcParams.update(STYLE)
    figure, panels = pyplot.subplots(1, 3, figsize=(9, 3.7), layout="constrained")
    for axes, search in zip(panels, ("objective", "novelty", "surprise"), strict=True):
        record = run(Settings(maze="hard", search=search, seed=SEED, generations=generations))
        draw_heatmap(visits(record.positions, record.maze.bounds, cell=2.5), record.maze, ax=axes, cell=2.5)
        draw_maze(record.maze, ax=axes, trail=record.trail)
        end = "solved" if record.solved else "not solved"
        axes.set_title(f"{label(search)}\n{end}, {record.evaluations:,} evaluations", loc="center", fontweight="normal")
    figure.savefig(target, bbox_inches="tight")


if __name__ == "__main__":
    draw(
        Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("side_by_side.png"),
        int(sys.argv[2]) if len(sys.argv) > 2 else None,
    )

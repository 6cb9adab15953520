"""Draw docs/images/four_mazes.png: the four predefined mazes.

Usage: python docs/images/four_mazes.py
"""

from pathlib import Path

import matplotlib
from matplotlib import pyplot

from divergent.maze import read_maze
from divergent.plots import draw_maze, label

HERE = Path(__file__).parent
NAMES = ("medium", "hard", "very_hard", "extremely_hard")


def draw(target: Path) -> None:
    """Draw the four mazes next to each other, all to the same scale."""
    matplotlib.use("Agg")
    mazes = [read_maze(name) for name in NAMES]
    widths = [maze.bounds[2] - maze.bounds[0] for maze in mazes]
    figure, panels = pyplot.subplots(1, 4, figsize=(9.0, 2.4), width_ratios=widths, layout="constrained")
    for maze, axes in zip(mazes, panels, strict=True):
        draw_maze(maze, ax=axes)
        axes.set_title(label(maze.name), fontsize=10)
    figure.savefig(target, dpi=150)


if __name__ == "__main__":
    draw(HERE / "four_mazes.png")

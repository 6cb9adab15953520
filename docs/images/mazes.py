"""Draw docs/images/mazes.png: the hard maze with the sensors of a robot, and a generated maze.

Usage: python docs/images/mazes.py
"""

from pathlib import Path

import matplotlib
from matplotlib import pyplot

from divergent.maze import generate_maze, read_maze
from divergent.plots import draw_maze, draw_robot

HERE = Path(__file__).parent
POSITION, HEADING = (110.0, 150.0), -100.0  # in degrees


def draw(target: Path) -> None:
    """Draw both mazes next to each other."""
    matplotlib.use("Agg")
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7.5, 3.8), layout="constrained")
    hard = read_maze("hard")
    draw_maze(hard, ax=left)
    draw_robot(hard, POSITION, HEADING, ax=left)
    left.set_title("the hard maze and the sensors of a robot", fontsize=10)
    draw_maze(generate_maze(3, subdivisions=5), ax=right)
    right.set_title("a generated maze", fontsize=10)
    figure.savefig(target, dpi=110)


if __name__ == "__main__":
    draw(HERE / "mazes.png")

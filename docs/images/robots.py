"""Draw the figures of docs/benchmarks/soft_robots.md and of the gallery: python docs/images/robots.py."""

from pathlib import Path

import numpy as np
from matplotlib import pyplot

from divergent.problems.robot_figures import animate_walk, draw_robot, draw_walk

HERE = Path(__file__).parent
TABLE = np.array([[1, 2, 1], [3, 0, 4]])  # made by hand: two legs in antiphase below a table
EVOLVED = np.array(
    [[2, 3, 3, 3, 3], [2, 3, 3, 3, 3], [4, 4, 0, 3, 3], [4, 4, 4, 3, 3], [4, 4, 4, 4, 3]]
)  # by novelty search


def main() -> None:
    """Write the figures."""
    figure, axes = pyplot.subplots(1, 3, figsize=(11, 3.8), layout="constrained", width_ratios=(1, 2, 2))
    draw_robot(EVOLVED, axes[0], legend=True)
    axes[0].set_title("materials at rest", fontsize=9)
    axes[0].set_axis_off()
    draw_walk(TABLE, axes[1], bodies=5)
    draw_walk(EVOLVED, axes[2], bodies=5)
    figure.savefig(HERE / "soft_robots_walk.png", dpi=100)
    animate_walk(EVOLVED, HERE / "soft_robot.gif", seconds=4.0, frames=60, width=420)


if __name__ == "__main__":
    main()

"""Draw the figures of docs/benchmarks/soft_robots.md and of the gallery: python docs/images/robots.py."""

from pathlib import Path

import matplotlib
import numpy as np
from matplotlib import pyplot
from matplotlib.patches import Patch

from divergent.problems.robot_figures import COLOURS, animate_walk, draw_robot, draw_walk

HERE = Path(__file__).parent
TABLE = np.array([[1, 2, 1], [3, 0, 4]])  # made by hand: two legs in antiphase below a table
EVOLVED = np.array(
    [[2, 3, 3, 3, 3], [2, 3, 3, 3, 3], [4, 4, 0, 3, 3], [4, 4, 4, 3, 3], [4, 4, 4, 4, 3]]
)  # by novelty search


def main() -> None:
    """Write the figures."""
    matplotlib.rcParams["font.size"] = 12
    figure, axes = pyplot.subplots(1, 3, figsize=(10, 5), layout="constrained", width_ratios=(1.1, 1, 2.2))
    draw_robot(EVOLVED, axes[0])
    axes[0].set_title("materials at rest", fontsize="medium")
    axes[0].set_axis_off()
    keys = [Patch(facecolor=colour, edgecolor="#222222", label=name) for name, colour in COLOURS.items()]
    axes[0].legend(handles=keys, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.05), frameon=False)
    draw_walk(TABLE, axes[1], bodies=5)
    draw_walk(EVOLVED, axes[2], bodies=5)
    figure.savefig(HERE / "soft_robots_walk.png", dpi=100)
    animate_walk(EVOLVED, HERE / "soft_robot.gif", seconds=4.0, frames=60, width=420)


if __name__ == "__main__":
    main()

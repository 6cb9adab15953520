"""A soft robot

A body of elastic voxels, found by novelty search, rolls and jumps to the right.

Orange and green voxels are active muscles; the two colours oscillate in antiphase.

Tags: soft robots, animation, simulation
"""

from divergent.problems.robot_figures import animate_walk

BODY = [[2, 3, 3, 3, 3], [2, 3, 3, 3, 3], [4, 4, 0, 3, 3], [4, 4, 4, 3, 3], [4, 4, 4, 4, 3]]
animate_walk(BODY, "soft_robot.gif", seconds=3.0, frames=40, width=420)

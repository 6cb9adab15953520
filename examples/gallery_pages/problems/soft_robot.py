"""A soft robot

A soft robot, whose body was evolved by novelty search, rolls and jumps to the right.

The body consists of elastic voxels. Orange and green voxels are active muscles, and the two colours oscillate in
antiphase.

Tags: soft robots, animation, simulation
"""

from divergent.problems.robot_figures import animate_walk

BODY = [[2, 3, 3, 3, 3], [2, 3, 3, 3, 3], [4, 4, 0, 3, 3], [4, 4, 4, 3, 3], [4, 4, 4, 4, 3]]
animate_walk(BODY, "soft_robot.gif", seconds=3.0, frames=40, width=420)

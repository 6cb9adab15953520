"""Animation of a solution

The function `animate_run` writes an animated GIF of the solution, with the sensors of the robot and a step counter.

Tags: maze, animation, robot
"""

from divergent import Settings, run
from divergent.plots import animate_run

record = run(Settings(maze="medium", search="novelty", seed=1, generations=100))
animate_run(record, "solution.gif", every=10)

"""Animation of a solution

`animate_run` writes the rollout of the solution as an animated GIF, with the sensors of the robot and a step counter.

Tags: maze, animation, robot
"""

from divergent import Settings, run
from divergent.plots import animate_run

record = run(Settings(maze="medium", search="novelty", seed=1, generations=100))
animate_run(record, "solution.gif", every=10)

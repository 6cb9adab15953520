"""The maze test bed: mazes, the simulated robot and the maze task.

Functions on mazes are `read_maze`, `maze_names`, `generate_maze`, `check_maze`, `shortest_path` and
`warn_if_goal_unreachable`; they use the class `Maze`. The robot is simulated by `sense`, `step` and `drive`, with the
classes `Pose` and `Rollout`; `ROBOTS` has the names of the robots. `MazeTask` evaluates genomes, and `maze_problem`
defines a problem for runs.
"""

from divergent.maze._files import maze_names, read_maze
from divergent.maze._generator import GENERATED, generate_maze
from divergent.maze._maze import GOAL_RADIUS, ROBOT_RADIUS, Maze, check_maze
from divergent.maze._paths import shortest_path, warn_if_goal_unreachable
from divergent.maze._problem import MazeProblem, maze_problem
from divergent.maze._robot import (
    FIVE_RANGEFINDERS,
    ROBOTS,
    SIX_RANGEFINDERS,
    Pose,
    Rollout,
    drive,
    sense,
    step,
)
from divergent.maze._rollout import INPUTS, OUTPUTS, SENSOR_RANGE
from divergent.maze._task import MazeTask

__all__ = [
    "FIVE_RANGEFINDERS",
    "GENERATED",
    "GOAL_RADIUS",
    "INPUTS",
    "OUTPUTS",
    "ROBOTS",
    "ROBOT_RADIUS",
    "SENSOR_RANGE",
    "SIX_RANGEFINDERS",
    "Maze",
    "MazeProblem",
    "MazeTask",
    "Pose",
    "Rollout",
    "check_maze",
    "drive",
    "generate_maze",
    "maze_names",
    "maze_problem",
    "read_maze",
    "sense",
    "shortest_path",
    "step",
    "warn_if_goal_unreachable",
]

"""The maze test bed: mazes, the simulated robot and the maze task.

`Maze` stores the start, the goal and the walls of a maze. `read_maze`, `maze_names`, `generate_maze`, `check_maze`,
`shortest_path` and `warn_if_goal_unreachable` read, create and check mazes. `sense`, `step` and `drive` simulate the
robot and use the classes `Pose` and `Rollout`. `ROBOTS` lists the names of the simulated robots. `MazeTask` evaluates
genomes in a maze, and `maze_problem` defines a maze problem for `divergent.run`.
"""

from divergent.maze._files import maze_names, read_maze
from divergent.maze._generator import GENERATED, generate_maze
from divergent.maze._maze import GOAL_RADIUS, ROBOT_RADIUS, Maze, check_maze
from divergent.maze._paths import shortest_path, warn_if_goal_unreachable
from divergent.maze._problem import MazeProblem, maze_problem
from divergent.maze._robot import Pose, Rollout, drive, sense, step
from divergent.maze._rollout import INPUTS, OUTPUTS, SENSOR_RANGE
from divergent.maze._rules import FIVE_RANGEFINDERS, ROBOTS, SIX_RANGEFINDERS
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

"""The maze test bed: mazes, the simulated robot and the maze task.

`Maze` stores the start, the goal and the walls of a maze. `read_maze`, `maze_names`, `generate_maze`, `check_maze`,
`shortest_path` and `warn_if_goal_unreachable` read, create and check mazes. `sense`, `step` and `drive` simulate the
robot and use the classes `Pose` and `Rollout`. `ROBOTS` lists the names of the simulated robots. `MazeTask` evaluates
genomes in a maze, and `maze_problem` defines a maze problem for `divergent.run`.
"""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index

if TYPE_CHECKING:
    from divergent.maze._files import maze_names as maze_names, read_maze as read_maze
    from divergent.maze._generator import GENERATED as GENERATED, generate_maze as generate_maze
    from divergent.maze._maze import (
        GOAL_RADIUS as GOAL_RADIUS,
        ROBOT_RADIUS as ROBOT_RADIUS,
        Maze as Maze,
        check_maze as check_maze,
    )
    from divergent.maze._paths import (
        shortest_path as shortest_path,
        warn_if_goal_unreachable as warn_if_goal_unreachable,
    )
    from divergent.maze._problem import MazeProblem as MazeProblem, maze_problem as maze_problem
    from divergent.maze._robot import Pose as Pose, Rollout as Rollout, drive as drive, sense as sense, step as step
    from divergent.maze._rollout import INPUTS as INPUTS, OUTPUTS as OUTPUTS, SENSOR_RANGE as SENSOR_RANGE
    from divergent.maze._rules import (
        FIVE_RANGEFINDERS as FIVE_RANGEFINDERS,
        ROBOTS as ROBOTS,
        SIX_RANGEFINDERS as SIX_RANGEFINDERS,
    )
    from divergent.maze._task import MazeTask as MazeTask

__getattr__, __dir__, __all__ = lazy_index(
    __name__,
    {
        "_files": ("maze_names", "read_maze"),
        "_generator": ("GENERATED", "generate_maze"),
        "_maze": ("GOAL_RADIUS", "ROBOT_RADIUS", "Maze", "check_maze"),
        "_paths": ("shortest_path", "warn_if_goal_unreachable"),
        "_problem": ("MazeProblem", "maze_problem"),
        "_robot": ("Pose", "Rollout", "drive", "sense", "step"),
        "_rollout": ("INPUTS", "OUTPUTS", "SENSOR_RANGE"),
        "_rules": ("FIVE_RANGEFINDERS", "ROBOTS", "SIX_RANGEFINDERS"),
        "_task": ("MazeTask",),
    },
)  # fmt: skip

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

_HOMES = {
    "FIVE_RANGEFINDERS": "_rules",
    "GENERATED": "_generator",
    "GOAL_RADIUS": "_maze",
    "INPUTS": "_rollout",
    "Maze": "_maze",
    "MazeProblem": "_problem",
    "MazeTask": "_task",
    "OUTPUTS": "_rollout",
    "Pose": "_robot",
    "ROBOTS": "_rules",
    "ROBOT_RADIUS": "_maze",
    "Rollout": "_robot",
    "SENSOR_RANGE": "_rollout",
    "SIX_RANGEFINDERS": "_rules",
    "check_maze": "_maze",
    "drive": "_robot",
    "generate_maze": "_generator",
    "maze_names": "_files",
    "maze_problem": "_problem",
    "read_maze": "_files",
    "sense": "_robot",
    "shortest_path": "_paths",
    "step": "_robot",
    "warn_if_goal_unreachable": "_paths",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = lazy_index(__name__, _HOMES)

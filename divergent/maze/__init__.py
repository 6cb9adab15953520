"""The test bed: mazes, the robot in them, and the task made of both."""

from divergent.maze.files import maze_names, read_maze
from divergent.maze.generator import GENERATED, generate_maze
from divergent.maze.maze import GOAL_RADIUS, ROBOT_RADIUS, Maze, check_maze
from divergent.maze.paths import shortest_path, warn_of_the_goal
from divergent.maze.robot import (
    FIVE_RANGEFINDERS,
    INPUTS,
    OUTPUTS,
    ROBOTS,
    SENSOR_RANGE,
    SIX_RANGEFINDERS,
    Pose,
    Rollout,
    drive,
    sense,
    step,
)
from divergent.maze.task import MazeTask

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
    "MazeTask",
    "Pose",
    "Rollout",
    "check_maze",
    "drive",
    "generate_maze",
    "maze_names",
    "read_maze",
    "sense",
    "shortest_path",
    "step",
    "warn_of_the_goal",
]

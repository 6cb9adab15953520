"""The maze as an environment for `gymnasium.make("divergent.maze.environment:divergent/HardMaze-v0")`."""

import math
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from divergent.maze._files import STEPS, read_maze
from divergent.maze._maze import GOAL_RADIUS, ROBOT_RADIUS, Maze, check_maze
from divergent.maze._robot import Pose, sense, step
from divergent.maze._rollout import INPUTS, OUTPUTS

IDS = {
    "medium": "divergent/MediumMaze-v0",
    "hard": "divergent/HardMaze-v0",
    "very_hard": "divergent/VeryHardMaze-v0",
    "extremely_hard": "divergent/ExtremelyHardMaze-v0",
}
PIXELS = 400  # length of the longer side of an image, in pixels
COLOURS = {
    "floor": (255, 255, 255),
    "wall": (30, 30, 30),
    "goal": (60, 160, 60),
    "trail": (150, 180, 220),
    "robot": (200, 40, 40),
}


class MazeEnvironment(gymnasium.Env):
    """A gymnasium environment: a robot with rangefinders and a goal radar must reach the goal of a maze.

    The task is deceptive: dead ends near the goal are local optima of the distance to the goal. The simulation is
    bitwise identical to the simulation of `divergent.maze.drive`.

    Observation space: ``Box(0.0, 1.0, (11,), float64)``

    * Observation 0 is a bias input and always 1.
    * Observations 1 to 6 are the distances to the nearest wall at -90, -45, 0, 45, 90 and 180 degrees from the heading,
      as fractions of the range of 100.
    * Observations 7 to 10 are 1 if the goal lies in the 90-degree sector around 0, 90, 180 or 270 degrees from the
      heading, otherwise 0; exactly one of the four observations is 1.

    Action space: ``Box(0.0, 1.0, (2,), float64)``

    * Action 0, minus 0.5, is added to the turning rate in degrees per step, which is limited to the range -3 to 3.
    * Action 1, minus 0.5, is added to the speed in maze units per step, which is limited to the range -3 to 3.

    **Dynamics.** The robot, a disc of radius 8, moves along its old heading and then turns. If a move would bring the
    robot's centre closer than 8 to a wall, the robot only turns.

    **Reward.** The reward of a step is the decrease of the distance to the goal in maze units. The return of an episode
    is the initial distance minus the final distance, which differs from the fitness of `divergent.maze.MazeTask` by a
    constant.

    **Start.** The robot is at rest at the start of the maze, with the initial heading of the maze. The environment
    draws no random numbers.

    **End.** An episode terminates when the robot's centre is closer than 5 to the goal. Episodes are truncated after
    400 steps in the medium and hard mazes, 500 in the very hard and 1,000 in the extremely hard maze.

    **Info.** `info` contains the position of the robot, its distance to the goal, and whether it reached the goal.

    **Versions.** v0 is the first version of the environment. Any change of the dynamics increments the version number.

    Parameters
    ----------
    maze : Maze or str, default="hard"
        A `Maze`, or a maze name or path for `divergent.maze.read_maze`.
    render_mode : {None, "rgb_array"}, default=None
        Render mode: with "rgb_array", `render` returns an image; with None, `render` returns None.

    Raises
    ------
    ValueError
        If the maze or the render mode is invalid.

    Examples
    --------
    >>> environment = gymnasium.make("divergent.maze.environment:divergent/HardMaze-v0")
    >>> observation, info = environment.reset()
    >>> observation, reward, terminated, truncated, info = environment.step(np.array([0.5, 1.0]))
    >>> observation.shape, info["position"]
    ((11,), (36.5, 184.0))
    """

    # Rule RUF012 is disabled, because gymnasium.Env declares `metadata` as a mutable class attribute.
    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 30}  # noqa: RUF012

    def __init__(self, maze: Maze | str = "hard", render_mode: str | None = None):
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode must be None or rgb_array, got {render_mode!r}")
        if isinstance(maze, Maze):
            check_maze(maze)
        else:
            maze = read_maze(maze)
        self.maze = maze
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0.0, 1.0, (INPUTS,), np.float64)
        self.action_space = spaces.Box(0.0, 1.0, (OUTPUTS,), np.float64)
        self.pose: Pose
        self.trail: list[tuple[float, float]]
        self._begin()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Move the robot back to the start, see `gymnasium.Env.reset`."""
        super().reset(seed=seed)
        self._begin()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Move the robot by one step, see `gymnasium.Env.step`."""
        outputs = np.asarray(action, dtype=float)
        if outputs.shape != (OUTPUTS,) or not np.isfinite(outputs).all():
            raise ValueError(f"action must be {OUTPUTS} finite numbers, got {action!r}")
        before = self._distance()
        self.pose = step(self.pose, outputs.tolist(), self.maze)
        self.trail.append(self.pose[:2])
        after = self._distance()
        return self._observation(), before - after, after < GOAL_RADIUS, False, self._info()

    def render(self) -> np.ndarray | None:
        """Return an image of the maze with the current trajectory, or None if the render mode is None."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                'render_mode must be "rgb_array", got None; use gymnasium.make(..., render_mode="rgb_array")'
            )
            return None
        canvas = Canvas(self.maze.bounds)
        canvas.dots(np.array(self.trail), COLOURS["trail"])
        canvas.disc(*self.maze.goal, GOAL_RADIUS, COLOURS["goal"])
        for x1, y1, x2, y2 in np.asarray(self.maze.walls).tolist():
            canvas.line(x1, y1, x2, y2, COLOURS["wall"])
        x, y, heading = self.pose[:3]
        canvas.disc(x, y, ROBOT_RADIUS, COLOURS["robot"])
        towards = math.radians(heading)
        nose = x + ROBOT_RADIUS * math.cos(towards), y + ROBOT_RADIUS * math.sin(towards)
        canvas.line(x, y, *nose, COLOURS["floor"])
        return canvas.pixels

    def _begin(self) -> None:
        """Place the robot at the start of the maze, with its heading normalised to [0, 360) as in `drive`."""
        x, y = map(float, self.maze.start)
        self.pose = Pose(x, y, float(self.maze.heading) % 360.0)
        self.trail = [(x, y)]

    def _observation(self) -> np.ndarray:
        return sense(self.maze, self.pose[:2], self.pose.heading)

    def _distance(self) -> float:
        return math.dist(self.pose[:2], self.maze.goal)

    def _info(self) -> dict[str, Any]:
        distance = self._distance()
        return {"position": self.pose[:2], "distance": distance, "reached": distance < GOAL_RADIUS}


class Canvas:
    """An RGB image of a maze; the y axis points down.

    Parameters
    ----------
    bounds : tuple of float
        Visible area as xmin, ymin, xmax, ymax.
    margin : float, default=5.0
        Width of the margin around the visible area in maze units.
    """

    def __init__(self, bounds: tuple[float, float, float, float], margin: float = 5.0):
        left, top, right, bottom = bounds
        self.left, self.top = left - margin, top - margin
        width, height = right - left + 2 * margin, bottom - top + 2 * margin
        self.scale = PIXELS / max(width, height)
        rows, columns = math.ceil(height * self.scale), math.ceil(width * self.scale)
        self.pixels = np.full((rows, columns, 3), COLOURS["floor"], dtype=np.uint8)

    def disc(self, x: float, y: float, radius: float, colour: tuple[int, int, int]) -> None:
        """Draw a filled disc; the centre (x, y) and the radius are in maze units."""
        x, y, radius = (x - self.left) * self.scale, (y - self.top) * self.scale, radius * self.scale
        first_row, first_column = max(0, math.floor(y - radius)), max(0, math.floor(x - radius))
        part = self.pixels[first_row : math.ceil(y + radius) + 1, first_column : math.ceil(x + radius) + 1]
        rows, columns = np.ogrid[: part.shape[0], : part.shape[1]]
        part[(rows + first_row - y) ** 2 + (columns + first_column - x) ** 2 <= radius**2] = colour

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: tuple[int, int, int]) -> None:
        """Draw a line three pixels wide between two points in maze units."""
        count = 2 + int(math.dist((x1, y1), (x2, y2)) * self.scale)
        self.dots(np.linspace((x1, y1), (x2, y2), count), colour)

    def dots(self, points: np.ndarray, colour: tuple[int, int, int]) -> None:
        """Colour 3 x 3 pixels around each point; `points` has shape (n, 2), in maze units."""
        columns, rows = np.rint((points - (self.left, self.top)) * self.scale).astype(int).T
        for down in (-1, 0, 1):
            for along in (-1, 0, 1):
                row = np.clip(rows + down, 0, self.pixels.shape[0] - 1)
                self.pixels[row, np.clip(columns + along, 0, self.pixels.shape[1] - 1)] = colour


for maze, name in IDS.items():
    gymnasium.register(
        name,
        entry_point=f"{__name__}:{MazeEnvironment.__name__}",
        max_episode_steps=STEPS[maze],
        kwargs={"maze": maze},
    )

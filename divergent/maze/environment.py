"""The maze as a gymnasium environment: `gymnasium.make("divergent.maze.environment:divergent/HardMaze-v0")`."""

import math
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from divergent.maze.files import read_maze
from divergent.maze.maze import GOAL_RADIUS, ROBOT_RADIUS, Maze, check_maze
from divergent.maze.robot import INPUTS, OUTPUTS, Pose, sense, step
from divergent.maze.task import STEPS

IDS = {
    "medium": "divergent/MediumMaze-v0",
    "hard": "divergent/HardMaze-v0",
    "very_hard": "divergent/VeryHardMaze-v0",
    "extremely_hard": "divergent/ExtremelyHardMaze-v0",
}
PIXELS = 400  # the longer side of a picture
COLOURS = {
    "floor": (255, 255, 255),
    "wall": (30, 30, 30),
    "goal": (60, 160, 60),
    "trail": (150, 180, 220),
    "robot": (200, 40, 40),
}


class MazeEnvironment(gymnasium.Env):
    """A robot with range finders and a compass for the goal has to find its way through a maze.

    Getting closer to the goal is often the wrong thing to do: every maze has dead ends near it. The dynamics are those
    of `divergent.maze.drive`, to the last bit.

    Observation space: ``Box(0.0, 1.0, (11,), float64)``

    ====== ================================================================ ==== ====
    number observation                                                      low  high
    ====== ================================================================ ==== ====
    0      bias, always 1                                                   1    1
    1-6    distance to the nearest wall at -90, -45, 0, 45, 90 and 180      0    1
           degrees from the heading, as a share of the reach of 100
    7-10   whether the goal lies in front, at 45 to 135 degrees, behind,    0    1
           at 225 to 315 degrees; one of them is 1
    ====== ================================================================ ==== ====

    Action space: ``Box(0.0, 1.0, (2,), float64)``

    ====== ================================================================ ==== ====
    number action                                                           low  high
    ====== ================================================================ ==== ====
    0      turn: 0.5 keeps the turning rate, more adds degrees a step to    0    1
           it, less takes them away; at most 3 either way
    1      speed: 0.5 keeps the speed, more adds units a step, less takes   0    1
           them away; at most 3 forwards or backwards
    ====== ================================================================ ==== ====

    **Dynamics.** Turning rate and speed change by the action minus 0.5; the robot, a disc of radius 8, moves along its
    old heading and then turns. A move that would bring its centre closer than 8 to a wall is not made; it still turns.

    **Reward.** The distance to the goal that a step gained, in maze units. An episode's return is therefore the
    distance at the start minus the distance at the end, which differs from the fitness of `divergent.maze.MazeTask` by
    a constant.

    **Start.** At the maze's start and heading, at rest, always: the environment draws no random numbers.

    **End.** Terminated when the centre is closer than 5 to the goal. Truncated after 400 steps in the medium and hard
    maze, 500 in the very hard and 1,000 in the extremely hard one.

    **Arguments.** `maze`: a `Maze`, or anything `divergent.maze.read_maze` accepts; `render_mode`: None or
    ``"rgb_array"``. `info` holds the position, the distance to the goal and whether it was reached.

    **Versions.** v0: the first. A change in dynamics gets a new one.

    Examples
    --------
    >>> environment = gymnasium.make("divergent.maze.environment:divergent/HardMaze-v0")
    >>> observation, info = environment.reset()
    >>> observation, reward, terminated, truncated, info = environment.step(np.array([0.5, 1.0]))
    >>> observation.shape, info["position"]
    ((11,), (36.5, 184.0))
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 30}  # noqa: RUF012  # as Env declares it

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

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        super().reset(seed=seed)
        self._begin()
        return self._observation(), self._info()

    def step(self, action):
        outputs = np.asarray(action, dtype=float)
        if outputs.shape != (OUTPUTS,) or not np.isfinite(outputs).all():
            raise ValueError(f"an action is {OUTPUTS} finite numbers, got {action!r}")
        before = self._distance()
        self.pose = step(self.pose, outputs.tolist(), self.maze)
        self.trail.append(self.pose[:2])
        after = self._distance()
        return self._observation(), before - after, after < GOAL_RADIUS, False, self._info()

    def render(self):
        if self.render_mode is None:
            gymnasium.logger.warn('render needs a mode: gymnasium.make(..., render_mode="rgb_array")')
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

    def _begin(self):
        # the heading as `drive` takes it, within one turn
        x, y = map(float, self.maze.start)
        self.pose = Pose(x, y, float(self.maze.heading) % 360.0)
        self.trail = [(x, y)]

    def _observation(self):
        return sense(self.maze, self.pose[:2], self.pose.heading)

    def _distance(self):
        return math.dist(self.pose[:2], self.maze.goal)

    def _info(self):
        distance = self._distance()
        return {"position": self.pose[:2], "distance": distance, "reached": distance < GOAL_RADIUS}


class Canvas:
    """A picture of a maze in pixels, y drawn downwards.

    Parameters
    ----------
    bounds
        What it shows: xmin, ymin, xmax, ymax; a margin is added.
    """

    def __init__(self, bounds: tuple[float, float, float, float], margin: float = 5.0):
        left, top, right, bottom = bounds
        self.left, self.top = left - margin, top - margin
        width, height = right - left + 2 * margin, bottom - top + 2 * margin
        self.scale = PIXELS / max(width, height)
        rows, columns = math.ceil(height * self.scale), math.ceil(width * self.scale)
        self.pixels = np.full((rows, columns, 3), COLOURS["floor"], dtype=np.uint8)

    def disc(self, x: float, y: float, radius: float, colour: tuple[int, int, int]) -> None:
        """Fill a disc, given in maze units."""
        x, y, radius = (x - self.left) * self.scale, (y - self.top) * self.scale, radius * self.scale
        first_row, first_column = max(0, math.floor(y - radius)), max(0, math.floor(x - radius))
        part = self.pixels[first_row : math.ceil(y + radius) + 1, first_column : math.ceil(x + radius) + 1]
        rows, columns = np.ogrid[: part.shape[0], : part.shape[1]]
        part[(rows + first_row - y) ** 2 + (columns + first_column - x) ** 2 <= radius**2] = colour

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: tuple[int, int, int]) -> None:
        """Draw a line, given in maze units, three pixels wide."""
        count = 2 + int(math.dist((x1, y1), (x2, y2)) * self.scale)
        self.dots(np.linspace((x1, y1), (x2, y2), count), colour)

    def dots(self, points: np.ndarray, colour: tuple[int, int, int]) -> None:
        """Colour three by three pixels around each point, shape (n, 2) in maze units."""
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

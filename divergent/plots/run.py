"""Draw one run: where its robots ended, how the solution drives, and the network that drives it."""

import os
import warnings
from typing import Any

import numpy as np
from matplotlib import pyplot
from matplotlib.animation import FuncAnimation, PillowWriter

from divergent.maze import drive
from divergent.maze.task import BEST
from divergent.neat import express
from divergent.plots.maze import draw_maze, ratio_of
from divergent.plots.network import draw_network
from divergent.plots.robot import MovingRobot, robot_labels
from divergent.plots.style import label
from divergent.runs.record import Record


def draw_run(record: Record) -> tuple[Any, Any]:
    """A figure of a run: the maze with every final position and the solution's trail, and the solution's network.

    Returns
    -------
    The axes of the maze and of the network.

    Examples
    --------
    >>> from divergent import Settings, run
    >>> record = run(Settings(maze="medium", population=20, generations=2, steps=50))
    >>> maze, network = draw_run(record)
    >>> maze.figure.get_suptitle()
    'Surprise on Medium, seed 0: closest 200 units away after 40 evaluations'
    """
    ratio = float(np.clip(ratio_of(record.maze), 0.6, 2.5))
    figure, (maze, network) = pyplot.subplots(
        1, 2, figsize=(4.5 * ratio + 6.0, 5.6), width_ratios=(4.5 * ratio, 6.0), layout="constrained"
    )
    draw_maze(record.maze, ax=maze, positions=record.positions, trail=record.trail)
    draw_network(record.solution, ax=network, labels=robot_labels(record.settings.robot))
    maze.set_anchor("N")
    maze.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=2, frameon=False, fontsize=8)
    end = "solved" if record.solved else f"closest {BEST - record.best_fitness:.0f} units away"
    settings = record.settings
    figure.suptitle(
        f"{label(settings.search)} on {label(record.maze.name)}, seed {settings.seed}: "
        f"{end} after {record.evaluations:,} evaluations",
        parse_math=False,  # a maze's name may hold any signs
    )
    nodes = "node" if record.hidden_nodes == 1 else "nodes"
    maze.set_title("where robots ended", fontsize=10)
    network.set_title(
        f"its network: {record.connections} connections, {record.hidden_nodes} hidden {nodes}", fontsize=10
    )
    return maze, network


def save_run(record: Record, path: str | os.PathLike[str]) -> bool:
    """Save the figure of a run; a figure that fails is warned about and fails nothing else. Whether it was saved."""
    before = pyplot.get_fignums()
    try:
        draw_run(record)[0].figure.savefig(path, dpi=150)
    except Exception as error:  # the run is done and its record is written: no picture is worth losing that
        warnings.warn(f"{os.fspath(path)}: no picture could be drawn: {error}", stacklevel=2)
        return False
    finally:
        for number in set(pyplot.get_fignums()) - set(before):
            pyplot.close(number)
    return True


def animate_run(record: Record, path: str | os.PathLike[str] | None = None, *, every: int = 4) -> FuncAnimation:
    """The solution driving through the maze, with what it senses; written as a GIF if a path is given.

    Sensors are drawn where the drive can be repeated: a record from another kind of processor may differ in a last
    digit that decides whether a wall is touched, and is then drawn without them.

    Parameters
    ----------
    record
        Whose solution drives.
    path
        Where to write the GIF; None writes nothing.
    every
        Simulation steps between two frames.
    """
    if every < 1:
        raise ValueError(f"every must be at least 1, got {every}")
    left, top, right, bottom = record.maze.bounds
    ratio = float(np.clip((right - left) / (bottom - top), 0.4, 2.5))
    figure, axes = pyplot.subplots(figsize=(5.2 * ratio**0.5, 5.2 / ratio**0.5 + 0.4), layout="constrained")
    draw_maze(record.maze, ax=axes)
    title = axes.set_title("step 0", loc="left", fontsize=12, family="monospace")
    (way,) = axes.plot([], [], color="C3", linewidth=1.5, zorder=2.5)
    robot = MovingRobot(record.maze, axes, record.settings.robot)
    last = len(record.trail) - 1
    frames = [*range(0, last, every), *[last] * 12]  # the end stays for a while
    headings = _headings(record, set(frames))

    def draw(frame: int) -> tuple[Any, ...]:
        way.set_data(record.trail[: frame + 1, 0], record.trail[: frame + 1, 1])
        robot.move(record.trail[frame], headings.get(frame))
        end = "" if frame < last else ": reached" if record.solved else ": not reached"
        title.set_text(f"step {frame:>{len(str(last))}} of {record.settings.steps}{end}")
        return way, title

    film = FuncAnimation(figure, draw, frames=frames, interval=80)
    if path is not None:
        film.save(str(path), writer=PillowWriter(fps=12), dpi=100)
        pyplot.close(figure)
    return film


def _headings(record: Record, frames: set[int]) -> dict[int, float]:
    """The robot's heading at some steps of the recorded way; none if it drives another way here."""
    network, maze, robot = express(record.solution), record.maze, record.settings.robot
    again = drive(network, maze, record.settings.steps, trail=True, robot=robot).trail
    if again is None or len(again) != len(record.trail) or not np.allclose(again, record.trail, atol=0.01):
        return {}
    later = {frame: drive(network, maze, frame, robot=robot).heading for frame in frames if frame}
    return {0: maze.heading} | later

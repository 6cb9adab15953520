"""Draw one run: where its robots ended, how the solution drives, and the network that drives it."""

import os
import warnings
from typing import Any

import numpy as np
from matplotlib import pyplot
from matplotlib.animation import FuncAnimation, PillowWriter

from divergent.maze import ROBOT_RADIUS
from divergent.maze.task import BEST
from divergent.plots.maze import draw_maze, ratio_of
from divergent.plots.network import draw_network
from divergent.runs.record import Record


def draw_run(record: Record) -> tuple[Any, Any]:
    """A figure of a run: the maze with every final position and the solution's trail, and the solution's network.

    Returns the axes of the maze and of the network.
    """
    ratio = ratio_of(record.maze)
    _, (maze, network) = pyplot.subplots(
        1, 2, figsize=(4.5 * ratio + 5.5, 4.8), width_ratios=(4.5 * ratio, 5.5), layout="constrained"
    )
    draw_maze(record.maze, ax=maze, positions=record.positions, trail=record.trail)
    draw_network(record.solution, ax=network)
    end = "solved" if record.solved else f"closest {BEST - record.best_fitness:.0f} units away"
    told = f"{record.settings.search} on {record.maze.name}: {end} after {record.evaluations:,} evaluations"
    maze.set_title(told, parse_math=False)  # a maze's name may hold any signs
    nodes = "node" if record.hidden_nodes == 1 else "nodes"
    network.set_title(f"{record.connections} connections, {record.hidden_nodes} hidden {nodes}")
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
    """The solution driving through the maze; written as a GIF if a path is given.

    Parameters
    ----------
    every
        Simulation steps between two frames.
    """
    axes = draw_maze(record.maze)
    figure = axes.figure
    (way,) = axes.plot([], [], color="C0", linewidth=1.2)
    robot = pyplot.Circle(tuple(record.trail[0]), ROBOT_RADIUS, facecolor="C0", edgecolor="black", alpha=0.8, zorder=5)
    axes.add_patch(robot)
    frames = np.append(np.arange(0, len(record.trail) - 1, every), len(record.trail) - 1)

    def draw(frame: int) -> tuple[Any, Any]:
        way.set_data(record.trail[: frame + 1, 0], record.trail[: frame + 1, 1])
        robot.center = tuple(record.trail[frame])
        return way, robot

    film = FuncAnimation(figure, draw, frames=frames, interval=40, blit=True)
    if path is not None:
        film.save(str(path), writer=PillowWriter(fps=25))
        pyplot.close(figure)
    return film

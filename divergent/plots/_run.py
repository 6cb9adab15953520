"""Draw one run in a maze: final positions, and the trajectory and network of the best individual."""

import io
import os
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from divergent.maze._maze import BEST
from divergent.maze._robot import drive
from divergent.persistence._files import read_bytes, write_whole
from divergent.plots._maze import draw_maze, ratio_of
from divergent.plots._network import draw_network
from divergent.plots._robot import MovingRobot, robot_labels
from divergent.plots._style import label, mark_colour
from divergent.runs._maze_record import MazeRecord
from divergent.runs.build import make_task

if TYPE_CHECKING:
    from matplotlib.animation import FuncAnimation

SOURCE = "Source"  # metadata keyword that the PNG standard defines
LAST_CHUNK = b"IEND\xaeB`\x82"  # with its checksum


def draw_run(record: MazeRecord) -> tuple[Any, Any]:
    """Draw a run in a maze: all final positions, and the trajectory and network of the best individual.

    Parameters
    ----------
    record : MazeRecord
        Record of the run to draw.

    Returns
    -------
    tuple of matplotlib.axes.Axes
        Axes of the maze and axes of the network.

    Examples
    --------
    The figure title describes the search, the maze and the result:

    >>> from divergent import Settings, run
    >>> record = run(Settings(maze="medium", population=20, generations=2, steps=50))
    >>> maze, network = draw_run(record)
    >>> maze.figure.get_suptitle()
    'Surprise on Medium, seed 0: closest 200 units away after 40 evaluations'
    """
    from matplotlib import pyplot

    return _draw(record, pyplot.figure())


def _draw(record: MazeRecord, figure: Any) -> tuple[Any, Any]:
    """Draw a run in an empty figure, whose size is set according to the maze, and return the axes."""
    ratio = float(np.clip(ratio_of(record.maze), 0.6, 2.5))
    figure.set_size_inches(4.5 * ratio + 6.0, 5.6)
    figure.set_layout_engine("constrained")
    maze, network = figure.subplots(1, 2, width_ratios=(4.5 * ratio, 6.0))
    draw_maze(record.maze, ax=maze, positions=record.positions, trail=record.trail)
    draw_network(record.solution, ax=network, labels=robot_labels(record.settings.robot))
    maze.set_anchor("N")
    maze.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=2, frameon=False, fontsize=8)
    end = "solved" if record.solved else f"closest {BEST - record.best_fitness:.0f} units away"
    settings = record.settings
    figure.suptitle(
        f"{label(settings.search)} on {label(record.maze.name)}, seed {settings.seed}: "
        f"{end} after {record.evaluations:,} evaluations",
        parse_math=False,  # maze names may contain "$", which matplotlib reads as mathematics
    )
    nodes = "node" if record.hidden_nodes == 1 else "nodes"
    maze.set_title("final positions of all robots", fontsize=10)
    network.set_title(
        f"network of the best robot: {record.connections} connections, {record.hidden_nodes} hidden {nodes}",
        fontsize=10,
    )
    return maze, network


def save_run(record: MazeRecord, path: str | os.PathLike[str], *, source: str = "") -> bool:
    """Save the figure of a run atomically, and issue a warning if drawing fails.

    Parameters
    ----------
    record : MazeRecord
        Record of the run to draw.
    path : path-like
        Path of the figure, whose suffix selects the file format. A symbolic link at this path is replaced, not
        followed.
    source : str, default=""
        Text for the metadata of a PNG file, usually a digest of the record; the function `is_figure_of` reads this
        text.

    Returns
    -------
    bool
        Whether the figure was saved.
    """
    path = Path(path)
    kind = path.suffix.removeprefix(".") or "png"
    metadata = {SOURCE: source} if source and kind == "png" else None
    try:
        from matplotlib.figure import Figure  # Figure is used because pyplot would start a matplotlib backend

        figure, content = Figure(), io.BytesIO()
        _draw(record, figure)
        figure.savefig(content, format=kind, dpi=150, metadata=metadata)
        write_whole(path, content.getvalue())
    except Exception as error:  # a drawing error must not discard the finished run
        warnings.warn(f"{path}: no figure could be drawn: {error}", stacklevel=2)
        return False
    return True


def is_figure_of(path: str | os.PathLike[str], source: str) -> bool:
    """Return whether a file is a complete PNG figure that `save_run` wrote with the given `source`."""
    from PIL import Image

    try:
        content = read_bytes(path)
        with Image.open(io.BytesIO(content), formats=["PNG"]) as figure:
            drawn_from = figure.info.get(SOURCE)
            figure.verify()  # PIL checks the checksums of all PNG chunks except the last
    except Exception:  # PIL raises errors of many kinds for damaged files
        return False
    return drawn_from == source and content.endswith(LAST_CHUNK)


def animate_run(record: MazeRecord, path: str | os.PathLike[str] | None = None, *, every: int = 4) -> "FuncAnimation":
    """Animate the best robot and its sensors along its trajectory, and write a GIF file if a path is given.

    Sensors are drawn only if a repeated simulation reproduces the recorded trajectory. On another kind of processor the
    repeated trajectory may differ; the robot is then drawn without sensors.

    Parameters
    ----------
    record : MazeRecord
        Record of the run to draw.
    path : path-like or None, default=None
        Path of the GIF file; None writes no file.
    every : int, default=4
        Number of simulation steps between two frames.

    Returns
    -------
    matplotlib.animation.FuncAnimation
        The animation.

    Raises
    ------
    ValueError
        If `every` is below 1.
    """
    if every < 1:
        raise ValueError(f"every must be at least 1, got {every}; 1 draws every simulation step")
    from matplotlib import pyplot
    from matplotlib.animation import FuncAnimation, PillowWriter

    left, top, right, bottom = record.maze.bounds
    ratio = float(np.clip((right - left) / (bottom - top), 0.4, 2.5))
    figure, axes = pyplot.subplots(figsize=(5.2 * ratio**0.5, 5.2 / ratio**0.5 + 0.4), layout="constrained")
    draw_maze(record.maze, ax=axes)
    title = axes.set_title("step 0", loc="left", fontsize=12, family="monospace")
    (way,) = axes.plot([], [], color=mark_colour("trajectory"), linewidth=1.5, zorder=2.5)
    robot = MovingRobot(record.maze, axes, record.settings.robot)
    last = len(record.trail) - 1
    frames = [*range(0, last, every), *[last] * 12]  # the last frame is repeated, so that it is shown longer
    headings = _headings(record, set(frames))

    def draw(frame: int) -> tuple[Any, ...]:
        way.set_data(record.trail[: frame + 1, 0], record.trail[: frame + 1, 1])
        robot.move(record.trail[frame], headings.get(frame))
        end = "" if frame < last else ": reached" if record.solved else ": not reached"
        title.set_text(f"step {frame:>{len(str(last))}} of {record.settings.steps}{end}")
        return way, title

    film = FuncAnimation(figure, draw, frames=frames, interval=80)
    if path is not None:
        with tempfile.TemporaryDirectory() as folder:
            film.save(f"{folder}/film.gif", writer=PillowWriter(fps=12), dpi=100)
            write_whole(Path(path), Path(folder, "film.gif").read_bytes())
        pyplot.close(figure)
    return film


def _headings(record: MazeRecord, frames: set[int]) -> dict[int, float]:
    """Map each given step to the heading of the robot; return {} if a new simulation differs from the record."""
    network = make_task(record.settings, record.maze).network(record.solution)
    maze, robot = record.maze, record.settings.robot
    again = drive(network, maze, record.settings.steps, trail=True, robot=robot).trail
    if again is None or len(again) != len(record.trail) or not np.allclose(again, record.trail, atol=0.01):
        return {}
    later = {frame: drive(network, maze, frame, robot=robot).heading for frame in frames if frame}
    return {0: maze.heading} | later

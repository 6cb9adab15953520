"""Figures and animations of soft robots."""

import os
from typing import Any

import numpy as np

from divergent.problems._soft_body import MATERIALS, SETTLING, SIDE, voxel_corners
from divergent.problems.soft_robots import SECONDS, check_voxels, simulate_frames, walk
from divergent.validation import check_at_least

COLOURS = {"soft": "#9fd3e6", "stiff": "#33608c", "active": "#e0703c", "antiphase": "#59a14f"}
OUTLINE = (0, 1, 3, 2)  # indices of the corners of a voxel, in order along its outline


def draw_robot(voxels: Any, ax: Any = None, *, positions: np.ndarray | None = None, legend: bool = False) -> Any:
    """Draw the body of a soft robot.

    Parameters
    ----------
    voxels : array_like
        Material index of each voxel, shape (rows, columns); the last row is the lowest.
    ax : matplotlib.axes.Axes or None, default=None
        The axes to draw on; None creates a new figure.
    positions : numpy.ndarray or None, default=None
        Positions of the voxel corners, from `simulate_frames`; None draws the body at rest.
    legend : bool, default=False
        Whether to add a legend of the materials.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    See Also
    --------
    draw_walk : Draw a moving body at several time steps.
    """
    from matplotlib import pyplot
    from matplotlib.collections import PolyCollection
    from matplotlib.patches import Patch

    materials, corners, places = voxel_corners(check_voxels(voxels))
    if ax is None:
        _, ax = pyplot.subplots(figsize=(3, 3), layout="constrained")
    positions = places * SIDE if positions is None else positions
    faces = [COLOURS[MATERIALS[material]] for material in materials]
    outlines = positions[corners[:, OUTLINE]] if len(materials) else np.empty((0, 4, 2))
    ax.add_collection(PolyCollection(list(outlines), facecolors=faces, edgecolors="#222222", linewidths=0.6))
    if legend:
        handles = [Patch(facecolor=colour, edgecolor="#222222", label=name) for name, colour in COLOURS.items()]
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.25)}
        ax.legend(handles=handles, ncols=4, frameon=False, fontsize="small", **place)
    ax.set_aspect("equal")
    ax.autoscale_view()
    return ax


def draw_walk(voxels: Any, ax: Any = None, *, seconds: float = SECONDS, bodies: int = 6) -> Any:
    """Draw a moving body at several time steps, stacked vertically from the first to the last.

    Parameters
    ----------
    voxels : array_like
        Material index of each voxel, shape (rows, columns); the last row is the lowest.
    ax : matplotlib.axes.Axes or None, default=None
        The axes to draw on; None creates a new figure.
    seconds : float, default=5.0
        Duration of the simulation, see `walk`.
    bodies : int, default=6
        Number of time steps at which the body is drawn.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    See Also
    --------
    animate_walk : Write the motion of a body as an animated GIF.
    """
    from matplotlib import pyplot

    check_at_least(1, bodies=bodies)
    voxels = check_voxels(voxels)
    motion = walk(voxels, seconds=seconds)
    if ax is None:
        _, ax = pyplot.subplots(figsize=(8, 2.6), layout="constrained")
    frames, _ = simulate_frames(voxels, 100, seconds)
    times = np.linspace(round(SETTLING / seconds * 100) - 1, 99, bodies).astype(int)
    # rows are so far apart that the highest body, for example in a jump, does not touch the ground line above it
    spread = max(max(voxels.shape) * SIDE, float(np.nanmax(frames[times, :, 1], initial=0.0))) + 2 * SIDE
    for row, frame in enumerate(times):
        draw_robot(voxels, ax, positions=frames[frame] + np.array([0.0, spread * (bodies - 1 - row)]))
        height = spread * (bodies - 1 - row)
        ax.axhline(height, color="#888888", linewidth=0.8, zorder=0)
        ax.annotate(
            f"{(frame + 1) / 100 * seconds:.1f} s", (0.0, height), xycoords=("axes fraction", "data"), fontsize="small",
            xytext=(-4, 2), textcoords="offset points", ha="right",
        )  # fmt: skip
    ax.set_yticks([])
    ax.set_xlabel("metres")
    ax.set_title(f"{motion.distance:.2f} body lengths in {seconds - SETTLING:g} s", fontsize="medium")
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)
    return ax


def animate_walk(
    voxels: Any, path: str | os.PathLike, *, seconds: float = SECONDS, frames: int = 75, width: int = 480
) -> None:
    """Write the motion of a body as an animated GIF.

    Parameters
    ----------
    voxels : array_like
        Material index of each voxel, shape (rows, columns); the last row is the lowest.
    path : str or os.PathLike
        Path of the GIF file.
    seconds : float, default=5.0
        Duration of the simulation, see `walk`; the animation plays in real time.
    frames : int, default=75
        Number of images.
    width : int, default=480
        Width of the images in pixels.

    Raises
    ------
    ValueError
        If the body is empty, or an argument is invalid.
    """
    from matplotlib.animation import FuncAnimation, PillowWriter
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    check_at_least(1, frames=frames, width=width)
    voxels = check_voxels(voxels)
    if not voxels.any():
        raise ValueError("voxels must contain at least one non-empty voxel, got only empty voxels")
    walk(voxels, seconds=seconds)  # checks the duration
    positions, _ = simulate_frames(voxels, frames, seconds)
    margin, ground = SIDE, -0.35 * SIDE
    left, right = positions[..., 0].min() - margin, positions[..., 0].max() + margin
    top = positions[..., 1].max() + 0.5 * SIDE
    figure = Figure(figsize=(width / 100, max(0.6, width / 100 * (top - ground) / (right - left))), dpi=100)
    FigureCanvasAgg(figure)
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))

    def show(frame: int) -> None:
        ax.clear()
        ax.axhspan(ground, 0.0, color="#d9d2c5")
        for mark in np.arange(np.floor(left / SIDE), right / SIDE):  # marks on the ground make the motion visible
            ax.plot([mark * SIDE] * 2, [ground, 0.0 if mark % 5 == 0 else ground / 2], color="#8a8272", linewidth=0.8)
        draw_robot(voxels, ax, positions=positions[frame])
        ax.set_xlim(left, right)
        ax.set_ylim(ground, top)
        ax.set_axis_off()

    animation = FuncAnimation(figure, show, frames=frames)  # type: ignore[arg-type]
    animation.save(os.fspath(path), writer=PillowWriter(fps=max(1, round(frames / seconds))))

"""Draw mazes, networks, searches and results; every `draw_...` returns the matplotlib axes it drew on.

Each function is imported on first use: drawing one run needs neither pandas nor scipy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from divergent.plots.elites import draw_elites
    from divergent.plots.maze import draw_maze
    from divergent.plots.network import draw_network
    from divergent.plots.robot import draw_robot, robot_labels
    from divergent.plots.run import animate_run, draw_run, save_run
    from divergent.plots.species import draw_species
    from divergent.plots.surprise import draw_surprise

__all__ = [
    "animate_run",
    "draw_elites",
    "draw_maze",
    "draw_network",
    "draw_robot",
    "draw_run",
    "draw_species",
    "draw_surprise",
    "robot_labels",
    "save_run",
]

_MODULES = {"animate_run": "run", "robot_labels": "robot", "save_run": "run"}  # else that of draw_NAME is NAME


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES.get(name, name.removeprefix('draw_'))}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)

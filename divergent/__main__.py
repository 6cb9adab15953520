"""Say what there is: python -m divergent."""

from divergent.command import start

if __name__ == "__main__":  # before the other imports, so that their errors are reported as well
    start("divergent.__main__")

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import divergent
from divergent.command import status_of
from divergent.maze import maze_names, read_maze, shortest_path
from divergent.selection import DEVIATIONS, PREDICTORS, SEARCHES

COMMANDS = {
    "python -m divergent.run_maze": "evolve robot controllers for a maze; keep records and pictures",
    "python -m divergent.explore": "an interactive page of a run, or of two side by side",
    "python -m divergent.replicate": "run the paper's experiments again; tables, figures and a report",
}


def overview() -> str:
    """What the package offers by name: commands, mazes, searches, predictors and deviations."""
    ways = {name: shortest_path(read_maze(name))[0] for name in maze_names()}
    mazes = {name: f"{way:.0f} units to the goal, by the shortest way" for name, way in sorted(ways.items(), key=_way)}
    parts = {
        "commands": COMMANDS,
        "mazes": mazes | {"generated:SEED": "one for every seed", "FILE": "your own, see mazes/README.md"},
        "searches": {name: _told(search) for name, search in SEARCHES.items()},
        "predictors": {name: _told(predictor) for name, predictor in PREDICTORS.items()},
        "deviations": {name: _told(deviation) for name, deviation in DEVIATIONS.items()},
    }
    title = f"divergent {divergent.__version__}: {_first_line(divergent).removesuffix('.')}"
    sections = [f"{part}\n{_columns(rows)}" for part, rows in parts.items()]
    return "\n\n".join([title, *sections, "Every command tells more with --help."])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the overview, or the version with --version; returns the exit status, see `divergent.command`."""
    return status_of("divergent", lambda: _answer(sys.argv[1:] if arguments is None else list(arguments)))


def _answer(arguments: list[str]) -> None:
    if arguments == ["--version"]:
        print(divergent.__version__)
    elif arguments in ([], ["--help"], ["-h"]):
        print(overview())
    else:
        raise ValueError(f"it takes nothing but --version, got {' '.join(arguments)!r}")


def _way(name_and_way: tuple[str, float]) -> float:
    return name_and_way[1]


def _columns(rows: Mapping[str, str]) -> str:
    width = max(map(len, rows))
    return "\n".join(f"  {name:<{width}}  {what}" for name, what in rows.items())


def _told(thing: Callable[..., Any]) -> str:
    """What a class or function says of itself first, or how an object was made."""
    return _first_line(thing)


def _first_line(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]

"""Deceptive mazes: generated mazes that objective search rarely solves, selected before any other search was run."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from divergent.maze import GENERATED

LIST = Path(__file__).with_name("deceptive.csv")
# a maze is deceptive if objective search solves at most MOST_SOLVED of the runs with these seeds
SEARCH, SEEDS, MOST_SOLVED = "objective", range(4), 1
DECEPTIVE_MAZES = 20  # number of mazes in the set
MOST_TRIED = 1000  # generated mazes


class Candidate(NamedTuple):
    """A maze and the number of runs of objective search that solved it."""

    maze: str
    solved: int

    @property
    def deceptive(self) -> bool:
        """Whether the maze is deceptive."""
        return self.solved <= MOST_SOLVED


def find_deceptive(solved: Callable[[str], int]) -> list[Candidate]:
    """Try generated mazes in the order of their seeds until enough of them are deceptive.

    Parameters
    ----------
    solved : callable
        Called with the name of a maze. Returns the number of runs that solve the maze.

    Returns
    -------
    list of Candidate
        All mazes that were tried; the last one is deceptive.

    Raises
    ------
    ValueError
        If too few of the first 1,000 mazes are deceptive.

    Examples
    --------
    >>> candidates = find_deceptive(lambda maze: int(maze.removeprefix("generated:")) % 2 * 4)
    >>> len(candidates), [candidate.maze for candidate in candidates if candidate.deceptive][:3]
    (39, ['generated:0', 'generated:2', 'generated:4'])
    """
    candidates: list[Candidate] = []
    while (count := sum(candidate.deceptive for candidate in candidates)) < DECEPTIVE_MAZES:
        if len(candidates) == MOST_TRIED:
            raise ValueError(f"{DECEPTIVE_MAZES} of the first {MOST_TRIED:,} mazes must be deceptive, got {count}")
        maze = f"{GENERATED}{len(candidates)}"
        candidates.append(Candidate(maze, solved(maze)))
    return candidates


def write_list(candidates: list[Candidate], path: Path = LIST) -> None:
    """Write the mazes that were tried, with the command that recreates the file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(f"# of {len(SEEDS)} runs of {SEARCH} search: python -m divergent.replicate deceptive\n")
        csv.writer(file, lineterminator="\n").writerows([Candidate._fields, *candidates])


def read_list(path: Path = LIST) -> list[Candidate]:
    """Return the mazes that were tried; empty if the file does not exist."""
    if not path.is_file():
        return []
    _, *lines = path.read_text(encoding="utf-8").splitlines()
    return [Candidate(row["maze"], int(row["solved"])) for row in csv.DictReader(lines)]


def deceptive_mazes() -> tuple[str, ...]:
    """Return the names of the deceptive mazes, in the order of their seeds."""
    return tuple(candidate.maze for candidate in read_list() if candidate.deceptive)

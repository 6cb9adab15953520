"""Deceptive mazes: generated mazes that objective search rarely solves, selected before any other search was run."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from divergent.maze._generator import GENERATED

LIST = Path(__file__).with_name("deceptive.csv")
# a maze is deceptive if at most MOST_SOLVED runs of objective search with the seeds SEEDS solve the maze
SEARCH, SEEDS, MOST_SOLVED = "objective", range(4), 1
DECEPTIVE_MAZES = 20  # number of deceptive mazes that are selected
MOST_TRIED = 1000  # generated mazes


class Candidate(NamedTuple):
    """A generated maze, and the number of runs in which objective search solved the maze."""

    maze: str
    solved: int

    @property
    def deceptive(self) -> bool:
        """Whether at most `MOST_SOLVED` runs of objective search solved the maze."""
        return self.solved <= MOST_SOLVED


def find_deceptive(solved: Callable[[str], int]) -> list[Candidate]:
    """Test generated mazes in the order of their seeds until 20 deceptive mazes are found.

    Parameters
    ----------
    solved : callable
        Function that takes the name of a maze and returns the number of runs in which objective search solves it.

    Returns
    -------
    list of Candidate
        All tested mazes, up to and including the 20th deceptive maze.

    Raises
    ------
    ValueError
        If fewer than 20 of the first 1,000 mazes are deceptive.

    Examples
    --------
    Every second maze is deceptive in this example:

    >>> candidates = find_deceptive(lambda maze: int(maze.removeprefix("generated:")) % 2 * 4)
    >>> len(candidates), [candidate.maze for candidate in candidates if candidate.deceptive][:3]
    (39, ['generated:0', 'generated:2', 'generated:4'])
    """
    candidates: list[Candidate] = []
    while (count := sum(candidate.deceptive for candidate in candidates)) < DECEPTIVE_MAZES:
        if len(candidates) == MOST_TRIED:
            raise ValueError(
                f"at least {DECEPTIVE_MAZES} of the first {MOST_TRIED:,} generated mazes must be deceptive, "
                f"got {count} deceptive mazes"
            )
        maze = f"{GENERATED}{len(candidates)}"
        candidates.append(Candidate(maze, solved(maze)))
    return candidates


def write_list(candidates: list[Candidate], path: Path = LIST) -> None:
    """Write the tested mazes to a CSV file, with the command that recreates the file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(f"# of {len(SEEDS)} runs of {SEARCH} search: python -m divergent.replicate deceptive\n")
        csv.writer(file, lineterminator="\n").writerows([Candidate._fields, *candidates])


def read_list(path: Path = LIST) -> list[Candidate]:
    """Return the tested mazes from the CSV file, or an empty list if the file does not exist."""
    if not path.is_file():
        return []
    _, *lines = path.read_text(encoding="utf-8").splitlines()
    return [Candidate(row["maze"], int(row["solved"])) for row in csv.DictReader(lines)]


def deceptive_mazes() -> tuple[str, ...]:
    """Return the names of the deceptive mazes, in the order of their seeds."""
    return tuple(candidate.maze for candidate in read_list() if candidate.deceptive)

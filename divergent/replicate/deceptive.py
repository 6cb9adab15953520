"""The deceptive generated mazes: those that objective search hardly ever solves, chosen by it alone and beforehand."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from divergent.maze import GENERATED

LIST = Path(__file__).with_name("deceptive.csv")
SEARCH, SEEDS, AT_MOST = "objective", range(4), 1  # a maze is deceptive if at most so many of these runs solve it
MAZES = 20
MOST_LOOKED_AT = 1000  # mazes, after which there are no deceptive ones to be found


class Looked(NamedTuple):
    """A maze that was looked at, and how many of the runs solved it."""

    maze: str
    solved: int

    @property
    def deceptive(self) -> bool:
        """Whether it is one of the set."""
        return self.solved <= AT_MOST


def look(solved: Callable[[str], int]) -> list[Looked]:
    """Look at generated mazes in the order of their seeds until there are enough deceptive ones.

    Parameters
    ----------
    solved
        How many of the runs solve a maze of this name.

    Examples
    --------
    >>> looked = look(lambda maze: int(maze.removeprefix("generated:")) % 2 * 4)
    >>> len(looked), [one.maze for one in looked if one.deceptive][:3]
    (39, ['generated:0', 'generated:2', 'generated:4'])
    """
    looked: list[Looked] = []
    while sum(one.deceptive for one in looked) < MAZES:
        if len(looked) == MOST_LOOKED_AT:
            raise ValueError(
                f"there must be {MAZES} deceptive mazes among the first {MOST_LOOKED_AT:,}; there are fewer"
            )
        maze = f"{GENERATED}{len(looked)}"
        looked.append(Looked(maze, solved(maze)))
    return looked


def write_list(looked: list[Looked], path: Path = LIST) -> None:
    """Write what was looked at, with the command that makes it again."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(f"# of {len(SEEDS)} runs of {SEARCH} search: python -m divergent.replicate deceptive\n")
        csv.writer(file, lineterminator="\n").writerows([Looked._fields, *looked])


def read_list(path: Path = LIST) -> list[Looked]:
    """What was looked at; nothing if nobody has looked yet."""
    if not path.is_file():
        return []
    _, *lines = path.read_text(encoding="utf-8").splitlines()
    return [Looked(row["maze"], int(row["solved"])) for row in csv.DictReader(lines)]


def deceptive_mazes() -> tuple[str, ...]:
    """The names of the set, in the order of their seeds; none if nobody has looked yet."""
    return tuple(one.maze for one in read_list() if one.deceptive)

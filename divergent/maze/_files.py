"""Read predefined mazes by name, generated mazes by seed, and custom mazes from text files."""

import difflib
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from divergent.maze._generator import GENERATED, generate_maze
from divergent.maze._maze import MAX_WALLS, Maze, check_maze

MAX_SEED_DIGITS = 100
MAX_FILE_SIZE = 2**25  # bytes
STEPS = {"medium": 400, "hard": 400, "very_hard": 500, "extremely_hard": 1000}
STEPS_GENERATED = 200
STEPS_ELSEWHERE = 400


def default_steps(maze: str) -> int:
    """Return the default number of simulation steps of a maze, given the name of the maze.

    For mazes of "Surprise Search for Evolutionary Divergence" (Gravina et al., 2017), the default is the number of
    steps that the paper specifies. Generated mazes have 200 steps by default, and all other mazes
    have 400 steps.

    Examples
    --------
    The number of steps depends on the maze:

    >>> default_steps("extremely_hard"), default_steps("generated:3"), default_steps("own.txt")
    (1000, 200, 400)
    """
    return STEPS_GENERATED if maze.startswith(GENERATED) else STEPS.get(maze, STEPS_ELSEWHERE)


def maze_names() -> list[str]:
    """List the names of the predefined mazes.

    Returns
    -------
    list of str
        Names of the predefined mazes, sorted.

    Examples
    --------
    >>> maze_names()
    ['extremely_hard', 'hard', 'medium', 'very_hard']
    """
    return sorted(file.stem for file in _folder().glob("*.txt"))


def read_maze(name_or_path: str | Path) -> Maze:
    """Read a predefined maze by its name, a generated maze by ``"generated:SEED"``, or a maze file by its path.

    The first four lines of a maze file are the number of walls, the start, the heading and the goal. Each further line
    ``x1 y1 x2 y2`` specifies the two ends of a wall. Blank lines and comments, which begin with ``#``, are skipped. A
    maze has at most 10,000 walls. A maze with an unreachable goal is valid, but a run in such a maze issues a warning.

    Parameters
    ----------
    name_or_path : str or Path
        A name from `maze_names()`, ``"generated:SEED"``, or the path of a maze file.

    Returns
    -------
    Maze
        The maze, with a read-only array of walls.

    Raises
    ------
    ValueError
        If the name is unknown or the maze file is invalid. For an invalid file, the message names the file, the line
        number, the violated rule and the invalid value.
    FileNotFoundError
        If no file exists at the path.
    IsADirectoryError
        If the path is a directory.

    See Also
    --------
    generate_maze : Generate a maze.

    Examples
    --------
    >>> maze = read_maze("hard")
    >>> maze.start
    (36.0, 184.0)
    >>> len(maze.walls)
    13

    >>> maze.goal
    (31.0, 20.0)
    """
    source = locate_maze(name_or_path)
    return _read(source) if isinstance(source, Path) else generate_maze(source)


def locate_maze(name_or_path: str | Path) -> Path | int:
    """Find the path of a maze file, or the seed of a generated maze, without reading the file.

    Parameters
    ----------
    name_or_path : str or Path
        A name from `maze_names()`, ``"generated:SEED"``, or the path of a maze file.

    Returns
    -------
    Path or int
        Path of the maze file, or seed of the generated maze.

    Raises
    ------
    ValueError
        If the name is unknown or not printable, the path is a pipe or device, or the seed is not a non-negative
        integer.
    FileNotFoundError
        If no file exists at the path.
    IsADirectoryError
        If the path is a directory.

    See Also
    --------
    read_maze : Read the maze itself.

    Examples
    --------
    >>> locate_maze("hard").name, locate_maze("generated:7")
    ('hard.txt', 7)
    """
    if not str(name_or_path).isprintable():
        raise ValueError(f"the name or path of a maze must be printable text in UTF-8, got {str(name_or_path)!r}")
    if isinstance(name_or_path, str):
        if name_or_path in maze_names():
            return _folder() / f"{name_or_path}.txt"
        if name_or_path.startswith(GENERATED):
            return _seed(name_or_path)
    path = Path(name_or_path)
    if path.is_dir():
        raise IsADirectoryError(f"a maze must be a text file, got the directory {str(path)!r}")
    if path.is_file():
        return path
    if path.exists():
        raise ValueError(f"a maze must be a text file, got the pipe or device {str(path)!r}")
    if isinstance(name_or_path, Path) or path.suffix or len(path.parts) > 1:
        raise FileNotFoundError(f"maze file must exist, got {str(path)!r}; {_suggestion(path.stem)}")
    raise ValueError(f"unknown maze {name_or_path!r}; {_suggestion(name_or_path)}")


def _folder() -> Path:
    """Return the directory of the maze files.

    An installed package contains the directory; in a source tree, the directory is next to the package.
    """
    package = Path(__file__).parents[1]
    return package / "mazes" if (package / "mazes").is_dir() else package.parent / "mazes"


def _seed(name: str) -> int:
    """Parse the seed from the name of a generated maze."""
    digits = name.removeprefix(GENERATED)
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_SEED_DIGITS):
        raise ValueError(
            f"name of a generated maze must be {GENERATED}SEED, where SEED is a non-negative integer of at most "
            f"{MAX_SEED_DIGITS} digits, got {name!r:.60}"
        )
    return int(digits)


def _suggestion(name: str) -> str:
    """Suggest valid maze names for the error message about an unknown name."""
    names = maze_names()
    near = difflib.get_close_matches(name, names, n=1)
    meant = f"did you mean {near[0]!r}? " if near else ""
    return f"{meant}choose from {', '.join(names)}, {GENERATED}SEED, or give the path of a file"


def _read(path: Path) -> Maze:
    """Read a maze file."""
    size = path.stat().st_size
    if size > MAX_FILE_SIZE:
        raise ValueError(f"{path}: a maze file must have at most {MAX_FILE_SIZE:,} bytes, got {size:,}")
    try:
        with path.open(encoding="utf-8") as file:
            return _parse(path, _lines(file))
    except UnicodeDecodeError:
        raise ValueError(f"{path}: a maze file must be UTF-8 text, got invalid bytes; convert it to UTF-8") from None


def _lines(file: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the words of each non-blank line of a maze file."""
    for number, line in enumerate(file, start=1):
        words = line.split("#", 1)[0].split()
        if words:
            yield number, words


def _parse(path: Path, lines: Iterator[tuple[int, list[str]]]) -> Maze:
    """Parse the numbered lines of a maze file and return the maze."""
    last = 1
    places: dict[str, str] = {}

    def numbers(part: str, form: str, count: int) -> list[float]:
        nonlocal last
        last, words = next(lines, (last, []))
        places[part] = f"{path}, line {last}"
        if not words:
            raise ValueError(
                f"{path}, line {last}: a maze file must be complete, got the end of the file instead of the {part}; "
                f"{form}"
            )
        if len(words) != count:
            raise ValueError(
                f"{path}, line {last}: every line of a maze file must have a fixed number of entries ({form}), "
                f"got a line with {len(words)} entries"
            )
        return [_number(word, places[part]) for word in words]

    (count,) = numbers("number of walls", "a maze file must begin with 1 number, the number of walls", 1)
    if not (1 <= count <= MAX_WALLS and count == int(count)):
        raise ValueError(
            f"{path}, line {last}: the number of walls must be an integer from 1 to {MAX_WALLS}, got {count:.10g}"
        )
    x, y = numbers("start", "the start must be 2 numbers, x y", 2)
    (heading,) = numbers("heading", "the heading must be 1 number, in degrees", 1)
    goal_x, goal_y = numbers("goal", "the goal must be 2 numbers, x y", 2)
    form = "a wall must be 4 numbers, x1 y1 x2 y2"
    walls = [numbers(f"wall {number}", form, 4) for number in range(1, int(count) + 1)]
    for extra, _ in lines:
        raise ValueError(
            f"{path}, line {extra}: the maze file must end after its {count:g} walls, got another line; "
            "correct the number of walls"
        )
    maze = Maze(path.stem, (x, y), heading, (goal_x, goal_y), np.array(walls))
    check_maze(maze, places)
    maze.walls.flags.writeable = False
    return maze


def _number(word: str, place: str) -> float:
    """Parse a word of a maze file as a number."""
    try:
        return float(word)
    except ValueError:
        raise ValueError(f"{place}: entries of a maze file must be numbers, got {word!r:.60}") from None

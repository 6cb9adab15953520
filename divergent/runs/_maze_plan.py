"""The plan of a run in a maze: its complete settings, including all defaults."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from divergent.maze._maze import Maze
from divergent.maze._rules import DEFAULT_RULES, FIVE_RANGEFINDERS, RULES, SIX_RANGEFINDERS
from divergent.runs._plan import LARGEST_POPULATION, MOST_EVALUATIONS, Plan, check_choice, check_fields, gigabytes
from divergent.runs.options import make_strategy
from divergent.selection._searches import SEARCHES
from divergent.validation import brief, check_at_least

if TYPE_CHECKING:
    from divergent.maze._problem import MazeProblem
    from divergent.selection._strategy import Strategy

MAZE_FIELDS = (
    "maze", "search", "seed", "population", "generations", "steps", "robot", "rules", "behaviour", "loop", "learn_from",
    "refresh", "cxpb", "mutpb", "species", "options",
)  # fmt: skip
# These dictionaries map values and option names of earlier versions to current values and option names.
EARLIER_NAMES = {
    "learn_from": {"births": "offspring"},
    "robot": {"described": SIX_RANGEFINDERS, "original": FIVE_RANGEFINDERS},
}
EARLIER_OPTIONS = {"stale": "keep_empty_clusters"}
# Upper limits of settings; larger values exceed the time or memory of current machines.
LARGEST_SIZES = {"population": LARGEST_POPULATION, "steps": 10**6}
# Approximate memory and speed of a run, for error messages about runs that are too large.
# an individual (genome and network) needs about 4000 bytes, and the position of each simulation step needs 16 bytes
BYTES_OF = {"population": 4000, "steps": 16}
BYTES_PER_EVALUATION = 8  # the final position is recorded as two 32-bit floats
EVALUATIONS_PER_SECOND = 6000


@dataclass(frozen=True, kw_only=True)
class MazePlan(Plan):
    """Complete settings of a run in a maze, as `Settings.resolve` returns them.

    Parameters
    ----------
    search : str
        Name of the search; names of unregistered searches are valid, so that every record can be read.
    seed : int
        Seed of all random numbers of the run.
    population : int
        Population size.
    generations : int
        Largest number of generations.
    loop : str
        Name of the loop: "steady", "generational", "plus" or "comma".
    learn_from : str or None, default=None
        Individuals from which the strategy updates its state, "population" or "offspring". None if the strategy has no
        state to update, or if the loop is not the steady-state loop.
    refresh : int or None, default=None
        Number of evaluations between two updates of the population's scores; None unless the loop is the steady-state
        loop.
    cxpb : float or None, default=None
        Probability of crossover; None unless the loop is the generational loop.
    mutpb : float or None, default=None
        Probability of mutation; None unless the loop is the generational loop.
    options : dict
        Options of the search by name.
    maze : str
        Name of a maze, path of a maze file, or "generated:SEED".
    steps : int
        Number of simulation steps of one evaluation.
    robot : str
        Name of a robot in `divergent.maze.ROBOTS`.
    rules : str
        Name of the rule set for NEAT and the robot.
    behaviour : str
        Behaviour (behaviour descriptor): "end" is the final position, "trail:M" is M positions of the trajectory.
    species : int or None
        Target number of species; None in the plus and comma loops.
    batch : int or None, default=None
        Number of children that the steady-state loop breeds from one population and evaluates together; None means 1.

    Raises
    ------
    ValueError
        If a value is invalid.

    See Also
    --------
    Settings : The settings that a user chooses, before defaults are filled in.
    """

    maze: str
    steps: int
    robot: str
    rules: str
    behaviour: str
    species: int | None = None
    batch: int | None = None

    def __post_init__(self) -> None:
        for name in ("maze", "search", "robot", "behaviour"):
            if not isinstance(value := getattr(self, name), str):
                raise ValueError(f"setting {name} must be a string, got {brief(value)}")
        super().__post_init__()
        if self.batch is not None:
            check_at_least(2, batch=self.batch)
        check_choice("rules", self.rules, RULES)
        samples = self.behaviour.removeprefix("trail:")
        if self.behaviour != "end" and not (self.behaviour != samples and samples.isdecimal() and int(samples) > 0):
            raise ValueError(
                f"behaviour must be 'end' or 'trail:M' with an integer M of at least 1, got {self.behaviour!r}"
            )

    @property
    def problem(self) -> str:
        """Name of the maze."""
        return self.maze

    @property
    def name(self) -> str:
        """Folder name shared by all runs that differ only in their seeds."""
        return folder_name(self.maze, self.search, self.robot, self.rules)

    @property
    def samples(self) -> int | None:
        """Number of positions in the behaviour; None if the behaviour is the final position."""
        return None if self.behaviour == "end" else int(self.behaviour.removeprefix("trail:"))

    def make_problem(self, maze: Maze) -> "MazeProblem":
        """Create the maze problem that the settings specify.

        Parameters
        ----------
        maze : Maze
            The maze.

        Returns
        -------
        MazeProblem
            The problem.
        """
        from divergent.maze._problem import maze_problem  # reading a plan does not load NEAT's compiled operators

        return maze_problem(
            maze,
            steps=self.steps,
            robot=self.robot,
            rules=self.rules,
            samples=self.samples,
            species=self.species,
            # Without species, genomes would grow without limit if children inherited the genes of both parents.
            inherit="fitter" if self.loop in ("plus", "comma") else "both",
        )

    def strategy(self, bounds: tuple[float, float, float, float], rng: np.random.Generator) -> "Strategy":
        """Build the strategy from the name and the options of the search.

        Parameters
        ----------
        bounds : tuple of float
            Left, top, right and bottom limit of the maze.
        rng : numpy.random.Generator
            Source of random numbers of the strategy.

        Returns
        -------
        Strategy
            The strategy.
        """
        left, top, right, bottom = bounds
        positions = self.samples or 1
        limits = (left, top) * positions, (right, bottom) * positions
        return make_strategy(SEARCHES[self.search], self.options, limits, rng)

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON-serialisable data.

        Returns
        -------
        dict
            The settings by name, in a fixed order; `batch` is omitted if it is None.
        """
        data = super().to_json()
        return {name: data[name] for name in MAZE_FIELDS} | ({} if self.batch is None else {"batch": self.batch})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Any:
        """Read the complete settings of a run from the data that `to_json` returned.

        Data of earlier versions is converted: old names are replaced, and a missing rule set becomes the default.

        Parameters
        ----------
        data : Mapping
            The settings by name.

        Returns
        -------
        MazePlan
            The plan.

        Raises
        ------
        ValueError
            If a setting is missing, unknown or invalid.
        """
        current = {name: _current_value(name, value) for name, value in data.items()}
        data = {"rules": DEFAULT_RULES, "batch": None} | current
        check_fields(cls, data)
        return cls(**data)


def folder_name(maze: str, search: str, robot: str | None, rules: str) -> str:
    """Build the folder name of runs from maze and search; append robot and rule set unless they are the defaults."""
    file = maze.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".txt").replace(":", "-")
    parts = [file, search]
    if robot not in (None, RULES[rules].robot):
        parts.append(str(robot))
    return "-".join(parts if rules == DEFAULT_RULES else [*parts, rules])


def _current_value(name: str, value: Any) -> Any:
    """Convert a setting in a record of an earlier version to its current value."""
    if name == "options" and isinstance(value, Mapping):
        return {EARLIER_OPTIONS.get(option, option): chosen for option, chosen in value.items()}
    return EARLIER_NAMES.get(name, {}).get(value, value) if isinstance(value, str) else value


def check_maze_size(plan: MazePlan) -> None:
    """Raise an error that reports the required memory or time if a run is too large for any machine."""
    for name, largest in LARGEST_SIZES.items():
        if (size := getattr(plan, name)) > largest:
            memory = gigabytes(size * BYTES_OF[name])
            raise ValueError(
                f"setting {name} must be at most {largest:,}, got {size:,}, which needs {memory} of memory; choose a "
                "smaller value"
            )
    if plan.samples is not None and plan.samples * plan.population > MOST_EVALUATIONS:
        memory = gigabytes(2 * BYTES_PER_EVALUATION * plan.samples * plan.population)
        raise ValueError(
            f"behaviour must be trail:M with M at most {MOST_EVALUATIONS // plan.population:,} if the population size "
            f"is {plan.population:,}, got {plan.behaviour}, which needs {memory} of memory"
        )
    if plan.budget > MOST_EVALUATIONS:
        days = plan.budget // EVALUATIONS_PER_SECOND // 86_400
        raise ValueError(
            f"population times generations must be at most {MOST_EVALUATIONS:,} evaluations, got {plan.budget:,}, "
            f"which need about {days:,} days on one core and {gigabytes(plan.budget * BYTES_PER_EVALUATION)} of "
            "memory; choose fewer generations"
        )

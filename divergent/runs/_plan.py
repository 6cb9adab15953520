"""The plan of a run: its settings with all defaults resolved, as stored in records."""

import dataclasses
import difflib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from divergent.loops._contract import LEARN_FROM
from divergent.problem import LOOPS, PROBLEM_LOOPS, check_name
from divergent.runs.options import search_options
from divergent.selection._searches import SEARCHES
from divergent.validation import brief, is_finite, is_integer

ON_ERROR = ("raise", "invalid")
SMALLEST = {"population": 2, "generations": 1, "steps": 1, "seed": 0, "species": 1, "refresh": 1, "batch": 1}
RATES = ("cxpb", "mutpb")
REQUIRED = ("population", "generations", "seed")
MOST_EVALUATIONS = 10**9  # largest number of evaluations; more would take too long on any current machine
LARGEST_POPULATION = 10**6


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Complete settings of a run; base class of the plans for mazes and for other problems.

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
        Probability of crossover; None if the loop does not use this probability.
    mutpb : float or None, default=None
        Probability of mutation; None if the loop does not use this probability.
    options : dict
        Options of the search by name.

    Raises
    ------
    ValueError
        If a value is invalid.

    See Also
    --------
    Settings : The settings that a user chooses, before defaults are filled in.
    ProblemPlan : Complete settings of a run on any problem.
    MazePlan : Complete settings of a run in a maze.
    """

    loops: ClassVar[tuple[str, ...]] = LOOPS

    search: str
    seed: int
    population: int
    generations: int
    loop: str
    learn_from: str | None = None
    refresh: int | None = None
    cxpb: float | None = None
    mutpb: float | None = None
    options: dict[str, Any] = field(hash=False)

    def __post_init__(self) -> None:
        check_choice("loop", self.loop, self.loops)
        numbers = {name: getattr(self, name, None) for name in (*SMALLEST, *RATES)}
        check_numbers({name: value for name, value in numbers.items() if value is not None or name in REQUIRED})
        if self.learn_from is not None:
            check_choice("learn_from", self.learn_from, LEARN_FROM)
        if not isinstance(self.options, Mapping):
            raise ValueError(f"options must be a dictionary from option name to value, got {brief(self.options)}")
        clusters = self.options.get("clusters", 0)
        if clusters > self.population:
            raise ValueError(f"clusters must be at most the population size {self.population}, got {clusters}")

    def resolve(self) -> "Plan":
        """Return the plan unchanged, so that `run` and `run_batch` accept both `Settings` and `Plan` objects.

        Returns
        -------
        Plan
            The plan itself.
        """
        return self

    @property
    def name(self) -> str:
        """Folder name shared by all runs that differ only in their seeds."""
        raise NotImplementedError

    @property
    def budget(self) -> int:
        """Largest number of evaluations of the run, the population size times the number of generations."""
        return self.population * self.generations

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON-serialisable data.

        Returns
        -------
        dict
            The settings by name.
        """
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Any:
        """Read the complete settings of a run from the data that `to_json` returned.

        Parameters
        ----------
        data : Mapping
            The settings by name.

        Returns
        -------
        Plan
            A `MazePlan` if the data has a maze, otherwise a `ProblemPlan`.

        Raises
        ------
        ValueError
            If a setting is missing, unknown or invalid.
        """
        if cls is Plan:
            return _plan_class(data).from_json(data)
        check_fields(cls, data)
        return cls(**data)

    def differences(self, other: "Plan") -> list[str]:
        """Describe the differences from the complete settings of another run.

        If settings of an earlier version lack an option, the option's default value is assumed.

        Parameters
        ----------
        other : Plan
            Complete settings to compare with.

        Returns
        -------
        list of str
            One phrase for each setting or option that differs.
        """
        earlier, now = (plan.to_json() | option_defaults(plan.search) | plan.options for plan in (self, other))
        return [
            f"{name} {earlier.get(name)} instead of {now.get(name)}"
            for name in earlier | now
            if name != "options" and earlier.get(name) != now.get(name)
        ]


@dataclass(frozen=True, kw_only=True)
class ProblemPlan(Plan):
    """Complete settings of a run on any problem, as `Settings.resolve` returns them.

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
        Name of the loop: "steady", "generational", "plus", "comma", "fi2pop" or "custom".
    learn_from : str or None, default=None
        Individuals from which the strategy updates its state, "population" or "offspring". None if the strategy has no
        state to update, or if the loop is not the steady-state loop.
    refresh : int or None, default=None
        Number of evaluations between two updates of the population's scores; None unless the loop is the steady-state
        loop.
    cxpb : float or None, default=None
        Probability of crossover; None if the loop does not use this probability.
    mutpb : float or None, default=None
        Probability of mutation; None if the loop does not use this probability.
    options : dict
        Options of the search by name.
    problem : str
        Name of the problem.
    batch : int or None, default=None
        Number of children that the steady-state loop breeds and evaluates together; None in all other loops.
    timeout : float or None, default=None
        Seconds after which an evaluation is interrupted; None disables the time limit.
    on_error : {"raise", "invalid"}, default="raise"
        Reaction to a failed evaluation, see `divergent.run`.

    Raises
    ------
    ValueError
        If a value is invalid.

    See Also
    --------
    Settings : The settings that a user chooses, before defaults are filled in.
    """

    loops = PROBLEM_LOOPS

    problem: str
    batch: int | None = None
    timeout: float | None = None
    on_error: str = "raise"

    def __post_init__(self) -> None:
        check_name("problem", self.problem)
        check_name("search", self.search)
        super().__post_init__()
        check_choice("on_error", self.on_error, ON_ERROR)
        if self.timeout is not None and (not is_finite(self.timeout) or self.timeout <= 0):
            raise ValueError(f"timeout must be a number of seconds above 0, or None, got {brief(self.timeout)}")

    @property
    def name(self) -> str:
        """Folder name shared by all runs that differ only in their seeds."""
        return f"{self.problem}/{self.search}"


def _plan_class(data: Mapping[str, Any]) -> type[Plan]:
    """Return `MazePlan` if the settings contain a maze, otherwise `ProblemPlan`."""
    from divergent.runs._maze_plan import MazePlan

    return MazePlan if "maze" in data else ProblemPlan


def option_defaults(search: str) -> dict[str, Any]:
    """Return the default options of a registered search, or an empty dictionary for an unregistered search."""
    if search not in SEARCHES:
        return {}
    return {name: option.default for name, option in search_options(search).items() if option.default is not None}


def check_fields(plan: type, data: Mapping[str, Any]) -> None:
    """Raise an error unless the keys of the settings are exactly the fields of a plan class."""
    names = [part.name for part in dataclasses.fields(plan)]  # type: ignore[arg-type]
    for problem, wrong in (("missing", set(names) - data.keys()), ("unknown", data.keys() - set(names))):
        if wrong:
            raise ValueError(
                f"settings must have the keys {', '.join(names)}, got {problem} {', '.join(map(repr, sorted(wrong)))}"
            )


def check_numbers(settings: Mapping[str, Any]) -> None:
    """Raise an error unless sizes are integers and rates are probabilities; `check_size` checks upper limits."""
    for name, value in settings.items():
        if name in SMALLEST and (not is_integer(value) or value < SMALLEST[name]):
            raise ValueError(f"setting {name} must be an integer, at least {SMALLEST[name]}, got {brief(value)}")
        if name in RATES and not (is_finite(value) and 0 <= value <= 1):
            raise ValueError(f"setting {name} must be a probability from 0 to 1, got {brief(value)}")


def check_size(plan: Plan) -> None:
    """Raise an error if a run is too large for any machine."""
    if plan.population > LARGEST_POPULATION:
        raise ValueError(f"population must be at most {LARGEST_POPULATION:,}, got {plan.population:,}")
    if plan.budget > MOST_EVALUATIONS:
        raise ValueError(
            f"population times generations must be at most {MOST_EVALUATIONS:,} evaluations, got {plan.budget:,}"
        )


def check_choice(name: str, value: Any, choices: Iterable[str]) -> None:
    """Raise an error unless a value is one of the choices; the message suggests the closest choice."""
    if value not in choices:
        close = difflib.get_close_matches(str(value), list(choices), n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        raise ValueError(f"setting {name} must be a known name, got {value!r}{hint}; choose from {', '.join(choices)}")


def gigabytes(count: float) -> str:
    """Format a number of bytes in gigabytes."""
    return f"{max(1, math.floor(count / 1e9)):,} GB"

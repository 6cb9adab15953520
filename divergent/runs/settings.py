"""Settings of a maze run, and the plan with all defaults resolved."""

import dataclasses
import difflib
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from divergent.loops import LEARN_FROM, REFRESHES
from divergent.maze import FIVE_RANGEFINDERS, ROBOTS, SIX_RANGEFINDERS
from divergent.maze._files import locate_maze
from divergent.maze._task import default_steps
from divergent.runs.defaults import (
    CROSSOVER_RATE,
    INDIVIDUALS_PER_SPECIES,
    MUTATION_RATE,
    POPULATION,
    default_options,
    maze_defaults,
)
from divergent.runs.options import make_strategy, required_options, search_options
from divergent.runs.rules import DEFAULT_RULES, RULES
from divergent.selection import SEARCHES, Strategy
from divergent.validation import brief, is_integer

LOOPS = ("steady", "generational", "plus")
# the loops of those settings that not every loop has
LOOPS_OF_SETTING = {
    "learn_from": ("steady",),
    "refresh": ("steady",),
    "cxpb": ("generational",),
    "mutpb": ("generational",),
    "species": ("steady", "generational"),
}
SMALLEST = {"population": 2, "generations": 1, "steps": 1, "seed": 0, "species": 1, "refresh": 1}
RATES = ("cxpb", "mutpb")
# present names of values and options in records of earlier versions
EARLIER_NAMES = {
    "learn_from": {"births": "offspring"},
    "robot": {"described": SIX_RANGEFINDERS, "original": FIVE_RANGEFINDERS},
}
EARLIER_OPTIONS = {"stale": "keep_empty_clusters"}
# sizes beyond which a run could not end, or not fit into memory, on any machine of today
LARGEST_SIZES = {"population": 10**6, "steps": 10**6}
MOST_EVALUATIONS = 10**9
# orders of magnitude, for the error messages of such sizes
BYTES_OF = {"population": 4000, "steps": 16}  # a genome with its network; a point of the trajectory
BYTES_PER_EVALUATION = 8  # the final position
EVALUATIONS_PER_SECOND = 6000


@dataclass(frozen=True, kw_only=True)
class _SettingsFields:
    """The fields of `Settings`, and the constructor that assigns them."""

    maze: str = "hard"
    search: str = "surprise"
    seed: int = 0
    population: int = POPULATION
    generations: int | None = None
    steps: int | None = None
    robot: str | None = None
    rules: str = DEFAULT_RULES
    behaviour: str = "end"
    loop: str | None = None
    learn_from: str | None = None
    refresh: int | None = None
    cxpb: float | None = None
    mutpb: float | None = None
    species: int | None = None
    options: dict[str, Any] = field(default_factory=dict, hash=False)


FIELDS = tuple(part.name for part in dataclasses.fields(_SettingsFields))


class Settings(_SettingsFields):
    """Settings of a run in a maze.

    The same settings give the same record. A setting that is None, and an option of the search that is not given, has
    the paper's value for the maze and search, or else the default of the search. `resolve` fills in these values.

    Parameters
    ----------
    maze : str, default="hard"
        Name of a maze, path of a maze file, or "generated:SEED".
    search : str, default="surprise"
        A name in `divergent.selection.SEARCHES`.
    seed : int, default=0
        Seed of all random numbers of the run.
    population : int, default=250
        Population size.
    generations : int or None, default=None
        A run ends at the first solution, or after `population * generations` evaluations.
    steps : int or None, default=None
        Simulation steps of one evaluation.
    robot : str or None, default=None
        A name in `divergent.maze.ROBOTS`: "six-rangefinder" or "five-rangefinder". None selects the robot of the rules.
    rules : str, default="divergent"
        A name in `divergent.runs.rules.RULES`. "lehman2008" follows Lehman's program of 2008 in innovations, networks,
        species and breeding, and has its five-rangefinder robot.
    behaviour : str, default="end"
        The behaviour (behaviour descriptor): "end" is the final position, "trail:M" is M positions of the trajectory.
    loop : str or None, default=None
        "steady" replaces one individual by one child at a time. "generational" replaces all parents. "plus" keeps the
        better half of parents and offspring by score, without species. None selects the default of the search.
    learn_from : str or None, default=None
        In the steady loop, the strategy updates from the current "population" or from the "offspring" of the
        generation. None selects the default of the strategy.
    refresh : int or None, default=None
        Evaluations of the steady loop between two scorings of the population. None is a twentieth of the population.
    cxpb : float or None, default=None
        Probability of crossover in the generational loop. None is 0.7.
    mutpb : float or None, default=None
        Probability of mutation in the generational loop. None is 0.8.
    species : int or None, default=None
        Target number of species, in loops with species. None is one for 15 individuals.
    options : dict, default={}
        Options of the search by name. They may be passed as keywords, too.

    See Also
    --------
    Plan : The settings with all defaults resolved.
    divergent.run : Run the settings.

    Examples
    --------
    >>> settings = Settings(maze="hard", search="surprise", neighbours=2)
    >>> plan = settings.resolve()
    >>> plan.options["clusters"], plan.options["neighbours"], plan.budget
    (100, 2, 75000)
    """

    __signature__ = inspect.signature(_SettingsFields)

    def __init__(self, *, options: Mapping[str, Any] | None = None, **settings: Any) -> None:
        values = {name: settings.pop(name) for name in FIELDS if name in settings}
        chosen = {name: value for name, value in {**(options or {}), **settings}.items() if value is not None}
        super().__init__(**values, options=chosen)

    @property
    def name(self) -> str:
        """Folder name of the runs that differ only in their seeds."""
        return _folder_name(self.maze, self.search, self.robot, self.rules)

    def resolve(self) -> "Plan":
        """Fill in the defaults of all settings that are None, and check the settings.

        Returns
        -------
        Plan
            The complete settings of the run.

        Raises
        ------
        ValueError
            If a setting is invalid.
        OSError
            If the maze does not exist.
        """
        locate_maze(self.maze)
        _check_choice("search", self.search, SEARCHES)
        strategy_class = SEARCHES[self.search]
        loop = strategy_class.loop if self.loop is None else self.loop
        _check_choice("loop", loop, LOOPS)
        _check_choice("rules", self.rules, RULES)
        if self.robot is not None:
            _check_choice("robot", self.robot, ROBOTS)
        learns = strategy_class.learn is not Strategy.learn
        if self.learn_from is not None and not learns:
            raise ValueError(
                f"learn_from must be None for search {self.search}, which has no memory to update, "
                f"got {self.learn_from!r}"
            )
        chosen = {name: getattr(self, name) for name in FIELDS if getattr(self, name) is not None}
        _check_loop_settings(loop, chosen)
        _check_numbers(chosen)
        plan = Plan(**_default_settings(self, loop) | chosen | {"options": self._resolve_options()})
        check_size(plan)
        # the constructor of the strategy rejects options that it cannot use, before the first evaluation
        strategy = plan.strategy((0.0, 0.0, 1.0, 1.0), np.random.default_rng(0))
        if learns and loop in LOOPS_OF_SETTING["learn_from"] and plan.learn_from is None:
            # the components of a composed strategy decide, so its class does not know
            plan = dataclasses.replace(plan, learn_from=strategy.learns_from)
        return plan

    def _resolve_options(self) -> dict[str, Any]:
        """Check the options of the search, and fill in their defaults."""
        offered = search_options(self.search)
        for name, value in self.options.items():
            if name not in offered:
                names = ", ".join(offered) or "no options"
                raise ValueError(f"search {self.search} has no option {name}; it has {names}")
            if not offered[name].fits(value):
                raise ValueError(f"{name} must be {offered[name].rule}, got {brief(value)}")
        resolved = {name: option.default for name, option in offered.items()}
        resolved |= default_options(self.maze, self.search, self.population, self.options) | self.options
        resolved |= {
            name: value
            for name, value in required_options(resolved).items()
            if name in offered and name not in self.options
        }
        return {name: resolved[name] for name in offered if resolved[name] is not None}


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Complete settings of a run, as `Settings.resolve` returns them.

    Parameters
    ----------
    maze : str
        Name of a maze, path of a maze file, or "generated:SEED".
    search : str
        Name of the search. It need not be registered here, so that every record can be read.
    seed : int
        Seed of all random numbers of the run.
    population : int
        Population size.
    generations : int
        Largest number of generations.
    steps : int
        Simulation steps of one evaluation.
    robot : str
        Name of the robot.
    rules : str
        Name of the rules.
    behaviour : str
        "end" or "trail:M".
    loop : str
        "steady", "generational" or "plus".
    learn_from : str or None
        "population" or "offspring". None in other loops than the steady one, and for strategies without memory.
    refresh : int or None
        Evaluations between two scorings of the population. None in other loops than the steady one.
    cxpb : float or None
        Probability of crossover. None in other loops than the generational one.
    mutpb : float or None
        Probability of mutation. None in other loops than the generational one.
    species : int or None
        Target number of species. None in the plus loop.
    options : dict
        Options of the search by name.

    Raises
    ------
    ValueError
        If a value is invalid.

    See Also
    --------
    Settings : The settings that a user chooses.
    """

    maze: str
    search: str
    seed: int
    population: int
    generations: int
    steps: int
    robot: str
    rules: str
    behaviour: str
    loop: str
    learn_from: str | None = None
    refresh: int | None = None
    cxpb: float | None = None
    mutpb: float | None = None
    species: int | None = None
    options: dict[str, Any] = field(hash=False)

    def __post_init__(self) -> None:
        for name in ("maze", "search", "robot", "behaviour"):
            if not isinstance(value := getattr(self, name), str):
                raise ValueError(f"{name} must be a string, got {brief(value)}")
        _check_choice("loop", self.loop, LOOPS)
        _check_choice("rules", self.rules, RULES)
        absent = {name for name, loops in LOOPS_OF_SETTING.items() if self.loop not in loops}
        _check_numbers({name: getattr(self, name) for name in SMALLEST if name not in absent})
        _check_numbers({name: getattr(self, name) for name in RATES if getattr(self, name) is not None})
        if self.learn_from is not None:
            _check_choice("learn_from", self.learn_from, LEARN_FROM)
        samples = self.behaviour.removeprefix("trail:")
        if self.behaviour != "end" and not (self.behaviour != samples and samples.isdecimal() and int(samples) > 0):
            raise ValueError(f"behaviour must be end or trail:M with M at least 1, got {self.behaviour!r}")
        clusters = self.options.get("clusters", 0)
        if clusters > self.population:
            raise ValueError(f"clusters must be at most the population ({self.population}), got {clusters}")

    def resolve(self) -> "Plan":
        """Return this plan, which is complete; `run` and `run_many` accept settings and plans.

        Returns
        -------
        Plan
            The plan itself.
        """
        return self

    @property
    def name(self) -> str:
        """Folder name of the runs that differ only in their seeds."""
        return _folder_name(self.maze, self.search, self.robot, self.rules)

    @property
    def budget(self) -> int:
        """Evaluations of a run that does not solve the maze."""
        return self.population * self.generations

    @property
    def samples(self) -> int | None:
        """Number of positions in the behaviour; None for the final position."""
        return None if self.behaviour == "end" else int(self.behaviour.removeprefix("trail:"))

    def strategy(self, bounds: tuple[float, float, float, float], rng: np.random.Generator) -> Strategy:
        """Build the strategy of the search.

        Parameters
        ----------
        bounds : tuple of float
            Left, top, right and bottom limit of the maze.
        rng : numpy.random.Generator
            Random numbers of the strategy.

        Returns
        -------
        Strategy
            The strategy.
        """
        left, top, right, bottom = bounds
        positions = self.samples or 1
        return make_strategy(self.search, self.options, ((left, top) * positions, (right, bottom) * positions), rng)

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON-serialisable data.

        Returns
        -------
        dict
            The settings by name.
        """
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Plan":
        """Read a plan from the data of `to_json`.

        Data of an earlier version has the default rules, and earlier names of some values.

        Parameters
        ----------
        data : Mapping
            The settings by name.

        Returns
        -------
        Plan
            The plan.

        Raises
        ------
        ValueError
            If a setting is missing, unknown or invalid.
        """
        data = {"rules": DEFAULT_RULES} | {name: _current_value(name, value) for name, value in data.items()}
        for problem, names in (("missing", set(FIELDS) - data.keys()), ("unknown", data.keys() - set(FIELDS))):
            if names:
                raise ValueError(
                    f"settings must be {', '.join(FIELDS)}; {', '.join(map(repr, sorted(names)))} is {problem}"
                )
        return cls(**data)

    def differences(self, other: "Plan") -> list[str]:
        """Describe the differences from another plan.

        An option that one of them lacks, since its version of `divergent` did not have it, has its default there.

        Parameters
        ----------
        other : Plan
            The plan that is requested now.

        Returns
        -------
        list of str
            One phrase for each setting or option that differs.
        """
        earlier, now = (
            {name: getattr(plan, name) for name in FIELDS} | _option_defaults(plan.search) | plan.options
            for plan in (self, other)
        )
        return [
            f"{name} {earlier.get(name)} there, {now.get(name)} now"
            for name in earlier | now
            if name != "options" and earlier.get(name) != now.get(name)
        ]


def _folder_name(maze: str, search: str, robot: str | None, rules: str) -> str:
    """Combine the name of the maze with the search, and with the robot and rules that are not the default."""
    file = maze.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".txt").replace(":", "-")
    parts = [file, search]
    if robot not in (None, RULES[rules].robot):
        parts.append(str(robot))
    return "-".join(parts if rules == DEFAULT_RULES else [*parts, rules])


def _default_settings(settings: Settings, loop: str) -> dict[str, Any]:
    """Return the defaults of the settings that are None, those of the loop included."""
    of_the_loop = {
        "species": max(1, settings.population // INDIVIDUALS_PER_SPECIES),
        "refresh": max(1, settings.population // REFRESHES),
        "cxpb": CROSSOVER_RATE,
        "mutpb": MUTATION_RATE,
    }
    return {
        "generations": maze_defaults(settings.maze).generations,
        "steps": default_steps(settings.maze),
        "robot": RULES[settings.rules].robot,
        "loop": loop,
    } | {name: value for name, value in of_the_loop.items() if loop in LOOPS_OF_SETTING[name]}


def _option_defaults(search: str) -> dict[str, Any]:
    """Return the defaults of the options of a search, without those that are None; empty if it is not registered."""
    options = search_options(search) if search in SEARCHES else {}
    return {name: option.default for name, option in options.items() if option.default is not None}


def _current_value(name: str, value: Any) -> Any:
    """Return the present name of a value in a record of an earlier version."""
    if name == "options" and isinstance(value, Mapping):
        return {EARLIER_OPTIONS.get(option, option): chosen for option, chosen in value.items()}
    return EARLIER_NAMES.get(name, {}).get(value, value) if isinstance(value, str) else value


def _check_loop_settings(loop: str, settings: Mapping[str, Any]) -> None:
    """Raise an error if a setting belongs to another loop."""
    for name, loops in LOOPS_OF_SETTING.items():
        if name in settings and loop not in loops:
            raise ValueError(
                f"{name} must be None in the {loop} loop, got {settings[name]!r}; "
                f"it is a setting of the {' or '.join(loops)} loop"
            )


def _check_numbers(settings: Mapping[str, Any]) -> None:
    """Raise an error unless sizes are integers and rates are probabilities; sizes have no upper limit here."""
    for name, value in settings.items():
        if name in SMALLEST and (not is_integer(value) or value < SMALLEST[name]):
            raise ValueError(f"{name} must be an integer, at least {SMALLEST[name]}, got {brief(value)}")
        if name in RATES and not 0 <= value <= 1:
            raise ValueError(f"{name} must be from 0 to 1, got {brief(value)}")


def check_size(plan: Plan) -> None:
    """Raise an error, with the memory or time needed, for a run that no machine could finish."""
    for name, largest in LARGEST_SIZES.items():
        if (size := getattr(plan, name)) > largest:
            memory = _gigabytes(size * BYTES_OF[name])
            raise ValueError(f"{name} must be at most {largest:,}, got {size:,}, which needs {memory} of memory")
    if plan.samples is not None and plan.samples * plan.population > MOST_EVALUATIONS:
        memory = _gigabytes(2 * BYTES_PER_EVALUATION * plan.samples * plan.population)
        raise ValueError(
            f"behaviour must be trail:M with M at most {MOST_EVALUATIONS // plan.population:,} for a population of "
            f"{plan.population:,}, got {plan.behaviour}, which needs {memory} of memory"
        )
    if plan.budget > MOST_EVALUATIONS:
        days = plan.budget // EVALUATIONS_PER_SECOND // 86_400
        raise ValueError(
            f"population times generations must be at most {MOST_EVALUATIONS:,} evaluations, got {plan.budget:,}, "
            f"which needs about {days:,} days of a core and {_gigabytes(plan.budget * BYTES_PER_EVALUATION)} of memory"
        )


def _gigabytes(count: int) -> str:
    """Format a number of bytes."""
    return f"{max(1, count // 10**9):,} GB"


def _check_choice(name: str, value: Any, choices: Iterable[str]) -> None:
    """Raise an error, with the closest name, unless a value is one of the choices."""
    if value not in choices:
        close = difflib.get_close_matches(str(value), list(choices), n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        raise ValueError(f"unknown {name} {value!r}{hint}; choose from {', '.join(choices)}")

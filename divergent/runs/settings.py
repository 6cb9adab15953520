"""Settings that a user chooses for a run; `Settings.resolve` fills in all defaults."""

import dataclasses
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from divergent.loops._contract import LEARN_FROM as LEARN_FROM
from divergent.loops._contract import REFRESHES
from divergent.maze._files import default_steps, locate_maze
from divergent.maze._rules import DEFAULT_RULES, ROBOTS, RULES
from divergent.problem import LOOPS, PROBLEM_LOOPS, Problem
from divergent.runs._maze_plan import EARLIER_NAMES as EARLIER_NAMES
from divergent.runs._maze_plan import MAZE_FIELDS, MazePlan, check_maze_size, folder_name
from divergent.runs._plan import Plan as Plan
from divergent.runs._plan import ProblemPlan, check_choice, check_numbers, check_size
from divergent.runs.defaults import (
    CROSSOVER_RATE,
    INDIVIDUALS_PER_SPECIES,
    MUTATION_RATE,
    POPULATION,
    default_options,
    maze_defaults,
)
from divergent.runs.options import Option, required_options, strategy_options
from divergent.selection._searches import SEARCHES
from divergent.selection._strategy import Strategy
from divergent.validation import brief

# loops to which a setting applies; a setting that is not listed applies to all loops
LOOPS_OF_SETTING = {
    "learn_from": ("steady",),
    "refresh": ("steady",),
    "batch": ("steady",),
    "cxpb": ("generational",),
    "mutpb": ("generational",),
    "species": ("steady", "generational"),
}
LOOPS_OF_PROBLEM_SETTING = {
    "learn_from": ("steady",),
    "refresh": ("steady",),
    "batch": ("steady",),
    "cxpb": ("generational", "plus", "comma", "fi2pop"),
    "mutpb": ("generational", "plus", "comma", "fi2pop"),
}
DEFAULT_MAZE = "hard"
MAZE_ONLY = ("steps", "robot", "species")  # settings that apply only to mazes and default to None
PROBLEM_ONLY = ("timeout", "on_error")
GENERATIONS = 100  # number of generations if the problem defines no default
PROBLEM_POPULATION = 100
RATES_OF_LOOP = {"generational": (0.7, 0.3), "plus": (0.5, 0.5), "comma": (0.5, 0.5), "fi2pop": (0.7, 0.3)}
"""Probabilities of crossover and mutation in each loop if the problem defines no defaults."""


@dataclass(frozen=True, kw_only=True)
class _SettingsFields:
    """The fields of `Settings`, and the constructor that assigns them."""

    problem: Problem | None = None
    maze: str = DEFAULT_MAZE
    search: str = "surprise"
    seed: int = 0
    population: int | None = None
    generations: int | None = None
    steps: int | None = None
    robot: str | None = None
    rules: str = DEFAULT_RULES
    behaviour: str = "end"
    loop: str | None = None
    learn_from: str | None = None
    refresh: int | None = None
    batch: int | None = None
    cxpb: float | None = None
    mutpb: float | None = None
    species: int | None = None
    timeout: float | None = None
    on_error: str | None = None
    options: dict[str, Any] = field(default_factory=dict, hash=False)


FIELDS = tuple(part.name for part in dataclasses.fields(_SettingsFields))


class Settings(_SettingsFields):
    """Settings of a run on a problem or in a maze.

    The same settings give the same record. If a setting is None or an option is omitted, the default of the problem
    applies, or otherwise the default of the search. In the mazes of the surprise search paper, the defaults follow the
    paper. `resolve` replaces None by the default values.

    Parameters
    ----------
    problem : Problem or None, default=None
        The problem; None selects a run in the maze `maze`.
    maze : str, default="hard"
        Name of a maze, path of a maze file, or "generated:SEED".
    search : str, default="surprise"
        Name of a search in `divergent.selection.SEARCHES` or in the searches of the problem.
    seed : int, default=0
        Seed of all random numbers of the run.
    population : int or None, default=None
        Population size.
    generations : int or None, default=None
        Largest number of generations; a run ends earlier if it finds a solution.
    steps : int or None, default=None
        Number of simulation steps of one evaluation in a maze.
    robot : str or None, default=None
        Robot in a maze, "six-rangefinder" or "five-rangefinder", see `divergent.maze.ROBOTS`; None uses the robot of
        the rule set.
    rules : str, default="divergent"
        Rule set of NEAT and the robot in a maze; "lehman2008" follows Lehman's program of 2008 in innovations,
        networks, species, reproduction and robot.
    behaviour : str, default="end"
        Behaviour (behaviour descriptor) in a maze: "end" is the final position, "trail:M" is M positions of the
        trajectory.
    loop : str or None, default=None
        Evolutionary loop; None uses the default of the problem or search. The loop "steady" replaces one individual by
        one child at a time, and "generational" replaces all parents. The loop "plus" keeps the better half of parents
        and offspring by score, and "comma" keeps only offspring; both disable speciation. Problems other than mazes can
        also use "fi2pop", see `divergent.FeasibleInfeasible`, and "custom", see `divergent.Problem`.
    learn_from : str or None, default=None
        Individuals from which the strategy updates its state in the steady-state loop: the current "population" or the
        "offspring" of the generation; None uses the default of the strategy.
    refresh : int or None, default=None
        Number of evaluations between two updates of the population's scores in the steady-state loop; None uses a
        twentieth of the population size.
    batch : int or None, default=None
        Number of children that the steady-state loop breeds from one population and evaluates together; None uses 1.
    cxpb : float or None, default=None
        Probability of crossover in the generational loop; outside mazes, also in the plus, comma and fi2pop loops.
    mutpb : float or None, default=None
        Probability of mutation in the generational loop; outside mazes, also in the plus, comma and fi2pop loops.
    species : int or None, default=None
        Target number of species in a maze if the loop has speciation; None uses one species for every 15 individuals.
    timeout : float or None, default=None
        Seconds after which an evaluation of a problem other than a maze is interrupted; None disables the time limit.
    on_error : str or None, default=None
        Reaction to a failed evaluation, "raise" or "invalid", see `divergent.run`; None uses "raise".
    options : dict, default={}
        Options of the search by name, which may also be passed as keyword arguments.

    See Also
    --------
    divergent.runs.Plan : The settings with all defaults resolved.
    divergent.run : Execute a run with the settings.

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
        """Folder name shared by all runs that differ only in their seeds."""
        if self.problem is not None:
            return f"{self.problem.name}/{self.search}"
        return folder_name(self.maze, self.search, self.robot, self.rules)

    def resolve(self) -> Any:
        """Replace all settings that are None by their defaults, and validate the settings.

        Returns
        -------
        MazePlan or ProblemPlan
            The complete settings of the run.

        Raises
        ------
        ValueError
            If a setting is invalid.
        OSError
            If the maze does not exist.
        """
        if self.problem is None:
            return _resolve_maze(self)
        return _resolve_problem(self, self.problem)


def _resolve_maze(settings: Settings) -> MazePlan:
    """Return the complete settings of a run in a maze: chosen settings, defaults of the maze and of the search."""
    locate_maze(settings.maze)
    for name in PROBLEM_ONLY:
        if getattr(settings, name) is not None:
            raise ValueError(f"setting {name} must be None in a maze, got {getattr(settings, name)!r}")
    check_choice("search", settings.search, SEARCHES)
    strategy_class = SEARCHES[settings.search]
    loop = strategy_class.loop if settings.loop is None else settings.loop
    check_choice("loop", loop, LOOPS)
    check_choice("rules", settings.rules, RULES)
    if settings.robot is not None:
        check_choice("robot", settings.robot, ROBOTS)
    _check_learns(settings, strategy_class)
    names = (*MAZE_FIELDS, "batch")
    chosen = {name: getattr(settings, name) for name in names if getattr(settings, name) is not None}
    _check_loop_settings(loop, chosen, LOOPS_OF_SETTING)
    check_numbers(chosen)
    if chosen.get("batch") == 1:
        # The default batch size of 1 is not stored, so that settings equal those in records of earlier versions.
        del chosen["batch"]
    population = chosen.setdefault("population", POPULATION)
    offered = strategy_options(strategy_class)
    defaults = default_options(settings.maze, settings.search, population, settings.options)
    options = _resolve_options(settings, offered, defaults)
    plan = MazePlan(**_maze_defaults(settings, loop, population) | chosen | {"options": options})
    check_maze_size(plan)
    # The constructor of the strategy raises an error for invalid options before the first evaluation.
    strategy = plan.strategy((0.0, 0.0, 1.0, 1.0), np.random.default_rng(0))
    return _with_learn_from(plan, strategy)


def _resolve_problem(settings: Settings, problem: Problem) -> ProblemPlan:
    """Return the complete settings of a run: chosen settings, defaults of the problem and of the search."""
    from divergent.runs.build import problem_strategy, problem_toolbox, strategy_class

    if settings.maze != DEFAULT_MAZE or any(getattr(settings, name) is not None for name in MAZE_ONLY):
        raise ValueError(
            f"maze settings (maze, {', '.join(MAZE_ONLY)}) must not be set together with a problem; remove them"
        )
    search_class = strategy_class(problem, settings.search)
    names = ("population", "generations", "loop", *LOOPS_OF_PROBLEM_SETTING)
    given = {name: getattr(settings, name) for name in names if getattr(settings, name) is not None}
    defaults = {name: value for name, value in problem.defaults.items() if value is not None}
    loop = given.get("loop", defaults.get("loop", _default_loop(problem, search_class)))
    check_choice("loop", loop, PROBLEM_LOOPS if problem.survive is not None else PROBLEM_LOOPS[:-1])
    _check_learns(settings, search_class)
    _check_loop_settings(loop, given, LOOPS_OF_PROBLEM_SETTING)
    check_numbers(given)
    population = given.get("population", defaults.get("population", PROBLEM_POPULATION))
    options = _resolve_options(settings, strategy_options(search_class), _limited(search_class, population))
    toolbox = problem_toolbox(problem, settings.seed)
    loop_defaults: dict[str, Any] = {"refresh": max(1, population // REFRESHES), "batch": 1}
    if loop in RATES_OF_LOOP and not (loop in ("plus", "comma") and hasattr(toolbox, "breed")):
        loop_defaults |= dict(zip(("cxpb", "mutpb"), RATES_OF_LOOP[loop], strict=True))
    values = {"population": PROBLEM_POPULATION, "generations": GENERATIONS} | loop_defaults | defaults | given
    values = {
        name: value for name, value in values.items() if loop in LOOPS_OF_PROBLEM_SETTING.get(name, PROBLEM_LOOPS)
    }
    plan = ProblemPlan(
        **values
        | {
            "problem": problem.name,
            "search": settings.search,
            "seed": settings.seed,
            "loop": loop,
            "timeout": settings.timeout,
            "on_error": settings.on_error or "raise",
            "options": options,
        }
    )
    check_size(plan)
    return _with_learn_from(plan, problem_strategy(plan, problem, np.random.default_rng(0)))


def _default_loop(problem: Problem, strategy_class: Any) -> str:
    """Return "custom" if the problem has a custom survivor selection, otherwise the default loop of the search."""
    return "custom" if problem.survive is not None else getattr(strategy_class, "loop", "steady")


def _check_learns(settings: Settings, strategy_class: Any) -> None:
    """Raise an error if `learn_from` is set although the strategy has no state to update."""
    learns = getattr(strategy_class, "learn", None) is not Strategy.learn
    if settings.learn_from is not None and not learns:
        raise ValueError(
            f"learn_from must be None for search {settings.search}, which has no state to update, "
            f"got {settings.learn_from!r}"
        )


def _with_learn_from(plan: Any, strategy: Strategy) -> Any:
    """Set `learn_from` of a steady-state run to the default of the strategy, unless the user has set it."""
    learns = type(strategy).learn is not Strategy.learn
    if learns and plan.loop == "steady" and plan.learn_from is None:
        # `learns_from` of a composite strategy depends on its component strategies, not on its class
        return dataclasses.replace(plan, learn_from=strategy.learns_from)
    return plan


def _resolve_options(settings: Settings, offered: Mapping[str, Option], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Validate the options of the search, and add the defaults of omitted options."""
    chosen = settings.options
    for name, value in chosen.items():
        if name not in offered:
            names = ", ".join(offered) or "no options"
            raise ValueError(f"options must belong to search {settings.search}, got {name}; this search has {names}")
        if not offered[name].fits(value):
            raise ValueError(
                f"option {name} must have a value of the documented type, {offered[name].rule}, got {brief(value)}"
            )
    resolved = {name: option.default for name, option in offered.items()} | dict(defaults) | chosen
    resolved |= {
        name: value for name, value in required_options(resolved).items() if name in offered and name not in chosen
    }
    return {name: resolved[name] for name in offered if resolved[name] is not None}


def _limited(strategy: Any, population: int) -> dict[str, Any]:
    """Replace a default of `clusters` that exceeds the population size by four fifths of the population size."""
    default = strategy_options(strategy).get("clusters")
    if default is None or default.default is None or default.default <= population:
        return {}
    return {"clusters": max(1, population * 4 // 5)}


def _maze_defaults(settings: Settings, loop: str, population: int) -> dict[str, Any]:
    """Return the default settings of a run in a maze, including the settings of its loop."""
    of_the_loop = {
        "species": max(1, population // INDIVIDUALS_PER_SPECIES),
        "refresh": max(1, population // REFRESHES),
        "cxpb": CROSSOVER_RATE,
        "mutpb": MUTATION_RATE,
    }
    return {
        "generations": maze_defaults(settings.maze).generations,
        "steps": default_steps(settings.maze),
        "robot": RULES[settings.rules].robot,
        "loop": loop,
    } | {name: value for name, value in of_the_loop.items() if loop in LOOPS_OF_SETTING[name]}


def _check_loop_settings(loop: str, settings: Mapping[str, Any], loops_of_setting: Mapping[str, Any]) -> None:
    """Raise an error if a chosen setting does not apply to the loop."""
    for name, loops in loops_of_setting.items():
        if name in settings and loop not in loops:
            raise ValueError(
                f"setting {name} must be None in the {loop} loop, got {settings[name]!r}; "
                f"this setting applies only to the {' or '.join(loops)} loop"
            )

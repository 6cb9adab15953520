"""Maze problems: evolve NEAT controllers that drive a robot to the goal of a maze."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from deap import base

from divergent import neat
from divergent.loops._variation import batch_map
from divergent.maze._files import read_maze
from divergent.maze._maze import Maze
from divergent.maze._robot import INPUTS, OUTPUTS
from divergent.maze._rules import DEFAULT_RULES, RULES
from divergent.maze._task import MazeTask
from divergent.problem import Problem
from divergent.validation import brief

SPECIES = 16  # target number of species for the default population size
DEFAULTS = {"population": 250, "generations": 300}


@dataclass(frozen=True, eq=False)
class MazeProblem(Problem):
    """A problem whose evaluation is a `MazeTask`; create maze problems with `maze_problem`.

    Parameters
    ----------
    name : str
        Name of the problem: letters, digits, spaces and `_.,+-`; run records are written to a directory of this name.
    toolbox : callable
        `toolbox(rng)` returns a `deap.base.Toolbox` with `population(n=...)`, `evaluate` and variation operators. The
        variation operators are either `mate` and `mutate`, or only `breed` (see `divergent.neat.register`). `evaluate`
        returns an `Outcome`. An optional `select` replaces the default selection operator of the generational, plus,
        comma and fi2pop loops. Operators draw random numbers from `rng` or from the module `random`. A run seeds the
        module `random` and restores the caller's state of this module after every step.
    solved : callable or None, default=None
        `solved(values)` returns whether the fitness values of an individual solve the problem. A run ends when it finds
        a solution. If `solved` is None, no run ends early.
    defaults : Mapping, default={}
        Default values of the run settings `population`, `generations`, `loop`, `learn_from`, `refresh`, `batch`, `cxpb`
        and `mutpb`. The loop is "steady", "generational", "plus", "comma", "fi2pop" or "custom".
    searches : Mapping, default={}
        Searches that the problem adds to `divergent.selection.SEARCHES`, by name. Each search is a strategy class, or a
        `functools.partial` of a strategy class. A batch of runs uses these searches by default.
    axes : sequence of str, default=()
        Names of the dimensions of the behaviour (behaviour descriptor).
    limits : sequence of tuple, default=()
        Lower and upper limit of each dimension of the behaviour.
    draw : callable or None, default=None
        `draw(axes)` draws the background of a behaviour map on matplotlib axes.
    render : callable or None, default=None
        `render(individual)` returns an image array or a matplotlib figure of one individual.
    species : callable or None, default=None
        `species(rng)` returns the speciation of the steady, generational and fi2pop loops, such as a
        `divergent.neat.Species`; None disables speciation.
    save : callable or None, default=None
        `save(individual)` returns JSON-serialisable data without the fitness; None uses the built-in conversion of
        lists, arrays, sets, trees of genetic programming and NEAT genomes.
    load : callable or None, default=None
        `load(data)` restores the individual from the data of `save`.
    title : str, default=""
        Title in figures and reports; an empty title is replaced by the name.
    survive : callable or None, default=None
        `survive(strategy, rng)` returns the survivor selection of the "custom" loop, see `Problem`.
    task : MazeTask
        The evaluation.

    Raises
    ------
    TypeError
        If an argument that must be callable is not callable, or `task` is not a `MazeTask`.
    ValueError
        If the value of any other argument is invalid.
    """

    task: MazeTask = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.task, MazeTask):
            raise TypeError(f"task must be a MazeTask, got {brief(self.task)}")


def maze_problem(
    maze: Maze | str,
    *,
    steps: int | None = None,
    robot: str | None = None,
    rules: str = DEFAULT_RULES,
    samples: int | None = None,
    species: int | None = SPECIES,
    inherit: str = "both",
) -> MazeProblem:
    """Create the problem of driving a robot through a maze with NEAT controllers.

    The default settings of a run come from "Surprise Search for Evolutionary Divergence" (Gravina et al., 2017).

    Parameters
    ----------
    maze : Maze or str
        A `Maze`, or a maze name or path for `read_maze`.
    steps : int or None, default=None
        Largest number of simulation steps of one evaluation; None uses the default of the maze, see `MazeTask`.
    robot : str or None, default=None
        Name of a robot in `ROBOTS`; None uses the robot of the rule set.
    rules : str, default="divergent"
        Name of a rule set for NEAT and the robot, in `divergent.maze._rules.RULES`.
    samples : int or None, default=None
        Number of positions in the behaviour (behaviour descriptor); None uses only the final position.
    species : int or None, default=16
        Target number of species; None disables speciation.
    inherit : {"both", "fitter"}, default="both"
        Parents whose disjoint and excess genes a child inherits, see `divergent.neat.mate`.

    Returns
    -------
    MazeProblem
        The problem.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    divergent.Settings : Settings of a run, such as the population size and the number of generations.

    Examples
    --------
    >>> problem = maze_problem("hard", samples=2)
    >>> problem.name
    'hard'

    >>> problem.axes
    ('x1', 'y1', 'x2', 'y2')
    """
    maze = maze if isinstance(maze, Maze) else read_maze(maze)
    if not isinstance(rules, str) or rules not in RULES:
        raise ValueError(f"rules must be the name of a rule set, one of {', '.join(RULES)}, got {brief(rules)}")
    chosen = RULES[rules]
    task = MazeTask(maze, steps, samples=samples, robot=chosen.robot if robot is None else robot, **chosen.network)
    left, top, right, bottom = maze.bounds
    toolbox = MazeToolbox(task, rules, inherit)
    make_species = None if species is None else MazeSpecies(species, rules)
    for factory in (toolbox, make_species):  # invalid options raise an error here instead of at the start of a run
        if factory is not None:
            factory(np.random.default_rng(0))
    return MazeProblem(
        _file_name(maze.name),
        toolbox,
        solved=task.solved,
        defaults=DEFAULTS,
        axes=_axis_names(samples),
        limits=((left, right), (top, bottom)) * (samples or 1),
        draw=DrawWalls(maze.walls),
        species=make_species,
        title=f"maze {maze.name}",
        task=task,
    )


def _file_name(name: Any) -> str:
    """Replace characters of a maze name that are unsafe in file names by hyphens."""
    if not isinstance(name, str):
        raise ValueError(f"name of the maze must be a string, got {brief(name)}")
    return "".join(letter if letter.isalnum() or letter in "_.-" else "-" for letter in name).strip("-.") or "maze"


def _axis_names(samples: int | None) -> tuple[str, ...]:
    """Return the names of the behaviour dimensions: x and y of each sampled position."""
    return ("x", "y") if samples is None else tuple(f"{axis}{n}" for n in range(1, samples + 1) for axis in "xy")


@dataclass(frozen=True)
class MazeToolbox:
    """Factory of DEAP toolboxes with the NEAT operators, and with a maze task as the operator `evaluate`."""

    task: MazeTask
    rules: str
    inherit: str

    def __call__(self, rng: np.random.Generator) -> base.Toolbox:
        rules = RULES[self.rules]
        toolbox = base.Toolbox()
        innovations = neat.Innovations(**rules.innovations)
        options: dict[str, Any] = {"inherit": self.inherit, **rules.breeding}
        neat.register(toolbox, INPUTS, OUTPUTS, **options, innovations=innovations, rng=rng)
        toolbox.register("evaluate", self.task)
        toolbox.register("map", batch_map)
        return toolbox


@dataclass(frozen=True)
class MazeSpecies:
    """Factory of NEAT species for a maze problem, with the species options of a rule set."""

    target: int
    rules: str

    def __call__(self, rng: np.random.Generator) -> neat.Species:
        return neat.Species(target=self.target, **RULES[self.rules].species, rng=rng)


@dataclass(frozen=True, eq=False)
class DrawWalls:
    """Background of behaviour maps: the walls of the maze, with the y axis pointing down."""

    walls: Sequence[Any] | np.ndarray

    def __call__(self, axes: Any) -> None:
        for x1, y1, x2, y2 in np.asarray(self.walls, dtype=float).reshape(-1, 4):
            axes.plot((x1, x2), (y1, y2), color="black", linewidth=1.2)
        axes.set_aspect("equal")
        if not axes.yaxis_inverted():
            axes.invert_yaxis()

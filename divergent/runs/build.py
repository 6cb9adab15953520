"""Build the toolbox, strategy, species, initial population and random generators of a run."""

import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from deap import base, tools

from divergent import neat
from divergent.constrained import FeasibleInfeasible
from divergent.loops._contract import Step
from divergent.loops.generators import evolve, steady_state
from divergent.maze._files import maze_names, read_maze
from divergent.maze._maze import Maze
from divergent.maze._paths import warn_if_goal_unreachable
from divergent.maze._rules import RULES
from divergent.maze._task import MazeTask
from divergent.problem import Problem
from divergent.runs._components import find_components
from divergent.runs._evaluation import Evaluator, register_evaluator
from divergent.runs._maze_plan import MazePlan
from divergent.runs._module_random import ModuleRandom
from divergent.runs._plan import Plan, check_choice
from divergent.runs.options import make_strategy
from divergent.selection._deap_selector import by_score
from divergent.selection._searches import SEARCHES
from divergent.selection._strategy import Strategy
from divergent.validation import brief

TOURNAMENT = 3  # tournament size of the default selection in the generational and fi2pop loops


@dataclass
class Parts:
    """Toolbox, strategy, population and other objects of a run, which can be replaced before `steps` is called.

    Parameters
    ----------
    plan : Plan
        Complete settings of the run.
    problem : Problem
        The problem.
    toolbox : deap.base.Toolbox
        The toolbox of the problem; the generational, plus and comma loops need `select`.
    strategy : Strategy
        Strategy of the search, which scores individuals.
    species : Species or None
        Parent selection and replacement within species; None if the problem has no speciation, or if the loop is plus,
        comma or custom.
    population : list
        The initial population, before its evaluation.
    rngs : dict of str to numpy.random.Generator
        Random generators of the toolbox ("breeding") and of speciation or custom survivor selection ("grouping"). The
        strategy has a separate generator.
    evaluator : Evaluator
        The evaluation function of the run, registered as `toolbox.evaluate`.
    module_random : ModuleRandom
        States of the global random generators, from which DEAP's tools draw. The modules `random` and `numpy.random`
        have the run's states during a step, and the caller's states between steps.
    survive : callable or None, default=None
        Survivor selection of the fi2pop and custom loops.
    components : list, default=[]
        Further stateful objects that the functions of the toolbox refer to.

    See Also
    --------
    assemble : Build the toolbox, strategy, species and population of a run.
    """

    plan: Plan
    problem: Problem
    toolbox: base.Toolbox
    strategy: Strategy
    species: Any
    population: list
    rngs: dict[str, np.random.Generator]
    evaluator: Evaluator
    module_random: ModuleRandom
    survive: Any = None
    components: list[Any] = field(default_factory=list)

    @property
    def deap_rng(self) -> random.Random:
        """Random generator of DEAP's selectors and loops, which draw from the module `random`."""
        return self.module_random.python

    @property
    def task(self) -> MazeTask:
        """The `MazeTask` that evaluates individuals of a maze problem."""
        return self.problem.task  # type: ignore[attr-defined]

    @property
    def innovations(self) -> neat.Innovations:
        """Registry of innovation numbers of a problem with NEAT genomes."""
        return next(component for component in self.components if isinstance(component, neat.Innovations))

    def steps(self, done: int = 0, evaluations: int = 0) -> Iterator[Step]:
        """Start the evolutionary loop that the settings of the run specify.

        Parameters
        ----------
        done : int, default=0
            Number of generations that a resumed run has completed.
        evaluations : int, default=0
            Number of evaluations that a resumed run has completed.

        Returns
        -------
        iterator of Step
            The steps of `divergent.steady_state` or `divergent.evolve`.
        """
        steps = self._loop(done, evaluations)
        if self.plan.loop == "steady" and isinstance(self.plan, MazePlan):
            return steps  # NEAT does not draw from the global random generators, so their states stay unchanged
        return self.module_random.isolate(steps)

    def _loop(self, done: int = 0, evaluations: int = 0) -> Iterator[Step]:
        """Start the evolutionary loop of the run, without setting the global random generators."""
        plan = self.plan
        if plan.loop == "steady":
            batch = getattr(plan, "batch", None) or 1
            return steady_state(
                self.population,
                self.toolbox,
                self.strategy,
                self.species,
                generations=plan.generations,
                learn_from=plan.learn_from,
                refresh=plan.refresh,
                done=done,
                **({} if batch == 1 else {"batch": batch}),
            )
        toolbox = self.toolbox
        counts: dict[str, Any] = {"done": done, "evaluations": evaluations}
        if self.survive is not None:
            return evolve(self.population, toolbox, plan.generations, survive=self.survive, **counts)
        variation: dict[str, Any] = {"survive": plan.loop, "cxpb": plan.cxpb, "mutpb": plan.mutpb}
        if plan.loop != "generational" and plan.cxpb is None:
            toolbox = _mate_by_breeding(toolbox)
            variation |= {"cxpb": 1.0, "mutpb": 0.0}
        return evolve(self.population, toolbox, plan.generations, **variation, **counts)


def assemble(plan: Plan, problem: Problem | Maze) -> Parts:
    """Build the toolbox, strategy, species and population of a run; equal settings and problems give identical runs.

    Parameters
    ----------
    plan : Plan
        Complete settings of the run.
    problem : Problem or Maze
        The problem, or the maze of a `MazePlan`.

    Returns
    -------
    Parts
        The toolbox, strategy, population and other objects of the run.

    Raises
    ------
    TypeError, ValueError
        If the toolbox of the problem lacks an operator, or an option of the strategy is invalid.

    See Also
    --------
    divergent.run : Run a problem and return the record.

    Examples
    --------
    Print the last generation, the number of evaluations and the population size:

    >>> from divergent.maze import read_maze
    >>> from divergent.runs import Settings
    >>> plan = Settings(maze="hard", search="novelty", population=20, generations=3, steps=50).resolve()
    >>> parts = assemble(plan, read_maze("hard"))
    >>> for step in parts.steps():
    ...     pass
    >>> step.generation, step.evaluations, len(step.population)
    (2, 60, 20)
    """
    if isinstance(problem, Maze):
        assert isinstance(plan, MazePlan)
        problem = plan.make_problem(problem)
    breeding, scoring, grouping = (np.random.default_rng(seed) for seed in np.random.SeedSequence(plan.seed).spawn(3))
    module_random = ModuleRandom(plan.seed)
    with module_random.active():
        toolbox = _checked_toolbox(problem, breeding)
        components = [value for value in find_components(toolbox) if value is not breeding]
        strategy = problem_strategy(plan, problem, scoring)
        has_species = problem.species is not None and plan.loop in ("steady", "generational", "fi2pop")
        species = problem.species(grouping) if has_species else None  # type: ignore[misc]
        population = _first_population(toolbox, plan.population)
    limit, on_error = getattr(plan, "timeout", None), getattr(plan, "on_error", "raise")
    evaluator = register_evaluator(toolbox, f"{problem.name}, seed {plan.seed}", limit, on_error)
    survive = None
    if plan.loop == "custom":
        survive = problem.survive(strategy, grouping)  # type: ignore[misc]
    elif plan.loop == "fi2pop":
        survive = _two_populations(plan, strategy, _selection(toolbox, plan.loop, species))
    elif plan.loop != "steady":
        select = _selection(toolbox, plan.loop, species)
        toolbox.register("select", by_score, strategy=strategy, select=select)
    return Parts(
        plan=plan,
        problem=problem,
        toolbox=toolbox,
        strategy=strategy,
        species=species,
        population=population,
        rngs={"breeding": breeding, "grouping": grouping},
        evaluator=evaluator,
        module_random=module_random,
        survive=survive,
        components=components,
    )


def problem_toolbox(problem: Problem, seed: int) -> base.Toolbox:
    """Build the toolbox of a problem for inspection, without changing the global random generators."""
    with ModuleRandom(seed if isinstance(seed, int) and seed >= 0 else 0).active():
        return _checked_toolbox(problem, np.random.default_rng(0))


def problem_strategy(plan: Plan, problem: Problem, rng: np.random.Generator) -> Strategy:
    """Build the strategy for a search and its options, with the behaviour limits of the problem."""
    strategy = strategy_class(problem, plan.search)
    built = make_strategy(strategy, plan.options, problem.bounds, rng)
    if not callable(getattr(built, "score", None)):
        raise TypeError(f"searches must create instances of Strategy, got {brief(built)} for {plan.search!r}")
    return built


def strategy_class(problem: Problem, search: str) -> Any:
    """Look up the strategy class of a search in the searches of the problem and in `SEARCHES`."""
    check_choice("search", search, dict.fromkeys((*SEARCHES, *problem.searches)))
    return problem.searches[search] if search in problem.searches else SEARCHES[search]


def load_maze(plan: MazePlan) -> Maze:
    """Read the maze in which a run is planned, and warn if the goal of the maze cannot be reached."""
    maze = read_maze(plan.maze)
    # predefined mazes are solvable; skipping the check avoids the slow import of networkx
    if plan.maze not in maze_names():
        warn_if_goal_unreachable(maze)
    return maze


def make_task(plan: MazePlan, maze: Maze) -> MazeTask:
    """Build the maze task, which evaluates individuals, from the settings of a run."""
    return MazeTask(maze, plan.steps, samples=plan.samples, robot=plan.robot, **RULES[plan.rules].network)


def _checked_toolbox(problem: Problem, rng: np.random.Generator) -> base.Toolbox:
    """Build the toolbox of a problem; raise an error if the toolbox lacks an operator."""
    toolbox = problem.toolbox(rng)
    for name in ("population", "evaluate", "breed" if hasattr(toolbox, "breed") else "mutate"):
        if not callable(getattr(toolbox, name, None)):
            raise TypeError(
                f"toolbox of problem {problem.name!r} must have the operators population, evaluate and breed, "
                f"got {brief(toolbox)}, which lacks the operator {name!r}; register the missing operator, "
                "or mate and mutate instead of breed"
            )
    return toolbox


def _first_population(toolbox: base.Toolbox, size: int) -> list:
    """Create the initial population; raise an error unless it is a list of individuals with a `divergent.Fitness`."""
    population = toolbox.population(n=size)
    if not isinstance(population, list) or len(population) != size:
        raise ValueError(
            f"toolbox.population(n={size}) must return a list of {size} individuals, got {brief(population)}"
        )
    if not hasattr(getattr(population[0], "fitness", None), "behaviour"):
        raise TypeError(f"fitness of individuals must be a subclass of divergent.Fitness, got {brief(population[0])}")
    return population


def _selection(toolbox: base.Toolbox, loop: str, species: Any) -> Any:
    """Return `toolbox.select` if it is registered, otherwise the default selection operator of the loop."""
    if hasattr(toolbox, "select"):
        return toolbox.select
    if species is not None:
        return partial(neat.select, species=species)
    return tools.selBest if loop in ("plus", "comma") else partial(tools.selTournament, tournsize=TOURNAMENT)


def _two_populations(plan: Plan, strategy: Strategy, select: Any) -> FeasibleInfeasible:
    """Create the survivor selection of the fi2pop loop."""
    assert plan.cxpb is not None
    assert plan.mutpb is not None
    # A strategy with k clusters is updated only if there are at least k feasible individuals.
    smallest = plan.options.get("clusters", 1)
    return FeasibleInfeasible(strategy, select=select, cxpb=plan.cxpb, mutpb=plan.mutpb, smallest=smallest)


def _mate_by_breeding(toolbox: base.Toolbox) -> base.Toolbox:
    """Copy a toolbox and replace `mate` by `breed`, which applies crossover, mutation or both.

    DEAP's (mu + lambda) loop applies crossover or mutation, while most of NEAT's children result from both.
    """
    breeding = copy.copy(toolbox)
    breeding.register("mate", lambda first, second: (toolbox.breed(first, second), second))
    return breeding

"""Components of a run, built from its plan."""

import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from deap import base, tools

from divergent import neat
from divergent.loops import Step, batch_map, evolve, steady_state
from divergent.maze import INPUTS, OUTPUTS, Maze, MazeTask
from divergent.runs.rules import RULES
from divergent.runs.settings import Plan
from divergent.selection import Strategy, by_score


@dataclass
class Parts:
    """Components of a run; replace any of them before you call `steps`.

    Parameters
    ----------
    plan : Plan
        Complete settings of the run.
    task : MazeTask
        The evaluation, registered as `toolbox.evaluate`.
    toolbox : deap.base.Toolbox
        NEAT's operators, `evaluate` and `map`, and `select` in the loops with generations.
    innovations : neat.Innovations
        Innovation numbers of structural mutations.
    strategy : Strategy
        The search.
    species : neat.Species or None
        Parent selection and replacement within species. None in the plus loop.
    population : list of neat.Genome
        The first generation, not evaluated.
    rngs : dict of str to numpy.random.Generator
        Random numbers of "breeding" and of "grouping" into species. A strategy has its own generator.
    deap_rng : random.Random
        Random numbers of DEAP's selectors and loops, which draw from the module `random`. During a step of a loop with
        generations, the module has the state of this generator. Between steps it has the caller's state.

    See Also
    --------
    assemble : Build the components of a plan.
    """

    plan: Plan
    task: MazeTask
    toolbox: base.Toolbox
    innovations: neat.Innovations
    strategy: Strategy
    species: neat.Species | None
    population: list[neat.Genome]
    rngs: dict[str, np.random.Generator]
    deap_rng: random.Random

    def steps(self, done: int = 0, evaluations: int = 0) -> Iterator[Step]:
        """Start the loop of the plan.

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
        plan = self.plan
        if plan.loop == "steady":
            return steady_state(
                self.population,
                self.toolbox,
                self.strategy,
                self.species,
                generations=plan.generations,
                learn_from=plan.learn_from,
                refresh=plan.refresh,
                done=done,
            )
        variation: dict[str, Any]
        if plan.loop == "plus":
            toolbox, variation = _mate_by_breeding(self.toolbox), {"survive": "plus", "cxpb": 1.0, "mutpb": 0.0}
        else:
            toolbox, variation = self.toolbox, {"cxpb": plan.cxpb, "mutpb": plan.mutpb}
        steps = evolve(self.population, toolbox, plan.generations, **variation, done=done, evaluations=evaluations)
        return _draw_from(self.deap_rng, steps)


def assemble(plan: Plan, maze: Maze) -> Parts:
    """Build the components of a run; the same plan and maze give the same run.

    Parameters
    ----------
    plan : Plan
        Complete settings of the run.
    maze : Maze
        The maze.

    Returns
    -------
    Parts
        The components.

    See Also
    --------
    divergent.run : Run settings and return the record.

    Examples
    --------
    >>> from divergent.maze import read_maze
    >>> from divergent.runs import Settings
    >>> plan = Settings(maze="hard", search="novelty", population=20, generations=3, steps=50).resolve()
    >>> parts = assemble(plan, read_maze("hard"))
    >>> for step in parts.steps():
    ...     pass
    >>> step.generation, step.evaluations, len(step.population)
    (2, 60, 20)
    """
    breeding, scoring, grouping = (np.random.default_rng(seed) for seed in np.random.SeedSequence(plan.seed).spawn(3))
    rules = RULES[plan.rules]
    task = make_task(plan, maze)
    toolbox = base.Toolbox()
    innovations = neat.Innovations(**rules.innovations)
    # without species, children with the genes of both parents would grow without limit
    inherit = "fitter" if plan.loop == "plus" else "both"
    neat.register(toolbox, INPUTS, OUTPUTS, inherit=inherit, **rules.breeding, innovations=innovations, rng=breeding)
    toolbox.register("evaluate", task)
    toolbox.register("map", batch_map)
    strategy = plan.strategy(maze.bounds, scoring)
    species = None if plan.species is None else neat.Species(target=plan.species, **rules.species, rng=grouping)
    population = toolbox.population(n=plan.population)
    if plan.loop != "steady":
        select = tools.selBest if species is None else partial(neat.select, species=species)
        toolbox.register("select", by_score, strategy=strategy, select=select)
    rngs = {"breeding": breeding, "grouping": grouping}
    deap_rng = random.Random(int(plan.seed))
    return Parts(plan, task, toolbox, innovations, strategy, species, population, rngs, deap_rng)


def make_task(plan: Plan, maze: Maze) -> MazeTask:
    """Build the evaluation of a run, which expresses genomes by the rules of the plan."""
    return MazeTask(maze, plan.steps, samples=plan.samples, robot=plan.robot, **RULES[plan.rules].network)


def _mate_by_breeding(toolbox: base.Toolbox) -> base.Toolbox:
    """Copy a toolbox with `mate` replaced by `breed`, which crosses, mutates, or does both.

    DEAP's (mu + lambda) loop either crosses or mutates, while most of NEAT's children are crossed and then mutated.
    """
    breeding = copy.copy(toolbox)
    breeding.register("mate", lambda first, second: (toolbox.breed(first, second), second))
    return breeding


def _draw_from(rng: random.Random, steps: Iterator[Step]) -> Iterator[Step]:
    """Make each step with the module `random` in the state of `rng`, and restore the caller's state after it."""
    while True:
        callers_state = random.getstate()
        random.setstate(rng.getstate())
        try:
            step = next(steps, None)
        finally:
            rng.setstate(random.getstate())
            random.setstate(callers_state)
        if step is None:
            return
        yield step

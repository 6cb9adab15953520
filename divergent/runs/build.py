"""Assemble a run: everything it is made of, from the plan that decides it."""

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
    """What a run is made of; whatever is exchanged before `steps` is called takes part in it.

    Parameters
    ----------
    plan
        What decides the run.
    task
        What evaluates, registered as `toolbox.evaluate`.
    toolbox
        NEAT's operators, `evaluate` and `map`, and in the loops of generations `select`.
    innovations
        The numbers of structural changes, which the toolbox gives out.
    strategy
        The search.
    species
        Who mates with whom, and who dies; None in the plus loop, where anybody may mate with anybody.
    population
        The first generation, not yet evaluated.
    rngs
        The generators of breeding and of species; a strategy keeps its own.
    chance
        What DEAP's own tools draw from, which know only the module `random`: during a step of a loop of generations the
        module has its state, and between steps the caller's.
    """

    plan: Plan
    task: MazeTask
    toolbox: base.Toolbox
    innovations: neat.Innovations
    strategy: Strategy
    species: neat.Species | None
    population: list[neat.Genome]
    rngs: dict[str, np.random.Generator]
    chance: random.Random

    def steps(self, done: int = 0, evaluations: int = 0) -> Iterator[Step]:
        """The plan's loop, from the beginning or from where generations and evaluations are done already."""
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
        how: dict[str, Any]
        if plan.loop == "plus":
            toolbox, how = _breeding_in_one(self.toolbox), {"survive": "plus", "cxpb": 1.0, "mutpb": 0.0}
        else:
            toolbox, how = self.toolbox, {"cxpb": plan.cxpb, "mutpb": plan.mutpb}
        steps = evolve(self.population, toolbox, plan.generations, **how, done=done, evaluations=evaluations)
        return _drawing_from(self.chance, steps)


def assemble(plan: Plan, maze: Maze) -> Parts:
    """Everything a run is made of; the same plan and maze make the same run.

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
    task = task_of(plan, maze)
    toolbox = base.Toolbox()
    innovations = neat.Innovations(**rules.innovations)
    # where no species keeps unlike genomes apart, children with the genes of both would grow and grow
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
    return Parts(
        plan, task, toolbox, innovations, strategy, species, population, rngs, chance=random.Random(int(plan.seed))
    )


def task_of(plan: Plan, maze: Maze) -> MazeTask:
    """The task of a run, which expresses genomes by the rules of the plan."""
    return MazeTask(maze, plan.steps, samples=plan.samples, robot=plan.robot, **RULES[plan.rules].network)


def _breeding_in_one(toolbox: base.Toolbox) -> base.Toolbox:
    """The same tools, but crossover is all of `breed`: a child that is crossed, mutated, or both.

    DEAP's (mu + lambda) either crosses or mutates, while NEAT's children are mostly crossed and then mutated.
    """
    breeding = copy.copy(toolbox)
    breeding.register("mate", lambda mother, father: (toolbox.breed(mother, father), father))
    return breeding


def _drawing_from(chance: random.Random, steps: Iterator[Step]) -> Iterator[Step]:
    """The steps, each made while the module `random` is in the state of `chance`; its caller's state comes back."""
    while True:
        theirs = random.getstate()
        random.setstate(chance.getstate())
        try:
            step = next(steps, None)
        finally:
            chance.setstate(random.getstate())
            random.setstate(theirs)
        if step is None:
            return
        yield step

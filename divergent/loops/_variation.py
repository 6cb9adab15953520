"""Breed single children, and evaluate individuals through `toolbox.map`."""

import random
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
from deap import base

from divergent.validation import brief


def batch_map(function: Callable, individuals: Iterable) -> list:
    """Map a function over individuals; if the function has a method `many`, evaluate all individuals in one call.

    Register this map by ``toolbox.register("map", batch_map)``. `divergent.maze.MazeTask` has a method `many`.

    Parameters
    ----------
    function : callable
        Function of one individual. Its optional method `many` evaluates a list of individuals, with the same results.
    individuals : iterable
        Individuals to evaluate.

    Returns
    -------
    list
        One result per individual, in order.

    Examples
    --------
    >>> batch_map(abs, [-1, 2])
    [1, 2]
    """
    evaluator: Any = function
    if isinstance(function, partial) and not function.args and not function.keywords:
        evaluator = function.func  # `toolbox.register` wraps the function in a partial, which hides `many`
    if hasattr(evaluator, "many"):
        return evaluator.many(list(individuals))
    return [function(individual) for individual in individuals]


def evaluate(individuals: Sequence[Any], toolbox: base.Toolbox) -> None:
    """Evaluate the individuals without a valid fitness through `toolbox.map`."""
    unevaluated = [individual for individual in individuals if not individual.fitness.valid]
    for individual, outcome in zip(unevaluated, toolbox.map(toolbox.evaluate, unevaluated), strict=True):
        individual.fitness.values = outcome


def breed_by_variation(
    toolbox: base.Toolbox, first: Any, second: Any = None, cxpb: float = 0.7, mutpb: float = 0.8
) -> tuple[Any, bool]:
    """Return the first child of DEAP's varAnd for one or two parents, and whether crossover was applied.

    The second child is mutated, too, so that the same random numbers are drawn as in varAnd.
    """
    children = [toolbox.clone(first), toolbox.clone(first if second is None else second)]
    crossed = random.random() < cxpb
    if crossed:
        children = list(toolbox.mate(*children))
        for child in children:
            del child.fitness.values
    for position in range(2):
        if random.random() < mutpb:
            (children[position],) = toolbox.mutate(children[position])
    del children[0].fitness.values  # a clone that no operator changed still has its parent's fitness
    return children[0], crossed


def drop_inherited_fitness(child: Any, parent: Any) -> None:
    """Delete the fitness that a child inherited, unless the child equals its first parent."""
    try:
        values = child.fitness.wvalues
    except AttributeError:
        raise TypeError(f"toolbox.breed must return one individual with a fitness, got {brief(child)}") from None
    if values and not is_copy(child, parent):
        del child.fitness.values


def is_copy(child: Any, parent: Any) -> bool:
    """Return whether a child equals its first parent and therefore keeps the inherited fitness."""
    if isinstance(child, np.ndarray):
        return np.array_equal(child, parent)
    return (child == parent) is True

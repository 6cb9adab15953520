"""Evolutionary loops as short generators: `evolve` yields generations, `steady_state` yields every child."""

import math
import random
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from deap import base
from deap.algorithms import varAnd, varOr

from divergent._lineage import UNKNOWN, Lineage
from divergent._lineage import NextGeneration as NextGeneration
from divergent.individual import Outcomes, as_objects, pack, write_row
from divergent.validation import as_numbers, brief, check_at_least, check_rate, check_scores, is_finite

SURVIVORS = ("generational", "comma", "plus")
LEARN_FROM = ("population", "offspring")
REFRESHES = 20  # default number of times that the population is scored again during a steady-state generation


class Scoring(Protocol):
    """The methods of a strategy that a loop calls; `divergent.selection.Strategy` defines their contract."""

    learns_from: str

    def score(self, outcomes: Outcomes, among: Outcomes | None = None) -> np.ndarray: ...

    def learn(self, outcomes: Outcomes) -> None: ...


class Grouping(Protocol):
    """The methods of species that the steady-state loop calls. Positions are indices into the population.

    Steps report the species of each child if there is also `species_id(position)`, as in `divergent.neat.Species`.
    """

    def assign(self, individuals: Sequence[Any]) -> Any:
        """Divide the first population into species."""

    def respeciate(self) -> None:
        """Divide the current population again."""

    def select_parents(self, scores: np.ndarray) -> tuple[int, int | None]:
        """Return the positions of two parents, which may be equal, or None as the second, given all scores."""

    def replace(self, child: Any, scores: np.ndarray) -> int:
        """Insert a child, whose score is the last one, and return the position of the individual it replaces."""


class Step(NamedTuple):
    """The state that a loop yields: after each generation of `evolve`, after each child of `steady_state`.

    The first step is generation 0: the evaluated first population, all of which counts as offspring.

    Parameters
    ----------
    generation : int
        The generation, from 0 on.
    evaluations : int
        Evaluations so far.
    population : list
        The current population.
    offspring : list
        The individuals evaluated in this step.
    ends_generation : bool, default=True
        Whether the step ends a generation.
    parents : sequence of tuple of int, default=()
        Evaluation numbers of the parents of each of the offspring.
    species : sequence of int, default=()
        The species id of each of the offspring.
    """

    generation: int
    evaluations: int
    population: list
    offspring: list
    ends_generation: bool = True
    """Whether this step ends a generation: always in `evolve`, at the last child of a generation in `steady_state`."""
    parents: Sequence[tuple[int, ...]] = ()
    """For each of the offspring, the numbers of its parents, the first parent first; empty where nothing is known.

    Individuals are numbered from 0 in the order of their evaluation, the first of the offspring has the number
    ``evaluations - len(offspring)``. A parent that the loop did not evaluate has the number -1. The first population
    has no parents."""
    species: Sequence[int] = ()
    """For each of the offspring, the id of the species that it joined, -1 if it was removed at once.

    Empty without species and in `evolve`, where a generation is divided when the next one is selected."""


def evolve(
    population: list,
    toolbox: base.Toolbox,
    generations: int,
    *,
    survive: str | Callable[[list, base.Toolbox], list] = "generational",
    offspring: int | None = None,
    cxpb: float = 0.7,
    mutpb: float = 0.3,
    done: int = 0,
    evaluations: int = 0,
) -> Iterator[Step]:
    """Evolve a population by generations and yield each evaluated generation.

    The toolbox needs `evaluate`, `select`, `mate` and `mutate`, as for DEAP's own loops. Register `divergent.by_score`
    as `select` to let the loop follow a strategy.

    Parameters
    ----------
    population : list
        The first generation. Individuals with a valid fitness are not evaluated again.
    toolbox : deap.base.Toolbox
        The registered operators.
    generations : int
        Number of generations, including the first one.
    survive : {"generational", "comma", "plus"} or callable, default="generational"
        Survivor selection. "generational": the offspring of selected parents replace the population (DEAP's eaSimple).
        "comma": the best of the offspring survive (mu, lambda). "plus": the best of parents and offspring survive
        (mu + lambda). Where behaviours are easily lost, as in mazes, `steady_state` works better than all of these. A
        callable, such as `divergent.neat.Reproduction`, receives the evaluated population and the toolbox and returns
        the next generation. Individuals without a valid fitness are evaluated and counted, so delete the fitness of
        copies. The arguments below do not apply then. Steps report parents if it returns a `NextGeneration`.
    offspring : int or None, default=None
        Number of offspring in a generation, lambda, under "comma" and "plus". None takes the population size.
    cxpb : float, default=0.7
        Probability of crossover. Under "generational" crossover and mutation are independent (DEAP's varAnd); under
        "comma" and "plus" a child is crossed, mutated or copied (varOr).
    mutpb : float, default=0.3
        Probability of mutation.
    done : int, default=0
        Number of completed generations. To resume after generation 7, pass its population and 8.
    evaluations : int, default=0
        Number of evaluations in the completed generations.

    Yields
    ------
    Step
        The state after each generation.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid or the toolbox lacks an operator.

    See Also
    --------
    steady_state : Replace one individual at a time.

    Examples
    --------
    Bits, all of them to be set, with DEAP's operators:

    >>> import random
    >>> from deap import base, creator, tools
    >>> import divergent
    >>> creator.create("Most", divergent.Fitness, weights=(1.0,))
    >>> creator.create("Bits", list, fitness=creator.Most)
    >>> toolbox = base.Toolbox()
    >>> toolbox.register("evaluate", lambda bits: divergent.Outcome((sum(bits),), behaviour=bits))
    >>> toolbox.register("mate", tools.cxUniform, indpb=0.5)
    >>> toolbox.register("mutate", tools.mutFlipBit, indpb=0.1)
    >>> toolbox.register("select", tools.selTournament, tournsize=3)
    >>> random.seed(1)
    >>> start = [creator.Bits(random.choices((0, 1), k=10)) for _ in range(40)]
    >>> for step in evolve(start, toolbox, generations=30):
    ...     best = max(sum(bits) for bits in step.population)
    >>> step.generation, best
    (29, 10)
    """
    if not callable(survive) and not (isinstance(survive, str) and survive in SURVIVORS):
        raise ValueError(f"survive must be one of {', '.join(SURVIVORS)}, or a callable, got {brief(survive)}")
    check_instance(survive, "survive")
    check_at_least(0, generations=generations, done=done, evaluations=evaluations)
    check_rate(cxpb=cxpb, mutpb=mutpb)
    varied = [name for name, rate in (("mate", cxpb), ("mutate", mutpb)) if rate > 0]
    _check_tools(toolbox, ("evaluate",) if callable(survive) else ("evaluate", "select", *varied))
    population = _check_population(population)
    if survive in ("comma", "plus") and not cxpb + mutpb <= 1:
        raise ValueError(f"cxpb and mutpb must not exceed 1 together under {survive!r}, got {cxpb} and {mutpb}")
    if offspring is not None:
        check_at_least(1, offspring=offspring)
    size = len(population)
    _begin(_followed(toolbox, survive), done)
    lineage = Lineage(toolbox, population)
    for generation in range(done, generations):
        if generation == 0:
            born = _evaluate(population, toolbox)
        elif callable(survive):
            before, population = population, _check_population(survive(population, toolbox))
            lineage.trace(population, before)
            born = _evaluate(population, toolbox)
        elif survive == "generational":
            population = varAnd(_check_population(toolbox.select(population, size)), lineage.toolbox, cxpb, mutpb)
            born = _evaluate(population, toolbox)
        else:
            children = varOr(population, lineage.toolbox, offspring or size, cxpb, mutpb)
            born = _evaluate(children, toolbox)
            population = _check_population(
                toolbox.select(children if survive == "comma" else population + children, size)
            )
        parents = lineage.advance(population, born, evaluations)
        evaluations += len(born)
        yield Step(generation, evaluations, population, born, parents=parents)


def steady_state(
    population: list,
    toolbox: base.Toolbox,
    strategy: Scoring,
    species: Grouping | None = None,
    *,
    generations: int,
    learn_from: str | None = None,
    refresh: int | None = None,
    done: int = 0,
) -> Iterator[Step]:
    """Evolve a population by replacing one individual at a time and yield after every child.

    A generation consists of as many children as the population has members. At its end the strategy learns, and the
    population is scored again; it is also scored, and divided into species again, every `refresh` children. A child is
    scored against the current population. It replaces the individual with the lowest score per size of its species.
    `individual.fitness.score` is up to date for parents and children, and for all at the beginning of a generation. It
    is nan before the first child.

    The loop evaluates one individual at a time. To evaluate in parallel, use `evolve` with ``survive="plus"``, where
    parents survive as well, and register the map of a pool in the toolbox.

    Parameters
    ----------
    population : list
        The first generation, which is modified in place.
    toolbox : deap.base.Toolbox
        Needs `evaluate`, and either `breed(first, second)`, which returns one child (see `divergent.neat.register`), or
        DEAP's `mate` and `mutate`. `breed` receives one parent if `species` select no second one. A child that equals
        its first parent and has its fitness is not evaluated again, but is counted.
    strategy : Strategy
        Scores individuals and learns.
    species : Species or None, default=None
        Parent selection and replacement within species. None treats the population as one species.
    generations : int
        Number of generations, including the first population.
    learn_from : {"population", "offspring"} or None, default=None
        Update the strategy from the current population or from the offspring of the generation, including children that
        were replaced at once. None takes the strategy's `learns_from`. The first generation is the same either way.
    refresh : int or None, default=None
        Number of children between two scorings of the population. None takes a twentieth of the population size.
    done : int, default=0
        Number of completed generations. To resume after generation 7, pass 8 with population, species and strategy in
        the state of that generation.

    Yields
    ------
    Step
        The state after the first generation, then after each child.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid or the toolbox lacks an operator.

    See Also
    --------
    evolve : Generational, (mu, lambda) and (mu + lambda) loops.

    Examples
    --------
    >>> from deap import base, creator, tools
    >>> import divergent
    >>> from divergent.selection import Objective
    >>> creator.create("Least", divergent.Fitness, weights=(-1.0,))
    >>> creator.create("Point", list, fitness=creator.Least)
    >>> toolbox = base.Toolbox()
    >>> toolbox.register("evaluate", lambda point: divergent.Outcome((sum(x * x for x in point),), behaviour=point))
    >>> toolbox.register("mate", tools.cxBlend, alpha=0.2)
    >>> toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=0.3, indpb=1)
    >>> random.seed(3)
    >>> start = [creator.Point([random.uniform(-5, 5), random.uniform(-5, 5)]) for _ in range(40)]
    >>> for step in steady_state(start, toolbox, Objective(), generations=20):
    ...     pass
    >>> step.generation, step.evaluations, min(point.fitness.values[0] for point in step.population) < 0.01
    (19, 800, True)
    """
    check_instance(strategy)
    for name in ("score", "learn"):
        if not callable(getattr(strategy, name, None)):
            raise TypeError(
                f"strategy must have a {name}, as every divergent.selection.Strategy has; got {brief(strategy)}"
            )
    for name in ("assign", "respeciate", "select_parents", "replace"):
        if species is not None and not callable(getattr(species, name, None)):
            raise TypeError(
                f"species must have {name}, as divergent.neat.Species has, or be None; got {brief(species)}"
            )
    check_at_least(0, generations=generations, done=done)
    if refresh is not None:
        check_at_least(1, refresh=refresh)
    _check_tools(toolbox, ("evaluate",) if hasattr(toolbox, "breed") else ("evaluate", "mate", "mutate"))
    population = _check_population(population)
    learn_from = learn_from or getattr(strategy, "learns_from", "population")
    if not isinstance(learn_from, str) or learn_from not in LEARN_FROM:
        raise ValueError(f"learn_from must be one of {', '.join(LEARN_FROM)}, got {brief(learn_from)}")
    size = len(population)
    refresh = refresh or max(1, size // REFRESHES)
    species = OneSpecies() if species is None else species
    breed = getattr(toolbox, "breed", None)
    numbers = [UNKNOWN] * size  # of the evaluations of the population
    species_id = getattr(species, "species_id", None)
    species_ids: list[int] = []
    _begin([strategy], done)
    if done == 0:
        offspring = _evaluate(population, toolbox)
        species.assign(population)
        strategy.learn(pack(population))
        evaluated = {id(child): number for number, child in enumerate(offspring, size - len(offspring))}
        numbers = [evaluated.get(id(individual), UNKNOWN) for individual in population]
        if species_id is not None:
            species_ids = [species_id(position) for position, number in enumerate(numbers) if number != UNKNOWN]
        yield Step(0, size, population, offspring, parents=[()] * len(offspring), species=species_ids)
    rows = pack([*population, population[0]])  # the last row is the child's
    current, child_row = _split(rows, size)
    generation_offspring = _copy(current)
    scores = np.empty(size + 1)
    population_scores = scores[:size]
    for count in range(max(done - 1, 0) * size, (generations - 1) * size):
        place = count % size
        if count % refresh == 0 or place == 0:
            population_scores[:] = check_scores(strategy, strategy.score(current), size)
        if place == 0:
            for individual, score in zip(population, population_scores.tolist(), strict=True):
                individual.fitness.score = score
        if count % refresh == 0:
            species.respeciate()

        first, second = species.select_parents(population_scores)
        selected = (first,) if second is None else (first, second)
        for parent in selected:
            population[parent].fitness.score = scores.item(parent)
        individuals = [population[parent] for parent in selected]
        child, crossed = _breed(toolbox, *individuals) if breed is None else (breed(*individuals), True)
        parents: tuple[int, ...] = (numbers[first],)
        if crossed and second is not None and second != first:
            parents += (numbers[second],)
        if not (child.fitness.valid and _equal(child, population[first])):
            child.fitness.values = toolbox.evaluate(child)
        written = write_row(rows, size, child.fitness, "the child")
        if written is not rows:  # the behaviour does not fit into a matrix
            rows, (current, child_row) = written, _split(written, size)
            generation_offspring = generation_offspring._replace(behaviours=as_objects(generation_offspring.behaviours))
        score = strategy.score(child_row, among=current)
        scores[size] = child.fitness.score = float(score[0])
        if math.isnan(scores[size]):
            check_scores(strategy, score, 1)
        generation_offspring.fitness[place] = rows.fitness[size]
        generation_offspring.behaviours[place] = rows.behaviours[size]

        replaced = species.replace(child, scores)
        if replaced < size:
            population[replaced] = child
            numbers[replaced] = size + count
            for column in (rows.fitness, rows.behaviours, scores):
                column[replaced] = column[size]
        if place == size - 1:
            strategy.learn(_copy(generation_offspring if learn_from == "offspring" else current))
        if species_id is not None:
            species_ids = [species_id(replaced) if replaced < size else UNKNOWN]
        yield Step(count // size + 1, size + count + 1, population, [child], place == size - 1, [parents], species_ids)


class OneSpecies:
    """A population without speciation: truncation selection of parents, replacement of the lowest score.

    Parameters
    ----------
    fraction : float, default=0.4
        Fraction of the population, best first, from which parents are drawn.

    Raises
    ------
    ValueError
        If `fraction` is not above 0 and at most 1.
    """

    def __init__(self, fraction: float = 0.4):
        if not is_finite(fraction) or not 0 < fraction <= 1:
            raise ValueError(f"fraction must be above 0 and at most 1, got {brief(fraction)}")
        self.fraction = fraction

    def assign(self, individuals: Sequence) -> None:
        """Do nothing: every individual belongs to the one species.

        Parameters
        ----------
        individuals : sequence
            The first population.
        """

    def respeciate(self) -> None:
        """Do nothing: the species does not change."""

    def select_parents(self, scores: np.ndarray) -> tuple[int, int]:
        """Draw two positions, which may be equal, from the best fraction.

        Parameters
        ----------
        scores : ndarray of shape (m,)
            Scores of the population.

        Returns
        -------
        tuple of int
            Positions of the two parents.
        """
        scores = as_numbers("scores", scores, 1)
        check_at_least(1, scores=len(scores))
        pool = np.argsort(-scores, kind="stable")[: max(1, int(self.fraction * len(scores)))]
        return int(pool[random.randrange(len(pool))]), int(pool[random.randrange(len(pool))])

    def replace(self, child: Any, scores: np.ndarray) -> int:
        """Return the position of the lowest score, ties broken by position.

        Parameters
        ----------
        child : object
            The child that takes the position.
        scores : ndarray of shape (m + 1,)
            Scores of the population, then of the child.

        Returns
        -------
        int
            The position of the individual that is replaced; the last one is the child's.
        """
        scores = as_numbers("scores", scores, 1)
        check_at_least(1, scores=len(scores))
        return int(np.argmin(scores))


def batch_map(function: Callable, individuals: Iterable) -> list:
    """Map a function over individuals, in one call of its method `many` if it has one.

    Register it as ``toolbox.register("map", batch_map)``. `divergent.maze.MazeTask` has a method `many`.

    Parameters
    ----------
    function : callable
        Evaluates one individual; its optional method `many` evaluates a list with the same results.
    individuals : iterable
        The individuals.

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
        evaluator = function.func  # as the toolbox registered it
    if hasattr(evaluator, "many"):
        return evaluator.many(list(individuals))
    return [function(individual) for individual in individuals]


def check_instance(value: Any, name: str = "strategy") -> None:
    """Raise a TypeError for a class that is passed instead of an instance."""
    if isinstance(value, type):
        raise TypeError(f"{name} must be an instance, {value.__name__}(...), got the class {value.__name__}")


def mark_used(strategy: Any) -> None:
    """Mark a strategy with memory as used by a run, so that a second run can warn."""
    if getattr(strategy, "remembers", False):
        strategy.used = True


def _begin(strategies: Sequence[Any], done: int) -> None:
    """Mark strategies as used, and warn if a new run begins with the memory of an earlier one."""
    for strategy in strategies:
        if done == 0 and getattr(strategy, "used", False):
            warnings.warn(
                f"{brief(strategy)} begins this run with the memory of an earlier one; "
                "call its reset() first, or create one strategy per run",
                stacklevel=3,
            )
        mark_used(strategy)


def _followed(toolbox: base.Toolbox, survive: Any) -> Sequence[Any]:
    """Return the strategies registered for selection or survivor selection, as far as they are visible."""
    keywords = getattr(getattr(toolbox, "select", None), "keywords", {})
    strategy = getattr(survive, "strategy", None) if callable(survive) else keywords.get("strategy")
    return strategy if isinstance(strategy, Sequence) else (strategy,)


def _check_tools(toolbox: base.Toolbox, names: Sequence[str]) -> None:
    """Raise a TypeError if the toolbox lacks an operator that the loop calls."""
    for name in names:
        if not callable(getattr(toolbox, name, None)):
            raise TypeError(f"the toolbox must have {name!r} registered, for this loop needs {', '.join(names)}")


def _check_population(population: Any) -> list:
    """Return the population if it is a list of individuals with a DEAP fitness."""
    if not isinstance(population, list) or not population:
        raise ValueError(f"a population is a list of at least one individual, got {brief(population)}")
    for number, individual in enumerate(population):
        if not hasattr(getattr(individual, "fitness", None), "wvalues"):
            raise TypeError(f"individual {number} of the population has no DEAP fitness: {brief(individual)}")
    return population


def _evaluate(individuals: list, toolbox: base.Toolbox) -> list:
    """Evaluate the individuals without a valid fitness and return them."""
    unevaluated = [individual for individual in individuals if not individual.fitness.valid]
    for individual, outcome in zip(unevaluated, toolbox.map(toolbox.evaluate, unevaluated), strict=True):
        individual.fitness.values = outcome
    return unevaluated


def _breed(
    toolbox: base.Toolbox, first: Any, second: Any = None, cxpb: float = 0.7, mutpb: float = 0.8
) -> tuple[Any, bool]:
    """Return the first child of DEAP's varAnd of two parents, or of one, and whether the parents were crossed.

    Both children are mutated, as in varAnd, so that the same random numbers are drawn.
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
    del children[0].fitness.values  # a child that neither operator changed still has some
    return children[0], crossed


def _equal(child: Any, parent: Any) -> bool:
    """Return whether a child with a fitness equals its first parent, so that the fitness is its own."""
    if isinstance(child, np.ndarray):
        return np.array_equal(child, parent)
    return (child == parent) is True


def _split(outcomes: Outcomes, size: int) -> tuple[Outcomes, Outcomes]:
    """Return views of the first rows and of the others."""
    return Outcomes(*(column[:size] for column in outcomes)), Outcomes(*(column[size:] for column in outcomes))


def _copy(outcomes: Outcomes) -> Outcomes:
    """Return a copy that the loop does not write to."""
    return Outcomes(*(column.copy() for column in outcomes))

"""Evolve a population: short loops that yield what happened and leave everything else to the caller."""

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
from divergent.individual import Outcomes, pack, write_row
from divergent.validation import as_numbers, brief, check_at_least, check_rate, check_scores, is_finite

SURVIVORS = ("generational", "comma", "plus")
LEARN_FROM = ("population", "offspring")
REFRESHES = 20  # how often a generation of single births is scored anew as a whole, unless something else is said


class Scoring(Protocol):
    """What a loop asks of a strategy; `divergent.selection.Strategy` says what each promises."""

    learns_from: str

    def score(self, outcomes: Outcomes, among: Outcomes | None = None) -> np.ndarray: ...

    def learn(self, outcomes: Outcomes) -> None: ...


class Grouping(Protocol):
    """What a loop of single births asks of species: who mates, and who dies. Positions are those in the population.

    Steps report the species of each child if there is also `species_id(position)`, as `divergent.neat.Species` has it.
    """

    def assign(self, individuals: Sequence[Any]) -> Any:
        """Divide the first population."""

    def respeciate(self) -> None:
        """Divide the population anew."""

    def select_parents(self, scores: np.ndarray) -> tuple[int, int | None]:
        """The positions of two parents, perhaps the same, given everybody's score; None if there is no second one."""

    def replace(self, newborn: Any, scores: np.ndarray) -> int:
        """Take in a newborn, whose score comes last, and return the position of who dies, whose place it takes."""


class Step(NamedTuple):
    """What a loop yields: a generation of `evolve`, a birth of `steady_state`.

    Both begin with the first population, evaluated, as generation 0 with everybody born.
    """

    generation: int
    evaluations: int
    population: list
    offspring: list
    ends_generation: bool = True
    """Whether its generation is over: always in `evolve`, at every last birth of a generation in `steady_state`."""
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
    """Evolve generation by generation, yielding each one evaluated.

    The toolbox needs `evaluate`, `select`, `mate` and `mutate`, as for DEAP's own loops; registering
    `divergent.by_score` as `select` makes it follow a strategy.

    Parameters
    ----------
    population
        The first generation. Individuals that have a fitness are not evaluated again.
    generations
        How many generations there are in all, the first one included.
    survive
        Who makes up the next generation. "offspring": everybody born from selected parents, and all parents die
        (DEAP's eaSimple). "comma": the best of the offspring (mu, lambda). "plus": the best of parents and offspring
        (mu + lambda). Where a behaviour is easily lost, as in mazes, `steady_state` is better than all of these.
        Or a callable, such as `divergent.neat.Reproduction`, that is given the population, evaluated, and the toolbox,
        and returns the next generation: whoever in it has no fitness is evaluated and counted, so delete that of copies
        that `toolbox.breed` gave their mother's. `select`, `mate`, `mutate` and the three options below are then its
        own affair. Steps report parents if it returns a `NextGeneration`.
    offspring
        How many are born in a generation, lambda, under "comma" and "plus"; the population's size if None.
    cxpb, mutpb
        Probabilities of crossover and of mutation, as in DEAP: each on its own under "offspring" (varAnd), one or the
        other under "comma" and "plus" (varOr).
    done, evaluations
        Generations and evaluations that are done already; to go on after generation 7, pass its population and 8.

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
    """Evolve with one birth and one death at a time, yielding every birth.

    A generation is as many births as the population has members. When one is over, the strategy learns from it and
    everybody is scored anew; in between, everybody is scored and species are formed anew every `refresh` births. A
    newborn is scored among the population when it is born; then whoever has the lowest score for the size of its
    species dies. `individual.fitness.score` is exact for parents, newborns and, as a generation begins, for all; before
    the first birth it is nan.

    It evaluates one individual at a time, so that a pool of processes is of no use to it. To evaluate in parallel use
    `evolve(..., survive="plus")`, where parents survive as well, with the pool's `map` registered in the toolbox.

    Parameters
    ----------
    population
        The first generation; it changes in place, a newborn taking the place of the dead.
    toolbox
        Needs `evaluate`, and either `breed(mother, father)`, which returns one child (as `divergent.neat.register`
        provides), or DEAP's `mate` and `mutate`; `breed` gets no father where `species` return none. A child that
        equals its mother and has her values is not evaluated again, since `evaluate` depends on the individual alone,
        but counts as if it were.
    strategy
        Scores and learns: any `divergent.selection.Strategy`. What it learns from is its own to keep.
    species
        Who mates with whom, and who dies: a `divergent.neat.Species`, or None for a population that is one species.
    generations
        How many generations there are in all, the first population included.
    learn_from
        What the strategy learns from when a generation is over: the current "population", or the "offspring" of the
        generation, including children that were replaced at once. None takes the strategy's own `learns_from`. The
        first generation is the same either way.
    refresh
        Births between two scorings of everybody; a twentieth of the population if None.
    done
        Generations that are done already; to go on after generation 7, pass 8, and population, species and strategy
        as they were then.

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
    joined: list[int] = []
    _begin([strategy], done)
    if done == 0:
        born = _evaluate(population, toolbox)
        species.assign(population)
        strategy.learn(pack(population))
        evaluated = {id(child): number for number, child in enumerate(born, size - len(born))}
        numbers = [evaluated.get(id(individual), UNKNOWN) for individual in population]
        if species_id is not None:
            joined = [species_id(position) for position, number in enumerate(numbers) if number != UNKNOWN]
        yield Step(0, size, population, born, parents=[()] * len(born), species=joined)
    rows = pack([*population, population[0]])  # the last row is for a newborn
    everyone = Outcomes(rows.fitness[:size], rows.behaviours[:size])
    newborn = Outcomes(rows.fitness[size:], rows.behaviours[size:])
    births = _copy(everyone)
    scores = np.empty(size + 1)
    standing = scores[:size]
    for birth in range(max(done - 1, 0) * size, (generations - 1) * size):
        place = birth % size
        if birth % refresh == 0 or place == 0:
            standing[:] = check_scores(strategy, strategy.score(everyone), size)
        if place == 0:
            for individual, score in zip(population, standing.tolist(), strict=True):
                individual.fitness.score = score
        if birth % refresh == 0:
            species.respeciate()

        mother, father = species.select_parents(standing)
        couple = (mother,) if father is None else (mother, father)
        for parent in couple:
            population[parent].fitness.score = scores.item(parent)
        individuals = [population[parent] for parent in couple]
        child, crossed = _breed(toolbox, *individuals) if breed is None else (breed(*individuals), True)
        parents: tuple[int, ...] = (numbers[mother],)
        if crossed and father is not None and father != mother:
            parents += (numbers[father],)
        if not (child.fitness.valid and _equal(child, population[mother])):
            child.fitness.values = toolbox.evaluate(child)
        write_row(rows, size, child.fitness, "a newborn")
        score = strategy.score(newborn, among=everyone)
        scores[size] = child.fitness.score = float(score[0])
        if math.isnan(scores[size]):
            check_scores(strategy, score, 1)
        births.fitness[place], births.behaviours[place] = rows.fitness[size], rows.behaviours[size]

        dead = species.replace(child, scores)
        if dead < size:
            population[dead] = child
            numbers[dead] = size + birth
            for column in (rows.fitness, rows.behaviours, scores):
                column[dead] = column[size]
        if place == size - 1:
            strategy.learn(_copy(births if learn_from == "offspring" else everyone))
        if species_id is not None:
            joined = [species_id(dead) if dead < size else UNKNOWN]
        yield Step(birth // size + 1, size + birth + 1, population, [child], place == size - 1, [parents], joined)


class OneSpecies:
    """A population that is one species: parents are drawn from its best share, and the lowest score dies.

    Parameters
    ----------
    share
        The share of the population, best first, that may become parents.
    """

    def __init__(self, share: float = 0.4):
        if not is_finite(share) or not 0 < share <= 1:
            raise ValueError(f"share must be above 0 and at most 1, got {brief(share)}")
        self.share = share

    def assign(self, individuals: Sequence) -> None:
        """Everybody belongs."""

    def respeciate(self) -> None:
        """Nothing to form anew."""

    def select_parents(self, scores: np.ndarray) -> tuple[int, int]:
        """Two positions among the best share, perhaps the same."""
        scores = as_numbers("scores", scores, 1)
        check_at_least(1, scores=len(scores))
        pool = np.argsort(-scores, kind="stable")[: max(1, int(self.share * len(scores)))]
        return int(pool[random.randrange(len(pool))]), int(pool[random.randrange(len(pool))])

    def replace(self, newborn: Any, scores: np.ndarray) -> int:
        """The position of the lowest score, who dies; the last one is the newborn's."""
        scores = as_numbers("scores", scores, 1)
        check_at_least(1, scores=len(scores))
        return int(np.argmin(scores))


def batch_map(function: Callable, individuals: Iterable) -> list:
    """Map that evaluates all individuals in one call where the function can, for `toolbox.register("map", batch_map)`.

    A function with a method `many`, as `divergent.maze.MazeTask` has, is asked for all of them at once; any other
    function is called for one after the other. The results are the same.

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


def check_instance(thing: Any, name: str = "strategy") -> None:
    """Refuse a class where something is needed that was made from it."""
    if isinstance(thing, type):
        raise TypeError(f"{name} must be an instance, {thing.__name__}(...), got the class {thing.__name__}")


def mark_used(strategy: Any) -> None:
    """Note that a strategy with a memory learns in a run, so that a second run can warn."""
    if getattr(strategy, "remembers", False):
        strategy.used = True


def _begin(strategies: Sequence[Any], done: int) -> None:
    """Note that strategies learn in a run, and warn if it begins with the memory of another."""
    for strategy in strategies:
        if done == 0 and getattr(strategy, "used", False):
            warnings.warn(
                f"{brief(strategy)} begins this run with what it learnt in another; call its reset() first, or make "
                "one for each run",
                stacklevel=3,
            )
        mark_used(strategy)


def _followed(toolbox: base.Toolbox, survive: Any) -> Sequence[Any]:
    """The strategies that a generational loop follows, as far as it can see them."""
    keywords = getattr(getattr(toolbox, "select", None), "keywords", {})
    strategy = getattr(survive, "strategy", None) if callable(survive) else keywords.get("strategy")
    return strategy if isinstance(strategy, Sequence) else (strategy,)


def _check_tools(toolbox, names):
    """Refuse a toolbox that lacks what a loop calls."""
    for name in names:
        if not callable(getattr(toolbox, name, None)):
            raise TypeError(f"the toolbox must have {name!r} registered, for this loop needs {', '.join(names)}")


def _check_population(population):
    """A population that can be evolved."""
    if not isinstance(population, list) or not population:
        raise ValueError(f"a population is a list of at least one individual, got {brief(population)}")
    for number, individual in enumerate(population):
        if not hasattr(getattr(individual, "fitness", None), "wvalues"):
            raise TypeError(f"individual {number} of the population has no DEAP fitness: {brief(individual)}")
    return population


def _evaluate(individuals, toolbox):
    """Evaluate whoever has no valid fitness and return them."""
    unknown = [individual for individual in individuals if not individual.fitness.valid]
    for individual, outcome in zip(unknown, toolbox.map(toolbox.evaluate, unknown), strict=True):
        individual.fitness.values = outcome
    return unknown


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


def _equal(child, mother):
    """Whether a child that comes with a fitness is its mother's equal, and so has it rightly."""
    if isinstance(child, np.ndarray):
        return np.array_equal(child, mother)
    return (child == mother) is True


def _copy(outcomes):
    """Outcomes that nobody else writes to."""
    return Outcomes(*(column.copy() for column in outcomes))

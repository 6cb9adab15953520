"""Loops as generators: `evolve` yields a step after every generation, `steady_state` after every child."""

from collections.abc import Callable, Iterator

from deap import base

from divergent.loops._checks import check_tools
from divergent.loops._contract import Grouping, Scoring, Step
from divergent.loops._generational import Generational
from divergent.loops._steady import SteadyState
from divergent.loops._variation import evaluate
from divergent.validation import LARGEST, check_at_least


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
    as `select` to select by the scores of a strategy.

    Parameters
    ----------
    population : list
        Initial population. Individuals with a valid fitness are not evaluated again.
    toolbox : deap.base.Toolbox
        Toolbox with the registered operators.
    generations : int
        Number of generations, including the initial population.
    survive : {"generational", "comma", "plus"} or callable, default="generational"
        Survivor selection. "generational": the offspring of selected parents replace the population (DEAP's eaSimple).
        "comma": the best of the offspring survive, as in (mu, lambda) selection. "plus": the best of parents and
        offspring survive, as in (mu + lambda) selection. If selection easily loses rare behaviours, as in mazes,
        the loop `steady_state` works better than `evolve`. A callable, such as `divergent.neat.Reproduction`, receives
        the evaluated population and the toolbox and returns the next generation. The loop evaluates only individuals
        without a valid fitness, so the callable must delete the fitness of individuals that need an evaluation. The
        arguments `offspring`, `cxpb` and `mutpb` do not apply to a callable. If the callable returns a
        `NextGeneration`, each step contains the parents of the offspring.
    offspring : int or None, default=None
        Number of offspring per generation (lambda) if `survive` is "comma" or "plus". None uses the population size.
    cxpb : float, default=0.7
        Probability of crossover. If `survive` is "generational", crossover and mutation are independent (DEAP's
        varAnd). If `survive` is "comma" or "plus", a child results from crossover, mutation or copying (DEAP's varOr).
    mutpb : float, default=0.3
        Probability of mutation.
    done : int, default=0
        Number of completed generations. To resume after generation 7, pass the population of generation 7 and
        ``done=8``.
    evaluations : int, default=0
        Number of evaluations in the completed generations.

    Yields
    ------
    Step
        State of the loop after each generation.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid or the toolbox lacks an operator.

    See Also
    --------
    steady_state : Loop that replaces one individual at a time.
    Search : Ask-and-tell interface of `evolve` and `steady_state`, for external evaluation.

    Examples
    --------
    OneMax (maximise the number of ones) with DEAP's operators:

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
    check_at_least(0, generations=generations)
    check_tools(toolbox, ("evaluate",))
    engine = Generational(
        population,
        toolbox,
        survive=survive,
        offspring=offspring,
        cxpb=cxpb,
        mutpb=mutpb,
        done=done,
        evaluations=evaluations,
    )
    while engine.generation < generations:
        proposals = engine.propose(LARGEST)
        evaluate([individual for individual, _ in proposals], toolbox)
        yield from engine.insert(proposals)


def steady_state(
    population: list,
    toolbox: base.Toolbox,
    strategy: Scoring,
    species: Grouping | None = None,
    *,
    generations: int,
    learn_from: str | None = None,
    refresh: int | None = None,
    batch: int = 1,
    done: int = 0,
) -> Iterator[Step]:
    """Evolve a population by replacing one individual at a time and yield a step after every child.

    A generation consists of as many children as the population has individuals. The strategy is updated at the end of
    each generation. The population is scored at the start of a generation and after every `refresh` children. After
    every `refresh` children, the population is also divided into species again. A child is scored against the current
    population. The child replaces the individual with the lowest shared score (score divided by species size). If the
    child itself has the lowest shared score, it is discarded. The loop sets `individual.fitness.score` of all
    individuals at the start of each generation. The loop also updates the scores of selected parents and inserted
    children. Before the first child is bred, all scores are nan.

    By default the loop evaluates one individual at a time. With ``batch=k``, k children are bred from the same
    population, evaluated through `toolbox.map` and inserted in order. Register the map of a process pool in the toolbox
    to evaluate children in parallel. Results depend on `batch`, but not on the number of worker processes.

    Parameters
    ----------
    population : list
        Initial population, which is modified in place.
    toolbox : deap.base.Toolbox
        Toolbox with `evaluate`, and either `breed(first, second)`, which returns one child (see
        `divergent.neat.register`), or DEAP's `mate` and `mutate`. `breed` receives one parent if `species` selects no
        second parent. If `breed` returns a copy of the first parent, the copy keeps the fitness and counts as an
        evaluation without being evaluated.
    strategy : divergent.selection.Strategy
        Strategy that scores individuals and is updated at the end of each generation.
    species : divergent.neat.Species or None, default=None
        Parent selection and replacement within species. None treats the population as one species.
    generations : int
        Number of generations, including the initial population.
    learn_from : {"population", "offspring"} or None, default=None
        Individuals from which the strategy is updated: the current population or the offspring of the generation.
        Offspring include children that did not enter the population. None uses the strategy's attribute `learns_from`.
        In the first generation, population and offspring are the same.
    refresh : int or None, default=None
        Number of children between two score updates of the population. None uses a twentieth of the population size.
    batch : int, default=1
        Number of children bred from the same population. The last batch of a generation contains the remaining
        children.
    done : int, default=0
        Number of completed generations. To resume after generation 7, pass ``done=8`` and the population, species and
        strategy after generation 7.

    Yields
    ------
    Step
        State of the loop after the initial population, then after each child.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid or the toolbox lacks an operator.

    See Also
    --------
    evolve : Generational, (mu, lambda) and (mu + lambda) loops.
    Search : Ask-and-tell interface of `evolve` and `steady_state`, for external evaluation.

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
    >>> import random
    >>> random.seed(3)
    >>> start = [creator.Point([random.uniform(-5, 5), random.uniform(-5, 5)]) for _ in range(40)]
    >>> for step in steady_state(start, toolbox, Objective(), generations=20):
    ...     pass
    >>> step.generation, step.evaluations, min(point.fitness.values[0] for point in step.population) < 0.01
    (19, 800, True)
    """
    check_at_least(0, generations=generations)
    check_tools(toolbox, ("evaluate",))
    check_at_least(1, batch=batch)
    engine = SteadyState(population, toolbox, strategy, species, learn_from=learn_from, refresh=refresh, done=done)
    if done == 0:
        proposals = engine.propose(LARGEST)
        evaluate([individual for individual, _ in proposals], toolbox)
        yield from engine.insert(proposals)
    end = generations * len(population)
    while engine.evaluations < end:
        if batch == 1:
            child, parents = engine.breed_child()
            if not child.fitness.wvalues:
                child.fitness.values = toolbox.evaluate(child)
            yield engine.insert_child((child, parents))
        else:
            proposals = engine.propose(min(batch, engine.remaining))
            evaluate([individual for individual, _ in proposals], toolbox)
            yield from engine.insert(proposals)

"""Divergent search under constraints with a feasible and an infeasible population (FI-2pop)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from deap import base, tools
from deap.algorithms import varAnd

from divergent._lineage import Lineage, NextGeneration
from divergent.loops._checks import check_parents, check_population, check_tools
from divergent.selection._deap_selector import by_score
from divergent.selection._strategy import Strategy
from divergent.validation import brief, check_at_least, check_instance, check_rate

TOURNAMENT = 3  # tournament size of the default parent selection


class FeasibleInfeasible:
    """FI-2pop: survivor selection with a feasible and an infeasible population.

    Pass an instance to `evolve` as the argument `survive`, or to `Search` as the argument `loop`. Feasible individuals
    are selected by the scores of a strategy, infeasible individuals by low constraint violation. Parents mate only
    within their own population. The constraint violation of a child determines its population, which may differ from
    the population of its parents. Offspring replace all individuals except the elites of each population.

    Each of the two populations produces offspring in proportion to its size. If `boost` is true, a feasible population
    that is not empty produces at least half of the offspring, as in constrained novelty search.

    Parameters
    ----------
    strategy : Strategy
        Strategy that scores the feasible individuals and is updated from them in each generation.
    select : callable or None, default=None
        DEAP selector that chooses feasible parents by score. None uses tournament selection of size 3. To select within
        species, pass ``functools.partial(neat.select, species=species)``.
    cxpb : float, default=0.7
        Probability of crossover (DEAP's varAnd).
    mutpb : float, default=0.3
        Probability of mutation.
    elites : int, default=1
        Number of survivors of each population: the feasible individuals with the highest scores, and the infeasible
        individuals with the lowest violations.
    boost : bool, default=True
        Whether the feasible population produces at least half of the offspring.
    smallest : int, default=1
        Smallest number of feasible individuals from which the strategy is updated. If there are fewer feasible
        individuals than `smallest`, the strategy scores the individuals but is not updated. For surprise search, set
        `smallest` to the number of clusters, because clustering needs at least one individual per cluster.

    Attributes
    ----------
    feasible : int
        Number of feasible individuals in the population from which parents were last selected.

    Raises
    ------
    TypeError
        If `strategy` is not a `Strategy`, or `boost` is not a bool.
    ValueError
        If a numeric argument is out of range.

    See Also
    --------
    evolve : Generational loop that calls `survive` once per generation.
    Outcome : Result of an evaluation; its attribute `violation` marks infeasible individuals.

    References
    ----------
    S. O. Kimbrough, G. J. Koehler, M. Lu and D. H. Wood, "On a feasible-infeasible two-population (FI-2Pop) genetic
    algorithm for constrained optimization: distance tracing and no free lunch", European Journal of Operational
    Research 190(2), 2008.
    A. Liapis, G. N. Yannakakis and J. Togelius, "Constrained novelty search: a study on game content generation",
    Evolutionary Computation 23(1), 2015 (offspring boost).

    Examples
    --------
    Points must lie outside a circle; novelty search spreads the feasible points:

    >>> import random
    >>> from deap import base, creator, tools
    >>> import divergent
    >>> from divergent.selection import Novelty
    >>> creator.create("RingFitness", divergent.Fitness, weights=(1.0,))
    >>> creator.create("RingPoint", list, fitness=creator.RingFitness)
    >>> def evaluate(point):
    ...     radius = (point[0] ** 2 + point[1] ** 2) ** 0.5
    ...     return divergent.Outcome((0.0,), behaviour=point, violation=max(0.0, 3.0 - radius))
    >>> toolbox = base.Toolbox()
    >>> toolbox.register("evaluate", evaluate)
    >>> toolbox.register("mate", tools.cxUniform, indpb=0.5)
    >>> toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=0.5, indpb=1)
    >>> random.seed(1)
    >>> start = [creator.RingPoint([random.random(), random.random()]) for _ in range(20)]
    >>> survive = FeasibleInfeasible(Novelty(), mutpb=0.9)
    >>> for step in divergent.evolve(start, toolbox, generations=20, survive=survive):
    ...     feasible = [point for point in step.population if point.fitness.violation == 0]
    >>> len(step.population), len(feasible) > 10
    (20, True)
    """

    def __init__(
        self,
        strategy: Strategy,
        *,
        select: Callable[..., list] | None = None,
        cxpb: float = 0.7,
        mutpb: float = 0.3,
        elites: int = 1,
        boost: bool = True,
        smallest: int = 1,
    ):
        check_instance(strategy)
        if not isinstance(strategy, Strategy):
            raise TypeError(f"strategy must be a divergent.selection.Strategy, got {brief(strategy)}")
        check_rate(cxpb=cxpb, mutpb=mutpb)
        check_at_least(0, elites=elites)
        check_at_least(1, smallest=smallest)
        if not isinstance(boost, bool):
            raise TypeError(f"boost must be True or False, got {brief(boost)}")
        self.strategy = strategy
        self.select = select
        self.cxpb, self.mutpb = cxpb, mutpb
        self.elites = elites
        self.boost = boost
        self.smallest = smallest
        self.feasible = 0

    def __call__(self, population: list, toolbox: base.Toolbox) -> NextGeneration:
        """Return the next generation, of the same size: the elites of both populations and unevaluated children."""
        check_tools(toolbox, ("mate", "mutate"))
        for number, individual in enumerate(check_population(population)):
            if not hasattr(individual.fitness, "violation"):
                raise TypeError(f"individual {number} must have a divergent.Fitness, got {brief(individual.fitness)}")
        feasible = [individual for individual in population if individual.fitness.violation == 0]
        infeasible = [individual for individual in population if individual.fitness.violation > 0]
        self.feasible = len(feasible)
        lineage = Lineage(toolbox, population)
        lineage.advance(population, population, 0)  # numbers are positions
        kept, children = [], []
        for members, count in zip((feasible, infeasible), self.allocate(len(feasible), len(infeasible)), strict=True):
            if members:
                survivors, selected = self._select(members, count, feasible=members is feasible)
                kept += survivors
                children += varAnd(selected, lineage.toolbox, self.cxpb, self.mutpb)
        for child in children:
            if child.fitness.valid:  # every child is evaluated, including copies of parents
                del child.fitness.values
        parents = [()] * len(kept) + lineage.parents_of(children)
        return NextGeneration([*kept, *children], parents)

    def allocate(self, feasible: int, infeasible: int) -> tuple[int, int]:
        """Return the numbers of children that the feasible and the infeasible population produce.

        Parameters
        ----------
        feasible : int
            Number of feasible individuals.
        infeasible : int
            Number of infeasible individuals.

        Returns
        -------
        tuple of int
            Numbers of children of the feasible and of the infeasible population. The number of children plus the number
            of elites equals the number of current individuals.

        Raises
        ------
        ValueError
            If a number is negative or not an integer.

        Examples
        --------
        The feasible population produces at least half of the children:

        >>> from divergent.selection import Random
        >>> FeasibleInfeasible(Random()).allocate(10, 90), FeasibleInfeasible(Random()).allocate(80, 20)
        ((49, 49), (78, 20))
        """
        check_at_least(0, feasible=feasible, infeasible=infeasible)
        elites = [min(self.elites, members) for members in (feasible, infeasible)]
        children = feasible + infeasible - sum(elites)
        share = round(children * feasible / max(1, feasible + infeasible))
        if self.boost and feasible:
            share = max(share, children // 2)
        if not infeasible:
            share = children
        return share, children - share

    def _select(self, members: list, count: int, *, feasible: bool) -> tuple[list, list]:
        """Return the elites of one population (feasible or infeasible) and the selected parents of `count` children."""
        score: Any = self.strategy if feasible else negative_violations
        learn = len(members) >= self.smallest
        best = by_score(members, min(self.elites, len(members)), strategy=score, select=tools.selBest, learn=learn)
        if feasible and self.select is not None:
            selected = by_score(members, count, strategy=given_scores, select=self.select)
            return best, check_parents(selected, count)
        options = {"select": tools.selTournament, "tournsize": TOURNAMENT}
        return best, by_score(members, count, strategy=given_scores, **options)

    def state(self) -> dict[str, Any]:
        """Return the state for a checkpoint, which is the number of feasible individuals.

        The state of the strategy is not included; the method `state` of the strategy returns it.

        Returns
        -------
        dict
            JSON-serialisable data.
        """
        return {"feasible": self.feasible}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore the number of feasible individuals from the result of `state`.

        Parameters
        ----------
        state : mapping
            State that the method `state` returned.
        """
        check_at_least(0, feasible=state["feasible"])
        self.feasible = state["feasible"]


def negative_violations(individuals: Sequence[Any]) -> list[float]:
    """Return the scores of infeasible individuals: the negated constraint violations."""
    return [-individual.fitness.violation for individual in individuals]


def given_scores(individuals: Sequence[Any]) -> list[float]:
    """Return the scores of the individuals, which are stored in their fitness objects."""
    return [individual.fitness.score for individual in individuals]

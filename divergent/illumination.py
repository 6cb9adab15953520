"""MAP-Elites: a loop that selects parents from the elites of an archive uniformly, by curiosity or by a strategy."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from deap import base, tools

from divergent._lineage import UNKNOWN
from divergent.archives import Elites
from divergent.individual import pack
from divergent.loops._checks import begin, check_parents, check_population, check_tools
from divergent.loops._contract import Step
from divergent.loops._engine import OpenGeneration, Proposal
from divergent.loops._variation import breed_by_variation, drop_inherited_fitness, evaluate
from divergent.selection._deap_selector import by_score
from divergent.selection._strategy import Strategy
from divergent.validation import LARGEST, brief, check_at_least, check_instance

PARENTS = ("uniform", "curiosity")
REWARD, PENALTY = 1.0, 0.5  # a parent's curiosity score rises if its child becomes an elite, otherwise falls
LEAST_CURIOSITY = 0.01  # positive minimum of curiosity, so that every elite can be selected


def map_elites(
    population: list,
    toolbox: base.Toolbox,
    elites: Elites,
    parents: str | Strategy = "uniform",
    *,
    evaluations: int,
    batch: int = 100,
    select: Callable[..., list] | None = None,
) -> Iterator[Step]:
    """Run MAP-Elites, and yield a step after the initial population and after each batch of children.

    Parents are elites. Each child becomes the elite of its cell if the cell is empty or the child has a higher fitness
    than the elite.

    Parameters
    ----------
    population : list
        Initial population. Individuals with a valid fitness are not evaluated again.
    toolbox : deap.base.Toolbox
        Toolbox with `evaluate`, and either `breed(first, second)`, which returns one child, or DEAP's `mate` and
        `mutate`. Each batch of children is evaluated through `toolbox.map`.
    elites : Elites
        Archive with a grid (`Elites`) or Voronoi cells (`CVTElites`). The loop adds individuals to the archive.
    parents : {"uniform", "curiosity"} or Strategy, default="uniform"
        Parent selection. "uniform" selects every elite with equal probability. "curiosity" selects elites in proportion
        to their curiosity score. The score of a parent rises by 1 for each child that becomes an elite and falls by 0.5
        for each child that does not. A strategy, such as `Novelty`, `Surprise` or `NoveltyAndSurprise`, scores the
        elites, and `select` chooses parents by these scores. After each batch, the strategy is updated from the elites
        or from the offspring, depending on its attribute `learns_from`.
    evaluations : int
        Total number of evaluations, including the initial population.
    batch : int, default=100
        Number of children that are bred before the archive is updated.
    select : callable or None, default=None
        DEAP selector that chooses parents by the scores of a strategy. None uses tournament selection of size 2.

    Yields
    ------
    Step
        State of the loop after the initial population, then after each batch. `step.population` contains the elites,
        and `step.generation` is the number of the batch.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid or the toolbox lacks an operator.

    See Also
    --------
    MapElites : MAP-Elites as an ask-and-tell loop for `Search`.
    Elites : Archive of elites with coverage and QD score.

    References
    ----------
    J.-B. Mouret and J. Clune, "Illuminating search spaces by mapping elites", arXiv:1504.04909, 2015.
    A. Cully and Y. Demiris, "Quality and diversity optimization: a unifying modular framework", IEEE Transactions on
    Evolutionary Computation 22(2), 2018 (curiosity).
    D. Gravina, A. Liapis and G. N. Yannakakis, "Blending notions of diversity for MAP-Elites", GECCO companion, 2019
    (parent selection by novelty and surprise).

    Examples
    --------
    >>> from deap import base, creator, tools
    >>> import divergent
    >>> from divergent.archives import Elites
    >>> creator.create("MapLeast", divergent.Fitness, weights=(-1.0,))
    >>> creator.create("MapPoint", list, fitness=creator.MapLeast)
    >>> toolbox = base.Toolbox()
    >>> toolbox.register("evaluate", lambda point: divergent.Outcome((abs(point[0]),), behaviour=point))
    >>> toolbox.register("mate", tools.cxBlend, alpha=0.2)
    >>> toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=0.5, indpb=1)
    >>> random.seed(1)
    >>> elites = Elites(bounds=((-4, -4), (4, 4)), cells=8, worst=-4)
    >>> start = [creator.MapPoint([0.0, 0.0]) for _ in range(10)]
    >>> coverage = [elites.coverage for step in map_elites(start, toolbox, elites, evaluations=2000)]
    >>> coverage[0], coverage[-1] > 0.9, len(coverage)
    (0.015625, True, 21)
    """
    check_at_least(1, evaluations=evaluations, batch=batch)
    check_tools(toolbox, ("evaluate",))
    engine = MapElites(population, toolbox, elites, parents, select=select)
    while engine.evaluations < evaluations:
        size = LARGEST if engine.generation == 0 else min(batch, evaluations - engine.evaluations)
        proposals = engine.propose(size)
        evaluate([individual for individual, _ in proposals], toolbox)
        yield from engine.insert(proposals)


class MapElites:
    """MAP-Elites loop with an ask-and-tell interface, for use with `Search.of`.

    Parameters
    ----------
    population : list
        Initial population.
    toolbox : deap.base.Toolbox
        Variation operators, see `map_elites`.
    elites : Elites
        Archive to which evaluated individuals are added.
    parents : {"uniform", "curiosity"} or Strategy, default="uniform"
        Parent selection, see `map_elites`.
    select : callable or None, default=None
        DEAP selector that chooses parents by the scores of a strategy. None uses tournament selection of size 2.

    Attributes
    ----------
    population : list
        The elites, or the initial population until it is evaluated.
    generation : int
        Number of batches so far; the initial population counts as one batch.
    evaluations : int
        Number of evaluations so far.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid or the toolbox lacks an operator.

    See Also
    --------
    map_elites : MAP-Elites as a generator of steps.
    """

    def __init__(
        self,
        population: list,
        toolbox: base.Toolbox,
        elites: Elites,
        parents: str | Strategy = "uniform",
        *,
        select: Callable[..., list] | None = None,
    ):
        check_instance(parents, "parents")
        if not isinstance(parents, Strategy) and parents not in PARENTS:
            raise ValueError(
                f"parents must be a strategy or one of the names {', '.join(PARENTS)}, got {brief(parents)}"
            )
        if not isinstance(elites, Elites):
            raise TypeError(f"elites must be an instance of Elites, got {brief(elites)}")
        self._breed = getattr(toolbox, "breed", None)
        check_tools(toolbox, ("mate", "mutate") if self._breed is None else ())
        self.population = check_population(population)
        self._toolbox, self._elites, self._parents, self._select = toolbox, elites, parents, select
        self.strategies = [parents] if isinstance(parents, Strategy) else []
        begin(self.strategies, 0)
        self.generation = self.evaluations = 0
        self._first: OpenGeneration | None = OpenGeneration(population)
        # maps the `id` of each elite to the elite and its evaluation number; storing the elite keeps its `id` unique
        self._numbers: dict[int, tuple[Any, int]] = {}
        self._curiosity: dict[int, float] = {}  # curiosity scores of elites by evaluation number

    def propose(self, n: int) -> list[Proposal]:
        """Return individuals to evaluate: first the initial population, then children of elites.

        Parameters
        ----------
        n : int
            Largest number of individuals to return.

        Returns
        -------
        list
            One tuple per individual: the individual, and the evaluation numbers of its parents.
        """
        if self._first:
            return self._first.propose(n)
        selected = self._select_parents(2 * n)
        return [self._propose_child(*selected[number : number + 2]) for number in range(0, 2 * n, 2)]

    def insert(self, proposals: Iterable[Proposal]) -> Iterator[Step]:
        """Add evaluated individuals to the archive, and yield one step.

        The initial population is added when all its individuals are evaluated.

        Parameters
        ----------
        proposals : iterable
            One tuple per evaluated individual: the individual, and the evaluation numbers of its parents.

        Yields
        ------
        Step
            State of the loop after the insertion.
        """
        proposals = list(proposals)
        if self._first:
            self._first.insert(len(proposals))
            if self._first.complete:
                offspring, self._first = self._first.unevaluated, None
                known = [
                    individual for individual in self.population if all(individual is not new for new in offspring)
                ]
                self._elites.add(known)
                yield self._add(offspring, [()] * len(offspring))
        elif proposals:
            yield self._add([individual for individual, _ in proposals], [numbers for _, numbers in proposals])

    def discard(self, proposal: Proposal) -> None:
        """Discard a proposed individual that will not be evaluated.

        Parameters
        ----------
        proposal : tuple
            Tuple of the individual and the evaluation numbers of its parents.
        """
        if self._first:
            self._first.discard(proposal[0], self.population)

    def _add(self, offspring: list, parents: list[tuple[int, ...]]) -> Step:
        """Add offspring to the archive, and update the strategy and the curiosity scores of the parents."""
        first = self.evaluations
        self._elites.add(offspring)
        self.population = list(self._elites.best.values())
        numbers = {id(child): (child, number) for number, child in enumerate(offspring, first)}
        known = self._numbers | numbers
        self._numbers = {id(elite): known.get(id(elite), (elite, UNKNOWN)) for elite in self.population}
        for number, (child, line) in enumerate(zip(offspring, parents, strict=True), first):
            success = id(child) in self._numbers
            for parent in line:
                self._curiosity[parent] = self._curiosity.get(parent, REWARD) + (REWARD if success else -PENALTY)
            if success:
                self._curiosity[number] = REWARD
        living = {number for _, number in self._numbers.values()}
        self._curiosity = {number: score for number, score in self._curiosity.items() if number in living}
        for strategy in self.strategies:
            learnt = offspring if strategy.learns_from == "offspring" and offspring else self.population
            strategy.learn(pack(learnt, strategy.ancestors))
        self.evaluations += len(offspring)
        self.generation += 1
        return Step(self.generation - 1, self.evaluations, self.population, offspring, parents=parents)

    def _select_parents(self, count: int) -> list[Any]:
        """Select elites as parents."""
        if isinstance(self._parents, Strategy):
            select, options = (tools.selTournament, {"tournsize": 2}) if self._select is None else (self._select, {})
            selected = by_score(self.population, count, strategy=self._parents, select=select, learn=False, **options)
            return check_parents(selected, count)
        if self._parents == "uniform":
            return random.choices(self.population, k=count)
        scores = [self._curiosity.get(self._numbers[id(elite)][1], REWARD) for elite in self.population]
        return random.choices(self.population, [max(score, LEAST_CURIOSITY) for score in scores], k=count)

    def _propose_child(self, first: Any, second: Any) -> Proposal:
        """Breed a child of two elites."""
        if self._breed is None:
            child, crossed = breed_by_variation(self._toolbox, first, second)
        else:
            child, crossed = self._breed(first, second), True
        drop_inherited_fitness(child, first)
        child.fitness.ancestors = first.fitness.lineage()
        chosen = (first, second) if crossed and second is not first else (first,)
        return child, tuple(self._numbers[id(parent)][1] for parent in chosen)

    def state(self) -> dict[str, Any]:
        """Return the state of the loop, including the evaluation numbers and curiosity scores of the elites.

        Returns
        -------
        dict
            State for `Checkpoint.save`. If the initial population is incomplete, the state contains its unevaluated
            individuals.
        """
        if self._first:
            return {"first": self._first.state()}
        return {
            "generation": self.generation,
            "evaluations": self.evaluations,
            "numbers": [self._numbers[id(elite)][1] for elite in self.population],
            "curiosity": [[number, score] for number, score in self._curiosity.items()],
        }

    def restore(self, population: list, state: Mapping[str, Any]) -> None:
        """Restore the loop from the result of `state`, and add the saved elites to the archive.

        Parameters
        ----------
        population : list
            The saved elites, or an incomplete initial population.
        state : mapping
            State that the method `state` returned.
        """
        self.population = population
        if "first" in state:
            self._first = OpenGeneration([])
            self._first.restore(state["first"])
            return
        self._first = None
        # Elites are added one by one in their saved order, because random selection depends on the order of the elites.
        # Adding all elites in one call would sort the elites by cell.
        for elite in population:
            self._elites.add([elite])
        self.generation, self.evaluations = state["generation"], state["evaluations"]
        pairs = zip(population, state["numbers"], strict=True)
        self._numbers = {id(elite): (elite, number) for elite, number in pairs}
        self._curiosity = dict(map(tuple, state["curiosity"]))

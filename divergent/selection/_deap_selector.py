"""Functions `by_score` and `update_by_score`, with which DEAP's selectors and CMA-ES use the scores of strategies."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

from deap import base
from deap.tools import emo

from divergent.individual import Outcomes, pack
from divergent.loops._checks import mark_used
from divergent.selection._strategy import Strategy
from divergent.validation import brief, check_at_least, check_instance, check_scores

# a scoring function takes all individuals and returns one score for each individual
Scorer = Strategy | Callable[[Sequence[Any]], Any]


def by_score(
    individuals: Sequence[Any],
    k: int,
    *,
    strategy: Scorer | Sequence[Scorer],
    select: Callable[..., list],
    learn: bool = True,
    **options: Any,
) -> list:
    """Score the population, then select `k` individuals by score with any DEAP selector.

    Registered as `toolbox.select`, `by_score` turns every DEAP loop into a divergent search. Each call also updates the
    state of the strategy, such as its archive, from the individuals passed. In `eaMuPlusLambda`, the individuals
    passed are the parents and the offspring. Fitness values stay unchanged, so halls of fame, Pareto fronts and
    statistics work as before.

    Parameters
    ----------
    individuals : sequence
        Evaluated individuals whose fitness is a `divergent.Fitness`. The score of each individual is stored in its
        `fitness.score`. If the selector uses crowding distances, as `tools.selNSGA2` and `tools.selTournamentDCD` do,
        `fitness.crowding_dist` is set, too.
    k : int
        Number of individuals to select.
    strategy : Strategy, callable or sequence of these
        Source of the scores: a strategy, or a function that takes the individuals and returns one number for each, such
        as `divergent.neat.mean_distances`. If several strategies are passed, each is an objective to maximise, for a
        selector such as `tools.selNSGA2`; `fitness.score` is then a tuple.
    select : callable
        DEAP selector or custom selector. The selector receives a view of each individual. A view has the length,
        items and attributes of the individual, except for `fitness`, which holds the scores. If there is only one
        strategy, `tools.selNSGA3` is called with ``nd="standard"``, because DEAP's logarithmic sorting needs at least
        two objectives.
    learn : bool, default=True
        Whether to update the state of the strategies, such as archives, from the individuals. Pass False for a second
        selection in the same generation, so that the generation does not count twice.
    **options : dict
        Further arguments of the selector.

    Returns
    -------
    list
        The selected individuals.

    Raises
    ------
    TypeError
        If an argument has a wrong type, or if the selector does not return a list of the individuals that it received.
    ValueError
        If there is no strategy, or if a strategy does not return one number per individual.

    See Also
    --------
    NSGA2Ranking : NSGA-II ranking returned as one score.
    update_by_score : Update CMA-ES by score in `eaGenerateUpdate`.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from deap import base, tools
    >>> from divergent.individual import MaximisedFitness, Outcome
    >>> from divergent.selection import Novelty
    >>> toolbox = base.Toolbox()
    >>> toolbox.register("select", by_score, strategy=Novelty(neighbours=1), select=tools.selBest)
    >>> individuals = [SimpleNamespace(name=name, fitness=MaximisedFitness()) for name in ("a", "b", "c")]
    >>> for individual, x in zip(individuals, (0.0, 1.0, 9.0)):
    ...     individual.fitness.values = Outcome((-x,), behaviour=(x, 0.0))
    >>> [(selected.name, selected.fitness.score) for selected in toolbox.select(individuals, 1)]
    [('c', 8.0)]
    """
    check_at_least(0, k=k)
    if not callable(select):
        raise TypeError(f"select must be a callable that takes individuals and the number k, got {brief(select)}")
    candidates = _score_individuals(individuals, strategy, learn)
    if len(candidates) and len(candidates[0].fitness.weights) == 1:
        options = _single_objective_options(select, options)
    selected = select(candidates, k, **options)
    if not isinstance(selected, list) or not all(isinstance(candidate, ScoredIndividual) for candidate in selected):
        raise TypeError(
            f"select must return a list of the individuals that it received, got {brief(selected)} "
            f"from the selector {brief(select)}"
        )
    for candidate in candidates:
        crowding_dist = vars(candidate.fitness).get("crowding_dist")
        if crowding_dist is not None:
            candidate.individual.fitness.crowding_dist = crowding_dist
    return [candidate.individual for candidate in selected]


def update_by_score(
    individuals: Sequence[Any],
    *,
    strategy: Scorer | Sequence[Scorer],
    update: Callable[[list], Any],
    learn: bool = True,
) -> None:
    """Score the population, then update a generator of individuals, such as CMA-ES, by the scores.

    Registered as `toolbox.update`, `update_by_score` makes `deap.algorithms.eaGenerateUpdate` maximise the scores of a
    strategy. Scores such as novelty have no upper bound, so the values of individuals grow without limit unless
    `toolbox.generate` clips the values. CMA-ES adapts its step size to the distance that the mean moves, so clipping
    also limits the step size.

    Parameters
    ----------
    individuals : sequence
        Evaluated individuals whose fitness is a `divergent.Fitness`. The score of each individual is stored in its
        `fitness.score`.
    strategy : Strategy, callable or sequence of these
        Source of the scores, as in `by_score`.
    update : callable
        The method `update` of `deap.cma.Strategy` or of another generator. The method receives a view of each
        individual; the `fitness` of a view holds the scores.
    learn : bool, default=True
        Whether to update the state of the strategies, such as archives, from the individuals.

    Raises
    ------
    TypeError
        If an argument has a wrong type.
    ValueError
        If there is no strategy, or if a strategy does not return one number per individual.

    See Also
    --------
    by_score : Select individuals by the scores of a strategy.

    Examples
    --------
    CMA-ES searches for novel points in a square:

    >>> import numpy as np
    >>> from deap import base, cma, creator
    >>> import divergent
    >>> from divergent.selection import Novelty
    >>> creator.create("CMAFitness", divergent.Fitness, weights=(1.0,))
    >>> creator.create("CMAPoint", np.ndarray, fitness=creator.CMAFitness)
    >>> np.random.seed(1)  # DEAP's CMA-ES draws from NumPy's global generator
    >>> evolution = cma.Strategy(centroid=[0.0, 0.0], sigma=0.5, lambda_=20)
    >>> def generate():
    ...     return [creator.CMAPoint(np.clip(row, -5, 5)) for row in evolution.generate(np.array)]
    >>> toolbox = base.Toolbox()
    >>> toolbox.register("generate", generate)
    >>> toolbox.register("update", update_by_score, strategy=Novelty(neighbours=5), update=evolution.update)
    >>> for _ in range(30):
    ...     population = toolbox.generate()
    ...     for point in population:
    ...         point.fitness.values = divergent.Outcome((0.0,), behaviour=tuple(point))
    ...     toolbox.update(population)
    >>> bool(np.abs(population).max() > 4.9), bool(evolution.sigma < 50)
    (True, True)
    """
    if not callable(update):
        raise TypeError(f"update must be a callable that takes a list of individuals, got {brief(update)}")
    candidates = _score_individuals(individuals, strategy, learn)
    update(candidates)


def _score_individuals(
    individuals: Sequence[Any], strategy: Scorer | Sequence[Scorer], learn: bool
) -> "list[ScoredIndividual]":
    """Set the score of each individual; return a view of each individual with the scores as fitness."""
    if not isinstance(learn, bool):
        raise TypeError(f"learn must be True or False, got {brief(learn)}")
    several = isinstance(strategy, Sequence)
    scorers: Sequence[Scorer] = strategy if isinstance(strategy, Sequence) else [strategy]
    _check_scorers(scorers)
    outcomes = pack(individuals, max(getattr(scorer, "ancestors", 0) for scorer in scorers))
    columns = [
        check_scores(scorer, _scores(scorer, individuals, outcomes, learn), len(individuals)) for scorer in scorers
    ]
    for individual, scores in zip(individuals, zip(*(column.tolist() for column in columns), strict=True), strict=True):
        individual.fitness.score = scores if several else scores[0]
    return _scored_individuals(individuals, len(scorers), several)


def _single_objective_options(select: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options with which DEAP's non-dominated sorting accepts a single objective."""
    selector = select.func if isinstance(select, partial) else select
    if isinstance(selector, emo.selNSGA3WithMemory) and selector.nd == "log":
        raise ValueError(
            "nd of selNSGA3WithMemory must be 'standard' if there is one strategy, got 'log'; "
            "construct the selector with nd='standard'"
        )
    is_logarithmic = selector is emo.selNSGA3 or options.get("nd") == "log"
    return options | {"nd": "standard"} if is_logarithmic else options


def _check_scorers(scorers: Sequence[Scorer]) -> None:
    """Raise an error unless there is at least one scorer and all scorers are strategies or functions."""
    if not scorers:
        raise ValueError("strategy must contain at least one strategy, got an empty list")
    for scorer in scorers:
        check_instance(scorer)
        if not callable(getattr(scorer, "score_generation", scorer)):
            raise TypeError(
                "strategy must be a divergent.selection.Strategy or a function that scores individuals, "
                f"or a list of these, got {brief(scorer)}"
            )


def _scores(scorer: Scorer, individuals: Sequence[Any], outcomes: Outcomes, learn: bool) -> Any:
    """Return the scores that a strategy or a scoring function gives to the individuals."""
    strategy: Any = scorer
    if not hasattr(strategy, "score_generation"):
        return strategy(individuals)
    if not learn:
        return strategy.score(outcomes)
    mark_used(strategy)
    return strategy.score_generation(outcomes)


def _scored_individuals(individuals: Sequence[Any], count: int, several: bool) -> "list[ScoredIndividual]":
    """Return a view of each individual with its scores as fitness; duplicates of an individual have the same scores."""
    fitness_class = _fitness_class(count)
    candidates = [
        ScoredIndividual(
            individual, fitness_class(individual.fitness.score if several else (individual.fitness.score,))
        )
        for individual in individuals
    ]
    for candidate in candidates:
        candidate.fitness.candidates = candidates
    return candidates


class ScoredIndividual:
    """View of an individual for DEAP selectors, with the scores of the individual as `fitness`."""

    __slots__ = ("fitness", "individual")

    def __init__(self, individual: Any, fitness: Any):
        self.individual = individual
        self.fitness = fitness

    def __getattr__(self, name: str) -> Any:
        return getattr(self.individual, name)

    def __len__(self) -> int:
        return len(self.individual)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.individual)

    def __getitem__(self, item: Any) -> Any:
        return self.individual[item]


class ScoreFitness(base.Fitness):
    """DEAP fitness whose crowding distance among all candidates is computed on first access."""

    weights = (1.0,)
    candidates: Sequence[ScoredIndividual] = ()

    def __getattr__(self, name: str) -> Any:
        if name != "crowding_dist":
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        emo.assignCrowdingDist(self.candidates)
        return vars(self)["crowding_dist"]


@cache
def _fitness_class(count: int) -> type[ScoreFitness]:
    """Return a fitness class with `count` maximised values."""
    return type("ScoreFitness", (ScoreFitness,), {"weights": (1.0,) * count})

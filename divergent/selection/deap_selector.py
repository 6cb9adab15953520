"""by_score: DEAP selection by the scores of strategies."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from deap import base
from deap.tools import emo

from divergent.individual import Outcomes, pack
from divergent.loops import check_instance, mark_used
from divergent.selection.strategy import Strategy
from divergent.validation import brief, check_at_least, check_scores

Scorer = Strategy | Callable[[Sequence[Any]], Any]  # a function takes the individuals and returns one number each


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

    Registered as `toolbox.select`, it turns every DEAP loop into a divergent search. The strategy learns from the
    individuals passed: in `eaMuPlusLambda` from parents and offspring together. Fitness values stay unchanged, so halls
    of fame, Pareto fronts and statistics work as before.

    Parameters
    ----------
    individuals : sequence
        Evaluated individuals whose fitness is a `divergent.Fitness`. Sets `fitness.score` of each, and
        `fitness.crowding_dist`, which `tools.selTournamentDCD` compares.
    k : int
        Number of individuals to select.
    strategy : Strategy, callable or sequence of these
        Source of the scores: a strategy, or a function that takes the individuals and returns one number each, such as
        `divergent.neat.mean_distances`. Several are objectives, all maximised, for a selector such as
        `tools.selNSGA2`; `fitness.score` is then a tuple.
    select : callable
        Any DEAP selector or a custom one. It receives views of the individuals whose `fitness` consists of the scores.
        Other attributes, length and items are those of the individual.
    learn : bool, default=True
        Whether the strategies learn from the individuals. Pass False for a second selection in the same generation,
        which would otherwise count as another generation.
    **options : dict
        Further arguments of the selector.

    Returns
    -------
    list
        The selected individuals.

    Raises
    ------
    TypeError
        If an argument has a wrong type, or if the selector does not return a list of individuals it received.
    ValueError
        If there is no strategy, or if a strategy does not return one number per individual.

    See Also
    --------
    NSGA2Ranking : The order of NSGA-II as one score.

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
        raise TypeError(f"select must be a selector, a callable of individuals and their number; got {brief(select)}")
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
    candidates = _scored_individuals(individuals, len(scorers), several)
    if candidates:
        emo.assignCrowdingDist(candidates)  # which selTournamentDCD expects
    selected = select(candidates, k, **options)
    if not isinstance(selected, list) or not all(isinstance(candidate, ScoredIndividual) for candidate in selected):
        raise TypeError(
            f"select must return a list of individuals it received, got {brief(selected)} from {brief(select)}"
        )
    for candidate in candidates:
        candidate.individual.fitness.crowding_dist = candidate.fitness.crowding_dist
    return [candidate.individual for candidate in selected]


def _check_scorers(scorers: Sequence[Scorer]) -> None:
    """Raise an error unless there is a scorer and all are strategies or functions."""
    if not scorers:
        raise ValueError("by_score needs at least one strategy, got none")
    for scorer in scorers:
        check_instance(scorer)
        if not callable(getattr(scorer, "score_generation", scorer)):
            raise TypeError(
                "strategy must be a divergent.selection.Strategy or a function of the individuals, "
                f"or several in a list; got {brief(scorer)}"
            )


def _scores(scorer: Scorer, individuals: Sequence[Any], outcomes: Outcomes, learn: bool) -> Any:
    """Return the scores by a strategy or a function."""
    strategy: Any = scorer
    if not hasattr(strategy, "score_generation"):
        return strategy(individuals)
    if not learn:
        return strategy.score(outcomes)
    mark_used(strategy)
    return strategy.score_generation(outcomes)


def _scored_individuals(individuals: Sequence[Any], count: int, several: bool) -> "list[ScoredIndividual]":
    """Return views of the individuals by their scores; one that occurs twice has the score written last."""
    fitness_class = _fitness_class(count)
    return [
        ScoredIndividual(
            individual, fitness_class(individual.fitness.score if several else (individual.fitness.score,))
        )
        for individual in individuals
    ]


class ScoredIndividual:
    """View of an individual for a selector: `fitness` consists of the scores, all else is the individual's."""

    __slots__ = ("fitness", "individual")

    def __init__(self, individual: Any, fitness: base.Fitness):
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


@cache
def _fitness_class(count: int) -> type[base.Fitness]:
    """Return a DEAP fitness class with `count` maximised values."""
    return type("ScoreFitness", (base.Fitness,), {"weights": (1.0,) * count})

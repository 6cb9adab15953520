"""Let any DEAP selector follow a strategy, or several."""

from collections.abc import Callable, Sequence
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
    """Score the whole population, then let any DEAP selector choose `k` by the scores.

    Registered as `select` it makes every stock DEAP loop divergent. The strategy learns from whom it is given: in
    `eaMuPlusLambda` parents and offspring together. Fitness stays what the task says, so that halls of fame, Pareto
    fronts and statistics go on as before.

    Parameters
    ----------
    individuals
        Evaluated individuals whose fitness is a `divergent.Fitness`; each gets its `fitness.score`, and the
        `fitness.crowding_dist` of its scores, which `tools.selTournamentDCD` compares.
    k
        How many to choose.
    strategy
        What gives the scores: a strategy, or a function that takes the individuals and returns one number each, such as
        `divergent.neat.mean_distances`. Several in a list are several objectives, all maximised, for a selector such as
        `tools.selNSGA2`; `fitness.score` is then a tuple.
    select
        Any DEAP selector, or one of your own. It sees stand-ins for the individuals, whose `fitness` is made of the
        scores and which otherwise have the attributes, length and items of the individual.
    learn : bool, default=True
        Whether the strategies learn from the individuals. False for a second selection in the same generation, which
        would otherwise count as one more generation.
    options
        Passed on to the selector.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from deap import base, tools
    >>> from divergent.individual import MaximisedFitness, Outcome
    >>> from divergent.selection import Novelty
    >>> toolbox = base.Toolbox()
    >>> toolbox.register("select", by_score, strategy=Novelty(neighbours=1), select=tools.selBest)
    >>> individuals = [SimpleNamespace(name=name, fitness=MaximisedFitness()) for name in ("here", "there", "far away")]
    >>> for individual, x in zip(individuals, (0.0, 1.0, 9.0)):
    ...     individual.fitness.values = Outcome((-x,), behaviour=(x, 0.0))
    >>> [(chosen.name, chosen.fitness.score) for chosen in toolbox.select(individuals, 1)]
    [('far away', 8.0)]
    """
    check_at_least(0, k=k)
    if not callable(select):
        raise TypeError(f"select must be a selector, a callable of individuals and their number; got {brief(select)}")
    if not isinstance(learn, bool):
        raise TypeError(f"learn must be True or False, got {brief(learn)}")
    several = isinstance(strategy, Sequence)
    objectives: Sequence[Scorer] = strategy if isinstance(strategy, Sequence) else [strategy]
    if not objectives:
        raise ValueError("by_score needs at least one strategy, got none")
    for one in objectives:
        check_instance(one)
        if not callable(getattr(one, "score_generation", one)):
            raise TypeError(
                "strategy must be a divergent.selection.Strategy or a function of the individuals, "
                f"or several in a list; got {brief(one)}"
            )
    outcomes = pack(individuals)
    checked = [check_scores(one, _scores(one, individuals, outcomes, learn), len(individuals)) for one in objectives]
    scores = list(zip(*(column.tolist() for column in checked), strict=True))
    for individual, score in zip(individuals, scores, strict=True):
        individual.fitness.score = score if several else score[0]
    made_of = _fitness_of(len(objectives))
    # who is there twice has one score, the one written last
    candidates = [StandIn(one, made_of(one.fitness.score if several else (one.fitness.score,))) for one in individuals]
    if candidates:
        emo.assignCrowdingDist(candidates)  # which selTournamentDCD expects to find
    chosen = select(candidates, k, **options)
    if not isinstance(chosen, list) or not all(isinstance(one, StandIn) for one in chosen):
        raise TypeError(f"a selector returns a list of those it was given, {brief(select)} returned {brief(chosen)}")
    for candidate in candidates:
        candidate.individual.fitness.crowding_dist = candidate.fitness.crowding_dist
    return [one.individual for one in chosen]


def _scores(scorer: Scorer, individuals: Sequence[Any], outcomes: Outcomes, learn: bool) -> Any:
    """What a strategy or a function gives the individuals."""
    strategy: Any = scorer
    if not hasattr(strategy, "score_generation"):
        return strategy(individuals)
    if not learn:
        return strategy.score(outcomes)
    mark_used(strategy)
    return strategy.score_generation(outcomes)


class StandIn:
    """An individual as a selector sees it: with a fitness of its own, and all else of the individual."""

    __slots__ = ("fitness", "individual")

    def __init__(self, individual: Any, fitness: base.Fitness):
        self.individual = individual
        self.fitness = fitness

    def __getattr__(self, name: str) -> Any:
        return getattr(self.individual, name)

    def __len__(self) -> int:
        return len(self.individual)

    def __iter__(self) -> Any:
        return iter(self.individual)

    def __getitem__(self, item: Any) -> Any:
        return self.individual[item]


@cache
def _fitness_of(count):
    """A DEAP fitness of so many scores, all maximised."""
    return type("ScoreFitness", (base.Fitness,), {"weights": (1.0,) * count})

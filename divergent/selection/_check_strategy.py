"""Tests of the strategy properties that evolutionary loops rely on; see `check_strategy`."""

import copy
import json
import pickle
import random
from collections.abc import Iterable
from typing import Any

import numpy as np
from deap import algorithms, base, tools

from divergent.individual import MaximisedFitness, Outcome, Outcomes
from divergent.selection._deap_selector import by_score
from divergent.selection._strategy import Strategy
from divergent.validation import brief, check_at_least, check_instance


def check_strategy(strategy: Strategy, *, individuals: int = 250, dimensions: int = 2, seed: int = 0) -> None:
    """Test that a strategy has every property that evolutionary loops rely on.

    All tests use copies, so the strategy itself does not change. The copies score five generations of random outcomes
    with drifting behaviours, and update their state from these outcomes. The copies also select individuals in DEAP's
    loops for three generations.

    Parameters
    ----------
    strategy : Strategy
        Strategy to test, which no loop has used before.
    individuals : int, default=250
        Population size; if the strategy has clusters, at least the number of clusters.
    dimensions : int, default=2
        Number of behaviour dimensions.
    seed : int, default=0
        Seed of the populations and of DEAP's operators.

    Raises
    ------
    AssertionError
        If the strategy lacks a property; the message names the property.
    TypeError
        If `strategy` is not a `Strategy`.

    See Also
    --------
    Strategy : Base class of searches.

    Examples
    --------
    The strategy `Age` is invalid, because `memory` does not name the attribute `age`, which `learn` changes:

    >>> class Age(Strategy):
    ...     '''Number of previous generations.'''
    ...     age = 0
    ...     def score(self, outcomes, among=None):
    ...         return np.full(len(outcomes.fitness), float(self.age))
    ...     def learn(self, outcomes):
    ...         self.age += 1
    >>> try:
    ...     check_strategy(Age())
    ... except AssertionError as error:
    ...     print(error)
    a restored strategy must give the same scores; `memory` must name all attributes that learn changes
    """
    check_instance(strategy)
    if not isinstance(strategy, Strategy):
        raise TypeError(f"strategy must be an instance of a subclass of Strategy, got {brief(strategy)}")
    check_at_least(2, individuals=individuals)
    check_at_least(1, dimensions=dimensions)
    check_at_least(0, seed=seed)
    generations = _drifting_generations(np.random.default_rng(seed), individuals, dimensions, strategy.ancestors)
    original = copy.deepcopy(generations)
    _check_scores(copy.deepcopy(strategy), generations)
    _require(
        pickle.dumps(generations) == pickle.dumps(original),
        "score and learn must not change the outcomes; copy arrays before writing to them",
    )
    _check_score_has_no_side_effects(copy.deepcopy(strategy), generations)
    _check_among_and_order(copy.deepcopy(strategy), generations)
    _check_arrays_are_copied(strategy, generations)
    _check_restore(strategy, generations)
    _check_pickle(strategy, generations)
    _check_deap_loops(strategy, individuals, dimensions, seed)


class _Point(list):
    """Individual of the test problem, whose behaviour equals its genome."""

    def __init__(self, numbers: Iterable[float]):
        super().__init__(numbers)
        self.fitness = MaximisedFitness()


def _evaluate(point: _Point) -> Outcome:
    return Outcome((-abs(point[0]),), behaviour=tuple(point))


def _drifting_generations(
    rng: np.random.Generator, individuals: int, dimensions: int, ancestors: int = 0
) -> list[Outcomes]:
    """Return five generations of random outcomes with behaviours that drift from generation to generation."""
    behaviours = rng.uniform(0, 100, (individuals, dimensions))
    lines = np.full((individuals, ancestors, dimensions), np.nan) if ancestors else None
    generations = []
    for _ in range(5):
        generations.append(Outcomes(rng.uniform(0, 1, individuals), behaviours, lines))
        if lines is not None:
            lines = np.concatenate([behaviours[:, None], lines[:, :-1]], axis=1)
        behaviours = behaviours + rng.normal(1, 3, behaviours.shape)
    return generations


def _check_scores(strategy: Strategy, generations: list[Outcomes]) -> None:
    for outcomes in generations:
        _check_finite_floats(strategy.score(outcomes), len(outcomes.fitness))
        _check_finite_floats(strategy.score(outcomes.take(slice(1)), among=outcomes.take(slice(1, None))), 1)
        strategy.learn(outcomes)
    points = [_Point(behaviour) for behaviour in generations[0].behaviours]
    for point in points:
        point.fitness.values = _evaluate(point)
    _check_finite_floats(strategy(points), len(points))


def _check_finite_floats(scores: Any, size: int) -> None:
    _require(len(scores) == size, f"score must return one score per individual, got {len(scores)} for {size}")
    _require(all(isinstance(score, float) for score in scores), f"scores must be floats, got {scores[0]!r}")
    _require(bool(np.isfinite(scores).all()), "scores must be finite, got nan or infinity")


def _check_score_has_no_side_effects(strategy: Strategy, generations: list[Outcomes]) -> None:
    for outcomes in generations:
        before = _json_state(strategy)
        scored = copy.deepcopy(strategy)
        scored.score(outcomes)
        _require(
            _without_generators(_json_state(scored)) == _without_generators(before),
            "score must not change the memory; change it in learn",
        )
        scored.restore(before)
        _require(
            _same_scores(scored, copy.deepcopy(strategy), generations),
            "score must change only the random generator; change other attributes in learn",
        )
        strategy.learn(outcomes)


def _check_among_and_order(strategy: Strategy, generations: list[Outcomes]) -> None:
    for number, outcomes in enumerate(generations):
        scores = np.asarray(strategy.score(outcomes))
        if np.array_equal(scores, strategy.score(outcomes)):  # strategies with random scores are not tested
            alone = strategy.score(outcomes.take(slice(-1, None)), among=outcomes.take(slice(-1)))
            _require(
                np.allclose(alone, scores[-1:], rtol=1e-9, atol=1e-9),
                "the score of an individual must not depend on whether the others are passed as `among`, "
                f"got {alone[0]} instead of {scores[-1]}",
            )
            order = np.random.default_rng(number).permutation(len(scores))
            _require(
                np.allclose(strategy.score(outcomes.take(order)), scores[order], rtol=1e-9, atol=1e-9),
                "scores must not depend on the order of individuals",
            )
        strategy.learn(outcomes)


def _check_arrays_are_copied(strategy: Strategy, generations: list[Outcomes]) -> None:
    """Check that scores do not change if a caller overwrites the arrays passed to `score` and `learn`."""
    reference, overwritten = copy.deepcopy(strategy), copy.deepcopy(strategy)
    for number, outcomes in enumerate(generations[:-1]):
        reference.score(outcomes)
        reference.learn(outcomes)
        for use in (overwritten.score, overwritten.learn):
            temporary = outcomes.copy()
            use(temporary)
            for column in (column for column in temporary if column is not None):
                column[:] = np.random.default_rng(number).uniform(0, 100, column.shape)
        _require(
            _same_scores(copy.deepcopy(reference), copy.deepcopy(overwritten), generations[number + 1 :]),
            "the memory must not change when the arrays of outcomes are overwritten; store copies of them",
        )


def _check_restore(strategy: Strategy, generations: list[Outcomes]) -> None:
    for number in range(4):
        used = _used(strategy, generations[:number])
        _require(
            _same_scores(copy.deepcopy(used), copy.deepcopy(used), generations[number:]),
            "the same seed must give the same scores; draw random numbers from `rng` only",
        )
        restored = copy.deepcopy(strategy)
        restored.restore(_json_state(used))
        _require(
            _same_scores(used, restored, generations[number:]),
            "a restored strategy must give the same scores; `memory` must name all attributes that learn changes",
        )


def _check_pickle(strategy: Strategy, generations: list[Outcomes]) -> None:
    for number in range(4):
        used = _used(strategy, generations[:number])
        try:
            unpickled = pickle.loads(pickle.dumps(used))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise AssertionError(f"a strategy must be picklable, got an error: {error}") from error
        _require(_same_scores(used, unpickled, generations[number:]), "an unpickled strategy must give the same scores")


def _used(strategy: Strategy, generations: list[Outcomes]) -> Strategy:
    """Return a copy of the strategy after it has scored the generations and has been updated from them."""
    used = copy.deepcopy(strategy)
    for outcomes in generations:
        used.score_generation(outcomes)
    return used


def _check_deap_loops(strategy: Strategy, individuals: int, dimensions: int, seed: int) -> None:
    before = random.getstate()
    random.seed(seed)
    try:
        for loop, sizes in (
            (algorithms.eaSimple, {}),
            (algorithms.eaMuPlusLambda, {"mu": individuals, "lambda_": individuals}),
            (algorithms.eaMuCommaLambda, {"mu": individuals, "lambda_": individuals}),
        ):
            toolbox = base.Toolbox()
            selection = {"strategy": copy.deepcopy(strategy), "select": tools.selTournament, "tournsize": 3}
            toolbox.register("select", by_score, **selection)
            toolbox.register("evaluate", _evaluate)
            toolbox.register("mate", tools.cxBlend, alpha=0.2)
            toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=5, indpb=1)
            points = [_Point(random.uniform(0, 100) for _ in range(dimensions)) for _ in range(individuals)]
            final, _ = loop(points, toolbox, cxpb=0.5, mutpb=0.4, ngen=3, verbose=False, **sizes)
            _require(
                len(final) == individuals,
                f"{loop.__name__} must return {individuals} individuals, got {len(final)}",
            )
    finally:
        random.setstate(before)


def _same_scores(first: Strategy, second: Strategy, generations: list[Outcomes]) -> bool:
    """Return whether two strategies give equal scores in all generations."""
    return all(
        np.array_equal(first.score_generation(outcomes), second.score_generation(outcomes)) for outcomes in generations
    )


def _json_state(strategy: Strategy) -> Any:
    """Return the state of a strategy after conversion to JSON and back."""
    try:
        return json.loads(json.dumps(strategy.state()))
    except (TypeError, ValueError) as error:
        raise AssertionError(
            f"memory must be JSON-serialisable, with strings as dictionary keys, got an error: {error}"
        ) from error


def _without_generators(state: Any) -> Any:
    """Remove the states of random generators from the state of a strategy and of its component strategies."""
    if isinstance(state, dict):
        return {name: _without_generators(value) for name, value in state.items() if name != "rng"}
    return [_without_generators(value) for value in state] if isinstance(state, list) else state


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise AssertionError(message)

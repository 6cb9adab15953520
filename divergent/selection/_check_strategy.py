"""Try a strategy, ours or yours, against what every loop relies on."""

import copy
import json
import pickle
import random

import numpy as np
from deap import algorithms, base, tools

from divergent.individual import MaximisedFitness, Outcome, Outcomes
from divergent.loops import check_instance
from divergent.selection.deap_selector import by_score
from divergent.selection.strategy import Strategy
from divergent.validation import brief, check_at_least


def check_strategy(strategy: Strategy, *, individuals: int = 250, dimensions: int = 2, seed: int = 0) -> None:
    """Raise an AssertionError that names the promise a strategy breaks, if it breaks one.

    The strategy itself is left as it was: copies of it follow a random population that drifts for five generations, and
    select in DEAP's own loops for three.

    Parameters
    ----------
    strategy
        Made, but not used yet.
    individuals
        The size of the populations; at least its number of clusters, if it has any.
    dimensions
        The length of behaviours.
    seed
        For the populations and DEAP's operators.

    Examples
    --------
    >>> class Age(Strategy):
    ...     '''How many generations there were before.'''
    ...
    ...     age = 0
    ...
    ...     def score(self, outcomes, among=None):
    ...         return np.full(len(outcomes.fitness), float(self.age))
    ...
    ...     def learn(self, outcomes):
    ...         self.age += 1
    >>> check_strategy(Age())
    Traceback (most recent call last):
        ...
    AssertionError: restored from its state, it must go on as before: name every attribute that it learns in `memory`
    """
    check_instance(strategy)
    if not isinstance(strategy, Strategy):
        raise TypeError(f"strategy must be a Strategy to be checked, got {brief(strategy)}")
    check_at_least(2, individuals=individuals)
    check_at_least(1, dimensions=dimensions)
    check_at_least(0, seed=seed)
    generations = _drift(np.random.default_rng(seed), individuals, dimensions)
    kept = copy.deepcopy(generations)
    _check_scores(copy.deepcopy(strategy), generations)
    _promise(
        pickle.dumps(generations) == pickle.dumps(kept),
        "scoring and learning must leave the outcomes as they are",
    )
    _check_scoring_changes_nothing(copy.deepcopy(strategy), generations)
    _check_newcomers_and_order(copy.deepcopy(strategy), generations)
    _check_it_keeps_copies(strategy, generations)
    _check_it_goes_on(strategy, generations)
    _check_loops(strategy, individuals, dimensions, seed)


class Walker(list):
    """Numbers that are their own behaviour."""

    def __init__(self, numbers):
        super().__init__(numbers)
        self.fitness = MaximisedFitness()


def _evaluate(walker):
    return Outcome((-abs(walker[0]),), behaviour=tuple(walker))


def _drift(rng, individuals, dimensions):
    places = rng.uniform(0, 100, (individuals, dimensions))
    generations = []
    for _ in range(5):
        generations.append(Outcomes(rng.uniform(0, 1, individuals), places.copy()))
        places += rng.normal(1, 3, places.shape)
    return generations


def _check_scores(strategy, generations):
    for outcomes in generations:
        _check_one_score_each(strategy.score(outcomes), len(outcomes.fitness))
        _check_one_score_each(strategy.score(_rows(outcomes, slice(1)), among=_rows(outcomes, slice(1, None))), 1)
        strategy.learn(outcomes)
    walkers = [Walker(behaviour) for behaviour in generations[0].behaviours]
    for walker in walkers:
        walker.fitness.values = _evaluate(walker)
    _check_one_score_each(strategy(walkers), len(walkers))


def _check_one_score_each(scores, size):
    _promise(len(scores) == size, f"there must be one score for each: got {len(scores)} for {size}")
    _promise(all(isinstance(score, float) for score in scores), f"scores must be floats, got {scores[0]!r}")
    _promise(np.isfinite(scores).all(), "scores must be finite")


def _check_scoring_changes_nothing(strategy, generations):
    for outcomes in generations:
        before = _state(strategy)
        scored = copy.deepcopy(strategy)
        scored.score(outcomes)
        _promise(_memory(_state(scored)) == _memory(before), "scoring must not change memory; learn does")
        scored.restore(before)
        _promise(
            _same_future(scored, copy.deepcopy(strategy), generations),
            "scoring must change nothing but the strategy's generator",
        )
        strategy.learn(outcomes)


def _check_newcomers_and_order(strategy, generations):
    for number, outcomes in enumerate(generations):
        whole = np.asarray(strategy.score(outcomes))
        if np.array_equal(whole, strategy.score(outcomes)):  # or else there is chance in them
            alone = strategy.score(_rows(outcomes, slice(-1, None)), among=_rows(outcomes, slice(-1)))
            _promise(
                np.allclose(alone, whole[-1:], rtol=1e-9, atol=1e-9),
                f"among a population, a newcomer must get its score as part of it: {alone[0]} is not {whole[-1]}",
            )
            order = np.random.default_rng(number).permutation(len(whole))
            _promise(
                np.allclose(strategy.score(_rows(outcomes, order)), whole[order], rtol=1e-9, atol=1e-9),
                "scores must not depend on who comes first",
            )
        strategy.learn(outcomes)


def _check_it_keeps_copies(strategy, generations):
    """Whoever owns the arrays writes to them again, after scoring and after learning."""
    left_alone, overwritten = copy.deepcopy(strategy), copy.deepcopy(strategy)
    for number, outcomes in enumerate(generations[:-1]):
        left_alone.score(outcomes)
        left_alone.learn(outcomes)
        for use in (overwritten.score, overwritten.learn):
            lent = Outcomes(outcomes.fitness.copy(), outcomes.behaviours.copy())
            use(lent)
            for column in lent:
                column[:] = np.random.default_rng(number).uniform(0, 100, column.shape)
        _promise(
            _same_future(copy.deepcopy(left_alone), copy.deepcopy(overwritten), generations[number + 1 :]),
            "what it has learnt must not change when somebody writes to the arrays again: keep copies of them",
        )


def _check_it_goes_on(strategy, generations):
    stages = [(generations[:number], generations[number:]) for number in range(4)]
    for earlier, later in stages:
        used = _followed(strategy, earlier)
        _promise(
            _same_future(copy.deepcopy(used), copy.deepcopy(used), later),
            "the same seed must give the same history: draw from `rng` only",
        )
        restored = copy.deepcopy(strategy)
        restored.restore(_state(used))
        _promise(
            _same_future(used, restored, later),
            "restored from its state, it must go on as before: name every attribute that it learns in `memory`",
        )
    for earlier, later in stages:
        used = _followed(strategy, earlier)
        try:
            pickled = pickle.loads(pickle.dumps(used))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise AssertionError(f"it must be possible to pickle it: {error}") from error
        _promise(_same_future(used, pickled, later), "pickled, it must go on as before")


def _followed(strategy, generations):
    used = copy.deepcopy(strategy)
    for outcomes in generations:
        used.score_generation(outcomes)
    return used


def _check_loops(strategy, individuals, dimensions, seed):
    before = random.getstate()
    random.seed(seed)
    try:
        for loop, sizes in (
            (algorithms.eaSimple, {}),
            (algorithms.eaMuPlusLambda, {"mu": individuals, "lambda_": individuals}),
            (algorithms.eaMuCommaLambda, {"mu": individuals, "lambda_": individuals}),
        ):
            toolbox = base.Toolbox()
            chooser = {"strategy": copy.deepcopy(strategy), "select": tools.selTournament, "tournsize": 3}
            toolbox.register("select", by_score, **chooser)
            toolbox.register("evaluate", _evaluate)
            toolbox.register("mate", tools.cxBlend, alpha=0.2)
            toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=5, indpb=1)
            walkers = [Walker(random.uniform(0, 100) for _ in range(dimensions)) for _ in range(individuals)]
            final, _ = loop(walkers, toolbox, cxpb=0.5, mutpb=0.4, ngen=3, verbose=False, **sizes)
            _promise(len(final) == individuals, f"{loop.__name__} must keep its {individuals}, got {len(final)}")
    finally:
        random.setstate(before)


def _rows(outcomes, choice):
    return Outcomes(outcomes.fitness[choice], outcomes.behaviours[choice])


def _same_future(one, other, generations):
    return all(
        np.array_equal(one.score_generation(outcomes), other.score_generation(outcomes)) for outcomes in generations
    )


def _state(strategy):
    """What a strategy would be restored from, as a file gives it back."""
    try:
        return json.loads(json.dumps(strategy.state()))
    except (TypeError, ValueError) as error:
        raise AssertionError(f"its memory must be plain data that JSON keeps, with strings as keys: {error}") from error


def _memory(state):
    """A state without the generators in it, those of parts included."""
    if isinstance(state, dict):
        return {name: _memory(value) for name, value in state.items() if name != "rng"}
    return [_memory(value) for value in state] if isinstance(state, list) else state


def _promise(kept, sentence):
    if not kept:
        raise AssertionError(sentence)

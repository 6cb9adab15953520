import numpy as np
import pytest

from divergent.selection import Strategy, check_strategy


class Half(Strategy):
    def score(self, outcomes, among=None):
        return outcomes.fitness[: len(outcomes.fitness) // 2]


class Whole(Strategy):
    def score(self, outcomes, among=None):
        return [1] * len(outcomes.fitness)


class Restless(Strategy):
    memory = ("scorings",)
    scorings = 0

    def score(self, outcomes, among=None):
        self.scorings += 1
        return np.zeros(len(outcomes.fitness))


class Sneaky(Strategy):
    scorings = 0

    def score(self, outcomes, among=None):
        self.scorings += 1
        return np.full(len(outcomes.fitness), float(self.scorings > 5))


class Unseeded(Strategy):
    def score(self, outcomes, among=None):
        return np.random.default_rng().random(len(outcomes.fitness))


class Crowd(Strategy):
    def score(self, outcomes, among=None):
        return np.full(len(outcomes.fitness), float(len(outcomes.fitness)))


class FirstCome(Strategy):
    def score(self, outcomes, among=None):
        return np.arange(len(outcomes.fitness), dtype=float) + (0 if among is None else len(among.fitness))


class Forgetful(Strategy):
    generations = 0

    def score(self, outcomes, among=None):
        return np.full(len(outcomes.fitness), float(self.generations))

    def learn(self, outcomes):
        self.generations += 1


class Meddler(Strategy):
    def score(self, outcomes, among=None):
        return outcomes.fitness.copy()

    def learn(self, outcomes):
        outcomes.fitness[0] = 7.0


class Borrower(Strategy):
    memory = ("kept",)
    kept = None

    def score(self, outcomes, among=None):
        if self.kept is None:
            return np.zeros(len(outcomes.fitness))
        return np.linalg.norm(outcomes.behaviours - self.kept[0], axis=1)

    def learn(self, outcomes):
        self.kept = outcomes.behaviours


class Tabular(Strategy):
    memory = ("seen",)

    def __init__(self):
        super().__init__()
        self.seen = {}

    def score(self, outcomes, among=None):
        return np.array([float(tuple(row) in self.seen) for row in outcomes.behaviours.round()])

    def learn(self, outcomes):
        self.seen = self.seen | {tuple(row): 1 for row in outcomes.behaviours.round()}


class Unpicklable(Strategy):
    def __init__(self):
        super().__init__()
        self.measure = lambda outcomes: outcomes.fitness + 0.0

    def score(self, outcomes, among=None):
        return self.measure(outcomes)


@pytest.mark.parametrize(
    ("strategy", "promise"),
    [
        (Half(), "one score per individual"),
        (Whole(), "scores must be floats"),
        (Restless(), "score must not change the memory"),
        (Sneaky(), "score must change only the random generator"),
        (Unseeded(), "from `rng` only|only the random generator"),
        (Crowd(), "score of an individual must not depend on whether the others are passed as `among`"),
        (FirstCome(), "must not depend on the order of individuals"),
        (Forgetful(), "`memory` must name all attributes that learn changes"),
        (Meddler(), "must not change the outcomes"),
        (Borrower(), "when the arrays of outcomes are overwritten; store copies"),
        (Tabular(), "JSON-serialisable, with strings as dictionary keys"),
        (Unpicklable(), "must be picklable"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Strategy) else "",
)
def test_check_strategy_broken_property_is_named(strategy, promise):
    with pytest.raises(AssertionError, match=promise):
        check_strategy(strategy, individuals=20)


def test_check_strategy_without_score_raises():
    with pytest.raises(NotImplementedError, match="Bare must define the method score"):
        check_strategy(type("Bare", (Strategy,), {})())


def test_check_strategy_changes_neither_strategy_nor_random_module():
    import random

    from divergent.selection import Novelty

    novelty = Novelty(rng=np.random.default_rng(1))
    before, module = novelty.state(), random.getstate()
    check_strategy(novelty, individuals=20)
    assert novelty.state() == before
    assert random.getstate() == module

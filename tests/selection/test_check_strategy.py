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
        (Half(), "one score for each"),
        (Whole(), "scores must be floats"),
        (Restless(), "scoring must not change memory"),
        (Sneaky(), "scoring must change nothing but"),
        (Unseeded(), "draw from `rng` only|nothing but the strategy's generator"),
        (Crowd(), "a newcomer must get its score as part of it"),
        (FirstCome(), "must not depend on who comes first"),
        (Forgetful(), "name every attribute that it learns in `memory`"),
        (Meddler(), "must leave the outcomes as they are"),
        (Borrower(), "when somebody writes to the arrays again: keep copies"),
        (Tabular(), "plain data that JSON keeps, with strings as keys"),
        (Unpicklable(), "possible to pickle"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Strategy) else "",
)
def test_a_broken_promise_is_named(strategy, promise):
    with pytest.raises(AssertionError, match=promise):
        check_strategy(strategy, individuals=20)


def test_a_strategy_without_a_score_says_what_it_must_define():
    with pytest.raises(NotImplementedError, match="Bare must define score"):
        check_strategy(type("Bare", (Strategy,), {})())


def test_checking_leaves_the_strategy_and_the_random_module_alone():
    import random

    from divergent.selection import Novelty

    novelty = Novelty(rng=np.random.default_rng(1))
    before, module = novelty.state(), random.getstate()
    check_strategy(novelty, individuals=20)
    assert novelty.state() == before
    assert random.getstate() == module

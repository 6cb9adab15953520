"""Scores of real maze runs agree with plain numpy: every call of `score` is computed a second time."""

from typing import Any

import numpy as np
import pytest

from divergent.individual import Outcomes
from divergent.maze import read_maze
from divergent.runs import Settings, assemble


def mean_of_nearest(distances: np.ndarray, count: int) -> np.ndarray:
    return np.sort(distances, axis=1)[:, :count].mean(axis=1)


def distances_between(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.sqrt(((first[:, None, :] - second[None, :, :]) ** 2).sum(axis=2))


def novelty_scores(strategy: Any, outcomes: Outcomes, among: Outcomes | None) -> np.ndarray:
    """Mean distance to the nearest of population and archive, an individual itself excluded."""
    population = outcomes.behaviours if among is None else among.behaviours
    distances = distances_between(outcomes.behaviours, population)
    if among is None:
        np.fill_diagonal(distances, np.inf)
    archive = np.asarray(strategy.archive).reshape(-1, population.shape[1])
    distances = np.hstack([distances, distances_between(outcomes.behaviours, archive)])
    return mean_of_nearest(distances, strategy.neighbours)


def surprise_scores(strategy: Any, outcomes: Outcomes, among: Outcomes | None) -> np.ndarray | None:
    """Mean distance to the nearest predictions; None while there are none and scores are random."""
    if strategy.predictions is None:
        return None
    return mean_of_nearest(distances_between(outcomes.behaviours, strategy.predictions), strategy.deviation.neighbours)


@pytest.mark.parametrize("behaviour", ["end", "trail:5"])
@pytest.mark.parametrize(("search", "expected_scores"), [("novelty", novelty_scores), ("surprise", surprise_scores)])
def test_scores_of_a_run_equal_those_of_plain_numpy(search, expected_scores, behaviour):
    settings = Settings(maze="hard", search=search, behaviour=behaviour, population=60, generations=12, steps=150)
    plan = settings.resolve()
    parts = assemble(plan, read_maze(plan.maze))
    score, compared = parts.strategy.score, 0

    def checked_score(outcomes: Outcomes, among: Outcomes | None = None) -> np.ndarray:
        nonlocal compared
        scores = score(outcomes, among)
        expected = expected_scores(parts.strategy, outcomes, among)
        if expected is not None:
            np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-9)
            compared += len(scores)
        return scores

    parts.strategy.score = checked_score
    for _ in parts.steps():
        pass
    assert compared > 10_000

"""The examples do what they say."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from divergent import Genome, Settings, run
from divergent.analysis import elites_of_record
from divergent.selection import Novelty, Surprise

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def example(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    return import_module


def test_walk_is_blocked_by_roof_and_box(example):
    walk = example("roof").walk
    assert walk([0, 3, 0, 3]) == (0.0, 3.0)
    assert walk([6, 0, 0, 8, -6, 0]) == (0.0, 8.0)
    assert walk([6, 0, 6, 0]) == (6.0, 0.0)


def test_walk_novelty_solves_it_and_objective_does_not(example):
    arrives = example("roof").arrives
    assert not arrives("objective", seed=0)
    assert any(arrives("novelty", seed) for seed in (0, 1))


@pytest.mark.slow
def test_walk_divergent_searches_solve_it_and_objective_does_not(example):
    arrives = example("roof").arrives
    solved = {search: sum(arrives(search, seed) for seed in range(20)) for search in example("roof").SEARCHES}
    assert solved["objective"] <= 2
    assert solved["novelty"] >= 17
    assert solved["surprise"] >= 13


def test_ant_novelty_of_cells_finds_food(example, rng):
    most_eaten = example("ant").most_eaten
    assert most_eaten(Novelty(neighbours=5, threshold=2, rng=rng), seed=1) >= 10
    assert most_eaten(Surprise(clusters=30, rng=rng), seed=1) >= 10


def test_ant_eats_food_on_its_path(example):
    ant = example("ant")
    straight = ant.Ant().run(ant.forward)
    assert (len(ant.FOOD) - len(straight.food), straight.visited.sum()) == (3, 10)
    assert ant.Ant().run(ant.left).visited.sum() == 0


def test_neat_example_on_xor_finds_a_solution(example):
    assert example("exclusive_or").most_right(seed=1) > 3.9


def test_nsga2_trades_objective_for_surprise(example):
    front = example("two_objectives").front(seed=1, generations=15)
    nearness, surprise = zip(*front, strict=True)
    assert len(front) > 1
    assert list(nearness) == sorted(nearness)
    assert list(surprise) == sorted(surprise, reverse=True)


@pytest.mark.slow
def test_pyribs_archive_has_the_cells_of_elites(example):
    pytest.importorskip("ribs")
    archive = example("ribs_archive").archive_of(generations=2, search="novelty")
    elites = elites_of_record(run(Settings(maze="hard", search="novelty", seed=1, generations=2)))
    assert archive.stats.num_elites == len(elites.best)
    assert archive.best_elite["objective"] == pytest.approx(np.nanmax(elites.fitness))
    assert isinstance(archive.best_elite["solution"], Genome)

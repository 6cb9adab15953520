from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divergent.analysis import elites_of_record
from divergent.archives import Elites
from divergent.individual import Fitness, MaximisedFitness, Outcome
from divergent.runs import Settings, run

QUARTERS = st.integers(0, 24).map(lambda number: number / 4)  # which are exactly in one cell or another


def individual(fitness, *behaviour, kind=MaximisedFitness):
    solution = SimpleNamespace(fitness=kind())
    solution.fitness.values = Outcome((fitness,), behaviour=behaviour)
    return solution


@given(
    st.lists(st.tuples(st.integers(-50, 50), QUARTERS, QUARTERS), max_size=40),
    st.integers(0, 40),
)
def test_elites_equal_a_dictionary_of_cells(rows, cut):
    elites, best = Elites(bounds=((0, 0), (8, 6)), cells=(4, 2), worst=-50), {}
    population = [individual(*row) for row in rows]
    for (fitness, x, y), solution in zip(rows, population, strict=True):
        cell = min(int(x // 2), 3), min(int(y // 3), 1)
        if cell not in best or fitness > best[cell][0]:
            best[cell] = fitness, solution
    elites.add(population[:cut])
    elites.add(population[cut:])
    assert {cell: id(solution) for cell, solution in elites.best.items()} == {
        cell: id(solution) for cell, (_, solution) in best.items()
    }
    assert elites.coverage == len(best) / 8
    assert elites.qd_score == sum(fitness + 50 for fitness, _ in best.values())
    assert all(elites.fitness[cell] == fitness for cell, (fitness, _) in best.items())
    assert np.isnan(elites.fitness).sum() == 8 - len(best)


def test_elites_with_a_behaviour_out_of_bounds_use_the_nearest_cell():
    elites = Elites(bounds=(0, 0, 10, 10), cells=2)
    elites.add([individual(1.0, -99, 99)])
    assert list(elites.best) == [(0, 1)]


def test_elites_of_a_minimised_fitness_keep_the_least():
    least = type("Least", (Fitness,), {"weights": (-1.0,)})
    elites = Elites(bounds=((0,), (1,)), cells=1, worst=-10)
    few, many = individual(2.0, 0.5, kind=least), individual(7.0, 0.5, kind=least)
    elites.add([many, few])
    assert elites.best[0,] is few
    assert elites.qd_score == 8


def test_elites_of_record_contain_all_evaluations():
    record = run(Settings(maze="hard", search="random", population=10, generations=3, steps=50))
    elites = elites_of_record(record, cells=5)
    left, top, right, bottom = record.maze.bounds
    distances = np.hypot(*(record.positions - record.maze.goal).T)
    expected = {}
    for number, (x, y) in enumerate(record.positions.astype(float)):
        cell = min(int((x - left) / (right - left) * 5), 4), min(int((y - top) / (bottom - top) * 5), 4)
        if cell not in expected or distances[number] < distances[expected[cell]]:
            expected[cell] = number
    assert elites.best == expected
    assert np.nanmax(elites.fitness) == pytest.approx(record.best_fitness, abs=1e-4)
    furthest = max(
        np.hypot(x - record.maze.goal[0], y - record.maze.goal[1]) for x in (left, right) for y in (top, bottom)
    )
    assert elites.qd_score == pytest.approx(sum(furthest - distances[number] for number in expected.values()))


def test_elites_with_infinite_fitness_raise():
    with pytest.raises(ValueError, match="finite fitness"):
        Elites(bounds=(0, 0, 1, 1)).add([individual(np.inf, 0, 0)])
    with pytest.raises(ValueError, match="worst must be a finite fitness, got nan"):
        Elites(bounds=(0, 0, 1, 1), worst=np.nan)


def test_elites_with_an_index_compare_that_value():
    def two(*values):
        solution = SimpleNamespace(fitness=TwoValues())
        solution.fitness.values = Outcome(values, behaviour=(1.0, 1.0))
        return solution

    class TwoValues(Fitness):
        weights = (1.0, 1.0)

    individuals = [two(1.0, 5.0), two(2.0, 4.0)]
    chosen = Elites(((0, 0), (2, 2)), cells=1, index=1)
    chosen.add(individuals)
    assert chosen.best[0, 0] is individuals[0]
    first = Elites(((0, 0), (2, 2)), cells=1)
    with pytest.warns(UserWarning, match=r"Elites uses values\[0\] of 2"):
        first.add(individuals)
    assert first.best[0, 0] is individuals[1]

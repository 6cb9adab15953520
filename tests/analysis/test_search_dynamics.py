import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from divergent import Settings, run
from divergent.analysis import (
    count_cells,
    generation_numbers,
    growth_rate,
    occupancy_over_time,
    prediction_errors,
    return_times,
    score_correlations,
    selection_intensity,
)
from divergent.history import Generation, History
from divergent.runs import replay
from divergent.selection import Novelty, Objective, Surprise

# rows are generations 0 to 5, columns are cells
COUNTS = np.array(
    [
        [4, 0, 0],
        [2, 2, 0],
        [0, 4, 0],
        [0, 4, 0],
        [1, 2, 1],
        [1, 0, 3],
    ]
)


def test_occupancy_over_time_of_a_hand_computed_example():
    table = occupancy_over_time(COUNTS, absence=2)
    assert table["generation"].tolist() == [0, 1, 2, 3, 4, 5]
    assert table["occupied"].tolist() == [1, 2, 1, 1, 3, 2]
    assert table["new"].tolist() == [1, 1, 0, 0, 1, 0]
    assert table["revisited"].tolist() == [0, 0, 0, 0, 1, 0]  # cell 0 is empty in generations 2 and 3
    # |A and B| / |A or B| of consecutive generations: 1/2, 1/2, 1/1, 1/3, 2/3
    assert table["turnover"][1:].tolist() == pytest.approx([0.5, 0.5, 0.0, 2 / 3, 1 / 3])
    assert np.isnan(table["turnover"][0])
    assert table["entropy"][1] == pytest.approx(np.log(2) / np.log(3))
    assert table["entropy"][2] == 0.0


def test_occupancy_over_time_longer_absence_has_no_revisit():
    assert occupancy_over_time(COUNTS, absence=3)["revisited"].sum() == 0


def test_occupancy_over_time_with_invalid_absence_raises():
    with pytest.raises(ValueError, match="absence must be an integer, at least 1, got 0"):
        occupancy_over_time(COUNTS, absence=0)


def test_return_times_are_differences_of_visits():
    assert return_times(COUNTS).tolist() == [3]  # cell 0 in generations 1 and 4
    assert return_times(np.array([[1], [0], [1], [0], [0], [1]])).tolist() == [2, 3]


def test_return_times_of_cells_that_stay_occupied_are_empty():
    assert return_times(np.ones((4, 2), dtype=int)).size == 0


@given(arrays.arrays(np.int64, st.tuples(st.integers(1, 8), st.integers(1, 5)), elements=st.integers(0, 2)))
def test_occupancy_over_time_agrees_with_a_loop_over_cells(counts):
    table = occupancy_over_time(counts, absence=2)
    seen, last, returned = set(), {}, []
    for generation, row in enumerate(counts):
        occupied = set(np.flatnonzero(row).tolist())
        assert table["new"][generation] == len(occupied - seen)
        assert table["revisited"][generation] == sum(generation - last[cell] > 2 for cell in occupied & seen)
        returned += [generation - last[cell] for cell in sorted(occupied & seen) if generation - last[cell] > 1]
        seen |= occupied
        last |= dict.fromkeys(occupied, generation)
    assert return_times(counts).tolist() == returned


def test_count_cells_counts_every_evaluation_in_its_generation():
    behaviours = np.array([[0.5], [9.5], [3.0], [-4.0]])
    counts = count_cells(behaviours, [0, 0, 2, 2], bounds=((0,), (10,)), cells=5)
    assert counts.tolist() == [[1, 0, 0, 0, 1], [0, 0, 0, 0, 0], [1, 1, 0, 0, 0]]


def memory(centroids, predictions, occupied):
    return {
        "centroids": np.array(centroids, dtype=float),
        "predictions": np.array(predictions, dtype=float),
        "occupied": np.array(occupied),
    }


def test_prediction_errors_of_a_hand_computed_example():
    history = History()
    history.generations = [
        Generation(0, 0, {}, {"centroids": np.zeros((2, 2)), "occupied": np.array([True, True])}),
        Generation(2, 4, {}, memory([[0, 0], [9, 9]], [[3, 4], [9, 9]], [True, True])),
        Generation(3, 8, {}, memory([[3, 0], [0, 0]], [[0, 0], [0, 0]], [True, False])),
        Generation(4, 12, {}, memory([[3, 0], [0, 0]], [[0, 0], [0, 0]], [True, True])),
    ]
    table = prediction_errors(history)
    assert table["generation"].tolist() == [2, 3]
    assert table["clusters"].tolist() == [1, 2]
    # the first cluster was predicted at (3, 4), was at (0, 0) and came to (3, 0); the second has no members
    assert table["error"].tolist() == [4.0, 1.5]
    assert table["persistence"].tolist() == [3.0, 0.0]
    assert table["skill"][0] == pytest.approx(-1 / 3)
    assert np.isnan(table["skill"][1])


def linear_history(centroids):
    """The history of linear predictions of given centroids, one array per generation."""
    history = History()
    occupied = np.ones(len(centroids[0]), dtype=bool)
    for number in range(1, len(centroids)):
        predictions = 2 * centroids[number] - centroids[number - 1]
        history.generations.append(Generation(number, 0, {}, memory(centroids[number], predictions, occupied)))
    return history


def test_prediction_errors_skill_of_jitter_is_one_minus_root_three():
    rng = np.random.default_rng(1)
    table = prediction_errors(linear_history(rng.normal(size=(50, 200, 2))))
    assert table["skill"].mean() == pytest.approx(1 - np.sqrt(3), abs=0.02)


def test_prediction_errors_skill_of_constant_velocity_is_one():
    start, velocity = np.random.default_rng(1).normal(size=(2, 5, 2))
    table = prediction_errors(linear_history([start + number * velocity for number in range(6)]))
    assert table["skill"].tolist() == pytest.approx([1.0] * 4)


def test_score_correlations_of_a_hand_computed_example():
    behaviours = np.array([[0.0], [1.0], [3.0], [7.0]])
    table = score_correlations(
        behaviours, [0, 0, 0, 0], Novelty(neighbours=3), Objective(), fitness=np.array([3.0, 4.0, 2.0, 1.0])
    )
    # mean distances to the others: 11/3, 3, 3, 17/3; ranks 3, 1.5, 1.5, 4 against 3, 4, 2, 1
    assert table["correlation"].tolist() == pytest.approx([-0.632455532])


def test_score_correlations_of_a_constant_score_is_nan():
    table = score_correlations(np.array([[0.0], [1.0]]), [0, 0], Novelty(), Objective())
    assert table["correlation"].isna().all()


def test_selection_intensity_of_a_hand_computed_example():
    scores = np.array([1.0, 2.0, 3.0, np.nan, 5.0, 1.0])
    parents = np.array([[-1, -1], [-1, -1], [-1, -1], [0, 0], [0, 1], [4, -1]])
    table = selection_intensity(scores, parents, [0, 0, 0, 1, 1, 2])
    # children: 3 (twice of one child), 1, 0; then of the only scored individual 1; then 0
    assert table["individuals"].tolist() == [3, 1, 1]
    assert table["children"].tolist() == pytest.approx([4 / 3, 1.0, 0.0])
    assert table["correlation"][0] == pytest.approx(-1.0)
    assert table["correlation"][1:].isna().all()


def test_growth_rate_is_the_slope_per_thousand_evaluations():
    assert growth_rate(np.array([13, 13, 14, 14])) == pytest.approx(400.0)  # slope 2 / 5
    assert np.isnan(growth_rate(np.array([13])))


def test_dynamics_of_a_replayed_run_are_consistent():
    record = run(Settings(maze="medium", search="surprise", population=30, generations=6, clusters=10, seed=1))
    history = replay(record)
    numbers = generation_numbers(history)
    assert np.bincount(numbers).sum() == len(history) == record.evaluations
    left, top, right, bottom = record.maze.bounds
    counts = count_cells(history.behaviours, numbers, ((left, top), (right, bottom)), 10)
    assert counts.sum(axis=1).tolist() == np.bincount(numbers).tolist()
    table = prediction_errors(history)
    assert (table["error"] > 0).all()
    assert table["generation"].tolist() == [2, 3, 4]
    intensity = selection_intensity(history.scores, history.parents, numbers)
    assert len(intensity) == 6
    correlations = score_correlations(
        history.behaviours, numbers, Novelty(archiving="none"), Surprise(clusters=10, rng=np.random.default_rng(1))
    )
    assert correlations["correlation"].between(-1, 1).all()

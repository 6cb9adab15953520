import numpy as np
import pytest

from divergent import Settings, run
from divergent.explorer._batch import CELLS, RunSummary, batch_data, overview, summary_of_record


@pytest.fixture(scope="module")
def records():
    searches = ("novelty", "novelty", "random")
    return [
        run(Settings(maze="medium", search=search, population=20, generations=4, seed=seed))
        for seed, search in enumerate(searches)
    ]


def summary(group="a", *, solved, evaluations, points=((1.0, 1.0), (9.0, 9.0))):
    return RunSummary(
        group=group,
        search="novelty",
        seed=0,
        solved=solved,
        evaluations=evaluations,
        budget=100,
        population=1,
        points=np.array(points),
        qualities=np.zeros(len(points)),
        curve=np.array([[evaluations, 0.0]]),
        trail=np.empty((0, 2)),
        stones=np.empty((0, 2)),
    )


DIMENSIONS = [{"name": "x", "low": 0.0, "high": 10.0}, {"name": "y", "low": 0.0, "high": 10.0}]


def test_overview_of_two_runs_has_their_survival_curve():
    runs = [summary(solved=True, evaluations=30), summary(solved=False, evaluations=100)]
    (group,) = overview(runs, "two", DIMENSIONS, measure="fitness", smaller=False).description["batch"]["groups"]
    assert group["survival"]["evaluations"] == [0, 30, 100]
    assert group["survival"]["fraction"] == [0.0, 0.5, 0.5]
    assert all(low <= 0.5 <= high for low, high in [(group["survival"]["low"][1], group["survival"]["high"][1])])


def test_overview_of_a_long_run_thins_its_points_and_keeps_the_last(records):
    data = batch_data(records)
    batch = data.description["batch"]
    assert [entry["stride"] for entry in batch["runs"]] == [1, 1, 1]
    many = summary(solved=True, evaluations=5000, points=np.random.default_rng(1).uniform(0, 10, (5000, 2)))
    batch = overview([many], "long", DIMENSIONS, measure="fitness", smaller=False).description["batch"]
    assert batch["runs"][0]["stride"] == 4
    assert batch["arrays"]["pointX"]["length"] == 1251


def test_overview_of_records_counts_visits_of_cells(records):
    data = batch_data(records)
    batch = data.description["batch"]
    assert max(batch["shape"]) == CELLS
    assert batch["arrays"]["visits"]["length"] == 3 * batch["shape"][0] * batch["shape"][1]
    assert [group["name"] for group in batch["groups"]] == ["novelty", "random"]
    assert data.title == "3 runs in the medium maze"


def test_summary_of_a_solved_record_has_the_lineage_of_its_solution():
    record = run(Settings(maze="medium", search="novelty", seed=2, generations=100))
    assert record.solved
    stones = summary_of_record(record, repeated=True).stones
    assert stones[-1] == pytest.approx(record.positions[-1], abs=1e-3)
    assert len(stones) > 1
    assert len(summary_of_record(record).stones) == 0


def test_batch_data_without_records_raises():
    with pytest.raises(ValueError, match="number of records must be from 1 to 2,000, got 0"):
        batch_data([])


def test_batch_data_with_repeats_has_one_bundle_for_each_run(records):
    data = batch_data(records, repeated=True)
    tables = [run["detail"] for run in data.description["batch"]["runs"]]
    assert len(data.arrays) == 1 + len(records)
    assert [table["species"]["length"] for table in tables] == [record.evaluations for record in records]
    assert tables[0]["archive0"]["length"] > 0
    assert batch_data(records).description["batch"]["runs"][0]["detail"] is None

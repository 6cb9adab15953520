import numpy as np
import pytest

from divergent.replicate import _perfect_replication as perfect_replication
from divergent.replicate import paper
from divergent.replicate._claims import DEFAULT, PRIMARY, compare, expected_replications
from divergent.replicate._paper_comparison import expected_agreements


def test_simulated_perfect_replication_has_all_planned_runs_and_the_papers_means():
    runs = perfect_replication.simulate(np.random.default_rng(0))
    assert compare(runs, PRIMARY)["p"].notna().all()
    means = runs[DEFAULT].query("maze == 'very_hard'").groupby("search")["evaluations"].mean()
    assert means["surprise"] == pytest.approx(76_261, rel=0.2)
    assert means["novelty"] == pytest.approx(115_600, rel=0.2)


@pytest.mark.slow
def test_expected_numbers_come_from_the_simulation():
    simulated = perfect_replication.fractions(15)["replicated"].sum()
    assert simulated == pytest.approx(expected_replications().sum(), abs=2)


def test_expected_has_every_primary_claim():
    expected = expected_replications()
    assert expected.between(0, 1).all()
    assert expected.index.tolist() == [each.id for each in PRIMARY]


def test_agreements_have_the_fourteen_comparisons_with_numbers_in_the_paper():
    table = perfect_replication.agreements(2).set_index(["measure", "maze", "search"])["agrees"]
    cells = [(maze, search) for maze in paper.PUBLISHED for search in paper.MEASURED]
    solved = [("solved", *cell) for cell in cells if paper.SOLVED[cell].among]
    assert table.index.tolist() == [*solved, *(("evaluations", *cell) for cell in cells)]
    assert len(table) == 14
    assert set(table) <= {0, 0.5, 1}
    # 100 of 100 runs are solved in every simulation, as in the paper
    assert table["solved", "medium", "surprise"] == 1
    # with 71 of 100 runs in the paper, the interval of the difference is wider than the margin
    assert table["solved", "medium", "objective"] == 0


def test_expected_agreements_have_a_probability_for_each_comparison():
    expected = expected_agreements()
    assert expected.between(0, 1).all()
    assert expected.index.tolist() == perfect_replication.agreements(1).set_index(expected.index.names).index.tolist()


@pytest.mark.slow
def test_expected_agreements_come_from_the_simulation():
    simulated = perfect_replication.agreements(30, seed=1)["agrees"].sum()
    assert simulated == pytest.approx(expected_agreements().sum(), abs=1)

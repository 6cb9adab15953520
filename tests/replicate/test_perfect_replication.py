import numpy as np
import pytest

from divergent.replicate import _perfect_replication as perfect_replication
from divergent.replicate._claims import DEFAULT, PRIMARY, compare


def test_simulated_perfect_replication_has_all_planned_runs_and_the_papers_means():
    runs = perfect_replication.simulate(np.random.default_rng(0))
    assert compare(runs, PRIMARY)["p"].notna().all()
    means = runs[DEFAULT].query("maze == 'very_hard'").groupby("search")["evaluations"].mean()
    assert means["surprise"] == pytest.approx(76_261, rel=0.2)
    assert means["novelty"] == pytest.approx(115_600, rel=0.2)


@pytest.mark.slow
def test_expected_numbers_come_from_the_simulation():
    simulated = perfect_replication.fractions(15)["replicated"].sum()
    assert simulated == pytest.approx(perfect_replication.expected().sum(), abs=2)


def test_expected_has_every_primary_claim():
    expected = perfect_replication.expected()
    assert expected.between(0, 1).all()
    assert expected.index.tolist() == [each.id for each in PRIMARY]

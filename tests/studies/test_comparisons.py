import numpy as np
import pandas as pd
import pytest

from divergent.analysis import log_rank
from divergent.studies._comparisons import compare_steps, summarise_cells
from divergent.studies._design import Step

STEPS = (Step("a", "b", "?"), Step("a", "c", "?"))


def runs_of(cell, evaluations, budget=1000):
    return pd.DataFrame(
        {
            "cell": cell,
            "maze": "hard",
            "seed": np.arange(3000, 3000 + len(evaluations)),
            "solved": [number < budget for number in evaluations],
            "evaluations": evaluations,
            "population": 10,
            "generations": budget // 10,
        }
    )


A = runs_of("a", [100, 110, 120, 130, 140, 150])
B = runs_of("b", [700, 710, 720, 730, 740, 1000])
C = runs_of("c", [101, 111, 121, 131, 139, 149])


def test_compare_steps_judges_by_corrected_p_and_margin():
    table = compare_steps(STEPS, pd.concat([A, B, C]), planned=6)
    assert table["outcome"].tolist() == ["slower", "equivalent"]
    assert table["solved_after"].tolist() == [5, 6]
    assert table["difference"].tolist() == pytest.approx([4600 / 6 - 125, 752 / 6 - 125])
    assert table["first_half"].tolist() == pytest.approx([710 - 110, 111 - 110])
    assert table["second_half"].tolist() == pytest.approx([2470 / 3 - 140, 419 / 3 - 140])
    p = [log_rank(A, B), log_rank(A, C)]
    assert table["p"].tolist() == p
    assert table["p_corrected"].tolist() == pytest.approx([2 * p[0], p[1]])


def test_compare_steps_reversed_step_is_faster():
    (row,) = compare_steps([Step("b", "a", "?")], pd.concat([A, B]), planned=6).itertuples()
    assert row.outcome == "faster"


def test_compare_steps_wide_interval_is_inconclusive():
    wide = runs_of("d", [10, 990, 20, 980, 125, 125])
    (row,) = compare_steps([Step("a", "d", "?")], pd.concat([A, wide]), planned=6).itertuples()
    assert row.outcome == "inconclusive"


def test_compare_steps_with_a_missing_run_is_pending():
    table = compare_steps(STEPS, pd.concat([A, B, C[:5]]), planned=6)
    assert table["outcome"].tolist() == ["pending", "pending"]
    assert table["p"].notna().tolist() == [True, False]
    assert table["p_corrected"].isna().all()


def test_compare_steps_without_runs_is_pending():
    table = compare_steps(STEPS, pd.concat([A, C]), planned=6)
    assert table["runs_after"].tolist() == [0, 6]
    assert table["outcome"].tolist() == ["pending", "pending"]


def test_compare_steps_uses_the_first_seeds_of_a_larger_cell():
    more = pd.concat([C, runs_of("c", [1000]).assign(seed=3006)])
    table = compare_steps(STEPS, pd.concat([A, B, more]), planned=6)
    assert table["evaluations_after"][1] == pytest.approx(752 / 6)


def test_summarise_cells_keeps_the_order_of_the_design():
    table = summarise_cells(pd.concat([A, B]), ["b", "x", "a"], planned=7)
    assert table["cell"].tolist() == ["b", "a"]
    assert table["solved"].tolist() == [5, 6]
    assert not table["complete"].any()
    assert summarise_cells(A, ["x"], planned=1).empty

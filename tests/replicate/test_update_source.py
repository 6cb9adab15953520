import math

import pandas as pd
import pytest
from sample_tables import results_of, runs_of

from divergent.replicate._replication import Replication
from divergent.replicate._update_source import OFFSPRING, POPULATION, SEEDS, decide, growth, growth_table


def runs(*ends):
    return runs_of("surprise", ends * (100 // len(ends)), budget=75_000, connections=33).assign(seed=list(SEEDS))


def test_decide_population_significantly_faster_changes_the_default():
    decision = decide(runs(29_000, 31_000), runs(19_000, 21_000))
    assert decision.default == POPULATION
    assert decision.p < 0.001


def test_decide_population_significantly_slower_keeps_the_default():
    assert decide(runs(19_000, 21_000), runs(29_000, 31_000)).default == OFFSPRING


def test_decide_without_a_significant_difference_keeps_the_default():
    decision = decide(runs(*range(200, 60_200, 600)), runs(*range(100, 60_100, 600)))
    assert decision.default == OFFSPRING
    assert decision.p > 0.05


def test_decide_reports_growth_next_to_the_papers():
    table = decide(runs(20_000), runs(None, 10_000)).table.set_index("setting")
    assert table["solved"].tolist() == [100, 50, 99]
    assert table["growth"].tolist() == pytest.approx([1.0, 2.0, 1.707], abs=0.001)


def test_decide_missing_run_is_an_error():
    with pytest.raises(ValueError, match=r"population must have one run for each seed \(2000 to 2099\), got 99 runs"):
        decide(runs(20_000), runs(10_000).iloc[1:])


def test_growth_counts_solutions_only():
    assert growth(runs_of("surprise", [10_000, None], budget=75_000, connections=[23, 99])) == 1.0


def test_growth_without_solutions_is_nan():
    assert math.isnan(growth(runs_of("surprise", [None], connections=99)))


def test_growth_table_separates_mazes_and_kinds_of_runs():
    sample = results_of("authored", 1, mazes=["hard"])
    hard, novelty = (runs_of(search, [10_000], connections=23) for search in ("surprise", "novelty"))
    medium = runs_of("surprise", [10_000], maze="medium", connections=43)
    experiments = {
        "authored": sample._replace(runs=pd.concat([medium, hard, novelty.assign(connections=93)])),
        "lehman2008": sample._replace(runs=hard),
    }
    table = growth_table(Replication(experiments)).set_index("maze")
    assert table.index.tolist() == ["medium", "hard", "very_hard", "extremely_hard"]
    assert table["paper"].round(2).tolist() == [1.29, 1.71, 1.19, 1.35]
    assert table["exploratory"].tolist()[:2] == [3.0, 1.0]
    assert table["confirmatory"].isna().tolist() == [True, False, True, True]
    assert table.loc["hard", "confirmatory"] == 1.0

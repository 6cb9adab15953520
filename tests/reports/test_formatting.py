import math

import pandas as pd

from divergent.reports import _formatting as formatting


def test_formatting_of_nan_is_empty():
    assert (
        formatting.number(math.nan, ".2f") == formatting.p(math.nan) == formatting.mean(math.nan, math.nan, ".1f") == ""
    )
    assert formatting.intervals(pd.DataFrame({"low": [math.nan, 0.25], "high": [math.nan, 0.5]}), ".0%") == [
        "",
        "25% to 50%",
    ]


def test_names_returns_labels_and_runs():
    table = pd.DataFrame({"maze": ["very_hard"], "search": ["nslc"], "runs": [30]})
    assert {name: list(column) for name, column in formatting.names(table).items()} == {
        "maze": ["Very hard"],
        "search": ["NSLC"],
        "runs": [30],
    }


def test_tests_returns_columns_as_text():
    row = {"first": "nslc", "second": "nsslc", "runs_first": 30, "runs_second": 29, "effect": 0.5, "p": 0.0001}
    columns = formatting.tests(pd.DataFrame([row | {"p_corrected": 0.03}]))
    assert [column[0] for column in columns.values()] == ["NSLC, NSSLC", "30, 29", "+0.50", "< 0.001", "0.030"]
    paired = {"difference": 1500.2, "difference_low": -20.0, "difference_high": 3000.0, "p_paired_corrected": 0.3}
    over = formatting.tests_over_mazes(pd.DataFrame([row | {"mazes": 4, "p_log_rank_corrected": 0.4} | paired]))
    assert over["pairs of runs"] == ["NSSLC is faster in 75 % of all pairs of runs"]
    assert over["log-rank p, corrected"] == ["0.400"]
    assert over["difference in evaluations"] == ["+1,500"]
    assert over["95% interval"] == ["-20 to +3,000"]
    assert over["paired p, corrected"] == ["0.300"]


def test_hours_are_core_hours_where_processor_time_is_recorded():
    runs = pd.DataFrame({"seconds": [3600.0, 1800.0]})
    assert formatting.hours(runs) == "1.5 wall-clock hours"
    assert formatting.hours(runs.assign(cpu_seconds=[1800.0, 900.0])) == "0.8 core hours"
    half = formatting.hours(runs.assign(cpu_seconds=[math.nan, 900.0]))
    assert half == "0.2 core hours, and 1.0 wall-clock hours of 1 run without processor time"


def test_hours_below_a_tenth_of_an_hour_are_minutes():
    runs = pd.DataFrame({"seconds": [200.0, 159.0]})
    assert formatting.hours(runs) == "6.0 wall-clock minutes"
    assert formatting.hours(runs.assign(seconds=[200.0, 160.0])) == "0.1 wall-clock hours"
    assert formatting.hours(runs.assign(cpu_seconds=[60.0, 30.0])) == "1.5 core minutes"

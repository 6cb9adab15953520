"""The committed rows of results are those that the present code gives."""

import json
from pathlib import Path

import pandas as pd
import pytest

from divergent.analysis import SETTINGS
from divergent.replicate._experiments import KEPT
from divergent.replicate._results import DECIMALS, has_results, read_results
from divergent.runs import Settings, run
from divergent.runs._machine import describe_machine
from divergent.runs.options import search_options

COMMITTED = Path(__file__).parents[2] / "results"
EXPERIMENTS = [name for name in KEPT if has_results(COMMITTED / name)]
# the processors and numba on which all rows were compared; elsewhere compiled code may round differently
COMPARED_ON = json.loads((Path(__file__).parents[1] / "data" / "kept_rows.json").read_text())


def shortest():
    """The shortest run of each search in each experiment that has results, with the experiment's name."""
    for name in EXPERIMENTS:
        runs = read_results(COMMITTED / name).runs
        for _, group in runs.groupby("search", sort=False):
            yield name, group.loc[group["evaluations"].idxmin()]


def settings_of(row):
    """The settings of a row: its columns of settings, and among them the options of its search."""
    known = {name: row[name] for name in SETTINGS if pd.notna(row[name])}
    options = {name: known.pop(name) for name in search_options(row["search"]) if name in known}
    return Settings(maze=row["maze"], search=row["search"], seed=row["seed"], options=options, **known)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_committed_rows_have_a_commit(name):
    assert read_results(COMMITTED / name).runs["commit"].notna().all()


def test_shortest_runs_are_at_least_twenty_of_all_experiments():
    rows = list(shortest())
    assert len(rows) >= 20
    assert {name for name, _ in rows} == set(EXPERIMENTS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "row"), [pytest.param(name, row, id=f"{name}-{row['search']}") for name, row in shortest()]
)
def test_committed_row_run_again_gives_the_same_result(name, row):
    machine = describe_machine()
    here = {key: machine[key] for key in ("cpu", "cpu_features_hash")}
    here["numba"] = machine["numba"].rsplit(".", 1)[0]
    if here not in COMPARED_ON:
        pytest.skip(f"rows were compared on {COMPARED_ON}, this is {here}: last bits of compiled code may differ")
    record = run(settings_of(row))
    best_fitness = round(record.best_fitness, DECIMALS["best_fitness"])
    assert (record.solved, record.evaluations, best_fitness) == (row["solved"], row["evaluations"], row["best_fitness"])

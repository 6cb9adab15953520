from pathlib import Path

import pytest

from divergent.replicate._results import _commands
from divergent.studies._describe import RUN_TABLE
from divergent.studies._design import FIRST_SEED, PREDICTORS, REFERENCE_SETS, RUNGS, blocks
from divergent.studies._results import read_cell, read_table

RESULTS = Path(__file__).parents[2] / "results" / "studies"
MOST_BYTES = 8_000_000
PLANNED = {(cell.folder, maze): runs for selections in blocks().values() for cell, maze, runs in selections}
COMMITTED = [
    cell
    for cell in [*RUNGS.values(), *PREDICTORS.values(), *REFERENCE_SETS.values()]
    if (RESULTS / cell.folder).is_dir()
]


def test_committed_cells_are_of_the_design():
    folders = {path.parent.relative_to(RESULTS).as_posix() for path in RESULTS.glob("*/*/runs.csv")}
    assert folders == {cell.folder for cell in COMMITTED} != set()


@pytest.mark.parametrize("cell", COMMITTED, ids=lambda cell: cell.folder)
def test_committed_runs_have_the_settings_and_seeds_of_the_design(cell):
    kept = read_cell(cell, RESULTS)
    commands = ""
    for maze, runs in kept.runs.groupby("maze", sort=False):
        planned = PLANNED[cell.folder, maze]
        assert set(runs["seed"]) <= set(range(FIRST_SEED, FIRST_SEED + planned))
        commands += "".join(_commands(cell.part(maze, planned), runs["seed"].tolist()))
    assert kept.commands == commands
    assert kept.runs["commit"].notna().all()


def test_committed_results_are_small():
    assert sum(path.stat().st_size for path in RESULTS.rglob("*") if path.is_file()) < MOST_BYTES


@pytest.mark.parametrize(("search", "rung"), [("surprise", "linear"), ("novelty", "archive")])
def test_described_runs_are_those_of_the_ladder(search, rung):
    described = read_table(RESULTS / RUN_TABLE)
    kept = read_cell(RUNGS[rung], RESULTS)
    if described.empty or kept is None:
        pytest.skip("one of the two is not committed yet")
    runs = kept.runs[kept.runs["maze"] == "hard"].set_index("seed")
    described = described[described["search"] == search].set_index("seed")
    assert len(described)
    for name in ("solved", "evaluations"):
        assert described[name].tolist() == runs[name].reindex(described.index).tolist()

import numpy as np
import pandas as pd
import pytest

from divergent import Settings, run
from divergent.studies import _describe
from divergent.studies._describe import describe, describe_run
from divergent.studies._figures import draw_figures
from divergent.studies._pages import read_studies, render
from divergent.studies._results import read_table

SMALL = {"maze": "hard", "population": 40, "generations": 6, "seed": 2}


@pytest.fixture
def few_mutants(monkeypatch):
    monkeypatch.setattr(_describe, "INDIVIDUALS", 3)


def test_describe_run_does_not_change_the_run(few_mutants):
    settings = Settings(search="surprise", clusters=20, **SMALL)
    description = describe_run(settings, checkpoints=(1, 3))
    record = run(settings)
    assert description.run["evaluations"] == record.evaluations
    assert description.generations["size"].iloc[-1] == pytest.approx(_mean_size(settings))
    assert description.mutants["generation"].tolist() == [1] * 3 + [3] * 3
    assert (description.mutants["new_cells"] <= description.mutants["cells"]).all()
    # predictions exist from generation 2 on, and the last one has no successor
    assert description.generations["error"].notna().tolist() == [False, False, True, True, True, False]


def _mean_size(settings):
    """The mean number of connections of the last generation's offspring, from a replay without measurements."""
    from divergent.runs import replay

    return replay(run(settings)).sizes[-40:].mean()


def test_describe_adds_missing_runs_only(few_mutants, tmp_path, monkeypatch):
    monkeypatch.setattr(_describe, "CHECKPOINTS", (1,))
    assert len(list(describe(("random",), 1, tmp_path, generations=3))) == 1
    before = read_table(tmp_path / "dynamics.csv")
    assert len(list(describe(("random", "objective"), 1, tmp_path, generations=3))) == 1
    table = read_table(tmp_path / "dynamics.csv")
    assert table["search"].tolist() == ["random", "objective"]
    pd.testing.assert_frame_equal(table[:1], before)
    generations = read_table(tmp_path / "dynamics_by_generation.csv")
    assert generations.groupby("search")["generation"].max().tolist() == [2, 2]
    occupied = generations.groupby("search", sort=False)["occupied"].mean()
    assert np.allclose(occupied, table["occupied"], atol=1e-4)
    studies = read_studies(tmp_path)
    figures = tmp_path / "figures"
    figures.mkdir()
    assert [path.name for path in draw_figures(studies, figures)] == ["studies_dynamics.png"]
    text = render("<!-- studies: ladder_results -->\n<!-- end of studies -->", studies)
    assert "2 of 100 planned runs" in text
    assert "| revisited cells |" in text

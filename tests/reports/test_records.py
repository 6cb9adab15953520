"""The report of records of any problem."""

import re

import pandas as pd
import pytest
from sample_problems import TREE, WALK

from divergent import report, run_many
from divergent.cli import main
from divergent.runs import Settings, run


def test_report_of_a_problem_has_its_tables_figures_and_commands(tmp_path):
    table = run_many(WALK, ("objective", "novelty"), runs=3, out=tmp_path, progress=False)
    page = report(tmp_path / "walk")
    assert page == tmp_path / "walk" / "report" / "report.html"
    text = page.read_text()
    for heading in ("Overview", "walk: success", "walk: fitness", "walk: coverage", "walk: behaviours", "Commands"):
        assert f"<h2>{heading}</h2>" in text
    assert "divergent.run_many(&#x27;walk&#x27;" in text
    assert not re.search(r"(src|href)=\"(?!data:|#)", text)
    rates = pd.read_csv(page.parent / "tables" / "walk_success.csv")
    solved = table.groupby("search")["solved"].sum()
    assert dict(zip(rates["search"], rates["solved"], strict=True)) == solved.to_dict()
    compared = pd.read_csv(page.parent / "tables" / "walk_comparisons.csv")
    assert compared[["first", "second", "runs_first", "runs_second"]].values.tolist() == [
        ["objective", "novelty", 3, 3]
    ]
    assert "pairs of runs" in text
    for name in ("walk_survival", "walk_efficiency", "walk_behaviours"):
        assert (page.parent / "figures" / f"{name}.svg").is_file()


def test_report_of_several_problems_and_mazes_has_a_section_for_each(tmp_path):
    run(Settings(maze="medium", search="random", population=10, generations=2), out=tmp_path)
    run(TREE, out=tmp_path, search="novelty", generations=3)
    run(WALK, out=tmp_path, search="novelty", generations=3)
    text = report(tmp_path, tmp_path / "page").read_text()
    for heading in ("medium: success", "medium: behaviours", "tree: fitness", "walk: coverage"):
        assert f"<h2>{heading}</h2>" in text
    assert "tree: success" not in text
    assert (tmp_path / "page" / "tables" / "runs.csv").is_file()


def test_report_of_a_folder_without_records_raises(tmp_path, capsys):
    with pytest.raises(ValueError, match="must contain records, got none"):
        report(tmp_path)
    assert main(["report", str(tmp_path / "absent")]) == 2
    assert "must be an existing folder of records" in capsys.readouterr().err

from pathlib import Path

import pytest

from divergent.replicate import _deceptive as deceptive
from divergent.replicate.__main__ import main
from divergent.replicate._deceptive import Candidate, find_deceptive, read_list, write_list
from divergent.replicate._results import Part, collect, read_results, write_results
from divergent.runs import run
from divergent.runs.settings import Settings

COMMITTED = Path(__file__).parents[2] / "results" / "generated"


def test_find_deceptive_tries_mazes_in_order_until_twenty_are_deceptive():
    candidates = find_deceptive(lambda maze: int(maze.removeprefix("generated:")) % 5)
    assert [candidate.maze for candidate in candidates] == [f"generated:{seed}" for seed in range(47)]
    chosen = [candidate.maze for candidate in candidates if candidate.deceptive]
    assert chosen[:4] == [f"generated:{seed}" for seed in (0, 1, 5, 6)]
    assert len(chosen) == 20


def test_find_deceptive_without_deceptive_mazes_raises():
    with pytest.raises(
        ValueError, match="at least 20 of the first 1,000 generated mazes must be deceptive, got 0 deceptive mazes"
    ):
        find_deceptive(lambda maze: 4)


def test_read_list_returns_the_written_list_with_its_command(tmp_path):
    candidates = [Candidate("generated:0", 4), Candidate("generated:1", 0)]
    write_list(candidates, tmp_path / "list.csv")
    assert read_list(tmp_path / "list.csv") == candidates
    assert "python -m divergent.replicate deceptive" in (tmp_path / "list.csv").read_text()


def test_read_list_without_a_file_is_empty(tmp_path):
    assert read_list(tmp_path / "list.csv") == []


@pytest.mark.slow
def test_deceptive_command_uses_results_and_runs_the_missing(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(deceptive, "DECEPTIVE_MAZES", 2)
    small = {"population": 20, "generations": 2}
    for seed in range(4):
        run(Settings(maze="generated:0", search="objective", seed=seed, **small), out=tmp_path)
    results = collect([Part("", Settings(maze="generated:0", search="objective", **small))], tmp_path)
    results.runs["solved"] = False
    results.runs["evaluations"] = 40
    write_results(results, tmp_path / "results" / "generated")
    command = ["deceptive", "--results", str(tmp_path / "results"), "--out", str(tmp_path / "records")]
    monkeypatch.setattr("divergent.replicate.__main__.Settings", lambda **settings: Settings(**settings | small))
    assert main([*command, "--list", str(tmp_path / "list.csv")]) == 0
    candidates = read_list(tmp_path / "list.csv")
    assert candidates[0] == ("generated:0", 0)
    assert sum(candidate.deceptive for candidate in candidates) == 2
    made = sorted(path.name for path in (tmp_path / "records").iterdir() if path.is_dir())
    assert made == [f"generated-{seed}-objective" for seed in range(1, len(candidates))]
    assert f"2 of the first {len(candidates)} generated mazes" in capsys.readouterr().out


def test_committed_list_agrees_with_the_committed_results():
    runs = read_results(COMMITTED).runs
    runs = runs[runs["search"].eq("objective") & runs["seed"].isin(deceptive.SEEDS)]
    count = runs.groupby("maze")["solved"].agg(["size", "sum"])
    known = {maze: row["sum"] for maze, row in count.iterrows() if row["size"] == len(deceptive.SEEDS)}
    candidates = read_list()
    assert [maze for maze, solved in candidates if known.get(maze, solved) != solved] == []
    assert [maze for maze, _ in candidates] == [f"generated:{seed}" for seed in range(len(candidates))]
    assert sum(candidate.deceptive for candidate in candidates) == deceptive.DECEPTIVE_MAZES

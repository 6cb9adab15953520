from pathlib import Path

import pytest

from divergent.replicate import deceptive
from divergent.replicate.__main__ import main
from divergent.replicate.deceptive import Looked, look, read_list, write_list
from divergent.replicate.results import Part, collect, read_results, write_results
from divergent.runs import run
from divergent.runs.settings import Settings

COMMITTED = Path(__file__).parents[2] / "results" / "generated"


def test_mazes_are_looked_at_in_order_until_there_are_twenty_that_at_most_one_of_four_runs_solves():
    looked = look(lambda maze: int(maze.removeprefix("generated:")) % 5)
    assert [one.maze for one in looked] == [f"generated:{seed}" for seed in range(47)]
    assert [one.maze for one in looked if one.deceptive][:4] == [f"generated:{seed}" for seed in (0, 1, 5, 6)]
    assert sum(one.deceptive for one in looked) == 20


def test_looking_ends_where_no_maze_is_deceptive():
    with pytest.raises(ValueError, match="there must be 20 deceptive mazes among the first 1,000; there are fewer"):
        look(lambda maze: 4)


def test_a_list_is_read_as_it_was_written_and_says_what_made_it(tmp_path):
    looked = [Looked("generated:0", 4), Looked("generated:1", 0)]
    write_list(looked, tmp_path / "list.csv")
    assert read_list(tmp_path / "list.csv") == looked
    assert "python -m divergent.replicate deceptive" in (tmp_path / "list.csv").read_text()


def test_without_a_list_nobody_has_looked(tmp_path):
    assert read_list(tmp_path / "list.csv") == []


@pytest.mark.slow
def test_the_command_takes_runs_from_results_and_does_the_others(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(deceptive, "MAZES", 2)
    small = {"population": 20, "generations": 2}
    for seed in range(4):
        run(Settings(maze="generated:0", search="objective", seed=seed, **small), out=tmp_path)
    found = collect([Part("", Settings(maze="generated:0", search="objective", **small))], tmp_path)
    found.runs["solved"] = False
    found.runs["evaluations"] = 40
    write_results(found, tmp_path / "results" / "generated")
    command = ["deceptive", "--results", str(tmp_path / "results"), "--out", str(tmp_path / "records")]
    monkeypatch.setattr("divergent.replicate.__main__.Settings", lambda **settings: Settings(**settings | small))
    assert main([*command, "--list", str(tmp_path / "list.csv")]) == 0
    looked = read_list(tmp_path / "list.csv")
    assert looked[0] == ("generated:0", 0)
    assert sum(one.deceptive for one in looked) == 2
    made = sorted(path.name for path in (tmp_path / "records").iterdir() if path.is_dir())
    assert made == [f"generated-{seed}-objective" for seed in range(1, len(looked))]
    assert f"2 of the first {len(looked)} generated mazes" in capsys.readouterr().out


def test_the_kept_list_is_that_of_the_kept_results():
    runs = read_results(COMMITTED).runs
    runs = runs[runs["search"].eq("objective") & runs["seed"].isin(deceptive.SEEDS)]
    count = runs.groupby("maze")["solved"].agg(["size", "sum"])
    known = {maze: row["sum"] for maze, row in count.iterrows() if row["size"] == len(deceptive.SEEDS)}
    assert [one for one in read_list() if known.get(one.maze, one.solved) != one.solved] == []
    assert [one.maze for one in read_list()] == [f"generated:{seed}" for seed in range(len(read_list()))]
    assert sum(one.deceptive for one in read_list()) == deceptive.MAZES

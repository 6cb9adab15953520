import dataclasses
from pathlib import Path

import pandas as pd
import pytest
from made_up import results_of
from made_up_records import ended

from divergent import analysis, run_maze
from divergent.neat import distance
from divergent.replicate.results import Part, collect, read_results, write_results
from divergent.runs import run
from divergent.runs.record import write
from divergent.runs.running import folder_of
from divergent.runs.settings import Settings

COMMITTED = Path(__file__).parents[2] / "results"
TINY = {"population": 20, "generations": 2}


def test_collected_results_are_those_of_the_records_and_survive_writing(tmp_path):
    parts = [Part("", Settings(maze="hard", search=search, **TINY)) for search in ("novelty", "random")]
    records = [run(Settings(maze="hard", search="novelty", seed=seed, **TINY), out=tmp_path) for seed in (0, 1, 3)]
    found = collect(parts, tmp_path)
    assert found.runs["seed"].tolist() == [0, 1, 3]
    assert found.runs["evaluations"].tolist() == [record.evaluations for record in records]
    expected = sum(analysis.visits(record.positions, record.maze.bounds) for record in records)
    assert (found.visits["hard/novelty"] == expected).all()
    assert found.curves.shape == (3, 100)
    assert found.curves[:, -1] == pytest.approx([record.best_fitness for record in records], abs=0.01)
    assert found.commands.splitlines() == [
        f"python -m divergent.run_maze hard --search novelty --runs {seeds} --population 20 --generations 2 --out runs"
        for seeds in ("2", "1 --seed 3")
    ]
    write_results(found, tmp_path / "results")
    again = read_results(tmp_path / "results")
    assert again.runs.to_csv() == found.runs.to_csv()
    assert (again.curves == found.curves).all()
    assert (again.visits["hard/novelty"] == expected).all()


def test_the_typical_run_keeps_its_own_visits(tmp_path):
    record = run(Settings(maze="medium", search="surprise", **TINY))
    for seed, (solved, evaluations) in enumerate([(True, 10), (True, 30), (False, 40)]):
        settings = dataclasses.replace(record.settings, seed=seed)
        one = dataclasses.replace(ended(record, solved=solved, evaluations=evaluations), settings=settings)
        write(one.files(), folder_of(settings, tmp_path))
    found = collect([Part("", Settings(maze="medium", search="surprise", **TINY))], tmp_path)
    assert set(found.visits) == {"medium/surprise", "medium/surprise/1"}  # the closest to the paper's 25,000
    assert found.visits["medium/surprise/1"].sum() == 30


def test_solutions_are_compared_with_those_of_the_other_runs(tmp_path):
    records = [run(Settings(maze="medium", search="surprise", seed=seed, **TINY)) for seed in range(4)]
    for record, solved in zip(records, (True, True, False, True), strict=True):
        write(ended(record, solved=solved).files(), folder_of(record.settings, tmp_path))
    found = collect([Part("", Settings(maze="medium", search="surprise", **TINY))], tmp_path).solutions
    assert found["seed"].tolist() == [0, 1, 3]
    first, second, _, fourth = (record.solution for record in records)
    mean = (distance(first, second) + distance(first, fourth)) / 2
    assert found["compatibility"].iloc[0] == pytest.approx(mean, abs=1e-4)


def test_records_of_other_settings_are_refused_by_name(tmp_path):
    run(Settings(maze="hard", search="random", population=20, generations=3), out=tmp_path)
    with pytest.raises(ValueError, match=r"seed-0000: not a run of this experiment: generations 3 there, 2 now"):
        collect([Part("", Settings(maze="hard", search="random", **TINY))], tmp_path)


def test_results_are_not_replaced_by_fewer_runs(tmp_path):
    found = results_of("authored", 2, mazes=["hard"])
    write_results(found, tmp_path)
    fewer = found._replace(runs=found.runs[found.runs["seed"] == 0], curves=found.curves[::2])
    with pytest.raises(ValueError, match=r"6 of its runs have no record here, such as novelty on hard, .*seed 1"):
        write_results(fewer, tmp_path)
    assert len(read_results(tmp_path).runs) == 12


def test_results_with_a_missing_column_or_file_name_it(tmp_path):
    write_results(results_of("authored", 1, mazes=["hard"]), tmp_path)
    table = pd.read_csv(tmp_path / "runs.csv")
    table.drop(columns="entropy").to_csv(tmp_path / "runs.csv", index=False)
    with pytest.raises(ValueError, match=r"runs.csv: column 'entropy' is missing"):
        read_results(tmp_path)
    table.head(2).to_csv(tmp_path / "runs.csv", index=False)
    with pytest.raises(ValueError, match=r"curves.npz: best_fitness needs 2 rows"):
        read_results(tmp_path)
    (tmp_path / "curves.npz").write_bytes(b"PK")
    with pytest.raises(ValueError, match=r"curves.npz: truncated or damaged"):
        read_results(tmp_path)
    (tmp_path / "visits.npz").unlink()
    with pytest.raises(FileNotFoundError, match=r"visits.npz is missing"):
        read_results(tmp_path)


def test_the_commands_are_ones_that_the_command_line_takes(tmp_path):
    settings = Settings(maze="hard", search="surprise", learn_from="population", archive_size=9, **TINY)
    run(settings, out=tmp_path)
    (command,) = collect([Part("", settings)], tmp_path).commands.splitlines()
    assert "--learn-from population" in command
    assert "--archive-size 9" in command
    assert run_maze.parser().parse_args(command.split()[3:]).learn_from == "population"

import dataclasses
import filecmp
import html.parser
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from divergent import analysis, paper
from divergent.collect import SOLUTION_COLUMNS, Part, Results, collect, read_results, write_results
from divergent.experiment import folder_of, run
from divergent.maze import read_maze
from divergent.neat import distance
from divergent.record import write
from divergent.replicate import EXPERIMENTS, main, settings_of
from divergent.report import report
from divergent.settings import Settings

COMMITTED = Path(__file__).parents[1] / "results"
TINY = {"population": 20, "generations": 2}


def made_up(name, count, mazes=None, seed=0):
    """Results of an experiment as they might be, from a random generator instead of runs."""
    generator = np.random.default_rng(seed)
    rows, curves, visits = [], [], {}
    for _, settings in settings_of(name, mazes=mazes or ()):
        settings = settings.completed()
        height = settings.budget // 250
        for number in range(count):
            solved = bool(generator.random() < 0.2 + 0.6 * (settings.search == "surprise"))
            end = int(generator.integers(250, settings.budget)) if solved else settings.budget
            fitness = 297.0 if solved else 260.0
            rows.append(
                {"maze": settings.maze, "search": settings.search, "seed": number, "solved": solved}
                | {"evaluations": end, "best_fitness": fitness}
                | {"connections": int(generator.integers(20, 50)), "hidden_nodes": int(generator.integers(1, 6))}
                | {"entropy": generator.uniform(0.5, 0.7), "compatibility": generator.uniform(30, 50)}
                | {"disjoint": 25.0 + number, "excess": 5.0 + number, "weight_difference": 1.0 + number / 100}
                | {column: getattr(settings, column) for column in analysis.SETTINGS}
                | {"version": "0"}
            )
            curves.append(np.linspace(200, fitness, 100) + height % 2)
            bounds = read_maze(settings.maze).bounds
            counts = analysis.visits(generator.uniform(bounds[:2], bounds[2:], (50, 2)), bounds)
            visits[f"{settings.maze}/{settings.search}"] = counts
            visits[f"{settings.maze}/{settings.search}/{number}"] = counts
    table = pd.DataFrame(rows, columns=list(analysis.RUN_COLUMNS))
    table = table.astype(dict.fromkeys(("neighbours", "clusters", "history"), "Int64"))
    solutions = table.loc[table["solved"], list(SOLUTION_COLUMNS)].reset_index(drop=True)
    commands = "python -m divergent.run_maze <hard> ...\n"
    return Results(table, np.array(curves, dtype="<f4"), visits, solutions, commands)


def test_authored_runs_have_the_settings_and_folders_of_the_run_maze_command(tmp_path):
    parts = settings_of("authored")
    assert len(parts) == 24
    assert {folder for folder, _ in parts} == {""}
    assert ("", Settings(maze="hard", search="surprise")) in parts
    assert parts[0][1].maze == "hard"


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_no_two_runs_of_an_experiment_share_a_folder(name):
    for quick in (False, True):
        places = [(folder, settings.name) for folder, settings in settings_of(name, quick=quick)]
        assert len(set(places)) == len(places)
        assert all(settings.completed() for _, settings in settings_of(name, quick=quick))


def test_quick_runs_never_mix_with_full_ones():
    for name in EXPERIMENTS:
        assert all(folder.split("/")[0] == "quick" for folder, _ in settings_of(name, quick=True))
        assert not any("quick" in folder for folder, _ in settings_of(name))


def test_sensitivity_tries_the_papers_settings_and_keeps_them_apart():
    novelty = {settings.neighbours for _, settings in settings_of("sensitivity-novelty")}
    assert novelty == {5, 10, 15, 20, 25, 30}
    surprise = {(settings.clusters, settings.neighbours) for _, settings in settings_of("sensitivity-surprise")}
    assert surprise == {(clusters, neighbours) for clusters in range(20, 250, 20) for neighbours in (1, 2)}
    assert settings_of("sensitivity-novelty")[0][0] == "sensitivity-novelty/n5"


def test_the_generated_mazes_are_the_first_sixty_seeds():
    mazes = {settings.maze for _, settings in settings_of("generated")}
    assert mazes == {f"generated:{seed}" for seed in range(60)}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "nothing"], "unknown experiment 'nothing'; choose from authored"),
        (["run", "authored", "--runs", "0"], "runs must be at least 1, got 0"),
        (["run", "authored", "--maze", "easy"], "authored has no maze 'easy'; choose from hard"),
        (["run", "genotypes", "--search", "random"], "genotypes has no search 'random'"),
        (["collect", "authored", "--out", "nowhere"], "nowhere: no finished records of this experiment"),
        (["report", "--results", "nowhere"], "nowhere: no results there"),
    ],
)
def test_a_refusal_is_one_line_and_status_2(arguments, message, capsys):
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"replicate: {message}")
    assert error.count("\n") == 1


def test_the_list_names_every_experiment_with_its_size(capsys):
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(EXPERIMENTS)
    assert lines[1].split()[:2] == ["authored", "2,400"]


def test_listing_starts_in_a_moment():
    command = [sys.executable, "-X", "importtime", "-m", "divergent.replicate", "list"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=os.getcwd())
    imported = {line.rsplit("|", 1)[1].strip() for line in done.stderr.splitlines() if "|" in line}
    assert not imported & {"pandas", "statsmodels", "matplotlib", "sklearn"}


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
        one = dataclasses.replace(
            record, settings=settings, solved=solved, evaluations=evaluations, positions=record.positions[:evaluations]
        )
        write(one.files(), folder_of(settings, tmp_path))
    found = collect([Part("", Settings(maze="medium", search="surprise", **TINY))], tmp_path)
    assert set(found.visits) == {"medium/surprise", "medium/surprise/1"}  # the closest to the paper's 25,000
    assert found.visits["medium/surprise/1"].sum() == 30


def test_solutions_are_compared_with_those_of_the_other_runs(tmp_path):
    records = [run(Settings(maze="medium", search="surprise", seed=seed, **TINY)) for seed in range(4)]
    for record, solved in zip(records, (True, True, False, True), strict=True):
        write(dataclasses.replace(record, solved=solved).files(), folder_of(record.settings, tmp_path))
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
    found = made_up("authored", 2, mazes=["hard"])
    write_results(found, tmp_path)
    fewer = found._replace(runs=found.runs[found.runs["seed"] == 0], curves=found.curves[::2])
    with pytest.raises(ValueError, match=r"6 of its runs have no record here, such as novelty on hard, .*seed 1"):
        write_results(fewer, tmp_path)
    assert len(read_results(tmp_path).runs) == 12


def test_results_with_a_missing_column_or_file_name_it(tmp_path):
    write_results(made_up("authored", 1, mazes=["hard"]), tmp_path)
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


class Reader(html.parser.HTMLParser):
    """Check that every element is closed, and gather text and what the page would load."""

    def __init__(self):
        super().__init__()
        self.open, self.words, self.loads = [], [], []

    def handle_starttag(self, tag, attributes):
        self.loads += [value for name, value in attributes if name in ("src", "href")]
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def made_up_report(tmp_path_factory):
    results = tmp_path_factory.mktemp("results")
    write_results(made_up("authored", 20, mazes=["hard", "very_hard"]), results / "authored")
    write_results(made_up("generated", 3, mazes=[f"generated:{seed}" for seed in range(5)]), results / "generated")
    write_results(made_up("sensitivity-novelty", 2, mazes=["hard"]), results / "sensitivity-novelty")
    report(results, results)
    return results


@pytest.mark.slow
def test_the_report_is_one_page_that_loads_nothing(made_up_report):
    reader = Reader()
    reader.feed((made_up_report / "report.html").read_text())
    assert reader.open == []
    assert all(link.startswith(("data:image/svg+xml;base64,", "#")) for link in reader.loads)
    text = "".join(reader.words)
    for words in ("61 or 62", "Hard", "no verdict", "20 runs", "compared by order", "<hard>"):
        assert words in text


@pytest.mark.slow
def test_the_report_has_every_table_and_figure_as_a_file(made_up_report):
    tables = {path.stem for path in (made_up_report / "tables").iterdir()}
    assert tables == {
        "summary", "solved", "evaluations", "best_fitness", "comparisons", "order", "entropy", "entropy_tests",
        "genotypes", "solutions", "genotype_tests", "rankings", "regression", "generated_evaluations", "sensitivity",
        "sensitivity_best",
    }  # fmt: skip
    figures = {path.name for path in (made_up_report / "figures").iterdir()}
    for name in ("efficiency", "robustness", "heatmaps", "generated_mazes", "generated_robustness", "regression",
                 "sensitivity_novelty"):  # fmt: skip
        assert {f"{name}.png", f"{name}.svg"} <= figures


@pytest.mark.slow
def test_ours_stand_beside_the_papers_with_a_verdict(made_up_report):
    solved = pd.read_csv(made_up_report / "tables" / "solved.csv").set_index(["maze", "search"])
    row = solved.loc[("hard", "surprise")]
    expected = analysis.agreement_of_counts(row["solved"], 20, paper.SOLVED["hard", "surprise"])
    assert (row["runs"], row["paper"], row["verdict"]) == (20, "99", str(expected))
    assert solved.loc[("very_hard", "surprise"), "verdict"] == "compared by order"
    rankings = pd.read_csv(made_up_report / "tables" / "rankings.csv")
    assert set(rankings["verdict"]) == {"no verdict (3 runs)"}


@pytest.mark.slow
def test_the_same_results_give_the_same_files(made_up_report, tmp_path):
    report(made_up_report, tmp_path)
    for kind in ("tables", "figures"):
        names = sorted(path.name for path in (made_up_report / kind).iterdir())
        assert filecmp.cmpfiles(made_up_report / kind, tmp_path / kind, names, shallow=False)[0] == names
    assert filecmp.cmp(made_up_report / "report.html", tmp_path / "report.html", shallow=False)


@pytest.mark.slow
def test_runs_of_another_budget_get_no_verdict(tmp_path):
    found = made_up("authored", 20, mazes=["hard"])
    runs = found.runs.assign(generations=100, evaluations=20_000, solved=False)
    write_results(found._replace(runs=runs), tmp_path / "authored")
    report(tmp_path, tmp_path)
    verdicts = pd.read_csv(tmp_path / "tables" / "evaluations.csv")["verdict"].dropna()
    assert set(verdicts) == {"no verdict, another budget"}


@pytest.mark.slow
def test_a_quick_experiment_runs_resumes_and_is_reported(tmp_path, capsys):
    command = ["run", "authored", "--quick", "--runs", "1", "--maze", "hard", "--search", "surprise"]
    command += ["--search", "random", "--out", str(tmp_path)]
    assert main(command) == 0
    first = read_results(tmp_path / "quick" / "results" / "authored").runs
    began = time.process_time()
    assert main(command) == 0
    assert time.process_time() - began < 2  # nothing is run again
    assert first.equals(read_results(tmp_path / "quick" / "results" / "authored").runs)
    assert sorted(first["search"]) == ["random", "surprise"]
    assert main(["report", "--results", str(tmp_path / "quick" / "results"), "--out", str(tmp_path / "report")]) == 0
    assert "report.html" in capsys.readouterr().out
    assert (tmp_path / "report" / "report.html").stat().st_size > 10_000


@pytest.mark.slow
def test_the_committed_tables_come_from_the_committed_results(tmp_path):
    began = time.process_time()
    report(COMMITTED, tmp_path)
    assert time.process_time() - began < 60
    names = sorted(path.name for path in (tmp_path / "tables").iterdir())
    assert names == sorted(path.name for path in (COMMITTED / "tables").iterdir())
    assert filecmp.cmpfiles(COMMITTED / "tables", tmp_path / "tables", names, shallow=False)[0] == names

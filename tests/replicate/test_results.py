import dataclasses
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sample_records import ended
from sample_tables import results_of

from divergent import analysis, run_maze
from divergent.neat import distance
from divergent.replicate._results import Part, collect, known_seeds, read_results, write_results
from divergent.runs import run
from divergent.runs.execution import record_folder
from divergent.runs.record import write
from divergent.runs.settings import Settings

COMMITTED = Path(__file__).parents[2] / "results"
TINY = {"population": 20, "generations": 2}


def test_collect_returns_the_records_and_results_are_read_again(tmp_path):
    parts = [Part("", Settings(maze="hard", search=search, **TINY)) for search in ("novelty", "random")]
    records = [run(Settings(maze="hard", search="novelty", seed=seed, **TINY), out=tmp_path) for seed in (0, 1, 3)]
    results = collect(parts, tmp_path)
    assert results.runs["seed"].tolist() == [0, 1, 3]
    assert results.runs["evaluations"].tolist() == [record.evaluations for record in records]
    expected = sum(analysis.visits(record.positions, record.maze.bounds) for record in records)
    assert (results.visits["hard/novelty"] == expected).all()
    assert results.curves.shape == (3, 100)
    assert results.curves[:, -1] == pytest.approx([record.best_fitness for record in records], abs=0.01)
    assert results.commands.splitlines() == [
        f"python -m divergent.run_maze hard --search novelty --runs {seeds} --population 20 --generations 2 --out runs"
        for seeds in ("2", "1 --seed 3")
    ]
    write_results(results, tmp_path / "results")
    again = read_results(tmp_path / "results")
    assert again.runs.to_csv() == results.runs.to_csv()
    assert (again.curves == results.curves).all()
    assert (again.visits["hard/novelty"] == expected).all()


def test_collect_keeps_the_visits_of_the_typical_run(tmp_path):
    record = run(Settings(maze="medium", search="surprise", **TINY))
    for seed, (solved, evaluations) in enumerate([(True, 10), (True, 30), (False, 40)]):
        settings = dataclasses.replace(record.settings, seed=seed)
        changed = dataclasses.replace(ended(record, solved=solved, evaluations=evaluations), settings=settings)
        write(changed.files(), record_folder(settings, tmp_path))
    results = collect([Part("", Settings(maze="medium", search="surprise", **TINY))], tmp_path)
    assert set(results.visits) == {"medium/surprise", "medium/surprise/1"}  # the closest to the paper's 25,000
    assert results.visits["medium/surprise/1"].sum() == 30


def test_collect_compares_solutions_of_different_runs(tmp_path):
    records = [run(Settings(maze="medium", search="surprise", seed=seed, **TINY)) for seed in range(4)]
    for record, solved in zip(records, (True, True, False, True), strict=True):
        write(ended(record, solved=solved).files(), record_folder(record.settings, tmp_path))
    results = collect([Part("", Settings(maze="medium", search="surprise", **TINY))], tmp_path).solutions
    assert results["seed"].tolist() == [0, 1, 3]
    first, second, _, fourth = (record.solution for record in records)
    mean = (distance(first, second) + distance(first, fourth)) / 2
    assert results["compatibility"].iloc[0] == pytest.approx(mean, abs=1e-4)


def test_collect_with_records_of_other_settings_raises(tmp_path):
    run(Settings(maze="hard", search="random", population=20, generations=3), out=tmp_path)
    with pytest.raises(
        ValueError,
        match=r"seed-0000: run record must have the settings of this experiment, got .*generations 3 instead of 2",
    ):
        collect([Part("", Settings(maze="hard", search="random", **TINY))], tmp_path)


def part_of(search, **settings):
    return Part("", Settings(maze="hard", search=search, **TINY | settings))


def recorded(folder, search, seeds, **settings):
    for seed in seeds:
        run(dataclasses.replace(part_of(search, **settings).settings, seed=seed), out=folder)
    return folder


def test_collect_keeps_parts_without_records(tmp_path):
    parts = [part_of("novelty"), part_of("random")]
    first, second = (recorded(tmp_path / name, name, range(2)) for name in ("random", "novelty"))
    write_results(collect(parts, first), tmp_path / "results")
    joined = collect(parts, second, read_results(tmp_path / "results"))
    shutil.move(first / "hard-random", second)
    whole = collect(parts, second)
    write_results(joined, tmp_path / "results")
    write_results(whole, tmp_path / "at once")
    for name in ("runs.csv", "curves.npz", "visits.npz", "solutions.csv", "commands.txt"):
        assert (tmp_path / "results" / name).read_bytes() == (tmp_path / "at once" / name).read_bytes(), name


def test_collect_separates_runs_with_different_weights(tmp_path):
    parts = [Part("w" * (weight != 0.5), part_of("nss", weight=weight).settings) for weight in (0.5, 0.25)]
    for part in parts:
        run(part.settings, out=tmp_path / part.folder)
    write_results(collect(parts, tmp_path), tmp_path / "results")
    kept = read_results(tmp_path / "results")
    assert kept.runs["weight"].tolist() == [0.5, 0.25]
    again = collect(parts, tmp_path / "nothing", kept)
    assert again.runs.equals(kept.runs)
    assert again.commands.splitlines()[1].endswith("--weight 0.25 --out runs/w")


def test_collect_has_coverage_and_qd_score(tmp_path):
    record = run(part_of("random").settings, out=tmp_path)
    (row,) = collect([part_of("random")], tmp_path).runs.itertuples()
    elites = analysis.elites_of_record(record)
    assert 0 < row.coverage == pytest.approx(len(elites.best) / 400, abs=1e-4)
    assert 0 < row.qd_score == pytest.approx(elites.qd_score, abs=0.01)


def test_collect_extends_results_without_coverage_and_weight(tmp_path):
    parts = [part_of("novelty"), part_of("random")]
    results = collect(parts, recorded(tmp_path, "novelty", [0]))
    new = ["coverage", "qd_score", "weight"]
    write_results(results._replace(runs=results.runs.drop(columns=new)), tmp_path / "results")
    kept = read_results(tmp_path / "results")
    assert kept.runs[new].isna().all(axis=None)
    more = collect(parts, recorded(tmp_path / "more", "random", [0]), kept)
    assert more.runs["coverage"].isna().tolist() == [True, False]
    filled = collect(parts, tmp_path, more)
    assert filled.runs["coverage"].notna().all()


def test_collect_with_all_records_replaces_a_part(tmp_path):
    parts = [part_of("random")]
    first = collect(parts, recorded(tmp_path, "random", [0]))
    second = collect(parts, recorded(tmp_path, "random", [1]), first)
    assert second.runs["seed"].tolist() == [0, 1]
    assert len(second.curves) == 2
    assert second.commands.count("--runs 2") == 1


def test_collect_with_other_seeds_extends_a_part(tmp_path):
    parts = [part_of("random")]
    whole = collect(parts, recorded(tmp_path / "all", "random", range(4)))
    kept = collect(parts, recorded(tmp_path / "some", "random", [0, 2]))
    assert known_seeds(kept, parts[0]) == {0, 2}
    added = collect(parts, recorded(tmp_path / "others", "random", [1, 2, 3]), kept)
    timeless = [name for name in whole.runs if name not in ("seconds", "cpu_seconds")]
    assert added.runs[timeless].equals(whole.runs[timeless])
    assert (added.curves == whole.curves).all()
    assert (added.visits["hard/random"] == whole.visits["hard/random"]).all()
    assert added.commands == whole.commands


def test_collect_of_a_variant_leaves_other_visits_unchanged(tmp_path):
    parts = [part_of("nss"), Part("w", part_of("nss", weight=0.25).settings)]
    for part, home in zip(parts, ("first", "first/w"), strict=True):
        run(part.settings, out=tmp_path / home)
    kept = collect(parts, tmp_path / "first")
    run(dataclasses.replace(parts[1].settings, seed=1), out=tmp_path / "second" / "w")
    more = collect(parts, tmp_path / "second", kept)
    assert more.runs["seed"].tolist() == [0, 0, 1]
    assert (more.visits["hard/nss"] == kept.visits["hard/nss"]).all()
    run(dataclasses.replace(parts[0].settings, seed=1), out=tmp_path / "third")
    most = collect(parts, tmp_path / "third", more)
    assert most.visits["hard/nss"].sum() == 2 * kept.visits["hard/nss"].sum()


def test_known_seeds_leaves_out_runs_of_another_version(tmp_path):
    parts = [part_of("random")]
    kept = collect(parts, recorded(tmp_path / "some", "random", [0]))
    kept.runs["version"] = "0.0.9"
    assert known_seeds(kept, parts[0]) == set()
    with pytest.raises(
        ValueError, match=r"hard-random: all runs must have the same version of divergent, got 0.0.9 and 0.1.0"
    ):
        collect(parts, recorded(tmp_path / "others", "random", [1]), kept)


def test_collect_adds_runs_of_another_commit_and_keeps_both_commits(tmp_path):
    parts = [part_of("random")]
    for seed, commit in enumerate(["111111111111", "222222222222+changes"]):
        record = run(dataclasses.replace(parts[0].settings, seed=seed))
        machine = record.machine | {"commit": commit, "cpu_seconds": 0.25, "processor": "Model (R) 7, 2 GHz"}
        write(
            dataclasses.replace(record, machine=machine).files(), record_folder(record.settings, tmp_path / str(seed))
        )
    kept = collect(parts, tmp_path / "0")
    write_results(collect(parts, tmp_path / "1", kept), tmp_path / "results")
    runs = read_results(tmp_path / "results").runs
    assert runs["commit"].tolist() == ["111111111111", "222222222222+changes"]
    assert runs["cpu_seconds"].tolist() == [0.25, 0.25]
    assert runs["processor"].tolist() == ["Model (R) 7, 2 GHz"] * 2


def test_collect_extends_results_without_a_commit(tmp_path):
    parts = [part_of("random")]
    results = collect(parts, recorded(tmp_path, "random", [0]))
    new = ["commit", "cpu_seconds", "processor"]
    write_results(results._replace(runs=results.runs.drop(columns=new)), tmp_path / "results")
    kept = read_results(tmp_path / "results")
    assert kept.runs[new].isna().all(axis=None)
    more = collect(parts, recorded(tmp_path / "more", "random", [1]), kept).runs
    assert more["cpu_seconds"].isna().tolist() == [True, False]
    assert more["seconds"].notna().all()


def solved_runs(out, seeds):
    """Records of tiny runs in the medium maze that are changed to have solved it."""
    for seed in seeds:
        record = run(Settings(maze="medium", search="novelty", seed=seed, **TINY))
        write(ended(record, solved=True).files(), record_folder(record.settings, out))
    return out


def test_collect_of_further_solutions_compares_them_with_the_kept_genomes(tmp_path):
    parts = [Part("", Settings(maze="medium", search="novelty", **TINY))]
    write_results(collect(parts, solved_runs(tmp_path / "first", range(2))), tmp_path / "results")
    kept = read_results(tmp_path / "results")
    assert sorted(kept.genomes) == ["medium/novelty/0", "medium/novelty/1"]
    assert known_seeds(kept, parts[0]) == {0, 1}
    added = collect(parts, solved_runs(tmp_path / "second", [2]), kept)
    together = collect(parts, solved_runs(tmp_path / "all", range(3)))
    assert added.genomes == together.genomes
    pd.testing.assert_frame_equal(added.solutions, together.solutions, check_dtype=False)
    assert added.visits["medium/novelty"].tolist() == together.visits["medium/novelty"].tolist()


def test_collect_of_further_solutions_without_kept_genomes_raises_an_error(tmp_path):
    parts = [Part("", Settings(maze="medium", search="novelty", **TINY))]
    kept = collect(parts, solved_runs(tmp_path / "first", range(2)))._replace(genomes={})
    assert known_seeds(kept, parts[0]) == set()
    with pytest.raises(
        ValueError,
        match=r"medium-novelty: folder must contain records of all 2 earlier runs, "
        r"got 1 record\(s\), without the record of seed 0",
    ):
        collect(parts, solved_runs(tmp_path / "second", [2]), kept)


def test_read_results_with_damaged_genomes_names_the_file(tmp_path):
    parts = [Part("", Settings(maze="medium", search="novelty", **TINY))]
    write_results(collect(parts, solved_runs(tmp_path / "runs", range(2))), tmp_path / "results")
    path = tmp_path / "results" / "genomes.json.xz"
    path.write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"genomes\.json\.xz: file must be in xz format, got error"):
        read_results(tmp_path / "results")


def test_collect_replaces_runs_of_other_settings(tmp_path):
    before, now = part_of("nss", learn_from="population"), part_of("nss")
    kept = collect([before], recorded(tmp_path / "before", "nss", range(2), learn_from="population"))
    assert known_seeds(kept, now) == set()
    with pytest.raises(ValueError, match="learn_from population instead of offspring; run all 2 seeds again"):
        collect([now], recorded(tmp_path / "now", "nss", [0]), kept)
    assert set(collect([now], recorded(tmp_path / "now", "nss", [1]), kept).runs["learn_from"]) == {"offspring"}


def test_collect_compares_solutions_where_the_paper_reports_genotypes(tmp_path):
    for search in ("novelty", "objective"):
        records = [run(Settings(maze="medium", search=search, seed=seed, **TINY)) for seed in range(2)]
        for record in records:
            write(ended(record, solved=True).files(), record_folder(record.settings, tmp_path))
    parts = [Part("", Settings(maze="medium", search=search, **TINY)) for search in ("novelty", "objective")]
    assert collect(parts, tmp_path).solutions["search"].tolist() == ["novelty", "novelty"]


def test_collect_with_earlier_runs_of_other_settings_raises(tmp_path):
    kept = collect([part_of("random")], recorded(tmp_path, "random", [0]))
    with pytest.raises(
        ValueError,
        match=r"search random in the maze hard must have the settings of this experiment, "
        r"got generations 2 instead of 3",
    ):
        collect([part_of("random", generations=3)], tmp_path / "nothing", kept)
    recorded(tmp_path / "novelty", "novelty", [0])
    with pytest.raises(
        ValueError,
        match=r"results folder must contain only runs of this experiment, got runs of another experiment \(1\)",
    ):
        collect([part_of("novelty")], tmp_path / "novelty", kept)


def test_collect_has_the_robot_in_folders_rows_and_commands(tmp_path):
    part = part_of("random", robot="five-rangefinder")
    results = collect([part], recorded(tmp_path, "random", [0], robot="five-rangefinder"))
    assert (tmp_path / "hard-random-five-rangefinder" / "seed-0000").is_dir()
    assert results.runs["robot"].tolist() == ["five-rangefinder"]
    assert "--robot five-rangefinder" in results.commands


def test_collect_has_the_rules_in_folders_rows_and_commands(tmp_path):
    part = part_of("random", rules="lehman2008")
    results = collect([part], recorded(tmp_path, "random", [0], rules="lehman2008"))
    assert part.settings.name.endswith("-random-lehman2008")
    assert results.runs[["robot", "rules"]].to_numpy().tolist() == [["five-rangefinder", "lehman2008"]]
    assert "--rules lehman2008" in results.commands


def test_collect_of_a_variant_has_no_visits(tmp_path):
    part = part_of("novelty", neighbours=3)
    results = collect([part], recorded(tmp_path, "novelty", [0], neighbours=3))
    assert results.visits == {}
    write_results(results, tmp_path / "results")
    assert read_results(tmp_path / "results").visits == {}


def test_collect_with_a_folder_of_another_seed_raises(tmp_path):
    recorded(tmp_path, "random", [0])
    (tmp_path / "hard-random" / "seed-0000").rename(tmp_path / "hard-random" / "seed-0007")
    message = r"seed-0007: run record must have the settings of this experiment, got .*seed 0 instead of 7"
    with pytest.raises(ValueError, match=message):
        collect([part_of("random")], tmp_path)


def test_read_results_with_a_missing_file_or_row_raises(tmp_path):
    results = results_of("authored", 1, mazes=["hard"])
    write_results(results._replace(curves=results.curves[:2]), tmp_path)
    with pytest.raises(
        ValueError, match=r"curves.npz: array best_fitness must have one row per run \(6\), got shape \(2, 100\)"
    ):
        read_results(tmp_path)
    (tmp_path / "commands.txt").write_bytes(b"\xff")
    write_results(results, tmp_path)
    (tmp_path / "commands.txt").write_bytes(b"\xff")
    with pytest.raises(
        ValueError, match=r"commands.txt: damaged, must be UTF-8 text, got an invalid byte at position 0"
    ):
        read_results(tmp_path)
    (tmp_path / "visits.npz").unlink()
    with pytest.raises(FileNotFoundError, match=r"folder must contain the result file visits.npz, got no such file"):
        read_results(tmp_path)


@pytest.mark.parametrize(
    ("name", "arrays", "message"),
    [
        ("curves.npz", {"best_fitness": np.full((6, 3), np.nan)}, "best_fitness must be finite numbers"),
        ("visits.npz", {"hard/random": np.array([[-1]])}, "hard/random must be counts in rows and columns"),
        ("visits.npz", {"hard/random": np.array([1], dtype="<u2")}, "hard/random must be counts in rows and columns"),
    ],
)
def test_read_results_with_invalid_arrays_raises(name, arrays, message, tmp_path):
    write_results(results_of("authored", 1, mazes=["hard"]), tmp_path)
    np.savez(tmp_path / name, **arrays)
    with pytest.raises(ValueError, match=f"{name}: {message}"):
        read_results(tmp_path)


@pytest.mark.parametrize(
    ("name", "arrays", "message"),
    [
        ("curves.npz", {"best_fitness": np.zeros((10**4, 100), "f4")}, r"at most 3,424 bytes, got 4,000,128"),
        ("visits.npz", {"hard/random": np.zeros((10**4, 100), "u4")}, r"at most [\d,]+ bytes, got 4,000,128"),
        ("visits.npz", {f"hard/{number}": np.ones((1, 1), "u2") for number in range(13)}, "must be at most 12, got 13"),
    ],
)
def test_read_results_with_too_large_arrays_raises(name, arrays, message, tmp_path):
    write_results(results_of("authored", 1, mazes=["hard"]), tmp_path)  # six runs, one for each search
    np.savez_compressed(tmp_path / name, **arrays)
    with pytest.raises(ValueError, match=f"{name}: .* {message}"):
        read_results(tmp_path)


def test_collect_writes_valid_commands(tmp_path):
    settings = Settings(maze="hard", search="surprise", learn_from="population", archive_size=9, **TINY)
    run(settings, out=tmp_path)
    (command,) = collect([Part("", settings)], tmp_path).commands.splitlines()
    assert "--learn-from population" in command
    assert "--archive-size 9" in command
    assert run_maze.parser().parse_args(command.split()[3:]).learn_from == "population"

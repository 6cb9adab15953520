import dataclasses
import json
import math
import random
from operator import itemgetter
from pathlib import Path

import numpy as np
import pytest

import divergent
from divergent import neat
from divergent.maze import read_maze
from divergent.persistence._files import read_sealed_npz, write_sealed_npz
from divergent.problem import LOOPS
from divergent.runs import assemble, execution, make_run, run
from divergent.runs.execution import find_record, record_folder
from divergent.runs.record import ARRAYS, TEXT, read
from divergent.runs.settings import Plan, Settings
from divergent.selection import SEARCHES

SMALL = Settings(maze="medium", search="surprise", population=20, generations=60, clusters=8, steps=40)


@pytest.fixture
def often(monkeypatch):
    """A checkpoint every four generations."""
    monkeypatch.setattr(execution, "CHECKPOINT_EVERY", 4)


def test_run_returns_the_record():
    record = divergent.run(SMALL)
    assert record.evaluations == 1200
    assert record.positions.shape == (1200, 2)
    assert [row["generation"] for row in record.rows] == list(range(60))
    assert record.rows[-1]["best_fitness"] == record.best_fitness
    assert record.settings == SMALL.resolve()
    assert record.diversity.keys() == {"compatibility", "disjoint", "excess", "weight_difference"}


def test_diversity_of_a_large_population_compares_genomes_at_equal_intervals():
    plan = Settings(maze="hard", search="random", population=2001, generations=1).resolve()
    genomes = assemble(plan, read_maze("hard")).population
    assert run(plan).diversity["compatibility"] == neat.diversity(genomes[::2]).compatibility


def test_run_with_the_same_seed_gives_the_same_record():
    first, second = run(SMALL), run(SMALL)
    for name in (TEXT, ARRAYS):
        assert first.files()[name] == second.files()[name]
    assert run(dataclasses.replace(SMALL, seed=1)).files()[ARRAYS] != first.files()[ARRAYS]


def test_run_stops_at_the_first_solution():
    record = run(Settings(maze="medium", search="novelty", population=250, generations=300, seed=0))
    assert record.solved
    assert record.best_fitness > 295
    assert record.evaluations == len(record.positions) == record.rows[-1]["evaluations"]
    assert np.allclose(record.trail[-1], record.positions[-1])
    distances = np.hypot(*(record.positions - record.maze.goal).T)
    assert distances[-1] < 5 <= distances[:-1].min()


def test_run_of_a_finished_record_reads_it(tmp_path):
    first = run(SMALL, out=tmp_path)
    stamp = (record_folder(SMALL, tmp_path) / TEXT).stat().st_mtime_ns
    again = run(SMALL, out=tmp_path)
    assert again.files() == first.files()
    assert (record_folder(SMALL, tmp_path) / TEXT).stat().st_mtime_ns == stamp
    assert find_record(dataclasses.replace(SMALL, seed=9).resolve(), first.maze, tmp_path) is None


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("search", SEARCHES)
def test_resumed_run_ends_in_the_same_record(tmp_path, often, search, loop):
    settings = Settings(maze="hard", search=search, loop=loop, population=20, generations=12, steps=30, seed=3)
    whole = run(settings, out=tmp_path / "whole")
    interrupted = iter(make_run(settings.resolve(), read_maze(settings.maze), out=tmp_path / "parts"))
    for _ in range(10):
        next(interrupted)
    interrupted.close()
    (saved,) = (tmp_path / "parts").rglob("*.checkpoint.npz")
    assert saved.exists()
    resumed = run(settings, out=tmp_path / "parts")
    for name in (TEXT, ARRAYS):
        assert resumed.files()[name] == whole.files()[name]
    assert not saved.exists()


@pytest.mark.parametrize("loop", LOOPS)
def test_resumed_run_with_the_rules_of_lehman_ends_in_the_same_record(tmp_path, often, loop):
    settings = Settings(
        maze="hard", search="novelty", loop=loop, rules="lehman2008", population=60, generations=25, steps=30
    )
    whole = run(settings)
    interrupted = iter(make_run(settings.resolve(), read_maze(settings.maze), out=tmp_path))
    for _ in range(21):
        next(interrupted)
    interrupted.close()
    assert list(tmp_path.rglob("*.checkpoint.npz"))
    resumed = run(settings, out=tmp_path)
    for name in (TEXT, ARRAYS):
        assert resumed.files()[name] == whole.files()[name]
    default = run(dataclasses.replace(settings, rules="divergent", robot="five-rangefinder"))
    assert default.files()[ARRAYS] != whole.files()[ARRAYS]
    assert read(record_folder(settings, tmp_path)).settings.rules == "lehman2008"


@pytest.mark.parametrize("loop", LOOPS)
def test_resumed_run_with_lineages_ends_in_the_same_record(tmp_path, often, loop):
    options = {"batch": 6} if loop == "steady" else {}
    settings = Settings(
        maze="hard", partition="lineage", history=3, loop=loop, population=20, generations=12, steps=30, **options
    )
    whole = run(settings)
    interrupted = iter(make_run(settings.resolve(), read_maze(settings.maze), out=tmp_path))
    for _ in range(10):
        next(interrupted)
    interrupted.close()
    assert list(tmp_path.rglob("*.checkpoint.npz"))
    resumed = run(settings, out=tmp_path)
    for name in (TEXT, ARRAYS):
        assert resumed.files()[name] == whole.files()[name]


def test_resumed_run_with_a_shared_predictor_ends_in_the_same_record(tmp_path, often):
    settings = Settings(maze="hard", predictor="shared:ridge", population=20, generations=12, steps=30)
    assert settings.resolve().options["history"] == 3
    whole = run(settings)
    interrupted = iter(make_run(settings.resolve(), read_maze(settings.maze), out=tmp_path))
    for _ in range(10):
        next(interrupted)
    interrupted.close()
    assert list(tmp_path.rglob("*.checkpoint.npz"))
    resumed = run(settings, out=tmp_path)
    for name in (TEXT, ARRAYS):
        assert resumed.files()[name] == whole.files()[name]


@pytest.mark.parametrize("search", ["objective", "novelty", "surprise", "ssnp", "ssr", "random"])
def test_resumed_generational_run_with_many_species_ends_in_the_same_record(tmp_path, often, search):
    settings = Settings(maze="hard", search=search, loop="generational", population=150, generations=14, steps=20)
    whole = run(settings)
    interrupted = iter(make_run(settings.resolve(), read_maze(settings.maze), out=tmp_path))
    rows = [next(interrupted) for _ in range(10)]
    interrupted.close()
    assert rows[7]["species"] > 2
    (saved,) = tmp_path.rglob("*.checkpoint.npz")
    assert saved.exists()
    resumed = run(settings, out=tmp_path)
    for name in (TEXT, ARRAYS):
        assert resumed.files()[name] == whole.files()[name]


def stored(saved):
    """The arrays of a checkpoint, and its JSON content."""
    arrays = read_sealed_npz(saved)
    return arrays, json.loads(arrays["notes"].tobytes())


def store(saved, arrays, content):
    """Write a checkpoint with a valid digest."""
    saved.parent.mkdir(parents=True, exist_ok=True)
    write_sealed_npz(saved, **arrays | {"notes": np.frombuffer(json.dumps(content).encode(), dtype=np.uint8)})


def changed(content, path, value):
    """A copy of nested JSON data with another value at a path of keys."""
    content = json.loads(json.dumps(content))
    *parents, last = path.split(".")
    place = content
    for key in parents:
        place = place[int(key) if isinstance(place, list) else key]
    place[int(last) if isinstance(place, list) else last] = value
    return content


def test_checkpoint_of_the_plus_loop_contains_the_scores_of_parents(tmp_path, often):
    settings = Settings(maze="hard", search="nslc", population=60, generations=16, steps=30, seed=1)
    whole = run(settings)
    interrupted = iter(make_run(settings.resolve(), read_maze("hard"), out=tmp_path))
    for _ in range(10):
        next(interrupted)
    interrupted.close()
    (saved,) = tmp_path.rglob("*.checkpoint.npz")
    arrays, content = stored(saved)
    assert run(settings, out=tmp_path).files()[ARRAYS] == whole.files()[ARRAYS]
    other = tmp_path / "other" / saved.parent.name / saved.name
    for individual in content["individuals"]:
        assert math.isfinite(individual["fitness"]["score"])
        individual["fitness"]["score"] = 0.0
    store(other, arrays, content)
    assert run(settings, out=tmp_path / "other").files()[ARRAYS] != whole.files()[ARRAYS]


def test_resume_from_a_changed_checkpoint_raises_and_keeps_the_file(tmp_path, often):
    interrupted = iter(make_run(SMALL.resolve(), read_maze(SMALL.maze), out=tmp_path))
    for _ in range(6):
        next(interrupted)
    interrupted.close()
    (saved,) = tmp_path.rglob("*.checkpoint.npz")
    arrays, content = stored(saved)
    damaged = bytearray(saved.read_bytes())
    damaged[len(damaged) // 3] ^= 4
    saved.write_bytes(damaged)
    with pytest.raises(
        ValueError, match=r"checkpoint is truncated or damaged .*does not match its digest.*; remove it"
    ):
        run(SMALL, out=tmp_path)
    rows = content["notes"]["rows"]
    innovations = next(
        f"parts.{name}.state" for name, part in content["parts"].items() if "next_innovation" in part["state"]
    )
    known = content["parts"][innovations.split(".")[1]]["state"]
    with_gap = known | {
        "connections": [*known["connections"], [0, 9999, 2**31 - 2]],
        "next_innovation": 2**31 - 1,
    }
    for path, value, sentence in [
        ("generation", 2, "a checkpoint must have one row per generation, got 4 rows up to generation 2"),
        ("evaluations", -5, "evaluations must be an integer, at least 0, got -5"),
        ("evaluations", 79, "the last generation must equal the result of the run, 79 evaluations and"),
        ("notes.rows", rows[:3] + rows[2:3], "row 3 of the statistics must have generation 3, got 2"),
        ("parts.breeding", {}, "'state'"),
        ("parts.species.state.labels", [99] * 20, "labels must be indices of species and include every"),
        (f"{innovations}.next_node", 1, "next_node in the state of Innovations must be an integer"),
        (f"{innovations}.next_innovation", 2**31, "next_innovation in the state of Innovations must be the next free"),
        (f"{innovations}.next_node", 2**31 - 1, "next_node must be consistent with .*, got .* and 2147483647"),
        (innovations, with_gap, "next_innovation and next_node must be consistent with .*, got 2147483647"),
        ("notes.seconds", float("nan"), "seconds must be a finite number, at least 0, got nan"),
        ("notes.seconds", -1.0, "seconds must be a finite number, at least 0, got -1.0"),
        ("notes.cpu_seconds", float("inf"), "cpu_seconds must be a finite number, at least 0, got inf"),
        ("notes.seconds", "1", "seconds must be a finite number, at least 0, got '1'"),
        ("modules.random.state", [3, [1, 2], None], "the checkpoint is truncated or damaged"),
        ("notes.plan", [], "the checkpoint is truncated or damaged"),
        (
            "individuals.0.fitness.wvalues",
            {"__tuple__": [299.0]},
            "fitness must be 300 minus the final distance to the goal",
        ),
        (
            "individuals.0.content.genes.packed",
            10**9,
            r"packed \(index of the first number\), shape and dtype must describe a range of the .* numbers",
        ),
        ("notes.positions.shape", [79, 2], "array positions must contain 80 points"),
        ("run.individuals", 19, "checkpoint must belong to this run, got another run: individuals 19 there, 20 here"),
    ]:
        store(saved, arrays, changed(content, path, value))
        with pytest.raises(ValueError, match=sentence):
            run(SMALL, out=tmp_path)
    numbers = arrays["numbers_f8"].copy()
    rows_of_genes = [individual["content"]["genes"] for individual in content["individuals"]]
    genes = [numbers[place["packed"] :][: 5 * place["shape"][0]].reshape(-1, 5) for place in rows_of_genes]
    last = max(table[:, neat.genome.INNOVATION].max() for table in genes)
    for table in genes:
        table[table[:, neat.genome.INNOVATION] == last, neat.genome.INNOVATION] = 2**20 - 1
    store(saved, arrays | {"numbers_f8": numbers}, content)
    with pytest.raises(ValueError, match="innovations must contain all innovation numbers of the genomes"):
        run(SMALL, out=tmp_path)
    assert saved.exists()


def test_resumed_run_includes_the_times_of_its_checkpoint(tmp_path, often):
    interrupted = iter(make_run(SMALL.resolve(), read_maze(SMALL.maze), out=tmp_path))
    for _ in range(6):
        next(interrupted)
    interrupted.close()
    (saved,) = tmp_path.rglob("*.checkpoint.npz")
    arrays, content = stored(saved)
    content["notes"] |= {"seconds": 7000.0, "cpu_seconds": 5000.0}
    store(saved, arrays, content)
    machine = run(SMALL, out=tmp_path).machine
    assert 7000 < machine["seconds"] < 7900
    assert 5000 < machine["cpu_seconds"] < 5900


def test_resume_with_more_unmatched_connections_than_children_raises(tmp_path, often):
    settings = dataclasses.replace(SMALL, rules="lehman2008")
    interrupted = iter(make_run(settings.resolve(), read_maze(settings.maze), out=tmp_path))
    for _ in range(6):
        next(interrupted)
    interrupted.close()
    (saved,) = tmp_path.rglob("*.checkpoint.npz")
    arrays, content = stored(saved)
    innovations = next(part["state"] for part in content["parts"].values() if "next_innovation" in part["state"])
    innovations["next_innovation"] = len(innovations["connections"]) + 4 * 20 + 1
    store(saved, arrays, content)
    with pytest.raises(ValueError, match="next_innovation and next_node must be consistent with the number"):
        run(settings, out=tmp_path)


def test_run_without_room_for_checkpoints_warns_and_continues(tmp_path, often):
    resource = pytest.importorskip("resource")
    undisturbed = run(SMALL).files()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def lift_the_limit(row):
        if row["generation"] == 50:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)

    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.warns(UserWarning, match="the run continues") as warned:
            disturbed = run(SMALL, out=tmp_path, progress=lift_the_limit).files()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    saved = record_folder(SMALL, tmp_path).with_name("seed-0000.checkpoint.npz")
    expected = f"{saved}: the checkpoint cannot be written (File too large); the run continues"
    assert {str(warning.message) for warning in warned} == {expected}
    assert disturbed[TEXT] == undisturbed[TEXT]
    assert disturbed[ARRAYS] == undisturbed[ARRAYS]
    assert [path.name for path in saved.parent.iterdir()] == ["seed-0000"]


def test_run_with_other_settings_names_the_difference(tmp_path, often):
    run(SMALL, out=tmp_path)
    with pytest.raises(ValueError, match="this run, got clusters 8 instead of 9; choose another output folder"):
        run(dataclasses.replace(SMALL, clusters=9), out=tmp_path)
    other = dataclasses.replace(SMALL, seed=1)
    interrupted = iter(make_run(other.resolve(), read_maze(other.maze), out=tmp_path))
    for _ in range(6):
        next(interrupted)
    interrupted.close()
    with pytest.raises(ValueError, match="this run, got steps 40 instead of 41"):
        run(dataclasses.replace(other, steps=41), out=tmp_path)


def test_resume_with_a_changed_maze_raises(tmp_path, often):
    maze = tmp_path / "own.txt"
    text = (Path(__file__).parents[2] / "mazes" / "hard.txt").read_text()
    maze.write_text(text)
    settings = dataclasses.replace(SMALL, maze=str(maze))
    interrupted = iter(make_run(settings.resolve(), read_maze(settings.maze), out=tmp_path))
    for _ in range(6):
        next(interrupted)
    interrupted.close()
    maze.write_text(text.replace("133 30", "130 30"))
    with pytest.raises(ValueError, match=r"the maze .*own\.txt has changed"):
        run(settings, out=tmp_path)


def test_resume_from_another_version_raises(tmp_path, often):
    interrupted = iter(make_run(SMALL.resolve(), read_maze(SMALL.maze), out=tmp_path))
    for _ in range(6):
        next(interrupted)
    interrupted.close()
    (saved,) = tmp_path.rglob("*.checkpoint.npz")
    arrays, content = stored(saved)
    store(saved, arrays, content | {"version": "0.0.1"})
    with pytest.raises(ValueError, match=rf"version must be '{divergent.__version__}', got '0.0.1'"):
        run(SMALL, out=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("search", ["surprise", "novelty"])
def test_run_of_divergent_search_solves_the_hard_maze(search, seed):
    assert run(Settings(maze="hard", search=search, seed=seed)).solved


def test_run_with_a_progress_function_calls_it_with_every_row():
    rows = []
    record = run(SMALL, progress=rows.append)
    assert rows == record.rows


def test_run_with_a_progress_bar_shows_evaluations(capsys):
    run(SMALL, progress=True)
    shown = capsys.readouterr().err
    assert "1200/1200" in shown
    assert "compiling" not in shown.split("\r")[-1]


@pytest.mark.parametrize("compiled", [False, True])
def test_run_with_a_progress_bar_before_the_first_row_shows_compilation(compiled, capsys, monkeypatch):
    monkeypatch.setattr(execution, "nothing_compiled", lambda: not compiled)
    run(SMALL, progress=True)
    first, last = itemgetter(0, -1)([text for text in capsys.readouterr().err.split("\r") if text.strip()])
    assert first.startswith("compiling") != compiled
    assert "compiling" not in last


def test_run_in_a_maze_with_an_unreachable_goal_warns(tmp_path):
    maze = tmp_path / "closed.txt"
    maze.write_text("5\n50 50\n0\n150 50\n0 0 200 0\n200 0 200 100\n200 100 0 100\n0 100 0 0\n100 0 100 100\n")
    with pytest.warns(UserWarning, match="maze 'closed': the goal 150 50 cannot be reached from the start") as warned:
        run(dataclasses.replace(SMALL, maze=str(maze), generations=2))
    assert len(warned) == 1


def test_first_line_of_a_record_contains_the_settings(tmp_path):
    run(SMALL, out=tmp_path)
    opening = json.loads((record_folder(SMALL, tmp_path) / TEXT).read_text().splitlines()[0])
    assert Plan.from_json(opening["settings"]) == SMALL.resolve()
    assert read(record_folder(SMALL, tmp_path)).version == divergent.__version__


@pytest.mark.parametrize("loop", ["generational", "plus"])
def test_run_and_caller_have_separate_random_states(loop):
    settings = dataclasses.replace(SMALL, loop=loop, generations=5)
    random.seed(1)
    undisturbed = run(settings)
    random.seed(2)
    expected = [random.random() for _ in range(10)]
    random.seed(2)
    drawn = [random.random()]
    disturbed = run(settings, progress=lambda row: drawn.append(random.random()))
    drawn += [random.random() for _ in range(4)]
    assert drawn == expected
    assert disturbed.files()[TEXT] == undisturbed.files()[TEXT]


@pytest.mark.parametrize("loop", LOOPS[:3])
def test_finish_gives_the_rows_of_an_iteration_and_restores_the_callers_generators(loop):
    plan = dataclasses.replace(SMALL, generations=5, loop=loop).resolve()
    reported = []
    random.seed(7)
    np.random.seed(7)  # noqa: NPY002
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    finished = make_run(plan, read_maze("medium")).finish(reported.append)
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002
    iterated = make_run(plan, read_maze("medium"))
    rows = []
    for row in iterated:
        rows.append(row)
        random.random()  # draws of the consumer do not change the run
        np.random.random()  # noqa: NPY002
    assert reported == rows == finished.rows
    assert finished.positions.tolist() == iterated.record.positions.tolist()

"""Progress bars of one run and of several runs."""

import contextlib
import pickle
from pathlib import Path

import pytest

from divergent import _compile
from divergent import _progress as progress
from divergent._progress import EvaluationCount, RunsProgress, evaluation_bar
from divergent.runs.batch import Finished
from divergent.runs.settings import Settings

PLAN = Settings(maze="hard", search="novelty", population=10, generations=10).resolve()


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    monkeypatch.setattr(_compile, "nothing_compiled", lambda: False)


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr(progress, "_is_terminal", lambda: True)


def finished(folder, *, solved=True, before=False):
    """A run that ends after 40 of 100 evaluations."""
    return Finished(PLAN, Path(folder), solved, 40, 1.0, before)


def drawn(capsys):
    """The bars that were drawn, without the graphic in the middle and without repetitions."""
    lines = [line for line in capsys.readouterr().err.replace("\n", "\r").split("\r") if line.strip()]
    return list(
        dict.fromkeys(f"{line.split('|')[0].strip()} {line.split('|')[-1].split('[')[0].strip()}" for line in lines)
    )


def test_runs_progress_counts_finished_and_solved_runs_and_evaluations(capsys):
    ends = [finished("a"), finished("b", solved=False)]
    assert RunsProgress(2).watch(end for end in ends) == ends
    assert drawn(capsys) == [
        "0% 0/2 runs, 0 solved, 0 evaluations",
        "50% 1/2 runs, 1 solved, 40 evaluations",
        "100% 2/2 runs, 1 solved, 80 evaluations",
    ]


def test_runs_progress_on_a_terminal_includes_the_runs_under_way(capsys, terminal):
    bar = RunsProgress(2)

    def runs():
        first, second = (bar.register(Path(name), PLAN) for name in "ab")
        pickle.loads(pickle.dumps(second))({"evaluations": 10})  # as in a worker process
        bar.refresh()
        first({"evaluations": 30})
        bar.refresh()
        yield finished("a")

    bar.watch(runs())
    assert drawn(capsys) == [
        "0% 0/2 runs, 0 solved, 0 evaluations",
        "5% 0/2 runs, 0 solved, 10 evaluations",
        "20% 0/2 runs, 0 solved, 40 evaluations",
        "55% 1/2 runs, 1 solved, 50 evaluations",
    ]


def test_runs_progress_deletes_its_file_after_an_error(tmp_path, terminal, monkeypatch):
    monkeypatch.setattr(progress.tempfile, "tempdir", str(tmp_path))
    bar = RunsProgress(1)

    def runs():
        count = bar.register(Path("a"), PLAN)
        assert list(tmp_path.iterdir()) == [count.path]
        counts.append(count)
        raise KeyboardInterrupt
        yield

    counts = []
    with contextlib.suppress(KeyboardInterrupt):
        bar.watch(runs())
    counts[0]({"evaluations": 10})  # a worker process may end later
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("shown", ["pipe", "hidden", "no folder for the file"])
def test_register_without_a_file_of_counts_returns_none(shown, monkeypatch, tmp_path):
    monkeypatch.setattr(progress, "_is_terminal", lambda: shown != "pipe")
    monkeypatch.setattr(progress.tempfile, "tempdir", str(tmp_path / "missing"))
    bar = RunsProgress(1, hidden=shown == "hidden")
    counts = []

    def runs():
        counts.append(bar.register(Path("a"), PLAN))
        yield finished("a")

    assert len(bar.watch(runs())) == 1
    assert counts == [None]


def test_hidden_runs_progress_prints_nothing(capsys):
    assert RunsProgress(1, hidden=True).watch(end for end in [finished("a")]) == [finished("a")]
    assert capsys.readouterr().err == ""


def test_runs_progress_shows_compiling_for_three_generations(capsys, monkeypatch, terminal):
    monkeypatch.setattr(_compile, "nothing_compiled", lambda: True)
    monkeypatch.setattr(progress, "COUNT_EVERY", 0)
    bar = RunsProgress(2)

    def runs():
        yield finished("a", before=True)
        count = bar.register(Path("b"), PLAN)
        for evaluations in (20, 30):
            count({"evaluations": evaluations})
            bar.refresh()

    bar.watch(runs())
    assert drawn(capsys) == [
        "compiling:   0% 0/2 runs, 0 solved, 0 evaluations",
        "compiling:  50% 1/2 runs, 1 solved, 40 evaluations",
        "compiling:  60% 1/2 runs, 1 solved, 60 evaluations",
        "65% 1/2 runs, 1 solved, 70 evaluations",
    ]


def test_runs_progress_on_a_cluster_shows_no_compilation(capsys, monkeypatch):
    monkeypatch.setattr(_compile, "nothing_compiled", lambda: True)
    RunsProgress(1, scheduler="tcp://10.0.0.1:8786").watch(end for end in [finished("a")])
    assert "compiling" not in capsys.readouterr().err


def test_evaluation_count_within_half_a_second_writes_once(tmp_path):
    path = tmp_path / "counts"
    path.touch()
    count = EvaluationCount(path, 1)
    count({"evaluations": 300})
    count({"evaluations": 400})
    assert memoryview(path.read_bytes()).cast("q").tolist() == [0, 300]


@pytest.mark.parametrize("generations", [1, 5])
def test_evaluation_bar_ends_without_the_word_compiling(generations, capsys):
    with evaluation_bar(50, compiling=True) as show:
        for generation in range(generations):
            show({"generation": generation, "evaluations": 10 * (generation + 1), "best_fitness": None})
    bars = drawn(capsys)
    assert bars[0].startswith("compiling:")
    assert "compiling" not in bars[-1]

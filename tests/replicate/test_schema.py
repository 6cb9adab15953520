import io
import zipfile

import numpy as np
import pandas as pd
import pytest
from sample_tables import results_of

from divergent.analysis import RUN_COLUMNS
from divergent.replicate import _schema as schema
from divergent.replicate._results import write_results


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    write_results(results_of("authored", 2, mazes=["hard"]), folder)
    return folder


def changed(written, tmp_path, column, value, row=3):
    """The table of runs with another value in one place; the names of the columns are row 1."""
    lines = [line.split(",") for line in (written / "runs.csv").read_text().splitlines()]
    lines[row - 1][lines[0].index(column)] = value
    path = tmp_path / "runs.csv"
    path.write_text("".join(",".join(line) + "\n" for line in lines))
    return path


def test_read_runs_returns_the_written_table(written):
    again = schema.read_runs(written / "runs.csv")
    assert tuple(again.columns) == RUN_COLUMNS
    assert (
        again.replace(schema.STORED_NAMES).to_csv(index=False, lineterminator="\n")
        == (written / "runs.csv").read_text()
    )
    assert again["solved"].dtype == bool


def test_read_runs_with_a_long_value_shortens_the_error(written, tmp_path):
    path = changed(written, tmp_path, "search", "n" * 5000)
    with pytest.raises(ValueError, match=r"column search must be .*, got 'n{59}$"):
        schema.read_runs(path)


def test_read_runs_without_rules_uses_the_default(written, tmp_path):
    table = pd.read_csv(written / "runs.csv", dtype=str).drop(columns="rules")
    table.to_csv(tmp_path / "runs.csv", index=False)
    assert set(schema.read_runs(tmp_path / "runs.csv")["rules"]) == {"divergent"}


@pytest.mark.parametrize(
    ("column", "value", "rule"),
    [
        ("solved", "Galse", "True or False"),
        ("solved", "1", "True or False"),
        ("solved", "", "True or False"),
        ("maze", "../hard", "medium, hard, very_hard, extremely_hard or generated:SEED"),
        ("search", "suprise", "objective or novelty or surprise"),
        ("evaluations", "0", "an integer, at least 1"),
        ("evaluations", "-5", "an integer, at least 1"),
        ("evaluations", "1e3", "an integer, at least 1"),
        ("evaluations", "9" * 40, "an integer, at least 1"),
        ("evaluations", "75001", r"at most population \* generations"),
        ("seed", "0.5", "an integer, at least 0"),
        ("best_fitness", "nan", "a finite number, at most 300"),
        ("best_fitness", "1e999", "a finite number, at most 300"),
        ("best_fitness", "300.5", "a finite number, at most 300"),
        ("entropy", "1.01", "a finite number, at least 0, at most 1"),
        ("compatibility", "-1", "a finite number, at least 0"),
        ("clusters", "0", "an integer, at least 1"),
        ("robot", "mine", "described or original"),
        ("rules", "mine", "divergent or lehman2008"),
        ("loop", "", "steady or generational"),
        ("version", "", "a version"),
        ("commit", "main", "a commit"),
        ("cpu_seconds", "-1", "a finite number, at least 0"),
    ],
)
def test_read_runs_with_an_invalid_value_names_file_row_and_column(written, tmp_path, column, value, rule):
    path = changed(written, tmp_path, column, value)
    with pytest.raises(
        ValueError, match=rf"runs.csv: value in row 3, column {column} must be {rule}.*, got '{value[:20]}"
    ):
        schema.read_runs(path)


def test_read_runs_accepts_an_approximate_commit(written, tmp_path):
    assert schema.read_runs(changed(written, tmp_path, "commit", "~4a93639f3c6d"))["commit"][1] == "~4a93639f3c6d"


def test_read_runs_with_an_unsolved_run_below_its_budget_raises(written, tmp_path):
    row = 2 + int(np.flatnonzero(~pd.read_csv(written / "runs.csv")["solved"])[0])
    with pytest.raises(
        ValueError, match=rf"row {row}, column evaluations must be population \* generations if a steady-state run"
    ):
        schema.read_runs(changed(written, tmp_path, "evaluations", "74999", row))


def test_read_runs_with_an_unsolved_generational_run_below_its_budget_accepts_it(written, tmp_path):
    row = 2 + int(np.flatnonzero(~pd.read_csv(written / "runs.csv")["solved"])[0])
    changed(written, tmp_path, "loop", "generational", row)
    path = changed(tmp_path, tmp_path, "evaluations", "74999", row)
    assert schema.read_runs(path)["evaluations"][row - 2] == 74999


def test_read_runs_with_a_duplicate_run_raises(written, tmp_path):
    with pytest.raises(
        ValueError, match=r"row 3, column seed must be the seed of a run that is in the table once, got '0'"
    ):
        schema.read_runs(changed(written, tmp_path, "seed", "0"))


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b'maze,search\n"', b"maze\nhard\n"])
def test_read_runs_of_a_file_that_is_no_table_raises(content, tmp_path):
    path = tmp_path / "runs.csv"
    path.write_bytes(content)
    message = r"runs.csv: (file must be a CSV table|damaged, must be UTF-8 text|column '\w+' is missing)"
    with pytest.raises(ValueError, match=message):
        schema.read_runs(path)


def damaged_files():
    buffer = io.BytesIO()
    np.savez_compressed(buffer, best_fitness=np.arange(500.0))
    whole = buffer.getvalue()
    single = io.BytesIO()
    np.save(single, np.arange(3))
    foreign = io.BytesIO()
    with zipfile.ZipFile(foreign, "w") as archive:
        archive.writestr("best_fitness.npy", b"no array")
    return {
        "nothing": b"", "text": b"hello", "opening": b"PK", "half": whole[: len(whole) // 2],
        "bit": whole[:100] + bytes([whole[100] ^ 64]) + whole[101:], "npy": single.getvalue(),
        "zip": foreign.getvalue(),
    }  # fmt: skip


@pytest.mark.parametrize("damage", damaged_files())
def test_read_results_with_a_damaged_npz_file_raises(damage, tmp_path):
    path = tmp_path / "curves.npz"
    path.write_bytes(damaged_files()[damage])
    with pytest.raises(ValueError, match=r"curves.npz: (truncated or damaged|best_fitness must be numbers)"):
        schema.read_arrays(
            path, lambda name, array: None if array.dtype.kind == "f" else "must be numbers", arrays=2, most=10_000
        )

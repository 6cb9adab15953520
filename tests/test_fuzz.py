"""Run a few inputs of each fuzzer of benchmarks/fuzz.py, each fuzzer in a separate process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[1] / "benchmarks" / "fuzz.py"
SUBJECTS = sorted(
    file.stem for file in (FUZZ.parent / "fuzzers").glob("*.py") if "\ndef attacks(" in file.read_text(encoding="utf-8")
)
POSIX = pytest.mark.skipif(os.name != "posix", reason="the fuzzers use named pipes and fork")


def attacked(*arguments):
    return subprocess.run([sys.executable, FUZZ, *arguments], capture_output=True, text=True, check=False)


@POSIX
@pytest.mark.parametrize("subject", [name for name in SUBJECTS if "kills" not in name and name != "faults"])
def test_hostile_input_is_read_exactly_or_rejected_in_one_line(subject):
    done = attacked(subject, "--count", "300", "--seed", "7")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[1].split()[:2] == [subject, "300"]


def test_run_with_a_failed_write_fsync_rename_or_allocation_leaves_no_wrong_record():
    done = attacked("faults", "--count", "20", "--seed", "7")
    row = done.stdout.splitlines()[1]
    if "skipped: " in row:
        pytest.skip(row.partition("skipped: ")[2])
    assert done.returncode == 0, done.stdout + done.stderr
    assert row.split()[:2] == ["faults", "20"]


def test_fuzzer_without_its_compiler_is_skipped_with_the_reason(tmp_path):
    without = os.environ | {"PATH": str(tmp_path)}
    done = subprocess.run([sys.executable, FUZZ, "faults"], capture_output=True, text=True, check=False, env=without)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "faults            skipped: " in done.stdout


@POSIX
@pytest.mark.slow
def test_runs_killed_at_random_moments_end_in_the_same_records():
    done = attacked("kills", "--count", "6", "--seed", "7")
    assert done.returncode == 0, done.stdout + done.stderr


@POSIX
def test_custom_loops_killed_at_random_times_equal_uninterrupted_loops():
    done = attacked("loop_kills", "--count", "4", "--seed", "7")
    assert done.returncode == 0, done.stdout + done.stderr


def test_fuzz_with_an_unknown_subject_reports_one_line():
    done = attacked("everything")
    assert done.returncode == 2
    assert "unknown subject 'everything'" in done.stderr

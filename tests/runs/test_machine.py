import subprocess

import deap
import llvmlite
import numba
import numpy
import pytest
import scipy
from numba.core import config

from divergent.runs import Settings, read, run
from divergent.runs._machine import describe_machine, find_commit
from divergent.runs.execution import record_folder


def git(folder, *arguments):
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    return subprocess.run(
        ["git", "-C", folder, *identity, *arguments], check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A repository with one commit, and the commit."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    (tmp_path / "divergent").mkdir()
    (tmp_path / "divergent" / "loops.py").write_text("")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "first")
    return tmp_path, git(tmp_path, "rev-parse", "HEAD")


def test_find_commit_of_a_clean_checkout_is_its_first_digits(checkout):
    folder, commit = checkout
    assert find_commit(folder) == commit[:12]


@pytest.mark.parametrize("name", ["divergent/loops.py", "divergent/new.py", "mazes/own.txt"])
def test_find_commit_with_a_changed_or_new_file_of_the_package_is_marked(checkout, name):
    folder, commit = checkout
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("changed")
    assert find_commit(folder) == f"{commit[:12]}+changes"


def test_find_commit_ignores_changes_outside_the_package(checkout):
    folder, commit = checkout
    (folder / "notes.txt").write_text("new")
    assert find_commit(folder) == commit[:12]


def test_find_commit_ignores_the_repository_of_a_hook(checkout, monkeypatch):
    folder, commit = checkout
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert find_commit(folder) == commit[:12]


def test_find_commit_of_a_package_installed_inside_a_repository_is_none(checkout):
    folder, _ = checkout
    assert find_commit(folder / "divergent") is None


def test_find_commit_without_git_is_none(checkout, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert find_commit(checkout[0]) is None


def test_find_commit_of_a_repository_without_commits_is_none(tmp_path):
    git(tmp_path, "init", "--quiet")
    assert find_commit(tmp_path) is None


def test_describe_machine_has_the_versions_of_the_libraries():
    machine = describe_machine()
    for library in (numpy, numba, llvmlite, scipy):
        assert machine[library.__name__] == library.__version__
    assert machine["deap"].startswith(deap.__version__)  # 1.4 for 1.4.4
    assert machine["processor"]
    assert machine["cpu"] == llvmlite.binding.get_host_cpu_name()


def test_describe_machine_has_the_processor_that_numba_compiles_for(monkeypatch):
    monkeypatch.setattr(config, "CPU_NAME", "generic")
    monkeypatch.setattr(config, "CPU_FEATURES", "+sse2,-avx,+avx2")
    machine = describe_machine.__wrapped__()
    assert (machine["cpu"], machine["cpu_features"]) == ("generic", "avx2,sse2")
    # printf 'avx2,sse2' | sha256sum
    assert machine["cpu_features_hash"] == "21b70c46be07"


def test_run_keeps_the_machine_and_its_processor_time_in_the_record(tmp_path):
    settings = Settings(maze="medium", search="random", population=20, generations=2, steps=30)
    record = run(settings, out=tmp_path)
    assert record.machine | describe_machine() == record.machine
    assert record.machine["cpu_seconds"] > 0
    assert read(record_folder(settings, tmp_path)).machine == record.machine

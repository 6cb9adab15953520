import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import divergent
from divergent._compile import nothing_compiled

PACKAGE = Path(divergent.__file__).parent


def command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, timeout=120, check=False, **options
    )


def copy_of_the_package(folder, **options):
    """The package again, which a command that is started there finds first; what it needs in its environment."""
    shutil.copytree(PACKAGE, folder / "divergent", **options)
    shutil.copytree(PACKAGE.parent / "mazes", folder / "divergent" / "mazes")
    return {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}


@pytest.fixture
def without_cache(tmp_path):
    """The environment of a process that finds, in `tmp_path`, a package next to which nothing can be written."""
    environment = copy_of_the_package(tmp_path, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [tmp_path / "divergent", *filter(Path.is_dir, (tmp_path / "divergent").rglob("*"))]:
        (folder / "__pycache__").write_text("in the way of a folder")
    return environment | {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache", "TMPDIR": str(tmp_path)}


def test_njit_without_a_cache_folder_changes_no_setting_of_numba(without_cache, tmp_path):
    code = (
        "import os, numba, warnings; warnings.simplefilter('ignore'); before = dict(os.environ); "
        "from divergent.neighbours._kernels import square; from divergent._compile import cache_folder; "
        "print(square(3.0), numba.config.CACHE_DIR == '', set(os.environ) - set(before)); "
        "print(cache_folder().parent, len(list(cache_folder().rglob('*.nbi'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=without_cache, cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == f"9.0 True {{'DIVERGENT_CACHE_DIR'}}\n{tmp_path} 1\n"


def test_njit_without_a_cache_folder_warns_once_and_names_the_remedy(without_cache, tmp_path):
    ended = command("divergent.run_maze", "--help", env=without_cache, cwd=tmp_path)
    assert ended.stdout.startswith("usage: python -m divergent.run_maze")
    assert ended.returncode == 0
    assert ended.stderr.startswith("run_maze: warning: numba can keep compiled functions neither")
    assert "set NUMBA_CACHE_DIR" in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert list(tmp_path.glob("divergent-*")) == []  # the folder for this start alone


def test_command_with_a_truncated_cache_names_the_files_to_delete(tmp_path):
    environment = copy_of_the_package(tmp_path)
    indices = list((tmp_path / "divergent").rglob("*.nbi"))
    if not indices:
        pytest.skip("nothing has been compiled here yet")
    for index in indices:
        index.write_bytes(index.read_bytes()[:5])
    small = ["--population", "20", "--generations", "2", "--steps", "20", "--out", str(tmp_path / "runs")]
    ended = command(
        "divergent.run_maze", "medium", "--search", "random", "--quiet", *small, env=environment, cwd=tmp_path
    )
    assert ended.returncode == 2
    assert ended.stderr.startswith("run_maze: numba's cache of compiled functions is damaged")
    assert f"delete the files *.nbi and *.nbc under {tmp_path / 'divergent'}" in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_nothing_compiled_with_an_empty_cache_is_true(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    assert nothing_compiled()
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "one.nbi").touch()
    assert not nothing_compiled()

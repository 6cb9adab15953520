import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import divergent

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


def test_an_interrupt_during_the_imports_is_one_line(tmp_path):
    (tmp_path / "deap").mkdir()
    (tmp_path / "deap" / "__init__.py").write_text("raise KeyboardInterrupt")
    ended = command("divergent.run_maze", "hard", env=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert ended.returncode == -signal.SIGINT
    assert ended.stderr == "divergent: interrupted\n"


def test_an_interrupt_during_the_import_of_a_program_is_left_to_the_program(tmp_path):
    (tmp_path / "deap").mkdir()
    (tmp_path / "deap" / "__init__.py").write_text("raise KeyboardInterrupt")
    code = "try: import divergent\nexcept KeyboardInterrupt: print('mine')"
    ended = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True,
        timeout=120, check=True,
    )  # fmt: skip
    assert ended.stdout == "mine\n"


@pytest.mark.parametrize("closed", [1, 2])
def test_a_closed_stream_does_not_send_what_is_said_elsewhere(closed):
    ended = command("divergent", "nonsense", preexec_fn=lambda: os.close(closed))
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == (closed != 2)


def test_where_nothing_can_be_kept_a_sentence_says_what_to_set(tmp_path):
    environment = copy_of_the_package(tmp_path, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [tmp_path / "divergent", *filter(Path.is_dir, (tmp_path / "divergent").rglob("*"))]:
        (folder / "__pycache__").write_text("in the way of a folder")
    nowhere = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache", "TMPDIR": str(tmp_path)}
    ended = command("divergent", "--version", env=environment | nowhere, cwd=tmp_path)
    assert ended.stdout == f"{divergent.__version__}\n"
    assert ended.returncode == 0
    assert ended.stderr.startswith("divergent: warning: numba can keep compiled functions neither")
    assert "set NUMBA_CACHE_DIR" in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert list(tmp_path.glob("divergent-*")) == []  # the folder for this start alone


def test_a_truncated_cache_is_told_with_what_to_delete(tmp_path):
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

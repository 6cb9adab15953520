import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

import divergent

HOME = Path(__file__).parents[1]
pytestmark = pytest.mark.slow


def call(*words, **options):
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, timeout=300, check=False, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def can_build_here():
    """Whether the setuptools of this environment is new enough to make wheels by itself."""
    try:
        return tuple(map(int, metadata.version("setuptools").split(".")[:2])) >= (70, 1)
    except metadata.PackageNotFoundError:
        return False


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with the sdist, and the wheel made from it."""
    source, target = tmp_path_factory.mktemp("source") / "divergent", tmp_path_factory.mktemp("dist")
    source.mkdir()
    for name in ("setup.cfg", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(HOME / name, source)
    for name in ("divergent", "mazes"):
        shutil.copytree(HOME / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    isolation = ["--no-isolation"] if can_build_here() else []
    call(sys.executable, "-m", "build", *isolation, "--outdir", target, source)
    return target


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """The Python of a new environment with the wheel in it, which borrows everything else from this one."""
    place = tmp_path_factory.mktemp("environment")
    call(sys.executable, "-m", "venv", "--without-pip", place)
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    site = Path(call(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (wheel,) = built.glob("*.whl")
    call(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", site, wheel)
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def test_wheel_contains_mazes_and_type_marker(built):
    (wheel,) = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"divergent/mazes/{name}.txt" for name in ("medium", "hard", "very_hard", "extremely_hard")} <= names
    assert {"divergent/py.typed", "divergent/__main__.py", "divergent/neat/genome.py"} <= names
    assert not any(name.startswith("tests") for name in names)


def test_wheel_contains_every_module(built):
    (wheel,) = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {str(path.relative_to(HOME)) for path in (HOME / "divergent").rglob("*.py")} <= names


def test_sdist_contains_the_mazes(built):
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"setup.cfg", "README.md", "LICENSE", "mazes/hard.txt", "divergent/run_maze.py"} <= names


def test_wheel_installed_elsewhere_runs(installed, tmp_path):
    where = call(installed, "-c", "import divergent; print(divergent.__version__, divergent.__file__)", cwd=tmp_path)
    version, _, file = where.strip().partition(" ")
    assert version == divergent.__version__
    assert Path(file).is_relative_to(installed.parents[1])
    printed = call(
        installed, "-m", "divergent.run_maze", "medium", "--generations", 3, "--population", 30, cwd=tmp_path,
        env=os.environ | {"MPLBACKEND": "Agg"},
    )  # fmt: skip
    assert "surprise on medium, seed 0" in printed
    assert (tmp_path / "runs" / "medium-surprise" / "seed-0000" / "record.jsonl").is_file()
    assert "very_hard" in call(installed, "-m", "divergent", cwd=tmp_path)

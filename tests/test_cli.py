import subprocess
import sys

import divergent
from divergent.__main__ import main, overview
from divergent.maze import maze_names
from divergent.selection import DEVIATIONS, PREDICTORS, SEARCHES


def test_the_overview_names_everything_there_is():
    said = overview()
    for table in (maze_names(), SEARCHES, PREDICTORS, DEVIATIONS, ("run_maze", "replicate", divergent.__version__)):
        for name in table:
            assert name in said


def test_mazes_are_listed_from_the_shortest_way_to_the_longest():
    said = overview()
    places = [said.index(f"\n  {name} ") for name in ("medium", "hard", "very_hard", "extremely_hard")]
    assert places == sorted(places)


def test_every_line_says_something():
    listed = [line for line in overview().splitlines() if line.startswith("  ")]
    assert all(len(line.split(maxsplit=1)) == 2 for line in listed)


def test_the_package_can_be_asked_as_a_module():
    done = subprocess.run([sys.executable, "-m", "divergent"], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == overview() + "\n"


def test_version_alone(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"{divergent.__version__}\n"


def test_anything_else_is_refused_in_one_line(capsys):
    assert main(["hard", "--search", "surprise"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "divergent: it takes nothing but --version, got 'hard --search surprise'\n"

"""Five programs in DEAP's plain style and their divergent form: both run, and the table in docs counts the lines."""

import difflib
import math
import re
import runpy
from pathlib import Path

import pytest

HOME = Path(__file__).parents[1]
EXAMPLES = HOME / "examples" / "deap"
PAGE = HOME / "docs" / "howto" / "own_problem.md"
NAMES = ("onemax", "knapsack", "regression", "queens", "nsga2")


def code_lines(name):
    """The lines of a program without its docstring and blank lines."""
    lines = (EXAMPLES / f"{name}.py").read_text().splitlines()[1:]
    return [line for line in lines if line]


def changed_lines(name):
    """The number of lines of the divergent form that the plain form does not have."""
    return sum(line.startswith("+ ") for line in difflib.ndiff(code_lines(name), code_lines(f"{name}_divergent")))


@pytest.mark.filterwarnings("ignore:A class named")
@pytest.mark.parametrize("name", [*NAMES, *(f"{name}_divergent" for name in NAMES)])
def test_deap_example_with_small_budget_runs(name):
    main = runpy.run_path(str(EXAMPLES / f"{name}.py"))["main"]
    assert math.isfinite(main(generations=3))


@pytest.mark.parametrize("name", NAMES)
def test_table_in_docs_has_the_number_of_changed_lines(name):
    row = re.search(rf"^\| \[{name}\]\(.*\) \|.*\| (\d+) of (\d+) \|$", PAGE.read_text(), flags=re.MULTILINE)
    assert (int(row[1]), int(row[2])) == (changed_lines(name), len(code_lines(name)))

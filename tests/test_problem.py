"""Problems reject arguments that runs, records and figures could not use."""

import cloudpickle
import numpy as np
import pytest
from deap import base

from divergent import Problem
from divergent.selection import Novelty

PAIRS = r"limits must be one pair \(lower, upper\) for each behaviour dimension,"


def toolbox(rng):
    return base.Toolbox()


def test_problem_without_title_has_its_name_as_title():
    assert Problem("roof", toolbox).title == "roof"
    assert Problem("roof", toolbox, title="A roof").title == "A roof"


def test_limits_become_pairs_of_floats():
    problem = Problem("roof", toolbox, axes=["x", "y"], limits=np.array([(-1, 1), (0, 3)]))
    assert problem.limits == ((-1.0, 1.0), (0.0, 3.0))
    assert problem.axes == ("x", "y")
    assert problem.bounds == ((-1.0, 0.0), (1.0, 3.0))
    assert Problem("roof", toolbox, axes=("x",)).bounds is None


def test_problem_attribute_assignment_raises():
    with pytest.raises(AttributeError):
        Problem("roof", toolbox).name = "other"  # type: ignore[misc]


def test_problem_with_local_functions_survives_cloudpickle():
    size = 3
    problem = Problem("roof", lambda rng: size, solved=lambda values: values[0] < size)
    again = cloudpickle.loads(cloudpickle.dumps(problem))
    assert again.toolbox(None) == 3
    assert again.solved((2,))
    assert not again.solved((3,))


@pytest.mark.parametrize("name", ["", "a/b", "..", ".hidden", "end.", "end ", "a\nb", "x" * 81, 3, None])
def test_name_that_is_no_folder_name_raises(name):
    with pytest.raises(ValueError, match=r"^name must have at most 80 characters \(letters"):
        Problem(name, toolbox)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"solved": 3}, "solved must be callable or None, got 3"),
        ({"draw": "walls"}, "draw must be callable or None, got 'walls'"),
        ({"searches": {"new": 1}}, "values of searches must be strategy classes, got 1 for 'new'"),
    ],
)
def test_argument_that_is_not_callable_raises(arguments, message):
    with pytest.raises(TypeError, match=message):
        Problem("roof", toolbox, **arguments)


def test_toolbox_must_be_a_factory():
    with pytest.raises(TypeError, match="toolbox must be a callable that returns a toolbox"):
        Problem("roof", base.Toolbox())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"save": str}, "save and load must be passed together"),
        (
            {"defaults": {"populations": 3}},
            "names in defaults must be settings of a run, among population, .* got 'populations'",
        ),
        ({"defaults": {"population": 1}}, "population must be an integer, at least 2, got 1"),
        ({"defaults": {"generations": 2.5}}, "generations must be an integer, at least 1, got 2.5"),
        ({"defaults": {"cxpb": 1.5}}, "cxpb must be a rate between 0 and 1, got 1.5"),
        (
            {"defaults": {"loop": "plus plus"}},
            "loop must be the name of a loop, one of steady, generational, plus, comma, fi2pop, custom, "
            "got 'plus plus'",
        ),
        ({"defaults": ("population", 3)}, "defaults must be a mapping from settings to values"),
        ({"searches": ("novelty",)}, "searches must be a mapping from names to strategy classes"),
        ({"searches": {"a/b": Novelty}}, "name in searches must have at most 80 characters"),
        ({"axes": "xy"}, "axes must be a sequence of names"),
        ({"axes": ("x", 2)}, "axes must be a sequence of names"),
        ({"limits": 3}, PAIRS + " got 3"),
        ({"limits": None}, PAIRS + " got None"),
        ({"limits": np.array(2)}, PAIRS + r" got array\(2\)"),
        ({"limits": ((0, 1), (2,))}, PAIRS + r" got \(2,\)"),
        ({"limits": (3, 4)}, PAIRS + " got 3"),
        ({"limits": ((1, 0),)}, "lower limit 0 must be below the upper limit 0, got 1"),
        ({"limits": ((0, float("inf")),)}, "upper limit 0 must be a finite number, got inf"),
        ({"axes": ("x", "y"), "limits": ((0, 1),)}, "limits must have one pair for each of the 2 axes, got 1"),
        ({"title": 3}, "title must be a string, got 3"),
    ],
)
def test_problem_with_invalid_argument_raises(arguments, message):
    with pytest.raises(ValueError, match=message):
        Problem("roof", toolbox, **arguments)

import numpy as np
import pytest

from divergent import History, Outcome
from divergent.explorer._scene import scene_of
from divergent.individual import MaximisedFitness
from divergent.loops import Step


class Thing:
    def __init__(self, value, behaviour):
        self.fitness = MaximisedFitness()
        self.fitness.values = Outcome((value,), behaviour=behaviour)


def history_of(*behaviours):
    things = [Thing(float(value), behaviour) for value, behaviour in enumerate(behaviours)]
    history = History()
    history.note(Step(0, len(things), things, things))
    return history


def test_scene_of_two_dimensions_has_the_behaviours():
    scene = scene_of(history_of((1.0, 2.0), (3.0, 6.0)))
    assert scene.values.tolist() == [[1.0, 2.0], [3.0, 6.0]]
    (left, right), (top, bottom) = [(dimension.low, dimension.high) for dimension in scene.dimensions]
    assert left < 1.0 < 3.0 < right
    assert top < 2.0 < 6.0 < bottom


def test_scene_of_more_dimensions_adds_two_principal_components():
    line = [(t, 2 * t, -t) for t in (0.0, 1.0, 3.0)]
    scene = scene_of(history_of(*line))
    assert scene.plane == (3, 4)
    assert scene.values[:, :3].tolist() == [list(row) for row in line]
    assert np.abs(np.diff(scene.values[:, 3])) == pytest.approx([6**0.5, 2 * 6**0.5])
    assert scene.values[:, 4] == pytest.approx(np.zeros(3), abs=1e-9)
    names = ["principal component 1 (100% of the variance)", "principal component 2 (0% of the variance)"]
    assert [dimension.name for dimension in scene.dimensions[3:]] == names
    assert [dimension.derived for dimension in scene.dimensions] == [False] * 3 + [True] * 2


def test_scene_of_one_dimension_is_a_line():
    assert scene_of(history_of(4.0, 7.0)).values.tolist() == [[4.0, 0.0], [7.0, 0.0]]


def test_scene_of_equal_behaviours_has_limits_around_them():
    (left, right), (top, bottom) = [
        (dimension.low, dimension.high) for dimension in scene_of(history_of((1.0, 1.0), (1.0, 1.0))).dimensions
    ]
    assert left < 1.0 < right
    assert top < 1.0 < bottom


def test_scene_of_a_history_without_behaviours_raises():
    with pytest.raises(ValueError, match="history must have evaluations with behaviours, got none"):
        scene_of(history_of(None, None))


def test_scene_of_one_high_dimensional_behaviour_is_a_point():
    scene = scene_of(history_of((1.0, 2.0, 3.0)))
    assert scene.values.tolist() == [[1.0, 2.0, 3.0, 0.0, 0.0]]
    assert scene.dimensions[3].name == "principal component 1 (0% of the variance)"


def test_scene_of_behaviours_that_are_too_large_raises():
    with pytest.raises(
        ValueError, match=r"absolute values of behaviours on a page must be at most 1e\+30, got 1e\+308"
    ):
        scene_of(history_of((0.0, 1e308), (0.0, -1e308)))


def test_scene_with_axes_and_limits_shows_the_first_two_dimensions():
    limits = ((0.0, 1.0), (-1.0, 1.0), (5.0, 6.0))
    scene = scene_of(history_of((0.5, 0.0, 5.5), (0.1, 0.2, 5.1)), axes=("a", "b", "c"), limits=limits)
    assert scene.plane == (0, 1)
    assert [(dimension.name, dimension.low, dimension.high) for dimension in scene.dimensions[:3]] == [
        ("a", 0.0, 1.0), ("b", -1.0, 1.0), ("c", 5.0, 6.0)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"axes": ("a",)}, "axes must have one name for each of the 2 behaviour dimensions, got 1"),
        ({"limits": ((0, 1),)}, "limits must have one range for each of the 2 behaviour dimensions, got 1"),
        ({"limits": ((0, 1), (2, 2))}, "must be below upper limits, got the lower limit 2 and the upper limit 2"),
    ],
)
def test_scene_with_unfitting_arguments_raises(arguments, message):
    with pytest.raises(ValueError, match=message):
        scene_of(history_of((0.5, 0.0), (0.1, 0.2)), **arguments)


def test_scene_with_solved_has_the_first_solution():
    scene = scene_of(history_of((0.5, 0.0), (0.1, 0.2), (0.3, 0.3)), solved=lambda values: values[0] >= 1.0)
    assert scene.solution == 1
    assert scene.facts == "3 evaluations, solved after 2; best fitness 2"


def test_scene_of_very_many_dimensions_keeps_those_with_the_largest_variance(monkeypatch):
    monkeypatch.setattr("divergent.explorer._scene.MOST_VALUES", 4)
    scene = scene_of(history_of((0.0, 1.0, 5.0), (0.0, 3.0, 9.0)))
    assert [dimension.name for dimension in scene.dimensions[:2]] == ["behaviour 2", "behaviour 3"]
    assert scene.values[:, :2].tolist() == [[1.0, 5.0], [3.0, 9.0]]

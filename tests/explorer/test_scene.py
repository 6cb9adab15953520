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


def test_behaviours_of_two_numbers_are_shown_as_they_are():
    scene = scene_of(history_of((1.0, 2.0), (3.0, 6.0)))
    assert scene.points.tolist() == [[1.0, 2.0], [3.0, 6.0]]
    left, top, right, bottom = scene.bounds
    assert left < 1.0 < 3.0 < right
    assert top < 2.0 < 6.0 < bottom


def test_longer_behaviours_are_shown_by_their_two_principal_components():
    line = [(t, 2 * t, -t) for t in (0.0, 1.0, 3.0)]
    scene = scene_of(history_of(*line))
    assert np.abs(np.diff(scene.points[:, 0])) == pytest.approx([6**0.5, 2 * 6**0.5])
    assert scene.points[:, 1] == pytest.approx(np.zeros(3), abs=1e-9)
    assert scene.axes[0] == "first principal component, 100% of the variance"


def test_behaviours_of_one_number_lie_on_a_line():
    assert scene_of(history_of(4.0, 7.0)).points.tolist() == [[4.0, 0.0], [7.0, 0.0]]


def test_points_that_are_all_the_same_have_a_plane_around_them():
    left, top, right, bottom = scene_of(history_of((1.0, 1.0), (1.0, 1.0))).bounds
    assert left < 1.0 < right
    assert top < 1.0 < bottom


def test_scene_of_a_history_without_behaviours_raises():
    with pytest.raises(ValueError, match="nothing to show"):
        scene_of(history_of(None, None))


def test_scene_of_one_high_dimensional_behaviour_is_a_point():
    scene = scene_of(history_of((1.0, 2.0, 3.0)))
    assert scene.points.tolist() == [[0.0, 0.0]]
    assert scene.axes == tuple(f"{name} principal component, 0% of the variance" for name in ("first", "second"))


def test_scene_rejects_behaviours_that_a_page_cannot_show():
    with pytest.raises(ValueError, match=r"behaviours must be at most 1e\+30 in size to be shown, got 1e\+308"):
        scene_of(history_of((0.0, 1e308), (0.0, -1e308)))

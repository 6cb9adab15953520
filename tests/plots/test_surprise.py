import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot

from divergent.individual import MaximisedFitness, Outcome
from divergent.plots._surprise import draw_surprise
from divergent.selection import Heatmap, Novelty, Surprise

matplotlib.use("Agg")


class Individual:
    def __init__(self, behaviour):
        self.fitness = MaximisedFitness()
        self.fitness.values = Outcome((0.0,), behaviour=behaviour)


def generation(x, numbers=2):
    return [Individual((x, *range(y, y + numbers - 1))) for y in range(6)]


def learnt(surprise, *places, numbers=2):
    for x in places:
        surprise(generation(x, numbers))
    return surprise


def drawn(ax):
    return {points.get_label(): np.asarray(points.get_offsets()).tolist() for points in ax.collections}


def test_draw_surprise_of_a_strategy_draws_clusters_and_predictions_at_their_places():
    surprise = learnt(Surprise(clusters=6, neighbours=1, rng=np.random.default_rng(1)), 0, 1)
    ax = draw_surprise(surprise, generation(5))
    points = drawn(ax)
    assert points["clusters at t-2"] == surprise.centroids[0].tolist()
    assert points["clusters at t-1"] == surprise.centroids[1].tolist()
    assert points["predictions for t"] == surprise.predictions.tolist()
    assert sorted(points["population at t"]) == [[5.0, float(y)] for y in range(6)]


def test_draw_surprise_on_narrow_axes_extends_them_to_all_predictions():
    surprise = learnt(Surprise(clusters=6, neighbours=1, rng=np.random.default_rng(1)), 0, 1)
    _, ax = pyplot.subplots()
    ax.set(xlim=(0.0, 0.5), ylim=(0.5, 0.0))  # y downwards, as in a maze
    draw_surprise(surprise, generation(5), ax=ax)
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert bottom > top
    assert (surprise.predictions[:, 0] < right).all()
    assert (surprise.predictions[:, 0] > left).all()
    assert ((surprise.predictions[:, 1] < bottom) & (surprise.predictions[:, 1] > top)).all()


def test_draw_surprise_with_empty_clusters_draws_their_predictions_hollow():
    surprise = learnt(Surprise(clusters=6, neighbours=1), 0, 1)
    surprise.occupied = np.array([True] * 5 + [False])
    points = drawn(draw_surprise(surprise, generation(5)))
    assert points["kept, cluster empty"] == surprise.predictions[5:].tolist()
    assert len(points["predictions for t"]) == 5


def test_draw_surprise_on_given_axes_changes_no_memory(tmp_path):
    surprise = learnt(Surprise(clusters=3), 0, 1)
    before = surprise.state()
    figure, ax = pyplot.subplots()
    assert draw_surprise(surprise, generation(2), ax=ax) is ax
    assert surprise.state() == before
    figure.savefig(tmp_path / "surprise.png")
    assert (tmp_path / "surprise.png").stat().st_size > 5000


def test_draw_surprise_without_predictions_raises():
    with pytest.raises(ValueError, match="must be updated from at least two generations to be drawn, got 1"):
        draw_surprise(learnt(Surprise(clusters=3), 0), generation(1))
    with pytest.raises(ValueError, match="behaviours must have 2 dimensions to be drawn, got 3"):
        draw_surprise(learnt(Surprise(clusters=3), 0, 1, numbers=3), generation(2, 3))
    with pytest.raises(TypeError, match="strategy must be a Surprise to draw its predictions, got a Novelty"):
        draw_surprise(Novelty(), generation(2))
    heatmap = Surprise(deviation=Heatmap((0, 0, 9, 9), cells=3))
    with pytest.raises(
        ValueError,
        match="must be a Surprise that predicts cluster centroids, "
        "got a Surprise created with the argument deviation=Heatmap",
    ):
        draw_surprise(learnt(heatmap, 0, 1), generation(2))

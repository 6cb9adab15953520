"""Drawings of genomes."""

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch

from divergent.neat import Activation, Genome, Innovations, mutate
from divergent.plots._network import DOTTED, draw_network
from divergent.plots._robot import robot_labels


def texts(ax):
    return [text.get_text() for text in ax.texts if text.get_text()]


def arrows(ax):
    return [patch for patch in ax.patches if isinstance(patch, FancyArrowPatch)]


def node_places(ax):
    return [tuple(place) for collection in ax.collections for place in collection.get_offsets()]


def test_draw_network_of_another_genome_with_as_many_inputs_numbers_them():
    genome = Genome.start(11, 2, rng=np.random.default_rng(0))
    assert texts(draw_network(genome))[:2] == ["input 0", "input 1"]
    assert texts(draw_network(genome))[-1] == "output 1"


def test_draw_network_with_robot_labels_names_sensors_and_motors():
    ax = draw_network(Genome.start(11, 2, rng=np.random.default_rng(0)), labels=robot_labels())
    assert texts(ax)[:3] == ["bias", "wall left", "wall ahead left"]
    assert texts(ax)[-2:] == ["turn", "speed"]
    assert len(arrows(ax)) == 13


def test_draw_network_with_some_labels_numbers_the_other_nodes():
    genome = Genome.start(2, 1, hidden=0, rng=np.random.default_rng(0))
    assert texts(draw_network(genome)) == ["input 0", "input 1", "output 0"]
    assert texts(draw_network(genome, labels={2: "push", 99: "absent"})) == ["input 0", "input 1", "push"]
    assert texts(draw_network(genome, labels={0: "", 1: ""})) == ["output 0"]


def test_draw_network_legend_names_only_existing_marks():
    genome = Genome([[0, 0, 2, 2.0, 1], [1, 1, 2, -0.5, 1]], 2, 1)
    assert legend(draw_network(genome)) == ["positive weight", "negative weight"]
    genome = Genome([[0, 0, 2, 2.0, 0], [1, 2, 2, 0.5, 1]], 2, 1)
    assert legend(draw_network(genome)) == ["positive weight", "strongly curved: recurrent", "disabled"]


def test_draw_network_with_a_bias_draws_it_with_the_inputs():
    kind = {"hidden_activation": "tanh", "output_activation": Activation("sigmoid", 1.0), "bias_node": True}
    ax = draw_network(Genome.start(1, 1, weight_range=(1, 1), rng=np.random.default_rng(0), **kind))
    assert texts(ax) == ["input 0", "bias", "output 0"]
    assert [place[0] for place in node_places(ax)] == pytest.approx([0, 0, 0.5, 1])
    assert legend(ax) == ["positive weight", "hidden: tanh", "output: sigmoid, slope 1"]
    flat = Genome.start(1, 1, hidden=0, weight_range=(1, 1), rng=np.random.default_rng(0), **kind)
    assert legend(draw_network(flat)) == ["positive weight", "output: sigmoid, slope 1"]


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_draw_network_with_a_self_connection_returns_to_the_edge_of_the_node():
    genome = Genome([[0, 0, 1, 1.0, 1], [1, 1, 1, 1.0, 1]], 1, 1)
    ax = draw_network(genome)
    ax.figure.canvas.draw()
    (loop,) = [arrow for arrow in arrows(ax) if arrow._posA_posB is None]
    ends = loop.get_transform().transform(loop._path_original.vertices[[0, -1]])
    centre = ax.transData.transform(node_places(ax)[-1])
    radius = np.hypot(*(ends - centre).T) * 72 / ax.figure.dpi
    assert radius == pytest.approx([7, 7])  # points, where the node's edge is


def test_draw_network_on_given_axes_makes_no_other_figure():
    _, ax = plt.subplots()
    assert draw_network(Genome.start(2, 1, rng=np.random.default_rng(0)), ax=ax) is ax


def test_draw_network_with_hidden_nodes_places_them_between_inputs_and_outputs():
    genome = Genome([[0, 0, 3, 1, 1], [1, 3, 4, 1, 1], [2, 4, 2, 1, 1], [3, 1, 2, 1, 1]], 2, 1)
    columns = [place[0] for place in node_places(draw_network(genome))]
    assert columns == pytest.approx([0, 0, 1 / 3, 2 / 3, 1])  # inputs, hidden, output


def test_draw_network_of_weights_has_their_widths_and_colours():
    genome = Genome([[0, 0, 2, 2.0, 1], [1, 1, 2, -0.5, 1], [2, 0, 3, 1.0, 0], [3, 3, 2, 1.0, 1]], 2, 2)
    faint, weak, middle, strong = arrows(draw_network(genome))  # the strongest on top
    assert strong.get_linewidth() > middle.get_linewidth() > weak.get_linewidth()
    red, _, blue, _ = strong.get_edgecolor()
    assert blue > red
    red, _, blue, _ = weak.get_edgecolor()
    assert red > blue
    assert len({round(part, 3) for part in faint.get_edgecolor()[:3]}) == 1  # the disabled connection is grey
    assert faint.get_linestyle() == DOTTED
    assert 0.5 < faint.get_edgecolor()[3] < strong.get_edgecolor()[3]


def test_draw_network_with_recurrent_connections_bends_them():
    genome = Genome([[0, 0, 2, 1.0, 1], [1, 2, 1, 1.0, 1], [2, 1, 2, 1.0, 1]], 1, 1)
    assert genome.recurrent.tolist() == [False, False, True]
    straight, other, bent = [arrow.get_connectionstyle().rad for arrow in arrows(draw_network(genome))]
    assert straight == other == 0
    assert bent != 0


def test_draw_network_with_a_node_on_a_connection_bends_the_connection():
    genome = Genome([[0, 0, 4, 1.0, 1], [1, 4, 3, 1.0, 1], [2, 2, 3, 1.0, 1]], 3, 1)
    ax = draw_network(genome)
    ax.figure.canvas.draw()
    radius = 7 * ax.figure.dpi / 72
    hidden = ax.transData.transform(node_places(ax)[3])
    ways = [arrow.get_path().interpolated(50).vertices for arrow in arrows(ax)]
    shapes = [arrow.get_transform().transform(way) for arrow, way in zip(arrows(ax), ways, strict=True)]
    lead_elsewhere = [way for way in shapes if np.hypot(*(way - hidden).T).min() > 2 * radius]
    assert len(lead_elsewhere) == 1  # the two links of the hidden node end at its edge


@pytest.mark.parametrize("seed", range(5))
def test_draw_network_of_any_genome_has_no_two_nodes_in_one_place(seed):
    rng = np.random.default_rng(seed)
    genome = Genome.start(4, 2, hidden=seed % 2, rng=rng)
    innovations = Innovations([genome])
    for _ in range(60):
        mutate(genome, innovations=innovations, node_rate=0.2, connection_rate=0.4, recurrent=0.5, rng=rng)
    ax = draw_network(genome)
    assert len(arrows(ax)) == len(genome)
    places = {(round(x, 6), round(y, 6)) for x, y in node_places(ax)}
    assert len(places) == len(genome.nodes)


def test_draw_network_without_connections_draws_the_nodes():
    assert arrows(draw_network(Genome([], 2, 1))) == []


def test_draw_network_with_activations_of_single_nodes_names_them():
    genome = Genome.start(2, 1, hidden=1, rng=np.random.default_rng(0))
    genome.node_activations = {2: Activation("sine"), 3: Activation("gaussian", 2.0)}
    assert texts(draw_network(genome)) == ["input 0", "input 1", "output 0: sine", "gaussian, slope 2"]

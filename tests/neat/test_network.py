import math
import pickle
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divergent.neat.network import Network, express


def genome(*links, inputs=2, outputs=1):
    """Links are source, target, weight and, for a disabled one, False."""
    genes = [(number, *link, *(() if len(link) == 4 else (True,))) for number, link in enumerate(links)]
    return SimpleNamespace(genes=np.array(genes, dtype=float).reshape(-1, 5), inputs=inputs, outputs=outputs)


def sigmoid(s):
    return 1 / (1 + math.exp(-4.924273 * s))


def twin(genome):
    """One pass in plain Python: all sums from the values of the pass before, then all sigmoids."""
    values = {}
    links = [(int(source), int(target), weight) for _, source, target, weight, on in genome.genes.tolist() if on]
    nodes = {node for source, target, _ in links for node in (source, target)}
    nodes |= set(range(genome.inputs, genome.inputs + genome.outputs))

    def activate(inputs):
        held = values | dict(enumerate(inputs))
        for node in nodes - set(range(genome.inputs)):
            values[node] = sigmoid(sum(w * held.get(source, 0.0) for source, target, w in links if target == node))
        return [values[genome.inputs + number] for number in range(genome.outputs)]

    return activate


def test_an_output_is_the_sigmoid_of_its_weighted_inputs():
    network = express(genome((0, 2, 0.5), (1, 2, -1.0)))
    assert network([1.0, 0.2]).tolist() == pytest.approx([sigmoid(0.3)])


def test_a_link_takes_one_pass():
    network = express(genome((0, 3, 1.0), (3, 2, 1.0)))
    assert network.activate([1.0, 0.0]).tolist() == [0.5]
    assert network.activate([1.0, 0.0]).tolist() == pytest.approx([sigmoid(sigmoid(1.0))])


def test_a_recurrent_link_brings_the_value_of_the_pass_before():
    network = express(genome((2, 2, 1.0)))
    assert network([0.0, 0.0]).tolist() == [0.5]
    assert network([0.0, 0.0]).tolist() == pytest.approx([sigmoid(0.5)])
    assert network([0.0, 0.0]).tolist() == pytest.approx([sigmoid(sigmoid(0.5))])


def test_reset_forgets():
    network = express(genome((0, 2, 1.0), (2, 2, 1.0)))
    first = network([1.0, 0.0]).tolist()
    assert network([1.0, 0.0]).tolist() != first
    network.reset()
    assert network([1.0, 0.0]).tolist() == first


def test_several_passes_on_the_same_inputs_are_as_many_calls():
    one, other = express(genome((0, 3, 1.0), (3, 2, 2.0))), express(genome((0, 3, 1.0), (3, 2, 2.0)))
    for _ in range(4):
        last = one.activate([0.3, 0.0])
    assert other.activate([0.3, 0.0], passes=4).tolist() == last.tolist()


def test_a_disabled_link_is_not_expressed():
    assert express(genome((0, 2, 5.0, False), (1, 2, 1.0)))([1.0, 0.0]).tolist() == [0.5]


def test_what_no_live_link_reaches_holds_one_half():
    network = express(genome((0, 3, 5.0, False), (3, 2, 1.0), outputs=1))
    network([1.0, 0.0])
    assert network([1.0, 0.0]).tolist() == pytest.approx([sigmoid(0.5)])
    assert express(genome())([1.0, 0.0]).tolist() == [0.5]


def test_hidden_nodes_may_have_any_ids_in_any_order():
    near, far = genome((0, 4, 1.0), (4, 3, -2.0), (3, 2, 1.5)), genome((0, 9000, 1.0), (9000, 77, -2.0), (77, 2, 1.5))
    assert repr(express(far)) == "Network(2 inputs, 2 hidden, 1 outputs)"
    assert express(near).activate([0.4, 0.0], 5).tolist() == express(far).activate([0.4, 0.0], 5).tolist()


def test_outputs_handed_out_do_not_change_later():
    network = express(genome((2, 2, 1.0)))
    first = network([0.0, 0.0])
    network([0.0, 0.0])
    assert first.tolist() == [0.5]


def test_very_large_sums_saturate_quietly():
    network = express(genome((0, 2, 1e6), (0, 3, -1e6), outputs=2))
    assert network([1.0, 0.0]).tolist() == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1.0, 100.0])
def test_the_sigmoid_is_right_to_the_last_digits(scale):
    network = express(genome((0, 1, 1.0), inputs=1))
    for s in np.random.default_rng(0).normal(0, scale, 1000):
        z = -4.924273 * s
        expected = 1 / (1 + math.exp(z)) if z < 700 else 0.0
        assert network([s])[0] == pytest.approx(expected, rel=1e-14 * max(1, abs(z)), abs=1e-300)


def test_nan_in_is_nan_out():
    assert np.isnan(express(genome((0, 2, 1.0)))([math.nan, 0.0])).all()


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_any_network_agrees_with_the_plain_twin_and_stays_finite(seed):
    rng = np.random.default_rng(seed)
    inputs, outputs, hidden = (int(number) for number in rng.integers((1, 1, 0), (15, 12, 30)))
    first = inputs + outputs
    ids = np.concatenate((np.arange(first), rng.choice(np.arange(first, first + 100), hidden, replace=False)))
    pairs = {(int(rng.choice(ids)), int(rng.choice(ids[inputs:]))) for _ in range(rng.integers(0, 150))}
    links = [(*pair, rng.normal(0, 2), rng.random() < 0.8) for pair in sorted(pairs)]
    one = genome(*links, inputs=inputs, outputs=outputs)
    network, plain = express(one), twin(one)
    for _ in range(6):
        values = rng.normal(size=inputs)
        found = network.activate(values)
        assert np.isfinite(found).all()
        assert found.tolist() == pytest.approx(plain(values), abs=1e-12)


def test_a_network_survives_a_pickle_with_its_state():
    network = express(genome((0, 2, 1.0), (2, 2, 1.0)))
    network([1.0, 0.0])
    assert pickle.loads(pickle.dumps(network))([1.0, 0.0]).tolist() == network([1.0, 0.0]).tolist()


def test_wrong_calls_are_refused():
    network = express(genome((0, 2, 1.0)))
    with pytest.raises(ValueError, match="the network has 2 inputs, got 3 numbers"):
        network([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="passes must be a whole number, at least 1, got 0"):
        network.activate([1.0, 2.0], passes=0)


NOWHERE = (-1, 0.5, 2**31, 1e300, math.inf, -math.inf, math.nan)


@pytest.mark.parametrize(
    "link", [(0, 1, 1.0), *((bad, 2, 1.0) for bad in NOWHERE), *((0, bad, 1.0) for bad in NOWHERE)]
)
def test_a_link_into_an_input_or_from_or_to_what_is_no_node_is_refused(link):
    with pytest.raises(ValueError, match="a whole number from 0 to 2147483647, to one that is not an input"):
        express(genome(link))


def test_a_disabled_link_may_be_anything_since_it_is_not_read():
    assert express(genome((0, 2, 1.0), (math.nan, -7, math.inf, False)))([1.0, 0.0]).tolist() == [sigmoid(1.0)]


@pytest.mark.parametrize("weight", [math.nan, math.inf, -math.inf])
def test_a_weight_that_is_not_finite_is_refused(weight):
    with pytest.raises(ValueError, match="the weights of a genome must be finite"):
        express(genome((0, 2, weight)))


@pytest.mark.parametrize("genes", [None, [], np.ones(5), np.ones((3, 4)), np.ones((3, 6)), np.ones((1, 3, 5))])
def test_genes_of_another_shape_are_refused(genes):
    with pytest.raises(ValueError, match="genes are rows of 5 numbers: innovation, source, target, weight, enabled"):
        express(SimpleNamespace(genes=genes, inputs=2, outputs=1))


@pytest.mark.parametrize(
    "form", [list, lambda genes: genes.astype(np.float32), np.asfortranarray, lambda g: g.repeat(2, 0)[::2]]
)
def test_genes_may_come_in_any_form(form):
    plain = genome((0, 2, 0.5), (1, 3, 0.25), (3, 2, -1.0))
    other = SimpleNamespace(genes=form(plain.genes), inputs=2, outputs=1)
    assert express(other).weights.tolist() == express(plain).weights.tolist()


@pytest.mark.parametrize("counts", [(0, 1), (1, 0), (-3, 1), (2.5, 1), (10**12, 1), (1, None)])
def test_numbers_of_inputs_and_outputs_that_cannot_be_are_refused(counts):
    with pytest.raises(ValueError, match="must be a whole number from 1 to 5000"):
        express(genome(inputs=counts[0], outputs=counts[1]))
    with pytest.raises(ValueError, match="must be a whole number from 1 to 5000"):
        Network(np.zeros((1, 3, 8)), *counts)


def test_a_network_has_a_bounded_number_of_nodes():
    chain = [(node, node + 1, 1.0) for node in range(2, 5001)]
    assert repr(express(genome(*chain[:-2]))) == "Network(2 inputs, 4997 hidden, 1 outputs)"
    with pytest.raises(ValueError, match="a network has at most 5000 nodes, inputs among them; there are more"):
        express(genome(*chain))
    with pytest.raises(ValueError, match="a network has at most 5000 nodes, inputs among them, got 6000"):
        Network(np.broadcast_to(0.0, (750, 6000, 8)), inputs=3, outputs=1)


# each of these could write or read where nothing is, which a process may or may not survive
HOSTILE = """
import numpy as np
from types import SimpleNamespace
from divergent.maze import read_maze
from divergent.neat.network import Network, express
from divergent.maze.robot import drive
from divergent.maze.task import MazeTask

def replace(name, value):
    network = Network(np.zeros((1, 13, 8)), 11, 2)
    setattr(network, name, value)
    network(np.zeros(11))

def gene(*numbers):
    return SimpleNamespace(genes=np.array([(0, *numbers)], dtype=float), inputs=11, outputs=2)

refused = 0
for attack in (
    lambda: drive(Network(np.zeros((10**7 // 8, 1, 8)), 11, 2), read_maze("hard"), 10),
    lambda: drive(Network(np.zeros((1, 2, 8)), 11, 2), read_maze("hard"), 10),
    lambda: Network(np.zeros((1, 10**6, 8)), 11, 2)(np.zeros(11)),
    lambda: Network(np.zeros((1, 13, 1)), 11, 2)(np.zeros(11)),
    lambda: Network(np.zeros((13, 8)), 11, 2)(np.zeros(11)),
    lambda: replace("weights", np.zeros((9000, 1300, 8))),
    lambda: replace("inputs", -(10**6)),
    lambda: replace("outputs", 10**6),
    *(lambda bad=bad: MazeTask("hard")(gene(bad, 11, 1, 1)) for bad in (np.nan, np.inf, -5, 2.0**40, 1e300)),
    *(lambda bad=bad: express(gene(0, bad, 1, 1)) for bad in (np.nan, np.inf, -5, 2.0**40, 1e300)),
    lambda: MazeTask("hard")(SimpleNamespace(genes=np.ones((10**5, 2)), inputs=11, outputs=2)),
):
    try:
        attack()
    except (ValueError, AttributeError):
        refused += 1
print(refused)
"""


def test_nothing_makes_compiled_code_leave_its_arrays():
    ended = subprocess.run([sys.executable, "-c", HOSTILE], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "19\n", "")


@pytest.mark.parametrize("shape", [(1, 2, 8), (2, 3, 8), (1, 3, 4), (3, 8), (1, 11, 8)])
def test_weights_of_another_shape_are_refused(shape):
    with pytest.raises(
        ValueError, match=r"the weights of a network have the shape \(blocks of 8 nodes, inputs \+ nodes, 8\)"
    ):
        Network(np.zeros(shape), inputs=2, outputs=1)


@pytest.mark.parametrize("name", ["weights", "inputs", "outputs"])
def test_what_sizes_depend_on_cannot_be_replaced(name):
    network = express(genome((0, 2, 1.0)))
    with pytest.raises(AttributeError, match="no setter"):
        setattr(network, name, getattr(network, name))


def test_weights_say_who_sends_what_to_whom():
    network = express(genome((0, 2, 0.5), (1, 9, 0.25), (9, 2, -1.0)))
    expected = np.zeros((1, 4, 8))
    expected[0, 0, 0], expected[0, 1, 1], expected[0, 3, 0] = 0.5, 0.25, -1.0
    assert network.weights.tolist() == expected.tolist()
    assert isinstance(network, Network)

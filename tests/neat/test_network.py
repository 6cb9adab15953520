import math
import pickle
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_networks import genome, random_genome, reference

from divergent.neat import Activation, Genome
from divergent.neat.activation import FUNCTIONS
from divergent.neat.network import Network, express


def sigmoid(s):
    return 1 / (1 + math.exp(-4.924273 * s))


def test_output_is_the_sigmoid_of_the_weighted_inputs():
    network = express(genome((0, 2, 0.5), (1, 2, -1.0)))
    assert network([1.0, 0.2]).tolist() == pytest.approx([sigmoid(0.3)])


def test_connection_takes_one_pass():
    network = express(genome((0, 3, 1.0), (3, 2, 1.0)))
    assert network.activate([1.0, 0.0]).tolist() == [0.5]
    assert network.activate([1.0, 0.0]).tolist() == pytest.approx([sigmoid(sigmoid(1.0))])


def test_recurrent_connection_reads_the_previous_pass():
    network = express(genome((2, 2, 1.0)))
    assert network([0.0, 0.0]).tolist() == [0.5]
    assert network([0.0, 0.0]).tolist() == pytest.approx([sigmoid(0.5)])
    assert network([0.0, 0.0]).tolist() == pytest.approx([sigmoid(sigmoid(0.5))])


def test_network_reset_clears_activations():
    network = express(genome((0, 2, 1.0), (2, 2, 1.0)))
    first = network([1.0, 0.0]).tolist()
    assert network([1.0, 0.0]).tolist() != first
    network.reset()
    assert network([1.0, 0.0]).tolist() == first


def test_activate_with_several_passes_equals_as_many_calls():
    network, other = express(genome((0, 3, 1.0), (3, 2, 2.0))), express(genome((0, 3, 1.0), (3, 2, 2.0)))
    for _ in range(4):
        last = network.activate([0.3, 0.0])
    assert other.activate([0.3, 0.0], passes=4).tolist() == last.tolist()


def test_express_omits_disabled_genes():
    assert express(genome((0, 2, 5.0, False), (1, 2, 1.0)))([1.0, 0.0]).tolist() == [0.5]


def test_unreached_node_outputs_one_half():
    network = express(genome((0, 3, 5.0, False), (3, 2, 1.0), outputs=1))
    network([1.0, 0.0])
    assert network([1.0, 0.0]).tolist() == pytest.approx([sigmoid(0.5)])
    assert express(genome())([1.0, 0.0]).tolist() == [0.5]


def test_silence_unreached_hidden_node_outputs_0():
    # node 3 has only a disabled connection, nodes 4 and 5 only each other
    links = (0, 3, 5.0, False), (3, 2, 1.0), (4, 5, 2.0), (5, 4, 2.0), (5, 2, 1.0), (0, 2, 0.25)
    network = express(genome(*links), silence_unreached=True)
    assert network.silent.tolist() == [1, 2, 3]
    assert network.activate([1.0, 0.0], passes=3).tolist() == pytest.approx([sigmoid(0.25)])


def test_silence_unreached_counts_a_connection_of_weight_0_as_a_path():
    network = express(genome((0, 3, 0.0), (3, 2, 1.0)), silence_unreached=True)
    assert network.silent is None
    assert network.activate([1.0, 0.0], passes=2).tolist() == pytest.approx([sigmoid(0.5)])


def test_silence_unreached_output_is_0_after_19_passes():
    # a chain of three connections into the first output; the second one has none
    links = (0, 4, 1.0), (4, 5, 1.0), (5, 2, 1.0)
    network = express(genome(*links, outputs=2), silence_unreached=True)
    settled = sigmoid(sigmoid(sigmoid(1.0)))
    assert network.silent.tolist() == [1]
    assert network.activate([1.0, 0.0]).tolist() == pytest.approx([settled, 0.0])
    growing = genome((0, 4, 1.0), (2, 2, 1.0), (4, 2, -1.0), outputs=2)  # recurrent, so that its output counts passes
    as_before = express(growing).activate([0.1, 0.0], passes=2 * 19)[0]
    assert express(growing, silence_unreached=True).activate([0.1, 0.0], passes=2)[0] == as_before


def test_silence_unreached_without_unreached_nodes_changes_nothing():
    links = (0, 3, 1.0), (3, 2, -2.0), (2, 3, 1.5), (1, 2, 0.5)
    network, other = express(genome(*links)), express(genome(*links), silence_unreached=True)
    assert network.activate([0.3, 0.7], 5).tolist() == other.activate([0.3, 0.7], 5).tolist()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_silence_unreached_equals_the_reference(seed, bias_node):
    rng = np.random.default_rng(seed)
    individual = random_genome(rng, bias_node=bias_node, weight=0.5)
    network, plain = (
        express(individual, silence_unreached=True),
        reference(individual, bias_node=bias_node, silence_unreached=True),
    )
    for _ in range(3):
        inputs = rng.normal(0, 1, individual.inputs)
        assert network.activate(inputs).tolist() == pytest.approx(plain(inputs.tolist()), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(
    ("weight", "expressed"),
    [(0.0004, 0.0), (0.0006, 0.001), (-0.0006, 0.0), (-0.0017, -0.001), (2.9996, 3.0), (-2.9999, -2.999)],
)
def test_round_weights_truncates_one_half_more(weight, expressed):
    individual = genome((0, 2, weight))
    assert express(individual, round_weights=3).weights[0, 0, 0] == expressed
    assert express(individual).weights[0, 0, 0] == weight
    assert individual.genes[0, 3] == weight


def test_round_weights_keeps_the_given_decimals():
    assert express(genome((0, 2, 0.257)), round_weights=1).weights[0, 0, 0] == 0.3
    assert express(genome((0, 2, 1.6)), round_weights=0).weights[0, 0, 0] == 2.0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"silence_unreached": 1}, "silence_unreached must be True or False, got 1"),
        ({"round_weights": -1}, "round_weights must be an integer from 0 to 15 or None, got -1"),
        ({"round_weights": True}, "round_weights must be an integer from 0 to 15 or None, got True"),
        ({"round_weights": 2.5}, "round_weights must be an integer from 0 to 15 or None, got 2.5"),
    ],
)
def test_express_with_invalid_option_raises(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        express(genome((0, 2, 1.0)), **options)


@pytest.mark.parametrize("silent", [[-1], [1], [0.5], [[0]], "0"])
def test_network_with_invalid_silent_nodes_raises(silent):
    with pytest.raises(ValueError, match="silent must contain node indices from 0 to 0"):
        Network(np.zeros((1, 3, 8)), 2, 1, silent=silent)


def test_express_accepts_any_node_ids():
    near, far = genome((0, 4, 1.0), (4, 3, -2.0), (3, 2, 1.5)), genome((0, 9000, 1.0), (9000, 77, -2.0), (77, 2, 1.5))
    assert repr(express(far)) == "Network(2 inputs, 2 hidden, 1 outputs)"
    assert express(near).activate([0.4, 0.0], 5).tolist() == express(far).activate([0.4, 0.0], 5).tolist()


def test_returned_outputs_do_not_change():
    network = express(genome((2, 2, 1.0)))
    first = network([0.0, 0.0])
    network([0.0, 0.0])
    assert first.tolist() == [0.5]


def test_large_sums_saturate_without_warning():
    network = express(genome((0, 2, 1e6), (0, 3, -1e6), outputs=2))
    assert network([1.0, 0.0]).tolist() == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1.0, 100.0])
def test_sigmoid_is_exact_to_the_last_digits(scale):
    network = express(genome((0, 1, 1.0), inputs=1))
    for s in np.random.default_rng(0).normal(0, scale, 1000):
        z = -4.924273 * s
        expected = 1 / (1 + math.exp(z)) if z < 700 else 0.0
        assert network([s])[0] == pytest.approx(expected, rel=1e-14 * max(1, abs(z)), abs=1e-300)


def test_nan_inputs_give_nan_outputs():
    assert np.isnan(express(genome((0, 2, 1.0)))([math.nan, 0.0])).all()


@given(st.integers(0, 2**32 - 1))
def test_random_network_equals_the_reference_and_stays_finite(seed):
    rng = np.random.default_rng(seed)
    individual = random_genome(rng)
    network, plain = express(individual), reference(individual)
    for _ in range(6):
        values = rng.normal(size=individual.inputs)
        outputs = network.activate(values)
        assert np.isfinite(outputs).all()
        assert outputs.tolist() == pytest.approx(plain(values), abs=1e-12)


@pytest.mark.parametrize("bias_node", [False, True])
@pytest.mark.parametrize("output", FUNCTIONS)
@pytest.mark.parametrize("hidden", FUNCTIONS)
@settings(max_examples=10)
@given(st.integers(0, 2**32 - 1))
def test_random_activations_equal_the_reference(hidden, output, bias_node, seed):
    rng = np.random.default_rng(seed)
    individual = random_genome(rng, bias_node=bias_node, weight=0.5)
    individual.hidden_activation, individual.output_activation = (
        Activation(hidden, rng.uniform(0.1, 2)),
        Activation(output),
    )
    network, plain = (
        express(individual),
        reference(individual, individual.hidden_activation, individual.output_activation, bias_node),
    )
    for _ in range(4):
        values = rng.normal(size=individual.inputs)
        assert network.activate(values).tolist() == pytest.approx(plain(values), rel=1e-9, abs=1e-9)


def test_hidden_nodes_and_outputs_have_separate_activations():
    individual = genome(
        (0, 2, 2.0), (1, 2, 1.0), (0, 3, 3.0), (3, 2, 0.5), hidden_activation="relu", output_activation="sine"
    )
    assert express(individual)([1.0, -2.0]).tolist() == [math.sin(2.0 - 2.0 + 0.5 * 3.0)]
    assert express(individual)([-1.0, 2.0]).tolist() == [math.sin(-2.0 + 2.0 + 0.0)]


def test_default_activation_is_the_sigmoid_of_the_maze_experiments():
    links = (0, 3, 1.3), (1, 3, -0.7), (3, 2, 0.9), (2, 3, -1.1)
    default = express(genome(*links))
    chosen = express(genome(*links, hidden_activation=Activation("sigmoid", 4.924273)))
    other = express(genome(*links, hidden_activation=Activation("sigmoid", 4.92427301)))
    for _ in range(5):
        expected = default.activate([0.3, 0.8]).tolist()
        assert chosen.activate([0.3, 0.8]).tolist() == expected
        assert other.activate([0.3, 0.8]).tolist() == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(("function", "value"), [("tanh", 0.0), ("gaussian", 1.0), ("identity", 0.0), ("sigmoid", 0.5)])
def test_unreached_node_outputs_the_activation_of_0(function, value):
    assert express(genome(output_activation=function))([1.0, 0.0]).tolist() == [value]


@pytest.mark.parametrize("function", ["relu", "identity"])
def test_network_with_cycles_has_finite_outputs(function):
    network = express(genome((0, 2, 1.0), (2, 2, 1e6), output_activation=function))
    assert network.activate([1.0, 0.0], passes=1000).tolist() == [1e30]


def test_bias_node_outputs_1_and_is_not_an_input():
    individual = Genome(
        [(0, 0, 2, 2.0, 1), (1, 1, 2, 0.25, 1)], inputs=1, outputs=1, output_activation="identity", bias_node=True
    )
    network = express(individual)
    assert repr(network) == "Network(1 inputs and a bias, 0 hidden, 1 outputs)"
    assert (network.inputs, network([3.0]).tolist(), network.activate([3.0]).tolist()) == (1, [6.25], [6.25])
    with pytest.raises(ValueError, match="inputs must be 1 numbers, got 2"):
        network([3.0, 1.0])


def test_call_of_an_acyclic_network_evaluates_all_layers():
    network = express(genome((0, 3, 1.0), (3, 4, 1.0), (4, 2, 1.0), (1, 2, 0.5)))
    assert network.is_feed_forward
    expected = sigmoid(sigmoid(sigmoid(1.0)) + 0.5 * 0.2)
    assert network([1.0, 0.2]).tolist() == pytest.approx([expected])
    network([-3.0, 9.0])
    assert network([1.0, 0.2]).tolist() == pytest.approx([expected])


@pytest.mark.parametrize("links", [[(2, 2, 1.0)], [(0, 3, 1.0), (3, 4, 1.0), (4, 3, 0.5), (4, 2, 1.0)]])
def test_call_of_a_recurrent_network_is_one_pass(links):
    network, other = express(genome(*links)), express(genome(*links))
    assert not network.is_feed_forward
    for _ in range(4):
        assert network([0.3, 0.7]).tolist() == other.activate([0.3, 0.7]).tolist()


def test_disabled_cycle_is_feed_forward():
    assert express(genome((0, 3, 1.0), (3, 2, 1.0), (2, 3, 1.0, False))).is_feed_forward


@given(st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from(list(FUNCTIONS)))
def test_call_of_an_acyclic_network_is_stationary(seed, bias_node, function):
    rng = np.random.default_rng(seed)
    individual = random_genome(rng, bias_node=bias_node, cycles=False)
    individual.hidden_activation = function
    network, fresh = express(individual), express(individual)
    nodes = fresh.weights.shape[1]
    assert network.is_feed_forward
    for _ in range(3):
        network.activate(rng.normal(size=individual.inputs), passes=int(rng.integers(1, 4)))
        values = rng.normal(size=individual.inputs)
        fresh.reset()
        assert network(values).tolist() == fresh.activate(values, passes=nodes).tolist()


@given(st.integers(0, 2**32 - 1))
def test_is_feed_forward_equals_the_acyclicity_of_enabled_connections(seed):
    nx = pytest.importorskip("networkx")
    individual = random_genome(np.random.default_rng(seed))
    links = individual.genes[individual.genes[:, 4] == 1, 1:3].tolist()
    assert express(individual).is_feed_forward == nx.is_directed_acyclic_graph(nx.DiGraph(links))


def test_network_pickle_keeps_activations_and_bias():
    individual = genome(
        (0, 3, 1.0), (2, 3, 0.5), hidden_activation="tanh", output_activation="identity", bias_node=True
    )
    network = pickle.loads(pickle.dumps(express(individual)))
    assert network([2.0, 0.0]).tolist() == [2.5]


def test_network_pickle_keeps_state():
    network = express(genome((0, 2, 1.0), (2, 2, 1.0)))
    network([1.0, 0.0])
    assert pickle.loads(pickle.dumps(network))([1.0, 0.0]).tolist() == network([1.0, 0.0]).tolist()


def test_activate_with_invalid_arguments_raises():
    network = express(genome((0, 2, 1.0)))
    with pytest.raises(ValueError, match="inputs must be 2 numbers, got 3"):
        network([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="passes must be an integer, at least 1, got 0"):
        network.activate([1.0, 2.0], passes=0)


NOWHERE = (-1, 0.5, 2**31, 1e300, math.inf, -math.inf, math.nan)


@pytest.mark.parametrize(
    "link", [(0, 1, 1.0), *((bad, 2, 1.0) for bad in NOWHERE), *((0, bad, 1.0) for bad in NOWHERE)]
)
def test_express_with_invalid_nodes_raises(link):
    with pytest.raises(ValueError, match="a connection must join nodes with ids from 0 to 2147483647"):
        express(genome(link))


def test_express_does_not_validate_disabled_genes():
    assert express(genome((0, 2, 1.0), (math.nan, -7, math.inf, False)))([1.0, 0.0]).tolist() == [sigmoid(1.0)]


@pytest.mark.parametrize("weight", [math.nan, math.inf, -math.inf])
def test_express_with_infinite_weight_raises(weight):
    with pytest.raises(ValueError, match="weights of genes must be finite"):
        express(genome((0, 2, weight)))


@pytest.mark.parametrize("genes", [None, [], np.ones(5), np.ones((3, 4)), np.ones((3, 6)), np.ones((1, 3, 5))])
def test_genes_of_another_shape_raise(genes):
    with pytest.raises(ValueError, match=r"5 columns \(innovation, source, target, weight, enabled\)"):
        express(SimpleNamespace(genes=genes, inputs=2, outputs=1))


@pytest.mark.parametrize(
    "form", [list, lambda genes: genes.astype(np.float32), np.asfortranarray, lambda g: g.repeat(2, 0)[::2]]
)
def test_express_accepts_array_likes(form):
    plain = genome((0, 2, 0.5), (1, 3, 0.25), (3, 2, -1.0))
    other = SimpleNamespace(genes=form(plain.genes), inputs=2, outputs=1)
    assert express(other).weights.tolist() == express(plain).weights.tolist()


@pytest.mark.parametrize("counts", [(0, 1), (1, 0), (-3, 1), (2.5, 1), (10**12, 1), (1, None)])
def test_network_with_invalid_counts_raises(counts):
    with pytest.raises(ValueError, match="must be an integer number of nodes from 1 to 5000"):
        express(genome(inputs=counts[0], outputs=counts[1]))
    with pytest.raises(ValueError, match="must be an integer number of nodes from 1 to 5000"):
        Network(np.zeros((1, 3, 8)), *counts)


def test_network_with_too_many_nodes_raises():
    chain = [(node, node + 1, 1.0) for node in range(2, 5001)]
    assert repr(express(genome(*chain[:-2]))) == "Network(2 inputs, 4997 hidden, 1 outputs)"
    with pytest.raises(ValueError, match=r"a network must have at most 5000 nodes, including inputs$"):
        express(genome(*chain))
    with pytest.raises(ValueError, match="the number of nodes, including inputs, must be at most 5000, got 6000"):
        Network(np.broadcast_to(0.0, (750, 6000, 8)), inputs=3, outputs=1)


# invalid arguments could access memory out of bounds and end the process: run them in a subprocess
HOSTILE = """
import numpy as np
from types import SimpleNamespace
from divergent.maze import read_maze
from divergent.neat.network import Network, express
from divergent.maze._robot import drive
from divergent.maze._task import MazeTask

def replace(name, value):
    network = Network(np.zeros((1, 13, 8)), 11, 2)
    setattr(network, name, value)
    network(np.zeros(11))

def gene(*numbers):
    return SimpleNamespace(genes=np.array([(0, *numbers)], dtype=float), inputs=11, outputs=2)

raised = 0
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
        raised += 1
print(raised)
"""


def test_invalid_arguments_never_access_out_of_bounds():
    ended = subprocess.run([sys.executable, "-c", HOSTILE], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "19\n", "")


@pytest.mark.parametrize("shape", [(1, 2, 8), (2, 3, 8), (1, 3, 4), (3, 8), (1, 11, 8)])
def test_network_with_weights_of_another_shape_raises(shape):
    with pytest.raises(
        ValueError, match=r"weights must be an array of shape \(blocks, sources, 8\) with up to 8 nodes in each block"
    ):
        Network(np.zeros(shape), inputs=2, outputs=1)


def test_network_with_invalid_bias_node_raises():
    with pytest.raises(ValueError, match="bias_node must be True or False, got 1"):
        Network(np.zeros((1, 4, 8)), inputs=2, outputs=1, bias_node=1)
    with pytest.raises(ValueError, match=r"got the shape \(1, 3, 8\) for 2 inputs and a bias and 1 outputs"):
        Network(np.zeros((1, 3, 8)), inputs=2, outputs=1, bias_node=True)


@pytest.mark.parametrize(
    "name", ["weights", "inputs", "outputs", "bias_node", "hidden_activation", "output_activation"]
)
def test_network_parameters_are_read_only(name):
    network = express(genome((0, 2, 1.0)))
    with pytest.raises(AttributeError, match="no setter"):
        setattr(network, name, getattr(network, name))


def test_network_weights_are_indexed_by_block_source_and_node():
    network = express(genome((0, 2, 0.5), (1, 9, 0.25), (9, 2, -1.0)))
    expected = np.zeros((1, 4, 8))
    expected[0, 0, 0], expected[0, 1, 1], expected[0, 3, 0] = 0.5, 0.25, -1.0
    assert network.weights.tolist() == expected.tolist()
    assert isinstance(network, Network)

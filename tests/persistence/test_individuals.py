"""Individuals survive JSON: content, class, further attributes, and the nodes of trees."""

import array
import json
import operator
import random
from functools import partial

import numpy as np
import pytest
from deap import creator, gp

from divergent import Fitness, neat
from divergent.persistence._individuals import IndividualFormat
from divergent.persistence._serialization import ArrayPool

creator.create("StoredFitness", Fitness, weights=(1.0,))
for name, kind, options in (
    ("List", list, {}), ("Set", set, {}), ("Dict", dict, {}), ("Vector", np.ndarray, {}),
    ("Numbers", array.array, {"typecode": "d"}), ("Tree", gp.PrimitiveTree, {}), ("Text", str, {}),
):  # fmt: skip
    creator.create(f"Stored{name}", kind, fitness=creator.StoredFitness, **options)


def stored(form, individual, pooled):
    """The individual after a way through JSON, with and without a pool."""
    pool = ArrayPool() if pooled else None
    data = json.loads(json.dumps(form.save(individual, pool)))
    return form.load(data, ArrayPool(pool.arrays()) if pool else None)


def primitives():
    known = gp.PrimitiveSetTyped("main", [float, bool], float)
    known.renameArguments(ARG0="x")
    known.addPrimitive(operator.add, [float, float], float)
    known.addPrimitive(operator.gt, [float, float], bool, name="above")
    known.addPrimitive(lambda test, first, second: first if test else second, [bool, float, float], float, name="if")
    known.addTerminal(1.0, float)
    known.addTerminal(1.0, bool)  # the same name, another type
    known.addTerminal(True, bool)
    known.addTerminal(random.random, float, name="draw")
    known.addEphemeralConstant("constant", partial(random.uniform, -1, 1), float)
    return known


@pytest.mark.parametrize("pooled", [True, False])
@pytest.mark.parametrize(
    "individual",
    [
        creator.StoredList([1, 2.5, "a", None, [True]]),
        creator.StoredSet({1, 5, (2, 3)}),
        creator.StoredDict({"a": [1, (2,)]}),
        creator.StoredNumbers([1.0, 0.1]),
    ],
)
def test_collection_is_restored_with_class_and_attributes(individual, pooled):
    individual.speed = (0.5, np.arange(2))
    again = stored(IndividualFormat(type(individual)), individual, pooled)
    assert type(again) is type(individual)
    assert again == individual
    assert again.speed[0] == 0.5
    assert again.speed[1].tolist() == [0, 1]
    assert not again.fitness.valid


@pytest.mark.parametrize("pooled", [True, False])
def test_array_is_restored_with_its_type(pooled):
    vector = creator.StoredVector(np.array([1, 0], dtype=np.int8))
    again = stored(IndividualFormat(creator.StoredVector), vector, pooled)
    assert (type(again), again.dtype, again.tolist()) == (creator.StoredVector, np.int8, [1, 0])


@pytest.mark.parametrize("pooled", [True, False])
def test_genome_is_restored_with_its_interface_and_attributes(pooled):
    rng = np.random.default_rng(1)
    form = IndividualFormat(neat.Genome)
    for options in ({}, {"bias_node": True, "hidden_activation": "tanh"}):
        genome = neat.Genome.start(3, 2, rng=rng, **options)
        genome.note = "kept"
        again = stored(form, genome, pooled)
        assert again == genome
        assert again.note == "kept"
        assert (again.bias_node, again.hidden_activation) == (genome.bias_node, genome.hidden_activation)


def test_tree_is_restored_with_nodes_of_the_primitives():
    known = primitives()
    random.seed(2)
    form = IndividualFormat(creator.StoredTree, primitives=known)
    seen = set()
    for _ in range(60):
        tree = creator.StoredTree(gp.genHalfAndHalf(known, 1, 5))
        again = stored(form, tree, pooled=True)
        assert str(again) == str(tree)
        for node, other in zip(tree, again, strict=True):
            assert node.ret is other.ret
            ephemeral = isinstance(type(node), gp.MetaEphemeral)
            assert type(node) is type(other) if ephemeral else node is other
            seen.add(node.name)
    assert seen == {"add", "above", "if", "1.0", "True", "draw", "constant", "ARG0", "ARG1"}


def test_tree_without_primitives_raises():
    tree = creator.StoredTree(gp.genGrow(primitives(), 1, 2))
    form = IndividualFormat(creator.StoredTree)
    with pytest.raises(ValueError, match="primitives must be a primitive set to load trees, got None"):
        form.load(form.save(tree))


def test_tree_with_an_unknown_node_raises():
    form = IndividualFormat(creator.StoredTree, primitives=primitives())
    with pytest.raises(KeyError):
        form.load({"content": [["primitive", "exec", "float"]], "attributes": {}})
    with pytest.raises(ValueError, match="'add' must be an ephemeral constant"):
        form.load({"content": [["ephemeral", "add", 3]], "attributes": {}})


def test_other_class_raises_unless_functions_are_passed():
    with pytest.raises(TypeError, match="got 'ab'; pass functions that save and load"):
        IndividualFormat(creator.StoredText).save(creator.StoredText("ab"))
    with pytest.raises(TypeError, match="individuals must be of class StoredList, got StoredSet"):
        IndividualFormat(creator.StoredList).save(creator.StoredSet())
    form = IndividualFormat(creator.StoredText, save=lambda text: (str(text),), load=lambda data: data[0] + "!")
    assert stored(form, creator.StoredText("ab"), pooled=True) == "ab!"

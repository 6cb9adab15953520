import array
import copy
import pickle

import numpy as np
import pytest
from deap import base, creator

import divergent
from divergent._behaviours import join_behaviours, stack_behaviours
from divergent.individual import Fitness, FitnessValue, MaximisedFitness, Outcome, Outcomes, pack, write_row


class Individual:
    def __init__(self, values=None, behaviour=None, fitness=MaximisedFitness):
        self.fitness = fitness()
        if values is not None:
            self.fitness.values = Outcome(values, behaviour)


def test_outcome_is_a_tuple_with_a_behaviour():
    outcome = Outcome((1.0, 2.0), behaviour=[3.0, 4.0])
    assert outcome == (1.0, 2.0)
    assert isinstance(outcome, tuple)
    assert outcome.behaviour == [3.0, 4.0]
    assert Outcome((1.0,)).behaviour is None


def test_outcome_after_pickle_and_copy_is_equal():
    outcome = Outcome((1.0,), behaviour=(3.0,))
    for duplicate in (pickle.loads(pickle.dumps(outcome)), copy.deepcopy(outcome), copy.copy(outcome)):
        assert (duplicate, duplicate.behaviour) == (outcome, outcome.behaviour)


def test_fitness_of_an_outcome_has_its_behaviour():
    individual = Individual((5.0,), (1.0, 2.0))
    assert individual.fitness.values == (5.0,)
    assert individual.fitness.behaviour == (1.0, 2.0)
    for duplicate in (pickle.loads(pickle.dumps(individual)), copy.deepcopy(individual)):
        assert (duplicate.fitness.values, duplicate.fitness.behaviour) == ((5.0,), (1.0, 2.0))


def test_fitness_without_values_has_no_behaviour():
    individual = Individual((5.0,), (1.0, 2.0))
    del individual.fitness.values
    assert not individual.fitness.valid
    assert individual.fitness.behaviour is None


def test_fitness_copies_and_deletes_values_behaviour_and_score_together():
    individual = Individual((5.0,), (1.0, 2.0))
    assert np.isnan(individual.fitness.score)
    individual.fitness.score = 7.0
    for duplicate in (pickle.loads(pickle.dumps(individual)), copy.deepcopy(individual)):
        assert duplicate.fitness.score == 7.0
        del duplicate.fitness.values
        assert np.isnan(duplicate.fitness.score)
    individual.fitness.values = Outcome((6.0,), behaviour=(1.0, 2.0))
    assert np.isnan(individual.fitness.score)


def test_fitness_of_a_tuple_has_no_behaviour():
    individual = Individual((5.0,), (1.0, 2.0))
    individual.fitness.values = (6.0,)
    assert individual.fitness.behaviour is None


def test_fitness_with_several_weights_works_with_creator():
    creator.create("Both", Fitness, weights=(-1.0, 1.0))
    individual = Individual((5.0, 7.0), (0.0,), creator.Both)
    assert individual.fitness.wvalues == (-5.0, 7.0)
    assert pack([individual]).fitness.tolist() == [[-5.0, 7.0]]


def test_fitness_with_an_array_as_behaviour_keeps_a_copy():
    buffer = np.array([1.0, 2.0])
    outcome = Outcome((5.0,), behaviour=buffer)
    fitness = MaximisedFitness()
    fitness.values = outcome
    buffer[:] = 9
    assert outcome.behaviour.tolist() == fitness.behaviour.tolist() == [1.0, 2.0]
    outcome.behaviour[:] = 8
    assert fitness.behaviour.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("kind", [list, lambda numbers: array.array("i", numbers), np.array])
def test_fitness_with_numbers_as_behaviour_keeps_new_floats(kind):
    numbers = kind([1, 2])
    fitness = Individual((5.0,), numbers).fitness
    numbers[0] = 9
    assert fitness.behaviour.tolist() == [1.0, 2.0]
    assert fitness.behaviour.dtype == float


@pytest.mark.parametrize("behaviour", [["n", "s"], [[1], [2, 3]], [10**400]])
def test_fitness_with_a_list_of_objects_as_behaviour_keeps_a_copy(behaviour):
    kept = Individual((5.0,), behaviour).fitness.behaviour
    assert kept == behaviour
    assert kept is not behaviour


def test_outcomes_of_an_evaluate_that_reuses_its_array_differ_with_a_map_that_makes_a_list():
    buffer = np.empty(1)

    def evaluate(x):
        buffer[:] = x
        return Outcome((0.0,), buffer)

    individuals = [Individual() for _ in range(3)]
    for individual, outcome in zip(individuals, [evaluate(x) for x in range(3)], strict=True):
        individual.fitness.values = outcome
    assert pack(individuals).behaviours.tolist() == [[0.0], [1.0], [2.0]]


def test_pack_with_several_weights_has_one_column_each():
    creator.create("Two", Fitness, weights=(-1.0, 2.0))
    outcomes = pack([Individual((5.0, 7.0), (0,), creator.Two), Individual((6, 8), (1,), creator.Two)])
    assert outcomes.fitness.tolist() == [[-5.0, 14.0], [-6.0, 16.0]]
    with pytest.raises(
        ValueError, match="individuals must all have the same number of fitness values, 2, got 1 for individual 1"
    ):
        pack([Individual((5.0, 7.0), (0,), creator.Two), Individual((5.0,), (0,))])
    with pytest.raises(ValueError, match=r"fitness must be a number, got -5\.0 and nan for individual 0"):
        pack([Individual((5.0, np.nan), (0,), creator.Two)])


def test_fitness_value_with_an_index_is_that_column():
    two = Outcomes(np.array([[1.0, 2.0], [3.0, 4.0]]), np.empty((2, 0)))
    single = Outcomes(np.array([1.0, 3.0]), np.empty((2, 0)))
    assert FitnessValue(0, "Some").of(two).tolist() == [1.0, 3.0]
    assert FitnessValue(1, "Some").of(two).tolist() == [2.0, 4.0]
    assert FitnessValue(0, "Some").of(single) is FitnessValue(None, "Some").of(single) is single.fitness
    with pytest.raises(ValueError, match="index must be below 2, the number of fitness values, got 2"):
        FitnessValue(2, "Some").of(two)
    with pytest.raises(ValueError, match="index must be below 1, the number of fitness values, got 1"):
        FitnessValue(1, "Some").of(single)


@pytest.mark.parametrize("index", [-1, 0.5, True, "0"])
def test_fitness_value_with_a_bad_index_raises_an_error(index):
    with pytest.raises(ValueError, match="index must be an integer, at least 0"):
        FitnessValue(index, "Some")


def test_fitness_value_without_an_index_warns_once_of_several():
    two = Outcomes(np.array([[1.0, 2.0], [3.0, 4.0]]), np.empty((2, 0)))
    value = FitnessValue(None, "Some")
    with pytest.warns(UserWarning, match=r"Some uses values\[0\] of 2 fitness values; pass index to choose"):
        assert value.of(two).tolist() == [1.0, 3.0]
    assert value.of(two).tolist() == [1.0, 3.0]  # a second warning would be an error


def test_pack_returns_fitness_and_behaviours_by_row():
    outcomes = pack([Individual((1.0,), (1, 2)), Individual((2.0,), np.array([3.0, 4.0])), Individual((3,), [5, 6])])
    assert isinstance(outcomes, Outcomes)
    assert outcomes.fitness.tolist() == [1.0, 2.0, 3.0]
    assert outcomes.behaviours.tolist() == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    assert outcomes.behaviours.dtype == outcomes.fitness.dtype == float


def test_pack_of_scalar_and_matrix_behaviours_flattens_them():
    assert pack([Individual((0,), 3.0), Individual((0,), 4.0)]).behaviours.tolist() == [[3.0], [4.0]]
    assert pack([Individual((0,), [[1, 2], [3, 4]])]).behaviours.tolist() == [[1.0, 2.0, 3.0, 4.0]]


def test_pack_without_behaviours_has_no_columns():
    assert pack([Individual((0,)), Individual((1,))]).behaviours.shape == (2, 0)


@pytest.mark.parametrize(
    ("individuals", "message"),
    [
        ([Individual((1,), (1, 2)), Individual()], "individual 1 must be evaluated, got a fitness without values"),
        (
            [Individual((1,)), Individual((1,), (1, 2))],
            "behaviours must have one length: the others have 0 numbers, individual 1 has 2; evaluate must return",
        ),
        (
            [Individual((1,), "north"), Individual((1,))],
            "individuals must all have a behaviour, got None for individual 1; evaluate must return",
        ),
        (
            [Individual((1,), (1, 2)), Individual((1,), (1, np.inf, 2))],
            r"behaviours must be finite, individual 1 has \[1.0, inf, 2.0\]",
        ),
        (
            [Individual((1,), (1, 2)), Individual((1,))],
            "behaviours must have one length: the others have 2 numbers, individual 1 has 0",
        ),
        ([Individual((1,), (1, np.nan))], r"behaviours must be finite, individual 0 has \[1.0, nan\]"),
        ([Individual((1,)), Individual((np.nan,))], "fitness must be a number, got nan for individual 1"),
    ],
)
def test_pack_of_invalid_individuals_names_them(individuals, message):
    with pytest.raises(ValueError, match=message):
        pack(individuals)


def test_pack_of_other_fitness_classes_raises():
    creator.create("OfDeap", base.Fitness, weights=(1.0,))
    with pytest.raises(TypeError, match=r"individual 0 .* deap.base.Fitness.* derive OfDeap from divergent.Fitness"):
        pack([Individual((1.0,), (1.0,), creator.OfDeap)])


class Maze:
    """Has a length and items, as a graph of networkx has, but is no sequence of numbers."""

    def __len__(self):
        return 2

    def __getitem__(self, item):
        return (4.0, 5.0)[item]


@pytest.mark.parametrize(
    "behaviours",
    [
        ["north", "12"],
        [b"1", b"2"],
        [{1, 2}, {3}],
        [frozenset({1}), frozenset()],
        [{"a": 1}, {"a": 2}],
        [("a", "b"), ("c", "d")],
        [["1", "2"], ["3", "4"]],
        [Maze(), Maze()],
        [[Maze()], [Maze()]],
        [1 + 2j, 3j],
        [[[1], [2, 3]], [[1, 2], [3]]],
    ],
)
def test_pack_of_behaviours_that_are_not_vectors_returns_objects(behaviours):
    outcomes = pack([Individual((0.0,), behaviour) for behaviour in behaviours])
    assert outcomes.behaviours.shape == (2,)
    assert outcomes.behaviours.dtype == object
    assert list(outcomes.behaviours) == behaviours
    assert outcomes.fitness.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("lengths", [(2, 3), (3, 2), (0, 2), (2, 0)])
@pytest.mark.parametrize("kind", [tuple, list, np.array])
def test_pack_of_sequences_of_different_lengths_returns_arrays_of_floats(lengths, kind):
    behaviours = pack([Individual((0.0,), kind(range(length))) for length in lengths]).behaviours
    assert behaviours.shape == (2,)
    assert [row.tolist() for row in behaviours] == [list(range(length)) for length in lengths]
    assert all(row.dtype == float for row in behaviours)


def test_pack_of_vectors_and_strings_keeps_the_vectors_as_arrays():
    behaviours = pack([Individual((0.0,), (1, 2)), Individual((0.0,), "north"), Individual((0.0,), 3)]).behaviours
    assert behaviours[0].tolist() == [1.0, 2.0]
    assert behaviours[1] == "north"
    assert behaviours[2].tolist() == [3.0]


@pytest.mark.parametrize("behaviour", [{1, 2}, {"a": 1}, ["n"], bytearray(b"n")])
def test_fitness_with_a_container_as_behaviour_keeps_a_copy(behaviour):
    kept = Individual((5.0,), behaviour).fitness.behaviour
    before = copy.copy(behaviour)
    behaviour.clear()
    assert kept == before
    assert type(kept) is type(behaviour)


def test_write_row_of_another_length_returns_objects_and_keeps_the_matrix():
    outcomes = pack([Individual((1.0,), (1, 2)), Individual((2.0,), (3, 4))])
    assert write_row(outcomes, 1, Individual((3.0,), (5, 6)).fitness, "the child") is outcomes
    widened = write_row(outcomes, 1, Individual((4.0,), "north").fitness, "the child")
    assert widened.fitness is outcomes.fitness
    assert widened.fitness.tolist() == [1.0, 4.0]
    assert widened.behaviours[0].tolist() == [1.0, 2.0]
    assert widened.behaviours[1] == "north"
    assert outcomes.behaviours.tolist() == [[1.0, 2.0], [5.0, 6.0]]
    assert write_row(widened, 0, Individual((4.0,), (1, 2, 3)).fitness, "the child") is widened
    assert widened.behaviours[0].tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("shape", [(), (1,), (2,), (2, 3)])
@pytest.mark.parametrize("kind", [tuple, list, np.array])
def test_pack_at_once_equals_packing_by_row(shape, kind, monkeypatch):
    rng = np.random.default_rng(1)
    rows = [rng.normal(size=shape).tolist() for _ in range(5)]
    individuals = [Individual((0.5,), kind(row) if shape else row) for row in rows]
    expected = pack(individuals)
    monkeypatch.setattr("divergent.individual._pack_at_once", lambda evaluated: None)
    by_row = pack(individuals)
    assert expected.behaviours.tolist() == by_row.behaviours.tolist()
    assert expected.fitness.tolist() == by_row.fitness.tolist() == [0.5] * 5


def test_join_and_stack_behaviours_return_a_matrix_only_of_vectors_of_one_length():
    matrix, words = np.array([[1.0, 2.0]]), np.array(["north"], dtype=object)
    assert join_behaviours(matrix, matrix).tolist() == [[1.0, 2.0], [1.0, 2.0]]
    assert [np.asarray(row).tolist() for row in join_behaviours(words, matrix)] == ["north", [1.0, 2.0]]
    assert stack_behaviours([]).shape == (0, 0)
    assert stack_behaviours([matrix[0], matrix[0]]).shape == (2, 2)
    assert stack_behaviours([matrix[0], matrix[0, :1]]).shape == (2,)
    assert stack_behaviours([["a"], ["b"]]).shape == (2,)


def test_pack_of_huge_behaviours_succeeds():
    assert pack([Individual((1.0,), (1e200, -1e200))]).behaviours.tolist() == [[1e200, -1e200]]


def test_public_names_are_attributes_of_the_package():
    assert divergent.Fitness is Fitness
    assert divergent.Outcome is Outcome

"""Fitness, behaviour and score of an individual, and arrays with the fitness and behaviours of a population."""

import copy
import math
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from deap import base

from divergent._behaviours import NUMBERS, PLAIN_TUPLE, as_array, as_objects, copy_behaviour, object_array
from divergent._compile import njit
from divergent.validation import FLOAT, brief, check_at_least, check_number

NO_NUMBERS = np.empty(0)
MOST_ANCESTORS = 4
"""Number of ancestors whose behaviours a `Fitness` keeps."""


class Outcome(tuple):
    """Result of an evaluation: the tuple of fitness values, with the behaviour as an attribute.

    DEAP's loops assign the result of `toolbox.evaluate` to `individual.fitness.values`. An `Outcome` is a tuple of
    fitness values; a `divergent.Fitness` also stores the behaviour of the `Outcome`.

    Parameters
    ----------
    values : iterable of float
        Fitness values of the task, one for each weight.
    behaviour : object, default=None
        Behaviour (behaviour descriptor): a number, or a sequence or matrix of numbers, with the same size for all
        individuals. If the search uses a callable distance, the behaviour may be any other object, such as a string, a
        set, a graph, or a sequence of any length. None means that the task has no behaviours; only objective search and
        random search are then possible. An array is copied.
    violation : float, default=0.0
        Constraint violation. 0 denotes a feasible individual; positive values measure how far an individual is from
        feasibility. See `divergent.FeasibleInfeasible`.

    Raises
    ------
    ValueError
        If `violation` is not a finite number of at least 0.

    See Also
    --------
    Fitness : DEAP fitness that stores the behaviour of an `Outcome`.

    Examples
    --------
    The fitness values are the items of the tuple:

    >>> outcome = Outcome((135.9,), behaviour=(36.0, 184.0))
    >>> outcome[0], outcome.behaviour, outcome.violation
    (135.9, (36.0, 184.0), 0.0)
    """

    behaviour: Any
    violation: float

    def __new__(cls, values: Iterable[float], behaviour: Any = None, violation: float = 0.0) -> "Outcome":
        outcome = super().__new__(cls, values)
        outcome.behaviour = behaviour.copy() if isinstance(behaviour, np.ndarray) else behaviour
        if type(violation) is not float or not 0.0 <= violation < math.inf:
            check_number(0.0, violation=violation)
            violation = float(violation)
        outcome.violation = violation
        return outcome

    def __reduce__(self) -> tuple[Any, ...]:
        return Outcome, (tuple(self), self.behaviour, self.violation)

    def __repr__(self) -> str:
        violation = f", violation={self.violation!r}" if self.violation else ""
        return f"Outcome({tuple(self)!r}, behaviour={self.behaviour!r}{violation})"


class Fitness(base.Fitness):
    """DEAP fitness that also stores the behaviour of an `Outcome` and the score assigned by the search.

    Assigning an `Outcome` to `values` also sets the attributes `behaviour` and `violation`, and resets the score.
    Deleting values, as DEAP does for every child, resets values, behaviour, violation and score. The deleted behaviour
    becomes the first entry of `ancestors`, since a child is a clone of its first parent. Copies and pickles of a
    fitness contain all its attributes.

    Parameters
    ----------
    values : Outcome or sequence of float, default=()
        Fitness values, one for each weight. If the values are not an `Outcome`, the behaviour is None.

    Attributes
    ----------
    behaviour : object
        Behaviour of the `Outcome`; None if the values have no behaviour. Arrays and lists of numbers are copied to an
        array of floats; other lists, sets and dictionaries are copied.
    score : float
        Score assigned by the strategy; larger is better. The score is nan before scoring. If `by_score` uses several
        strategies, the score is a tuple with one score per strategy.
    violation : float
        Constraint violation of the `Outcome`; 0 for a feasible individual.
    ancestors : tuple
        Behaviours of at most `MOST_ANCESTORS` ancestors along the line of first parents, nearest ancestor first.

    See Also
    --------
    Outcome : The result of an evaluation.

    Examples
    --------
    Deleting the values moves the behaviour to the ancestors:

    >>> from deap import creator
    >>> creator.create("DocFitness", Fitness, weights=(1.0,))
    >>> fitness = creator.DocFitness()
    >>> fitness.values = Outcome((3.0,), behaviour=(0.0, 1.0))
    >>> fitness.behaviour, fitness.ancestors
    ((0.0, 1.0), ())

    >>> del fitness.values
    >>> fitness.behaviour, fitness.ancestors
    (None, ((0.0, 1.0),))
    """

    behaviour: Any = None
    score: Any = math.nan
    violation: float = 0.0
    ancestors: tuple[Any, ...] = ()

    @property
    def values(self) -> tuple[float, ...]:
        """Fitness values, one for each weight."""
        return self.getValues()

    @values.setter
    def values(self, values: Any) -> None:
        try:
            self.setValues(values)
        except AssertionError:  # the error message of DEAP does not show the values
            raise ValueError(
                f"fitness must have one value for each of the {len(self.weights)} weights, got {brief(values)}"
            ) from None
        self.behaviour = copy_behaviour(getattr(values, "behaviour", None))
        self.violation = getattr(values, "violation", 0.0)
        self.score = math.nan

    @values.deleter
    def values(self) -> None:
        self.ancestors = self.lineage()
        self.delValues()
        self.behaviour = None
        self.violation = 0.0
        self.score = math.nan

    def lineage(self) -> tuple[Any, ...]:
        """Return the behaviours of the individual and its ancestors, which become the `ancestors` of a child.

        Returns
        -------
        tuple
            At most `MOST_ANCESTORS` behaviours; the behaviour of the individual comes first.
        """
        if self.behaviour is None:
            return self.ancestors
        return (self.behaviour, *self.ancestors[: MOST_ANCESTORS - 1])

    def __deepcopy__(self, memo: dict[int, Any]) -> "Fitness":
        duplicate = super().__deepcopy__(memo)
        duplicate.behaviour = self.behaviour
        duplicate.score = self.score
        duplicate.violation = self.violation
        duplicate.ancestors = self.ancestors
        return duplicate


class MaximisedFitness(Fitness):
    """Fitness with one value to maximise."""

    weights = (1.0,)


def copy_fitness(fitness: Any) -> Any:
    """Return a deep copy of a fitness; calling its `__deepcopy__` directly is faster than `copy.deepcopy`."""
    copier = getattr(fitness, "__deepcopy__", None)
    return copy.deepcopy(fitness) if copier is None else copier({})


class Outcomes(NamedTuple):
    """Fitness and behaviours of a population as arrays, the input of every strategy.

    Parameters
    ----------
    fitness : ndarray of shape (m,) or (m, w)
        Weighted fitness values; larger is better, and minimised values are negated. The array has two dimensions if
        there are w > 1 weights.
    behaviours : ndarray of shape (m, d), or (m,) of objects
        One behaviour in each row; d is 0 if the task has no behaviours. Behaviours that are not vectors of equal length
        form a one-dimensional object array, in which vectors are float arrays.
    ancestors : ndarray of shape (m, a, d) or None, default=None
        Behaviours of each individual's ancestors along the line of first parents; nan for missing ancestors. The value
        is None if behaviours are not vectors, or if no strategy has an attribute `ancestors` above 0.

    See Also
    --------
    pack : Collect the outcomes of individuals as arrays.
    """

    fitness: np.ndarray
    behaviours: np.ndarray
    ancestors: np.ndarray | None = None

    def take(self, rows: Any) -> "Outcomes":
        """Return the outcomes of selected individuals, as NumPy views if `rows` is a slice.

        Parameters
        ----------
        rows : slice or array_like
            Index of the selected rows.

        Returns
        -------
        Outcomes
            Fitness, behaviours and ancestors of the selected individuals.
        """
        ancestors = None if self.ancestors is None else self.ancestors[rows]
        return Outcomes(self.fitness[rows], self.behaviours[rows], ancestors)

    def copy(self) -> "Outcomes":
        """Return a copy of all arrays.

        Returns
        -------
        Outcomes
            The copy.
        """
        ancestors = None if self.ancestors is None else self.ancestors.copy()
        return Outcomes(self.fitness.copy(), self.behaviours.copy(), ancestors)


def pack(individuals: Sequence[Any], ancestors: int = 0) -> Outcomes:
    """Collect the fitness and behaviours of evaluated individuals as arrays.

    Parameters
    ----------
    individuals : sequence
        Individuals with a `divergent.Fitness`.
    ancestors : int, default=0
        Number of ancestors per individual whose behaviours are collected. A fitness stores the behaviours of at most
        `MOST_ANCESTORS` ancestors.

    Returns
    -------
    Outcomes
        Weighted fitness values (`fitness.wvalues`) and behaviours.

    Raises
    ------
    TypeError
        If an individual has no `divergent.Fitness`, or values are not numbers.
    ValueError
        If an individual is not evaluated, or individuals have different numbers of fitness values. A ValueError is also
        raised if a value is nan, a behaviour is not finite, or only some individuals have a behaviour.

    Examples
    --------
    The behaviours of two individuals become the rows of a matrix:

    >>> from types import SimpleNamespace
    >>> individuals = [SimpleNamespace(fitness=MaximisedFitness()) for _ in range(2)]
    >>> for individual, behaviour in zip(individuals, [(0.0, 1.0), (2.0, 3.0)]):
    ...     individual.fitness.values = Outcome((3.0,), behaviour)
    >>> pack(individuals).behaviours
    array([[0., 1.],
           [2., 3.]])

    Behaviours that are not vectors become an object array:

    >>> for individual, behaviour in zip(individuals, ["north", "east"]):
    ...     individual.fitness.values = Outcome((3.0,), behaviour)
    >>> pack(individuals).behaviours
    array(['north', 'east'], dtype=object)
    """
    check_at_least(0, ancestors=ancestors)
    try:
        evaluated = [individual.fitness for individual in individuals] if len(individuals) else []
    except (AttributeError, LookupError, TypeError):
        raise TypeError(f"individuals must be a sequence of objects with a fitness, got {brief(individuals)}") from None
    if not evaluated:
        return Outcomes(np.empty(0), np.empty((0, 0)))
    outcomes = _pack_at_once(evaluated) or _pack_by_row(evaluated)
    if not ancestors or outcomes.behaviours.ndim == 1:
        return outcomes
    lines = np.empty((len(evaluated), ancestors, outcomes.behaviours.shape[1]))
    for rows, fitness in zip(lines, evaluated, strict=True):
        _write_ancestors(rows, fitness.ancestors)
    return outcomes._replace(ancestors=lines)


def write_row(outcomes: Outcomes, row: int, fitness: Any, name: str) -> Outcomes:
    """Write the fitness and behaviour of an individual into one row of the arrays.

    Numbers, sequences and matrices are written as flat vectors. Error messages use `name` to identify the individual.

    Returns
    -------
    Outcomes
        The given outcomes, or new outcomes with an object array of behaviours if the behaviour does not fit a matrix.
    """
    vector = _vector(fitness, name)
    fitness_column, behaviours, _ = outcomes
    values = fitness.wvalues
    if fitness_column.ndim == 1 and len(values) == 1 and type(values[0]) is float and values[0] == values[0]:
        fitness_column[row] = values[0]  # fast path for a single fitness value that is not nan
    else:
        _write_values(fitness_column, row, fitness, name)
    if behaviours.ndim == 2 and vector is not None and _write(behaviours, row, vector):
        if outcomes.ancestors is not None:
            _write_ancestors(outcomes.ancestors[row], fitness.ancestors)
        return outcomes
    if behaviours.ndim == 2:
        if vector is not None and len(vector) == behaviours.shape[1]:
            raise ValueError(_not_finite(vector, name))
        if fitness.behaviour is None or behaviours.shape[1] == 0:
            raise ValueError(_missing_behaviour(behaviours.shape[1], 0 if vector is None else len(vector), name))
        outcomes = Outcomes(outcomes.fitness, as_objects(behaviours))
    outcomes.behaviours[row] = _behaviour_object(fitness, vector, name)
    return outcomes


def _write_ancestors(rows: np.ndarray, ancestors: Sequence[Any]) -> None:
    """Write the behaviours of an individual's ancestors into `rows`; rows of unknown ancestors become nan."""
    rows[:] = math.nan
    for row, behaviour in zip(rows, ancestors, strict=False):
        numbers = np.asarray(behaviour, dtype=float).ravel()
        if numbers.shape != row.shape:  # ignore ancestors from an earlier problem with other behaviour dimensions
            return
        row[:] = numbers


class FitnessValue:
    """Choice of the fitness value that a strategy uses if individuals have several fitness values.

    Parameters
    ----------
    index : int or None
        Index of the fitness value, counted from 0. None uses the first value and warns if there are several.
    user : str
        Name of the strategy in the warning.
    remedy : str, default="pass index"
        Advice in the warning on how to choose a fitness value.

    Examples
    --------
    >>> outcomes = Outcomes(np.array([[1.0, 2.0], [3.0, 4.0]]), np.empty((2, 0)))
    >>> FitnessValue(1, "Objective").of(outcomes)
    array([2., 4.])
    """

    def __init__(self, index: int | None, user: str, remedy: str = "pass index"):
        if index is not None:
            check_at_least(0, index=index)
        self.index = index
        self.user = user
        self.remedy = remedy
        self._warned = False

    def of(self, outcomes: Outcomes) -> np.ndarray:
        """Return the chosen fitness value of each individual, shape (m,)."""
        fitness = outcomes.fitness
        if fitness.ndim == 1 and not self.index:
            return fitness
        count = 1 if fitness.ndim == 1 else fitness.shape[1]
        index = self.index or 0
        if index >= count:
            raise ValueError(f"index must be below {count}, the number of fitness values, got {index}")
        if self.index is None and count > 1 and not self._warned:
            self._warned = True
            warnings.warn(
                f"{self.user} uses values[0] of {count} fitness values; {self.remedy} to choose", stacklevel=3
            )
        return fitness[:, index]


def _values(fitness: Any, name: str) -> tuple[float, ...]:
    """Return the weighted fitness values of an evaluated individual."""
    values = fitness.wvalues
    try:
        numbers = tuple(map(float, values))
    except (TypeError, ValueError):
        raise TypeError(f"fitness must be a number, got {brief(values)} for {name}") from None
    if not numbers:
        raise ValueError(
            f"{name} must be evaluated, got a fitness without values; assign the result of toolbox.evaluate"
        )
    return numbers


def _write_values(array: np.ndarray, row: int, fitness: Any, name: str) -> None:
    """Write the weighted fitness values of an individual into a row of an array."""
    values = _values(fitness, name)
    expected = array.shape[1] if array.ndim == 2 else 1
    if len(values) != expected:
        raise ValueError(
            f"individuals must all have the same number of fitness values, {expected}, got {len(values)} for {name}"
        )
    if any(map(math.isnan, values)):
        raise ValueError(f"fitness must be a number, got {' and '.join(map(str, values))} for {name}")
    array[row] = values if array.ndim == 2 else values[0]


def _pack_at_once(evaluated: list[Any]) -> Outcomes | None:
    """Return fitness and behaviours as arrays, or None unless all behaviours are finite vectors of equal size."""
    try:
        behaviours = [fitness.behaviour for fitness in evaluated]
        kinds = set(map(type, behaviours))
        if kinds != {np.ndarray} and not (kinds == {tuple} and behaviours[0] and type(behaviours[0][0]) in NUMBERS):
            return None
        fitness = np.array([fitness.wvalues for fitness in evaluated])
        rows = np.array(behaviours)
    except (AttributeError, ValueError, OverflowError):
        return None
    if fitness.dtype != FLOAT or fitness.ndim != 2 or fitness.shape[1] == 0 or rows.dtype.kind not in "biuf":
        return None
    rows = np.ascontiguousarray(rows, dtype=float).reshape(len(rows), -1)
    if np.isnan(fitness).any() or not np.isfinite(rows).all():
        return None
    return Outcomes(fitness[:, 0].copy() if fitness.shape[1] == 1 else fitness, rows)


def _pack_by_row(evaluated: list[Any]) -> Outcomes:
    """Return the outcomes of individuals with any type of behaviour; error messages name the invalid individual."""
    vector = _vector(evaluated[0], "individual 0")
    values = len(_values(evaluated[0], "individual 0"))
    shape = len(evaluated) if values == 1 else (len(evaluated), values)
    if vector is None or (len(vector) == 0 and evaluated[0].behaviour is not None):
        behaviours = object_array([None] * len(evaluated))
    else:
        behaviours = np.zeros((len(evaluated), len(vector)))
    outcomes = Outcomes(np.empty(shape), behaviours)
    for position, fitness in enumerate(evaluated):
        outcomes = write_row(outcomes, position, fitness, f"individual {position}")
    return outcomes


def _vector(fitness: Any, name: str) -> np.ndarray | None:
    """Return the behaviour stored in a fitness object as a float vector, or None if the behaviour is not numeric."""
    try:
        behaviour = fitness.behaviour
    except AttributeError:
        raise TypeError(
            f"{name} must have a fitness derived from divergent.Fitness, "
            f"got a fitness derived from deap.base.Fitness; derive {type(fitness).__name__} from divergent.Fitness"
        ) from None
    if behaviour is None:
        return NO_NUMBERS
    if type(behaviour) is np.ndarray and behaviour.dtype == FLOAT:
        return behaviour.ravel()
    numbers = as_array(behaviour)
    if numbers is None:
        return None
    try:
        return np.ascontiguousarray(numbers, dtype=float).ravel()
    except (TypeError, ValueError, OverflowError):
        return None


def _behaviour_object(fitness: Any, vector: np.ndarray | None, name: str) -> Any:
    """Return the behaviour to store in an object array: a float vector if it is numeric, otherwise unchanged."""
    if fitness.behaviour is None:
        raise ValueError(f"individuals must all have a behaviour, got None for {name}; {PLAIN_TUPLE}")
    if vector is None:
        return fitness.behaviour
    if not np.isfinite(vector).all():
        raise ValueError(_not_finite(vector, name))
    return vector


def _not_finite(vector: np.ndarray, name: str) -> str:
    """Return the error message for a behaviour with a number that is not finite."""
    return f"behaviours must be finite, {name} has {vector.tolist()}"


def _missing_behaviour(expected: int, length: int, name: str) -> str:
    """Return the error message for a behaviour whose length differs from the length of the other behaviours."""
    return f"behaviours must have one length: the others have {expected} numbers, {name} has {length}; {PLAIN_TUPLE}"


@njit(cache=True)
def _write(behaviours: np.ndarray, row: int, behaviour: np.ndarray) -> bool:
    """Write a behaviour into a row, and return whether its length matches and all its numbers are finite."""
    if len(behaviour) != behaviours.shape[1]:
        return False
    for column in range(len(behaviour)):  # assigning a whole row would take Numba two seconds to compile
        if not math.isfinite(behaviour[column]):
            return False
        behaviours[row, column] = behaviour[column]
    return True

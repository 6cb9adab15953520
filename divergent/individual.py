"""Fitness, behaviour and score of individuals, and their arrays for a population."""

import array
import math
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from deap import base

from divergent._compile import njit
from divergent.validation import FLOAT, brief, check_at_least

NO_NUMBERS = np.empty(0)
PLAIN_TUPLE = (
    "did a decorator, such as tools.DeltaPenalty or tools.ClosestValidPenalty, return a plain tuple? "
    "Return an Outcome with the behaviour instead"
)


class Outcome(tuple):
    """Result of an evaluation: the tuple of fitness values, with the behaviour as an attribute.

    DEAP's loops assign the result of `toolbox.evaluate` to `individual.fitness.values`. An `Outcome` is such a tuple,
    and a `divergent.Fitness` stores its behaviour as well.

    Parameters
    ----------
    values : iterable of float
        Fitness values of the task, one for each weight.
    behaviour : object, default=None
        Behaviour (behaviour descriptor): a number, a sequence or a matrix of numbers, of one size for the population.
        None for a task without behaviours, which allows only objective and random search. An array is copied.

    See Also
    --------
    Fitness : The DEAP fitness that stores the behaviour.

    Examples
    --------
    >>> outcome = Outcome((135.9,), behaviour=(36.0, 184.0))
    >>> outcome[0], outcome.behaviour
    (135.9, (36.0, 184.0))
    """

    behaviour: Any

    def __new__(cls, values: Iterable[float], behaviour: Any = None) -> "Outcome":
        outcome = super().__new__(cls, values)
        outcome.behaviour = behaviour.copy() if isinstance(behaviour, np.ndarray) else behaviour
        return outcome

    def __reduce__(self) -> tuple[Any, ...]:
        return Outcome, (tuple(self), self.behaviour)

    def __repr__(self) -> str:
        return f"Outcome({tuple(self)!r}, behaviour={self.behaviour!r})"


class Fitness(base.Fitness):
    """DEAP fitness with the behaviour of an `Outcome` and the score of the search.

    Assigning values sets their behaviour and resets the score. Deleting values, as DEAP does with every child, deletes
    all three. Copies and pickles include all three.

    Parameters
    ----------
    values : Outcome or sequence of float, default=()
        Fitness values, one for each weight. A tuple that is not an `Outcome` has no behaviour.

    Attributes
    ----------
    behaviour : object
        Behaviour of the `Outcome`, None without one. Arrays and lists of numbers are copied to an array of floats.
    score : float
        Score of the search, larger is better; nan before scoring. A tuple of floats, one for each strategy, if
        `by_score` uses several.

    See Also
    --------
    Outcome : The result of an evaluation.

    Examples
    --------
    >>> from deap import creator
    >>> creator.create("DocFitness", Fitness, weights=(1.0,))
    >>> fitness = creator.DocFitness()
    >>> fitness.values = Outcome((3.0,), behaviour=(0.0, 1.0))
    >>> fitness.values, fitness.behaviour, fitness.score
    ((3.0,), (0.0, 1.0), nan)
    >>> fitness.score = 2.5
    >>> del fitness.values
    >>> fitness.valid, fitness.behaviour, fitness.score
    (False, None, nan)
    """

    behaviour: Any = None
    score: Any = math.nan

    @property
    def values(self) -> tuple[float, ...]:
        """Fitness values, one for each weight."""
        return self.getValues()

    @values.setter
    def values(self, values: Any) -> None:
        try:
            self.setValues(values)
        except AssertionError:  # DEAP's, without the values
            raise ValueError(
                f"fitness values must be one for each of {len(self.weights)} weights, got {brief(values)}"
            ) from None
        self.behaviour = _copy_numbers(getattr(values, "behaviour", None))
        self.score = math.nan

    @values.deleter
    def values(self) -> None:
        self.delValues()
        self.behaviour = None
        self.score = math.nan

    def __deepcopy__(self, memo: dict[int, Any]) -> "Fitness":
        copy = super().__deepcopy__(memo)
        copy.behaviour = self.behaviour
        copy.score = self.score
        return copy


class MaximisedFitness(Fitness):
    """Fitness with one value to maximise."""

    weights = (1.0,)


class Outcomes(NamedTuple):
    """Fitness and behaviours of a population as arrays, the input of every strategy.

    Parameters
    ----------
    fitness : ndarray of shape (m,) or (m, w)
        Weighted fitness values, larger is better; minimised values are negated. Two-dimensional for w > 1 weights.
    behaviours : ndarray of shape (m, d)
        One behaviour in each row; d is 0 for a task without behaviours.

    See Also
    --------
    pack : Collect the outcomes of individuals.
    """

    fitness: np.ndarray
    behaviours: np.ndarray


def pack(individuals: Sequence[Any]) -> Outcomes:
    """Collect the fitness and behaviours of evaluated individuals.

    Parameters
    ----------
    individuals : sequence
        Individuals with a `divergent.Fitness`.

    Returns
    -------
    Outcomes
        Weighted fitness values (`fitness.wvalues`) and behaviours.

    Raises
    ------
    TypeError
        If an individual has no `divergent.Fitness`, or values or behaviours are not numbers.
    ValueError
        If an individual is not evaluated, has another number of values or dimensions, or has a value that is nan or a
        behaviour that is not finite.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> fitness = MaximisedFitness()
    >>> fitness.values = Outcome((3.0,), behaviour=(0.0, 1.0))
    >>> pack([SimpleNamespace(fitness=fitness)])
    Outcomes(fitness=array([3.]), behaviours=array([[0., 1.]]))
    """
    try:
        length = len(_numbers(individuals[0].fitness, "individual 0")) if len(individuals) else 0
        evaluated = [individual.fitness for individual in individuals]
    except (AttributeError, LookupError):
        raise TypeError(f"individuals must be a sequence, each with a fitness, got {brief(individuals)}") from None
    count = len(evaluated)
    values = len(_values(evaluated[0], "individual 0")) if count else 1
    shape = count if values == 1 else (count, values)
    outcomes = Outcomes(np.empty(shape), np.empty((count, length)))
    for position, fitness in enumerate(evaluated):
        write_row(outcomes, position, fitness, f"individual {position}")
    return outcomes


def write_row(outcomes: Outcomes, row: int, fitness: Any, name: str) -> None:
    """Write fitness and behaviour of an individual into a row; `name` identifies it in errors.

    A scalar behaviour has one dimension, a sequence or matrix one for each number in order, and None has none.
    """
    behaviour = _numbers(fitness, name)
    values = fitness.wvalues
    if outcomes.fitness.ndim == 1 and len(values) == 1 and type(values[0]) is float:  # fast path
        outcomes.fitness[row] = value = values[0]
        defined = value == value
    else:
        values = _values(fitness, name)
        defined = not any(map(math.isnan, values))
        expected = outcomes.fitness.shape[1] if outcomes.fitness.ndim == 2 else 1
        if len(values) != expected:
            raise ValueError(f"individuals must have equally many fitness values, {expected}, {name} has {len(values)}")
        outcomes.fitness[row] = values if outcomes.fitness.ndim == 2 else values[0]
    if not defined:
        raise ValueError(f"fitness must be a number, {name} has {' and '.join(map(str, values))}")
    if not _write(outcomes.behaviours, row, behaviour):
        raise ValueError(_mismatch(outcomes, behaviour, name))


class FitnessValue:
    """The fitness value that a strategy uses, where a problem may have several.

    Parameters
    ----------
    index : int or None
        Position of the value, from 0. None is the first one, with a warning where there are several.
    user : str
        Name of the strategy, for messages.
    remedy : str, default="pass index"
        How the caller chooses a value, for messages.

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
        """Return the value of each individual, shape (m,)."""
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


def _copy_numbers(behaviour: Any) -> Any:
    """Copy arrays and lists, so that the behaviour does not change with the caller's object."""
    if type(behaviour) is np.ndarray and behaviour.dtype == FLOAT:
        return behaviour.copy()
    if not isinstance(behaviour, np.ndarray | list | array.array):
        return behaviour
    try:
        copied = np.array(behaviour)
    except (TypeError, ValueError):  # sequences of different lengths
        return list(behaviour)
    if copied.dtype.kind in "biuf":
        return copied.astype(float, copy=False)
    return copied if isinstance(behaviour, np.ndarray) else list(behaviour)


def _values(fitness: Any, name: str) -> tuple[float, ...]:
    """Return the weighted fitness values of an evaluated individual."""
    values = fitness.wvalues
    try:
        numbers = tuple(map(float, values))
    except (TypeError, ValueError):
        raise TypeError(f"fitness must be a number, {name} has {brief(values)}") from None
    if not numbers:
        raise ValueError(f"{name} was never evaluated: its fitness has no values; assign those of toolbox.evaluate")
    return numbers


def _numbers(fitness: Any, name: str) -> np.ndarray:
    """Return the behaviour of a fitness as a one-dimensional array."""
    try:
        behaviour = fitness.behaviour
    except AttributeError:
        raise TypeError(
            f"fitness must derive from divergent.Fitness, {name} has one made from deap.base.Fitness; "
            f"make {type(fitness).__name__} from divergent.Fitness"
        ) from None
    if behaviour is None:
        return NO_NUMBERS
    if type(behaviour) is np.ndarray and behaviour.dtype == FLOAT:
        return behaviour.ravel()
    try:
        numbers = np.asarray(behaviour)
        if numbers.dtype.kind == "c":
            raise TypeError
        return np.ascontiguousarray(numbers, dtype=float).ravel()
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"behaviours must be numbers, {name} has {brief(behaviour)}") from None


def _mismatch(outcomes: Outcomes, behaviour: np.ndarray, name: str) -> str:
    """Return the message of a behaviour with another number of dimensions, or with numbers that are not finite."""
    expected = outcomes.behaviours.shape[1]
    if len(behaviour) != expected:
        hint = "" if len(behaviour) and expected else f"; {PLAIN_TUPLE}"
        return f"behaviours must have one length: the others have {expected} numbers, {name} has {len(behaviour)}{hint}"
    return f"behaviours must be finite, {name} has {behaviour.tolist()}"


@njit(cache=True)
def _write(behaviours: np.ndarray, row: int, behaviour: np.ndarray) -> bool:
    """Write a row if it has the right length and finite numbers, and return whether it has."""
    if len(behaviour) != behaviours.shape[1]:
        return False
    for column in range(len(behaviour)):  # assigning a row at once takes two seconds to compile
        if not math.isfinite(behaviour[column]):
            return False
        behaviours[row, column] = behaviour[column]
    return True

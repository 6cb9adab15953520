"""What is known of individuals: fitness, behaviour and score, one by one or packed into arrays."""

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
    """A fitness tuple that carries the behaviour it was earned with.

    DEAP's loops assign what `toolbox.evaluate` returns to `individual.fitness.values`. An `Outcome` is the tuple they
    expect, so nothing in them changes; a `divergent.Fitness` keeps the behaviour as well.

    Parameters
    ----------
    values
        The task's own measures, one per objective, as a tuple.
    behaviour
        What the individual did: a number, a sequence or a matrix of numbers, as many for the whole population. None for
        a task without behaviours, which only objective and random search can follow. An array is copied, so that
        `evaluate` may write to it again.

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

    def __reduce__(self):
        return Outcome, (tuple(self), self.behaviour)

    def __repr__(self):
        return f"Outcome({tuple(self)!r}, behaviour={self.behaviour!r})"


class Fitness(base.Fitness):
    """A DEAP fitness that keeps the behaviour of the `Outcome` assigned to it, and the search's score beside both.

    Values, behaviour and score live and die together: assigning values brings their behaviour and no score yet,
    deleting them, as DEAP does to every child, deletes all three, and copies and pickles carry all three. A plain tuple
    has no behaviour.

    Attributes
    ----------
    behaviour
        The behaviour of the `Outcome`; None without one. Arrays and lists of numbers are kept as a new array of floats,
        which later changes of the object that was passed do not reach.
    score : float
        What the search thinks of the individual, larger is better; nan until it is scored. A tuple of floats, one for
        each strategy, where `by_score` follows several.

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
    def values(self):
        return self.getValues()

    @values.setter
    def values(self, values):
        try:
            self.setValues(values)
        except AssertionError:  # DEAP's, which counts weights only; its TypeError is a sentence
            raise ValueError(
                f"a fitness has one value for each of {len(self.weights)} weights, got {brief(values)}"
            ) from None
        self.behaviour = _own(getattr(values, "behaviour", None))
        self.score = math.nan

    @values.deleter
    def values(self):
        self.delValues()
        self.behaviour = None
        self.score = math.nan

    def __deepcopy__(self, memo):
        copy = super().__deepcopy__(memo)
        copy.behaviour = self.behaviour
        copy.score = self.score
        return copy


class MaximisedFitness(Fitness):
    """One objective, larger is better."""

    weights = (1.0,)


class Outcomes(NamedTuple):
    """What a whole population did, as arrays: the only thing a strategy sees.

    Larger fitness is better whatever the problem: minimised objectives are stored negated.
    """

    fitness: np.ndarray
    """Weighted fitness values: shape (m,), or (m, w) where the problem has w > 1 weights."""

    behaviours: np.ndarray
    """One row each, shape (m, d); d is 0 for a task without behaviours."""


def pack(individuals: Sequence[Any]) -> Outcomes:
    """Gather the fitness and behaviours of evaluated individuals.

    Fitness is weighted (`fitness.wvalues`): larger is better also where the problem minimises. With several weights it
    has one column for each.

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


def write_row(outcomes: Outcomes, row: int, fitness: Any, who: str) -> None:
    """Write what is known of an evaluated individual into a row, refused if it does not fit; `who` names it then.

    Of a behaviour, a scalar is one number, a sequence or matrix its numbers in order, and None none.
    """
    behaviour = _numbers(fitness, who)
    values = fitness.wvalues
    if outcomes.fitness.ndim == 1 and len(values) == 1 and type(values[0]) is float:  # nearly always
        outcomes.fitness[row] = value = values[0]
        defined = value == value
    else:
        values = _values(fitness, who)
        defined = not any(map(math.isnan, values))
        expected = outcomes.fitness.shape[1] if outcomes.fitness.ndim == 2 else 1
        if len(values) != expected:
            raise ValueError(
                f"individuals must have one number of fitness values: the others have {expected}, "
                f"{who} has {len(values)}"
            )
        outcomes.fitness[row] = values if outcomes.fitness.ndim == 2 else values[0]
    if not defined:
        raise ValueError(f"fitness must be a number, {who} has {' and '.join(map(str, values))}")
    if not _write(outcomes.behaviours, row, behaviour):
        raise ValueError(_what_does_not_fit(outcomes, behaviour, who))


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
        """The value of each individual, shape (m,)."""
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


def _own(behaviour: Any) -> Any:
    """A behaviour that later changes of the caller's array or list do not reach."""
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


def _values(fitness: Any, who: str) -> tuple[float, ...]:
    """The weighted values of an evaluated individual."""
    values = fitness.wvalues
    try:
        numbers = tuple(map(float, values))
    except (TypeError, ValueError):
        raise TypeError(f"fitness must be a number, {who} has {brief(values)}") from None
    if not numbers:
        raise ValueError(f"{who} was never evaluated: its fitness has no values")
    return numbers


def _numbers(fitness, who):
    """A behaviour as a row of numbers."""
    try:
        behaviour = fitness.behaviour
    except AttributeError:
        raise TypeError(
            f"{who} has a fitness made from deap.base.Fitness, which keeps neither behaviour nor score: "
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
        raise TypeError(f"behaviours must be numbers, {who} has {brief(behaviour)}") from None


def _what_does_not_fit(outcomes, behaviour, who):
    expected = outcomes.behaviours.shape[1]
    if len(behaviour) != expected:
        hint = "" if len(behaviour) and expected else f"; {PLAIN_TUPLE}"
        return f"behaviours must have one length: the others have {expected} numbers, {who} has {len(behaviour)}{hint}"
    return f"behaviours must be finite, {who} has {behaviour.tolist()}"


@njit(cache=True)
def _write(behaviours, row, behaviour):
    """Write a row of finite numbers that fit; whether they were."""
    if len(behaviour) != behaviours.shape[1]:
        return False
    for column in range(len(behaviour)):  # one by one, since assigning a whole row takes two seconds to compile
        if not math.isfinite(behaviour[column]):
            return False
        behaviours[row, column] = behaviour[column]
    return True

"""What is known of individuals: fitness, behaviour and score, one by one or packed into arrays."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from deap import base
from numba import njit

from divergent.checks import FLOAT, brief

NO_NUMBERS = np.empty(0)


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
        a task without behaviours, which only objective and random search can follow.

    Examples
    --------
    >>> outcome = Outcome((135.9,), behaviour=(36.0, 184.0))
    >>> outcome[0], outcome.behaviour
    (135.9, (36.0, 184.0))
    """

    behaviour: Any

    def __new__(cls, values: Iterable[float], behaviour: Any = None) -> "Outcome":
        outcome = super().__new__(cls, values)
        outcome.behaviour = behaviour
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
        What the individual did; None if nobody said.
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
        self.behaviour = getattr(values, "behaviour", None)
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
    """One number each, shape (m,)."""

    behaviours: np.ndarray
    """One row each, shape (m, d); d is 0 for a task without behaviours."""


def pack(individuals: Sequence[Any]) -> Outcomes:
    """Gather the fitness and behaviours of evaluated individuals.

    Fitness is the first weighted value (`fitness.wvalues[0]`): larger is better also where the problem minimises.

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
        everybody = [individual.fitness for individual in individuals]
    except (AttributeError, LookupError):
        raise TypeError(f"individuals must be a sequence, each with a fitness, got {brief(individuals)}") from None
    outcomes = Outcomes(np.empty(len(individuals)), np.empty((len(individuals), length)))
    for position, fitness in enumerate(everybody):
        write_row(outcomes, position, fitness, f"individual {position}")
    return outcomes


def write_row(outcomes: Outcomes, row: int, fitness: Any, who: str) -> None:
    """Write what is known of an evaluated individual into a row, refused if it does not fit; `who` names it then.

    Of a behaviour, a scalar is one number, a sequence or matrix its numbers in order, and None none.
    """
    behaviour = _numbers(fitness, who)
    if not fitness.wvalues:
        raise ValueError(f"{who} was never evaluated: its fitness has no values")
    try:
        value = float(fitness.wvalues[0])
    except TypeError:
        raise TypeError(f"fitness must be a number, {who} has {brief(fitness.wvalues)}") from None
    if not _write(outcomes.fitness, outcomes.behaviours, row, value, behaviour):
        raise ValueError(_what_does_not_fit(outcomes, value, behaviour, who))


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


def _what_does_not_fit(outcomes, value, behaviour, who):
    if math.isnan(value):
        return f"fitness must be a number, {who} has {value}"
    expected = outcomes.behaviours.shape[1]
    if len(behaviour) != expected:
        return f"behaviours must have one length: the others have {expected} numbers, {who} has {len(behaviour)}"
    return f"behaviours must be finite, {who} has {behaviour.tolist()}"


@njit(cache=True)
def _write(fitness, behaviours, row, value, behaviour):
    """Write a row of finite numbers that fit; whether they were."""
    if math.isnan(value) or len(behaviour) != behaviours.shape[1]:
        return False
    fitness[row] = value
    for column in range(len(behaviour)):  # one by one, since assigning a whole row takes two seconds to compile
        if not math.isfinite(behaviour[column]):
            return False
        behaviours[row, column] = behaviour[column]
    return True

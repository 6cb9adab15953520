"""What evaluation says of individuals: fitness, behaviour and score, one by one or packed into arrays."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from deap import base


class Outcome(tuple):
    """A fitness tuple that carries the behaviour it was earned with.

    DEAP's loops assign what `toolbox.evaluate` returns to `individual.fitness.values`. An `Outcome` is the tuple they
    expect, so nothing in them changes; a `divergent.Fitness` keeps the behaviour as well.

    Parameters
    ----------
    values
        The task's own measures, one per objective, as a tuple.
    behaviour
        What the individual did: a sequence of numbers of any length, the same length for the whole population. None
        for a task without behaviours, which only objective and random search can follow.

    Examples
    --------
    >>> outcome = Outcome((135.9,), behaviour=(36.0, 184.0))
    >>> outcome[0], outcome.behaviour
    (135.9, (36.0, 184.0))
    """

    def __new__(cls, values, behaviour=None):
        outcome = super().__new__(cls, values)
        outcome.behaviour = behaviour
        return outcome

    def __reduce__(self):
        return Outcome, (tuple(self), self.behaviour)

    def __repr__(self):
        return f"Outcome({tuple(self)!r}, behaviour={self.behaviour!r})"


class Fitness(base.Fitness):
    """A DEAP fitness that also keeps the behaviour of the `Outcome` assigned to it.

    Deleting the values deletes the behaviour; copies and pickles carry it. Assigning a plain tuple leaves no behaviour.

    Examples
    --------
    >>> from deap import creator
    >>> creator.create("DocFitness", Fitness, weights=(1.0,))
    >>> fitness = creator.DocFitness()
    >>> fitness.values = Outcome((3.0,), behaviour=(0.0, 1.0))
    >>> fitness.values, fitness.behaviour
    ((3.0,), (0.0, 1.0))
    >>> del fitness.values
    >>> fitness.valid, fitness.behaviour
    (False, None)
    """

    behaviour = None

    @property
    def values(self):
        return self.getValues()

    @values.setter
    def values(self, values):
        self.setValues(values)
        self.behaviour = getattr(values, "behaviour", None)

    @values.deleter
    def values(self):
        self.delValues()
        self.behaviour = None

    def __deepcopy__(self, memo):
        copy = super().__deepcopy__(memo)
        copy.behaviour = self.behaviour
        return copy


class MaximisedFitness(Fitness):
    """One objective, larger is better."""

    weights = (1.0,)


class Score(float):
    """A number that every DEAP selector with `fit_attr` can read.

    Examples
    --------
    >>> score = Score(2.5)
    >>> score.values, score.wvalues, score.valid, score > Score(1)
    ((2.5,), (2.5,), True, True)
    """

    __slots__ = ()

    valid = True

    @property
    def values(self):
        return (float(self),)

    wvalues = values


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
    for position, individual in enumerate(individuals):
        if not individual.fitness.valid:
            raise ValueError(f"individual {position} was never evaluated: its fitness has no values")
    fitness = np.array([individual.fitness.wvalues[0] for individual in individuals], dtype=float)
    return Outcomes(fitness, _behaviours(individuals))


def _behaviours(individuals):
    found = [getattr(individual.fitness, "behaviour", None) for individual in individuals]
    lengths = [0 if behaviour is None else np.size(behaviour) for behaviour in found]
    for position, length in enumerate(lengths):
        if length != lengths[0]:
            raise ValueError(
                f"behaviours must have one length: individual 0 has {lengths[0]} numbers, "
                f"individual {position} has {length}"
            )
    if not any(lengths):
        return np.empty((len(found), 0))
    behaviours = np.array(found, dtype=float).reshape(len(found), -1)
    if not np.isfinite(behaviours).all():
        position = int(np.flatnonzero(~np.isfinite(behaviours).all(axis=1))[0])
        raise ValueError(f"behaviours must be finite, individual {position} has {behaviours[position].tolist()}")
    return behaviours

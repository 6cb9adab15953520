"""Targets of the fuzzer: public functions with their arguments, and checks of the results."""

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import divergent
from fuzzers.api_targets.values import genome, value


class Target(NamedTuple):
    """A public function to be fuzzed, with valid arguments, kinds of hostile values and a check of the result."""

    name: str
    function: Callable[..., Any]
    arguments: dict[str, tuple[Callable[[], Any], str]]
    """Function that makes a valid value, and kind of the hostile values, for each argument."""
    right: Callable[[Any], Any] = bool
    expected: tuple[type[BaseException], ...] = ()
    """Documented exceptions other than ValueError and TypeError."""


def anything(answer):
    return True


def nothing(answer):
    return answer is None


def all_finite(answer):
    return bool(np.isfinite(np.asarray(answer, dtype=float)).all())


def no_nan(answer):
    return not bool(np.isnan(np.asarray(answer, dtype=float)).any())


def at_least_0(answer):
    return all_finite(answer) and bool((np.asarray(answer) >= 0).all())


def clustered(answer):
    centroids, labels = answer
    return all_finite(centroids) and bool(((labels >= 0) & (labels < len(centroids))).all())


def sensed(answer):
    return answer.shape == (11,) and all_finite(answer) and bool(((answer >= 0) & (answer <= 1)).all())


def driven(answer):
    return (
        all_finite(answer.end)
        and all_finite(answer.heading)
        and answer.steps >= 0
        and (answer.trail is None or all_finite(answer.trail))
    )


def outcome_of(answer):
    return all_finite(answer) and all_finite(answer.behaviour)


def sound(answer):
    """Return whether all genomes of a result have valid genes."""
    several = answer if isinstance(answer, tuple) else (answer,)
    return all(
        len(divergent.Genome(genome.genes, genome.inputs, genome.outputs)) == len(genome.genes) for genome in several
    )


def path(answer):
    length, points = answer
    return length >= 0 and all_finite(length) and all_finite(points)


def stepped(answer):
    return all(step.evaluations >= 0 and len(step.population) >= 0 for step in answer)


NOT_GIVEN = object()  # marks an argument that keeps its default value


def options(function, without=()):
    """Return the arguments of a function that the fuzzer may change; unchanged arguments keep their default values."""
    names = [name for name in inspect.signature(function).parameters if name not in without]
    return {name: (value(NOT_GIVEN), "scalar") for name in names}


def given(arguments):
    """Return the arguments whose value is not `NOT_GIVEN`."""
    return {name: argument for name, argument in arguments.items() if argument is not NOT_GIVEN}


def constructor(made, **needed):
    """Return a target that creates an instance of a class; `needed` contains the required arguments."""
    return Target(made.__name__, lambda **arguments: made(**given(arguments)), options(made, needed) | needed, anything)


def operator_target(operator, **fixed):
    """Return a target that applies a genetic operator to a hostile genome or with a hostile option."""

    def call(genome, **arguments):
        return operator(genome, **given(arguments), **{name: make() for name, make in fixed.items()})

    arguments = {"genome": (genome(), "genome")} | options(operator, {"genome", *fixed})
    return Target(operator.__name__, call, arguments, sound)

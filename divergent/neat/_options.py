"""Validation of the options and arguments of NEAT operators."""

from typing import Any

import numpy as np

from divergent.neat.activation import as_activations
from divergent.neat.genome import Genome, validated_genes
from divergent.validation import brief, is_finite

INHERIT = ("both", "fitter")

MAX_TRIES = 1_000_000
WEIGHT_BOUND = 1e30  # upper bound of the magnitude of weights and weight changes


def check(**options: Any) -> None:
    """Raise a ValueError for the first operator option that is outside its range."""
    for name, value in options.items():
        rule, holds = _RULES[name]
        try:
            good = bool(holds(value))
        except (TypeError, ValueError, OverflowError):
            good = False
        if not good:
            raise ValueError(f"NEAT option {name} must be {rule}, got {brief(value)}")
    for first, second in (("perturb", "replace"), ("tail_perturb", "tail_replace")):
        if first in options and second in options and not options[first] <= 1.0 - options[second]:
            raise ValueError(
                f"the sum of probabilities {first} + {second} must be at most 1, "
                f"got {options[first]} and {options[second]}; lower one of these probabilities"
            )


_RATE = "a rate between 0 and 1", lambda value: 0.0 <= value <= 1.0
_AMOUNT = "a finite number, at least 0", lambda value: is_finite(value) and 0.0 <= value < WEIGHT_BOUND
_FINITE = "a finite number", lambda value: is_finite(value) and abs(value) < WEIGHT_BOUND
_COUNT = f"an integer from 1 to {MAX_TRIES}", lambda value: value == int(value) and 1 <= value <= MAX_TRIES
_TRUTH_VALUE = "True or False", lambda value: isinstance(value, bool)
_RULES = {
    **dict.fromkeys(("average", "disable", "severe", "recurrent", "loop", "mutate_only", "mate_only"), _RATE),
    **dict.fromkeys(("node_rate", "connection_rate", "weight_rate", "toggle_rate", "reenable_rate"), _RATE),
    **dict.fromkeys(("delete_node_rate", "delete_connection_rate", "activation_rate"), _RATE),
    **dict.fromkeys(("perturb", "replace", "tail", "tail_perturb", "tail_replace"), _RATE),
    **dict.fromkeys(("power", "limit", "width"), _AMOUNT),
    **dict.fromkeys(("in_weight", "out_weight"), _FINITE),
    "tries": _COUNT,
    "inherit": (f"one of {', '.join(INHERIT)}", lambda value: value in INHERIT),
    **dict.fromkeys(
        ("feed_forward", "self_crossover", "vary_outputs"), ("True or False", lambda value: isinstance(value, bool))
    ),
    "activations": ("distinct activations", lambda value: as_activations("activations", value) is not None),
    "fit_attr": ("the name of an attribute", lambda value: isinstance(value, str)),
    "bias": ("the index of an input, or None", lambda value: value is None or value == int(value) >= 0),
}


def check_rng(rng: Any) -> None:
    """Raise a TypeError unless `rng` is a numpy.random.Generator."""
    if not hasattr(rng, "random"):
        raise TypeError(f"rng must be a numpy.random.Generator, got {brief(rng)}")


def writable_genes(genome: Genome) -> np.ndarray:
    """Return the validated genes of a genome; raise an error if the gene array is read-only."""
    genes = validated_genes(genome)
    if not genes.flags.writeable:
        raise ValueError("genes must be writable to be mutated, got a read-only array; assign a copy to the genome")
    return genes

"""Collect scores, species, predictions and archive of a repeated run for an overview page."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from divergent._lineage import UNKNOWN
from divergent.explorer._array_bundle import Bundle
from divergent.explorer._page_data import add_memory, add_species, remembered
from divergent.history import Generation, History

MOST_MEMORIES = 30  # largest number of generations per run whose predictions and archive are stored


class RunDetail(NamedTuple):
    """Compressed arrays with the scores, species, predictions and archive of a repeated run."""

    table: dict[str, dict[str, Any]]
    """Types and lengths of the arrays."""
    content: bytes
    """The compressed arrays."""


def detail_of(
    history: History,
    expand: Callable[[np.ndarray], np.ndarray],
    kept: np.ndarray,
    stride: int,
    qualities: np.ndarray,
    smaller: bool,
) -> RunDetail:
    """Return the scores, species, predictions and archive of a repeated run as arrays for an overview page.

    Parameters
    ----------
    history : History
        The history of the repeated run.
    expand : callable
        Function that maps behaviours of shape (m, d) to the two dimensions of the overview.
    kept : ndarray of int
        Indices of the evaluations that the page shows.
    stride : int
        Sampling interval n, if the page shows every n-th evaluation.
    qualities : ndarray
        Quality of all evaluations.
    smaller : bool
        Whether a smaller quality is better.

    Returns
    -------
    RunDetail
        Arrays with the species of all generations, and with the predictions and archives of at most 30 generations.
    """
    bundle, generations = Bundle(), history.generations
    bundle.add_measured("score", history.scores[kept])
    bundle.add_measured("rank", _ranks(history)[kept], 0.0, 1.0)
    bundle.add("size", history.sizes[kept].clip(0, 65535), np.uint16)
    bundle.add("species", history.species[kept], np.int32)
    bundle.add("first", [-(-generation.first // stride) for generation in generations], np.int32)
    bundle.add("generation", [generation.number for generation in generations], np.int32)
    add_species(bundle, generations)
    _add_species_table(bundle, history, qualities, smaller)
    places = np.unique(np.linspace(0, len(generations) - 1, MOST_MEMORIES).round().astype(int))
    chosen = [generations[place] for place in places]
    width = history.behaviours.shape[1]
    bundle.add("memoryAt", places, np.int32)
    add_memory(bundle, chosen, width, expand, 2)
    bundle.add_measured("predictionErrors", prediction_errors(history, chosen, expand))
    return RunDetail(bundle.table, bundle.content())


def _bounds(history: History) -> list[tuple[int, int]]:
    """Return the range of history rows that belong to each generation: the first row and the exclusive end."""
    firsts = [generation.first for generation in history.generations]
    return list(zip(firsts, [*firsts[1:], len(history)], strict=True))


def _ranks(history: History) -> np.ndarray:
    """Return the rank of each score within its generation, from 0 (lowest) to 1 (highest); NaN if there is no score."""
    scores, ranks = history.scores, np.full(len(history), np.nan)
    for first, end in _bounds(history):
        known = first + np.flatnonzero(np.isfinite(scores[first:end]))
        order = known[np.argsort(scores[known], kind="stable")]
        ranks[order] = np.linspace(0.0, 1.0, len(order)) if len(order) > 1 else 1.0
    return ranks


def _add_species_table(bundle: Bundle, history: History, qualities: np.ndarray, smaller: bool) -> None:
    """Add the id, parent species, number of individuals and best quality of each species to the arrays of a page."""
    species, parents = history.species, history.parents[:, 0]
    names, founders, members = np.unique(species, return_index=True, return_counts=True)
    best = [(qualities[species == name].min if smaller else qualities[species == name].max)() for name in names]
    known = names != UNKNOWN
    origin = [_parent_species(int(founder), species, parents) for founder in founders[known]]
    bundle.add("speciesId", names[known], np.int32)
    bundle.add("speciesParent", origin, np.int32)
    bundle.add("speciesMembers", members[known], np.int32)
    bundle.add_measured("speciesBest", np.array(best)[known])


def _parent_species(number: int, species: np.ndarray, parents: np.ndarray) -> int:
    """Follow first parents to the nearest ancestor in another species; return this species, or -1 if there is none."""
    name = species[number]
    while number != UNKNOWN and species[number] == name:
        number = int(parents[number])
    return UNKNOWN if number == UNKNOWN else int(species[number])


def prediction_errors(
    history: History, generations: Sequence[Generation], expand: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """Return the prediction error of each generation: the mean distance from a prediction to the nearest individual.

    Parameters
    ----------
    history : History
        The history of the run.
    generations : sequence of Generation
        Generations of this history.
    expand : callable
        Function that maps behaviours of shape (m, d) to the two dimensions of the overview.

    Returns
    -------
    ndarray
        Mean distance for each generation; NaN if the generation has no predictions.
    """
    behaviours = history.behaviours
    ends = dict(_bounds(history))
    errors = np.full(len(generations), np.nan)
    for place, generation in enumerate(generations):
        predictions = remembered(generation, "predictions", behaviours.shape[1])
        if len(predictions):
            offspring = expand(behaviours[generation.first : ends[generation.first]])
            distances = np.linalg.norm(expand(predictions)[:, None] - offspring[None], axis=2)
            errors[place] = distances.min(axis=1).mean()
    return errors

"""Measure the dynamics of a search: revisits, turnover, prediction errors, rank correlations, genome growth."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from divergent.analysis._occupancy import entropy
from divergent.history import History
from divergent.individual import Outcomes
from divergent.selection._partitions import Bounds, GridPartition
from divergent.selection._strategy import Strategy
from divergent.validation import check_at_least

ABSENCE = 10  # generations that a grid cell must be empty before its next visit counts as a revisit


def generation_numbers(history: History) -> np.ndarray:
    """Return the generation number of each evaluation in the history of a run.

    Parameters
    ----------
    history : History
        The history of all evaluations of a run.

    Returns
    -------
    ndarray of int, shape (n,)
        Generation number of each evaluation, starting at 0.
    """
    first = [generation.first for generation in history.generations]
    numbers = np.array([generation.number for generation in history.generations], dtype=int)
    return numbers[np.searchsorted(first, np.arange(len(history)), side="right") - 1] if len(first) else numbers


def count_cells(
    behaviours: np.ndarray, generations: Sequence[int] | np.ndarray, bounds: Bounds, cells: int | Sequence[int] = 20
) -> np.ndarray:
    """Count the behaviours of each generation in the cells of a grid over behaviour space.

    Parameters
    ----------
    behaviours : ndarray, shape (n, d)
        Behaviours of all evaluations. A behaviour outside the bounds counts in the nearest grid cell.
    generations : sequence of int, length n
        Generation number of each evaluation, starting at 0.
    bounds : sequence
        Lower and upper bounds of the grid, ``((x, y), (x, y))`` or ``(x, y, x, y)``.
    cells : int or sequence of int, default=20
        Number of grid cells along each dimension, as one number for all dimensions or one number per dimension.

    Returns
    -------
    ndarray of int, shape (generations, cells)
        Number of behaviours per generation and grid cell.

    See Also
    --------
    occupancy_over_time : Compute occupancy, revisits and turnover from counts of behaviours.

    Examples
    --------
    Generation 0 has one behaviour in each of two grid cells, generation 1 has one behaviour in the second grid cell:

    >>> behaviours = np.array([[0.5, 0.5], [1.5, 0.5], [1.6, 0.5]])
    >>> count_cells(behaviours, [0, 0, 1], bounds=((0, 0), (2, 1)), cells=(2, 1))
    array([[1, 1],
           [0, 1]])
    """
    grid = GridPartition(bounds, cells)
    size = int(grid.cells.prod())
    numbers = np.asarray(generations, dtype=int)
    flat = numbers * size + grid.cell_indices(behaviours)
    last = int(numbers.max(initial=-1))
    return np.bincount(flat, minlength=(last + 1) * size).reshape(last + 1, size)


def occupancy_over_time(counts: np.ndarray, absence: int = ABSENCE) -> pd.DataFrame:
    """Measure how the set of occupied grid cells changes between generations.

    Parameters
    ----------
    counts : ndarray of int, shape (generations, cells)
        Number of behaviours per generation and grid cell, as returned by `count_cells`.
    absence : int, default=10
        Number of generations that a grid cell must be empty before its next visit counts as a revisit.

    Returns
    -------
    DataFrame
        One row per generation. `occupied` is the number of grid cells with behaviours. `new` is the number of grid
        cells that are occupied for the first time. `revisited` is the number of grid cells that are occupied again
        after at least `absence` empty generations. `turnover` is the Jaccard distance between the grid cells occupied
        in this generation and those occupied in the previous generation; NaN in the first generation. `entropy` is the
        normalised entropy of the counts, from 0 to 1.

    See Also
    --------
    return_times : Return the number of generations between two visits to a grid cell.

    Examples
    --------
    One grid cell is empty for two generations and then visited again:

    >>> table = occupancy_over_time(np.array([[1, 1], [0, 2], [0, 2], [1, 1]]), absence=2)
    >>> table["revisited"].tolist()
    [0, 0, 0, 1]

    The turnover is 0.5 if one of two occupied grid cells changes:

    >>> table["turnover"].tolist()[1:]
    [0.5, 0.0, 0.5]
    """
    check_at_least(1, absence=absence)
    occupied = np.asarray(counts) > 0
    waits = _generations_since_visit(occupied)
    either = (occupied[1:] | occupied[:-1]).sum(axis=1)
    both = (occupied[1:] & occupied[:-1]).sum(axis=1)
    turnover = np.where(either > 0, 1 - both / np.maximum(either, 1), np.nan)
    return pd.DataFrame(
        {
            "generation": np.arange(len(occupied)),
            "occupied": occupied.sum(axis=1),
            "new": (occupied & (waits == 0)).sum(axis=1),
            "revisited": (occupied & (waits > absence)).sum(axis=1),
            "turnover": np.concatenate([[np.nan], turnover])[: len(occupied)],
            "entropy": [entropy(row) for row in np.asarray(counts)],
        }
    )


def return_times(counts: np.ndarray) -> np.ndarray:
    """Return the number of generations between two visits to a grid cell that was empty in between.

    Parameters
    ----------
    counts : ndarray of int, shape (generations, cells)
        Number of behaviours per generation and grid cell, as returned by `count_cells`.

    Returns
    -------
    ndarray of int
        Differences between the generation numbers of two visits to the same grid cell, sorted by the generation of the
        second visit. All differences are at least 2.

    Examples
    --------
    >>> return_times(np.array([[1, 1], [0, 2], [0, 2], [1, 1]]))
    array([3])
    """
    occupied = np.asarray(counts) > 0
    waits = _generations_since_visit(occupied)
    return waits[occupied & (waits > 1)]


def prediction_errors(history: History) -> pd.DataFrame:
    """Compare the centroids that surprise search predicts for a generation with the realised centroids.

    Parameters
    ----------
    history : History
        The history of a run of surprise search, created with the argument `strategy` so that it stores centroids.

    Returns
    -------
    DataFrame
        One row for each generation whose centroids were predicted. `error` is the mean distance between the predicted
        and the realised centroids of clusters that are not empty. `persistence` is the mean distance between the
        previous and the realised centroids, which is the error of predicting no change. `skill` is 1 - error /
        persistence. A negative skill means that the prediction is worse than predicting no change. The skill of a
        linear prediction is 1 if the centroids move at constant velocity. If the centroids
        vary independently around fixed positions, the error of a linear prediction is sqrt(3) times the persistence,
        which is a skill of -0.73.

    Examples
    --------
    >>> from divergent.history import Generation, History
    >>> history = History()
    >>> before = {"centroids": np.array([[1.0]]), "predictions": np.array([[2.0]]), "occupied": np.array([True])}
    >>> after = {"centroids": np.array([[1.5]]), "predictions": np.array([[2.0]]), "occupied": np.array([True])}
    >>> history.generations = [Generation(2, 0, {}, before), Generation(3, 1, {}, after)]
    >>> prediction_errors(history)[["error", "persistence", "skill"]].values.tolist()
    [[0.5, 0.5, 0.0]]
    """
    rows = []
    for before, after in zip(history.generations, history.generations[1:], strict=False):
        if "predictions" not in before.memory or "centroids" not in before.memory:
            continue
        predicted, last = before.memory["predictions"], before.memory["centroids"]
        realised, occupied = after.memory["centroids"], after.memory["occupied"].astype(bool)
        if predicted.shape != realised.shape or not occupied.any():
            continue  # skip if the number of clusters has changed or all clusters are empty
        error, persistence = (
            float(np.linalg.norm(guess - realised, axis=1)[occupied].mean()) for guess in (predicted, last)
        )
        skill = 1 - error / persistence if persistence > 0 else np.nan
        rows.append((before.number, int(occupied.sum()), error, persistence, skill))
    return pd.DataFrame(rows, columns=["generation", "clusters", "error", "persistence", "skill"])


def score_correlations(
    behaviours: np.ndarray,
    generations: Sequence[int] | np.ndarray,
    first: Strategy,
    second: Strategy,
    fitness: np.ndarray | None = None,
) -> pd.DataFrame:
    """Return the rank correlation between the scores that two strategies assign to the same individuals.

    Each strategy scores the offspring of a generation and then updates its state from these offspring. The scores are
    not used for selection.

    Parameters
    ----------
    behaviours : ndarray, shape (n, d)
        Behaviours of all evaluations.
    generations : sequence of int, length n
        Generation number of each evaluation.
    first, second : Strategy
        Strategies that have not scored any individuals yet.
    fitness : ndarray or None, default=None
        Fitness of all evaluations, for strategies that use fitness; None sets all fitness values to 0.

    Returns
    -------
    DataFrame
        One row per generation with Spearman's `correlation`, which is NaN if a strategy gives equal scores to all
        individuals.

    Examples
    --------
    >>> from divergent.selection import Novelty
    >>> behaviours = np.array([[0.0], [1.0], [5.0], [0.0], [2.0], [9.0]])
    >>> generations = [0, 0, 0, 1, 1, 1]
    >>> table = score_correlations(behaviours, generations, Novelty(neighbours=1), Novelty(neighbours=2))
    >>> table["correlation"].round(2).tolist()
    [0.87, 1.0]
    """
    numbers = np.asarray(generations, dtype=int)
    values = np.zeros(len(numbers)) if fitness is None else np.asarray(fitness, dtype=float)
    rows = []
    for number in np.unique(numbers):
        outcomes = Outcomes(values[numbers == number], np.asarray(behaviours)[numbers == number])
        rows.append((int(number), _spearman(first.score(outcomes), second.score(outcomes))))
        first.learn(outcomes)
        second.learn(outcomes)
    return pd.DataFrame(rows, columns=["generation", "correlation"])


def selection_intensity(
    scores: np.ndarray, parents: np.ndarray, generations: Sequence[int] | np.ndarray
) -> pd.DataFrame:
    """Return the correlation between the scores of individuals and their numbers of children.

    Parameters
    ----------
    scores : ndarray, shape (n,)
        Score that each individual received when it was first scored; NaN if the individual was never scored.
    parents : ndarray of int, shape (n, 2)
        Indices of the first and second parent of each individual, -1 for a missing parent.
    generations : sequence of int, length n
        Generation number of each individual.

    Returns
    -------
    DataFrame
        One row per generation. `individuals` is the number of individuals with a score and `children` their mean number
        of children. `correlation` is Spearman's rank correlation of score and number of children, NaN if the scores or
        the numbers of children are constant.

    Examples
    --------
    The first row lists generation, individuals, mean number of children and correlation:

    >>> scores = np.array([1.0, 2.0, 3.0, 0.5, 0.6])
    >>> parents = np.array([[-1, -1], [-1, -1], [-1, -1], [2, 1], [2, -1]])
    >>> selection_intensity(scores, parents, [0, 0, 0, 1, 1]).values.tolist()[0]
    [0.0, 3.0, 1.0, 1.0]
    """
    numbers = np.asarray(generations, dtype=int)
    known = np.asarray(parents)[np.asarray(parents) >= 0]
    children = np.bincount(known.astype(int), minlength=len(numbers))
    scored = ~np.isnan(scores)
    rows = []
    for number in np.unique(numbers):
        chosen = scored & (numbers == number)
        mean = float(children[chosen].mean()) if chosen.any() else np.nan
        rows.append((int(number), int(chosen.sum()), mean, _spearman(scores[chosen], children[chosen])))
    return pd.DataFrame(rows, columns=["generation", "individuals", "children", "correlation"])


def growth_rate(sizes: np.ndarray) -> float:
    """Return the growth of genome size per 1,000 evaluations, as the slope of a least-squares line.

    Parameters
    ----------
    sizes : ndarray, shape (n,)
        Sizes of the genomes, in the order of evaluation.

    Returns
    -------
    float
        Slope of the line, NaN if there are fewer than two genomes.

    Examples
    --------
    >>> round(growth_rate(np.array([10, 11, 12, 13])), 6)
    1000.0
    """
    if len(sizes) < 2:
        return np.nan
    return float(1000 * np.polyfit(np.arange(len(sizes)), np.asarray(sizes, dtype=float), 1)[0])


def _generations_since_visit(occupied: np.ndarray) -> np.ndarray:
    """Return the number of generations since the previous visit to each grid cell; 0 if there was no previous visit."""
    numbers = np.arange(len(occupied))[:, None]
    visited = np.where(occupied, numbers, -1)
    last = np.maximum.accumulate(np.vstack([np.full((1, occupied.shape[1]), -1), visited[:-1]]), axis=0)
    return np.where(last >= 0, numbers - last, 0)


def _spearman(first: np.ndarray, second: np.ndarray) -> float:
    """Return Spearman's rank correlation, or NaN if a sample is constant or has fewer than two values."""
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return np.nan
    return float(stats.spearmanr(first, second).statistic)

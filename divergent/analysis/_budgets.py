"""Set the evaluations of unsuccessful runs to the evaluation budget, and divide a budget into equal intervals."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from divergent.analysis._grouping import require_columns

CURVE_POINTS = 100  # default number of points of a best-fitness curve


def evaluation_grid(budget: int, points: int = CURVE_POINTS) -> np.ndarray:
    """Return equally spaced numbers of evaluations up to the budget.

    Parameters
    ----------
    budget : int
        Largest number of evaluations.
    points : int, default=100
        Number of points.

    Returns
    -------
    ndarray, shape (points,)
        Numbers of evaluations in ascending order.

    Examples
    --------
    Four points divide a budget of 1,000 evaluations:

    >>> evaluation_grid(1000, 4).tolist()
    [250.0, 500.0, 750.0, 1000.0]
    """
    return budget * np.arange(1, points + 1) / points


def censor_at_budget(runs: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """Set the evaluations of each unsuccessful run to the budget of the run.

    Parameters
    ----------
    runs : DataFrame
        A table of runs.
    by : sequence of str, default=()
        Additional columns that the table must have.

    Returns
    -------
    DataFrame
        Copy of the table with an additional column `budget`.

    Examples
    --------
    >>> runs = pd.DataFrame({"solved": [True, False], "evaluations": [70, 90], "population": 10, "generations": 10})
    >>> censor_at_budget(runs)["evaluations"].tolist()
    [70, 100]
    """
    require_columns(runs, *by, "solved", "evaluations", "population", "generations")
    budget = (runs["population"] * runs["generations"]).astype(int)
    solved = runs["solved"].astype(bool)
    return runs.assign(budget=budget, solved=solved, evaluations=runs["evaluations"].where(solved, budget).astype(int))

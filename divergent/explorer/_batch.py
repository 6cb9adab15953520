"""Create the overview page of many runs: outcomes, survival curves, behaviours and stepping stones."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from divergent._text import printable
from divergent.explorer._array_bundle import Bundle
from divergent.explorer._descriptions import name_of, sentence_of
from divergent.explorer._page import PageData
from divergent.explorer._run_detail import RunDetail, detail_of
from divergent.history import History
from divergent.maze._maze import BEST
from divergent.problem import Problem
from divergent.runs._maze_record import MazeRecord, maze_to_json
from divergent.runs._replay import difference, repeat
from divergent.runs.record import ProblemRecord

CELLS = 40  # number of grid cells along the longer side of a maze, or along each side of other behaviour maps
MOST_POINTS = 1600  # largest number of behaviours that the page shows for one run
TRAIL_POINTS = 60  # number of stored trajectory positions of the best individual
MOST_RUNS = 2000
SURVIVAL = ("evaluations", "fraction", "low", "high")  # columns of a Kaplan-Meier table


class RunSummary(NamedTuple):
    """Summary of one run for an overview of many runs."""

    group: str
    """Search and settings; the page draws one survival curve for all runs of a group."""
    search: str
    seed: int
    solved: bool
    evaluations: int
    budget: int
    population: int
    points: np.ndarray
    """Behaviours of all evaluations in two dimensions, shape (evaluations, 2)."""
    qualities: np.ndarray
    """Quality of each evaluation."""
    curve: np.ndarray
    """Evaluations and best quality so far at the end of each generation, shape (generations, 2)."""
    trail: np.ndarray
    """Trajectory of the best individual, shape (m, 2), or empty."""
    stones: np.ndarray
    """Behaviours of the lineage of the solution by first parents, shape (m, 2), or empty."""
    detail: RunDetail | None = None
    """Scores, species, predictions and archive, if the run was repeated."""


def summary_of_record(record: MazeRecord, *, repeated: bool = False) -> RunSummary:
    """Return the summary of a run in a maze for an overview page.

    Parameters
    ----------
    record : MazeRecord
        Record of a run in a maze.
    repeated : bool, default=False
        Whether to repeat the run to obtain species, predictions, archive and the lineage of the solution.

    Returns
    -------
    RunSummary
        The summary.
    """
    plan = record.settings
    points = record.positions.astype(float)
    curve = np.array([(row["evaluations"], BEST - row["best_fitness"]) for row in record.rows], dtype=float)
    summary = RunSummary(
        group=printable(plan.name.removeprefix(f"{plan.maze}-")),
        search=printable(plan.search),
        seed=plan.seed,
        solved=record.solved,
        evaluations=record.evaluations,
        budget=plan.population * plan.generations,
        population=plan.population,
        points=points,
        qualities=np.hypot(*(points - record.maze.goal).T),
        curve=curve,
        trail=record.trail[np.linspace(0, len(record.trail) - 1, TRAIL_POINTS).round().astype(int)].astype(float),
        stones=np.empty((0, 2)),
    )
    history = _repeated_history(record) if repeated else None
    return summary if history is None else add_detail(summary, history, lambda rows: rows[:, -2:], smaller=True)


def _repeated_history(record: MazeRecord) -> History | None:
    """Repeat the run of a record; return None if the repeated run differs from the record."""
    _, history, steps = repeat(record)
    for _ in steps:
        if len(history) >= record.evaluations:
            break
    return None if difference(record.positions, history.behaviours[:, -2:]) else history


def add_detail(
    summary: RunSummary, history: History, expand: Callable[[np.ndarray], np.ndarray], *, smaller: bool
) -> RunSummary:
    """Add species, predictions, archive and lineage of a repeated run to the summary of the run.

    Parameters
    ----------
    summary : RunSummary
        Summary of the recorded run.
    history : History
        The history of the repeated run.
    expand : callable
        Function that maps behaviours of shape (m, d) to the two dimensions of the overview.
    smaller : bool
        Whether a smaller quality is better.

    Returns
    -------
    RunSummary
        Summary with the data of the repeated run and, if the run was solved, the lineage of the solution.
    """
    stride = _stride(summary)
    detail = detail_of(history, expand, _thin(summary), stride, summary.qualities, smaller)
    if not summary.solved:
        return summary._replace(detail=detail)
    solution = len(history) - 1
    stones = expand(history.behaviours[[*reversed(history.ancestors(solution)), solution]])
    return summary._replace(detail=detail, stones=stones)


def batch_data(
    records: Sequence[Any],
    *,
    repeated: bool = False,
    problem: Problem | None = None,
    progress: Callable[[int], Any] = lambda runs: None,
) -> PageData:
    """Return the data of a page that gives an overview of many runs in the same maze or on the same problem.

    Parameters
    ----------
    records : sequence of MazeRecord or ProblemRecord
        At least one record; all runs have the same maze or the same problem.
    repeated : bool, default=False
        Whether to repeat the runs to obtain species, predictions, archives and the lineages of solutions. A repetition
        takes as long as the original run.
    problem : Problem or None, default=None
        The problem of records without a maze, used to repeat runs and to draw the background.
    progress : callable, optional
        Function that is called with the argument 1 after each run. By default, no progress is reported.

    Returns
    -------
    PageData
        Data of the overview page.

    Raises
    ------
    ValueError
        If there are no records or too many records, if the records have different mazes or problems, or if runs without
        a maze are to be repeated and `problem` is None.
    """
    if not 1 <= len(records) <= MOST_RUNS:
        raise ValueError(
            f"number of records must be from 1 to {MOST_RUNS:,}, got {len(records)}; write several pages instead"
        )
    if isinstance(records[0], ProblemRecord):
        return _problem_data(records, repeated, problem, progress)
    maze = maze_to_json(records[0].maze)
    for record in records:
        if isinstance(record, ProblemRecord) or maze_to_json(record.maze) != maze:
            raise ValueError(
                f"records must have the same maze, got {printable(records[0].maze.name)} and "
                f"{printable(record.info.name)}; write one page for each maze"
            )
    runs = []
    for record in records:
        runs.append(summary_of_record(record, repeated=repeated))
        progress(1)
    name = printable(records[0].maze.name)
    left, top, right, bottom = records[0].maze.bounds
    dimensions = [{"name": "x", "low": left, "high": right}, {"name": "y", "low": top, "high": bottom}]
    title = f"{len(runs)} runs in the {name.replace('_', ' ')} maze"
    return overview(runs, title, dimensions, measure="distance to the goal", smaller=True, maze=maze | {"name": name})


def _problem_data(
    records: Sequence[ProblemRecord], repeated: bool, problem: Problem | None, progress: Callable[[int], Any]
) -> PageData:
    """Return the data of the overview page of many runs of one problem."""
    from divergent.explorer._images import background_image
    from divergent.explorer._problem_scene import problem_dimensions, summary_of_problem_record

    if repeated and problem is None:
        raise ValueError(
            "problem must be given if runs are to be repeated, got None; "
            "pass the argument problem in Python, or the option --problem on the command line"
        )
    names = {record.info.name if isinstance(record, ProblemRecord) else "a maze" for record in records}
    if len(names) > 1:
        raise ValueError(
            f"records must have the same problem, got {printable(' and '.join(sorted(names)))}; "
            "write one page for each problem"
        )
    runs = []
    for record in records:
        runs.append(summary_of_problem_record(record, problem if repeated else None))
        progress(1)
    info = records[0].info
    title = f"{len(runs)} runs of {printable(info.title)}"
    smaller = info.weights[0] < 0
    dimensions = problem_dimensions(list(records))
    background = None
    if problem is not None and problem.draw is not None:
        background = background_image(problem.draw, [(row["low"], row["high"]) for row in dimensions])
    return overview(runs, title, dimensions, measure="fitness", smaller=smaller, background=background)


def overview(
    runs: Sequence[RunSummary],
    title: str,
    dimensions: Sequence[dict[str, Any]],
    *,
    measure: str,
    smaller: bool,
    maze: dict[str, Any] | None = None,
    background: str | None = None,
) -> PageData:
    """Return the data of an overview page from the summaries of runs.

    Parameters
    ----------
    runs : sequence of RunSummary
        Summaries of all runs.
    title : str
        Title of the page.
    dimensions : sequence of dict
        Name, lower limit and upper limit of the two behaviour dimensions.
    measure : str
        Name of the quality measure, such as "fitness".
    smaller : bool
        Whether a smaller quality is better.
    maze : dict or None, default=None
        The maze as JSON-serialisable data.
    background : str or None, default=None
        Background image of the behaviour map, as a data URL.

    Returns
    -------
    PageData
        Data of the overview page.
    """
    grid = _Grid.of(dimensions, square=maze is not None)
    bundle = Bundle()
    _add_evaluations(bundle, runs, grid)
    for name, parts in (("trail", [run.trail for run in runs]), ("stone", [run.stones for run in runs])):
        bundle.add(f"{name}Count", [len(part) for part in parts], np.int32)
        _add_points(bundle, name, parts, grid.low, grid.high)
    bundle.add("finalVisits", _joined([_last_visits(run, grid) for run in runs]), np.uint16)
    description = {
        "batch": {
            "runs": [_describe_run(run) for run in runs],
            "groups": _groups(runs),
            "dimensions": list(dimensions),
            "shape": grid.shape.tolist(),
            "cellSize": np.broadcast_to(grid.side, 2).tolist(),
            "measure": measure,
            "smaller": smaller,
            "maze": maze,
            "background": background,
            "arrays": bundle.table,
        },
        "runs": [],
    }
    details = [b"" if run.detail is None else run.detail.content for run in runs]
    return PageData(title, description, [bundle.content(), *(details if any(details) else [])])


class _Grid(NamedTuple):
    """Grid over two behaviour dimensions, for counting the behaviours in each grid cell."""

    low: np.ndarray
    high: np.ndarray
    side: Any
    """Side lengths of a grid cell, or one number if grid cells are square."""
    shape: np.ndarray

    @classmethod
    def of(cls, dimensions: Sequence[dict[str, Any]], *, square: bool) -> "_Grid":
        """Return a grid with 40 cells per dimension or, if `square`, with 40 square cells along the longer side."""
        low = np.array([dimension["low"] for dimension in dimensions])
        high = np.array([dimension["high"] for dimension in dimensions])
        side = (high - low).max() / CELLS if square else (high - low) / CELLS
        return cls(low, high, side, np.ceil((high - low) / side - 1e-9).astype(int))


def _add_evaluations(bundle: Bundle, runs: Sequence[RunSummary], grid: _Grid) -> None:
    """Add sampled behaviours, curves of the best quality, and visits of grid cells to the arrays of the page."""
    thinned = [_thin(run) for run in runs]
    pairs = list(zip(runs, thinned, strict=True))
    bundle.add("pointCount", [len(part) for part in thinned], np.int32)
    _add_points(bundle, "point", [run.points[part] for run, part in pairs], grid.low, grid.high)
    bundle.add_measured("pointQuality", _joined([run.qualities[part] for run, part in pairs]))
    bundle.add("curveCount", [len(run.curve) for run in runs], np.int32)
    bundle.add("curveX", _joined([run.curve[:, 0] for run in runs]), np.int32)
    bundle.add_measured("curveY", _joined([run.curve[:, 1] for run in runs]))
    bundle.add("visits", _joined([_visits(run.points, grid) for run in runs]), np.uint16)


def _describe_run(run: RunSummary) -> dict[str, Any]:
    """Return the settings and results of a run as JSON-serialisable data."""
    return {
        "group": run.group,
        "search": run.search,
        "seed": run.seed,
        "solved": run.solved,
        "evaluations": run.evaluations,
        "population": run.population,
        "stride": _stride(run),
        "best": float(run.curve[-1, 1]),
        "detail": run.detail and run.detail.table,
    }


def _stride(run: RunSummary) -> int:
    """Return the interval between the evaluations that the page shows, which limits the number of points per run."""
    return -(-len(run.points) // MOST_POINTS)


def _thin(run: RunSummary) -> np.ndarray:
    """Return the indices of the evaluations that the page shows: evenly spaced, and always the last evaluation."""
    numbers = np.arange(0, len(run.points), _stride(run))
    return np.r_[numbers, len(run.points) - 1] if numbers[-1] != len(run.points) - 1 else numbers


def _joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts) if parts else np.empty(0)


def _add_points(bundle: Bundle, name: str, parts: Sequence[np.ndarray], low: np.ndarray, high: np.ndarray) -> None:
    rows = np.concatenate([np.reshape(part, (-1, 2)) for part in parts])
    bundle.add_measured(f"{name}X", rows[:, 0].clip(low[0], high[0]), float(low[0]), float(high[0]))
    bundle.add_measured(f"{name}Y", rows[:, 1].clip(low[1], high[1]), float(low[1]), float(high[1]))


def _visits(points: np.ndarray, grid: _Grid) -> np.ndarray:
    """Return the number of behaviours in each grid cell, row by row."""
    cells = np.floor((points - grid.low) / grid.side).astype(int).clip(0, grid.shape - 1)
    counts = np.bincount(cells[:, 1] * grid.shape[0] + cells[:, 0], minlength=int(grid.shape.prod()))
    return counts.clip(0, np.iinfo(np.uint16).max)


def _last_visits(run: RunSummary, grid: _Grid) -> np.ndarray:
    """Return how many of the last `population` evaluations of a run fall into each grid cell."""
    return _visits(run.points[-run.population :], grid)


def _groups(runs: Sequence[RunSummary]) -> list[dict[str, Any]]:
    """Group the runs by search and settings, and return the survival curve of each group."""
    import pandas as pd

    from divergent.analysis import kaplan_meier

    names = list(dict.fromkeys(run.group for run in runs))
    groups = []
    for name in names:
        members = [run for run in runs if run.group == name]
        budget = max(run.budget for run in members)
        table = pd.DataFrame(
            {
                "group": name,
                "solved": [run.solved for run in members],
                "evaluations": [run.evaluations for run in members],
                "population": 1,
                "generations": budget,
            }
        )
        curve = kaplan_meier(table, by=("group",))
        search = members[0].search
        groups.append(
            {
                "name": name,
                "search": search,
                "title": name_of(search) if name == search else name,
                "sentence": sentence_of(search, maze=True),
                "budget": budget,
                "survival": {
                    column: curve[column].astype(float).tolist()
                    for column in ("evaluations", "fraction", "low", "high")
                },
            }
        )
    return groups

"""Tables and statistics of many runs: records in, tidy pandas tables out.

- from records: `read_records`, `tabulate`, `curves`, `visits`, `entropy`
- how well a search does: `efficiency`, `robustness`, `successes`, `evaluations`, `means`, `typical`
- searches side by side: `compare`, `order`, `genotypes`, `between`, `rankings`, `deceptiveness`, `ahead_from`,
  `sensitivity`
- ours beside somebody else's numbers: `agreement_of_counts`, `agreement_of_means`

A table of runs has the columns `RUN_COLUMNS`, a row a run. Every statistic says how many runs are behind it, and is NaN
where there are too few for it.
"""

import dataclasses
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from divergent import paper
from divergent.neat import Genome, diversity
from divergent.record import Record, read
from divergent.settings import Settings

CELL = 5.0  # maze units: the side of the squares in which visits are counted
POINTS = 100  # of a curve of best fitness
LEVEL = 0.05  # of significance; intervals are of 1 - LEVEL
LEAST_RUNS, LEAST_RUNS_TO_RANK = 20, 50  # below these there is no verdict

DIVERSITY = ("compatibility", "disjoint", "excess", "weight_difference")
SETTINGS = tuple(field.name for field in dataclasses.fields(Settings) if field.name not in ("maze", "search", "seed"))
RUN_COLUMNS = (
    "maze", "search", "seed", "solved", "evaluations", "best_fitness", "connections", "hidden_nodes", "entropy",
    *DIVERSITY, *SETTINGS, "version",
)  # fmt: skip


def read_records(folder: str | os.PathLike) -> Iterator[Record]:
    """Every finished record in a folder and the folders in it, in the order of their paths."""
    if not Path(folder).is_dir():
        raise FileNotFoundError(f"{folder}: no such folder of records")
    for text in sorted(Path(folder).glob("**/record.jsonl")):
        if not text.parent.name.endswith(".writing"):
            yield read(text.parent)


def tabulate(records: Iterable[Record]) -> pd.DataFrame:
    """A table of runs, a row a record, with the columns `RUN_COLUMNS`."""
    return pd.DataFrame([run_row(record) for record in records], columns=list(RUN_COLUMNS))


def run_row(record: Record) -> dict[str, Any]:
    """A record's row in a table of runs."""
    settings = dataclasses.asdict(record.settings)
    for part in DIVERSITY:
        if part not in record.diversity:
            raise ValueError(
                f"record of {settings['search']} on {settings['maze']}, seed {settings['seed']}: "
                f"{part!r} is missing in its diversity"
            )
    return {
        "maze": settings["maze"],
        "search": settings["search"],
        "seed": settings["seed"],
        "solved": record.solved,
        "evaluations": record.evaluations,
        "best_fitness": record.best_fitness,
        "connections": record.connections,
        "hidden_nodes": record.hidden_nodes,
        "entropy": entropy(visits(record.positions, record.maze.bounds)),
        **{part: record.diversity[part] for part in DIVERSITY},
        **{name: settings[name] for name in SETTINGS},
        "version": record.version,
    }


def curves(records: Iterable[Record], points: int = POINTS) -> pd.DataFrame:
    """Best fitness so far at equally spaced numbers of evaluations up to the budget, a row a point and record."""
    found = [(record.settings, run_curve(record, points)) for record in records]
    return curve_table([settings for settings, _ in found], np.array([curve for _, curve in found]))


def run_curve(record: Record, points: int = POINTS) -> np.ndarray:
    """A record's best fitness so far at equally spaced evaluations, its end carried forward to the budget.

    It is known at the end of each generation, and for the time before the first one, that one's is taken.
    """
    known = np.array([row["evaluations"] for row in record.rows])
    best = np.array([row["best_fitness"] for row in record.rows])
    places = np.searchsorted(known, grid(record.settings.budget, points), side="right") - 1
    return best[np.maximum(places, 0)]


def grid(budget: int, points: int = POINTS) -> np.ndarray:
    """Equally spaced numbers of evaluations, the last one the budget.

    Examples
    --------
    >>> grid(1000, 4).tolist()
    [250.0, 500.0, 750.0, 1000.0]
    """
    return budget * np.arange(1, points + 1) / points


def curve_table(settings: Sequence[Any], best: np.ndarray) -> pd.DataFrame:
    """The table that `curves` gives, from settings (or rows of a table of runs) and one row of best fitness each."""
    points = best.shape[1] if best.ndim == 2 else 0
    budgets = np.array([one.population * one.generations for one in settings], dtype=int)
    return pd.DataFrame(
        {
            "maze": np.repeat([one.maze for one in settings], points),
            "search": np.repeat([one.search for one in settings], points),
            "seed": np.repeat([one.seed for one in settings], points),
            "budget": np.repeat(budgets, points),
            "evaluations": np.concatenate([np.empty(0), *(grid(budget, points) for budget in budgets)]),
            "best_fitness": best.ravel(),
        }
    )


def visits(positions: np.ndarray, bounds: Sequence[float], cell: float = CELL) -> np.ndarray:
    """How many positions lie in each square cell of a maze, shape (rows, columns), the smallest y first.

    Cells start at the left and at the smallest y of the bounding box; the last ones may reach beyond it. A position
    outside the box counts in the nearest cell.

    Examples
    --------
    >>> visits(np.array([(1, 1), (2, 2), (9, 1)]), bounds=(0, 0, 10, 5))
    array([[2, 1]])
    """
    left, top, right, bottom = bounds
    if cell <= 0:
        raise ValueError(f"cell must be above 0, got {cell}")
    columns, rows = (max(1, math.ceil(round(side / cell, 9))) for side in (right - left, bottom - top))
    places = np.asarray(positions, dtype=float).reshape(-1, 2) - (left, top)
    column, row = (np.clip(places // cell, 0, (columns - 1, rows - 1)).astype(int)).T
    return np.bincount(row * columns + column, minlength=rows * columns).reshape(rows, columns)


def entropy(counts: np.ndarray) -> float:
    """How evenly visits are spread over cells: 0 if all are in one, 1 if every cell has as many; NaN without visits.

    Examples
    --------
    >>> entropy(np.array([[3, 3], [3, 3]])), entropy(np.array([[6, 0], [0, 0]]))
    (1.0, 0.0)
    """
    counts = np.asarray(counts, dtype=float).ravel()
    if counts.sum() == 0:
        return math.nan
    if len(counts) == 1:
        return 0.0
    return float(stats.entropy(counts) / math.log(len(counts)))


def at_budget(runs: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """The runs with a column for their budget, the evaluations of those without a solution set to it."""
    _require(runs, *by, "solved", "evaluations", "population", "generations")
    budget = (runs["population"] * runs["generations"]).astype(int)
    solved = runs["solved"].astype(bool)
    return runs.assign(budget=budget, solved=solved, evaluations=runs["evaluations"].where(solved, budget).astype(int))


def ordered(values: Iterable[str], known: Sequence[str]) -> list[str]:
    """Known names in their order, then numbered names by number, then the rest.

    Examples
    --------
    >>> ordered(["generated:10", "hard", "generated:9", "medium"], known=paper.MAZES)
    ['medium', 'hard', 'generated:9', 'generated:10']
    """
    return sorted(values, key=lambda value: _place(value, known))


def told_runs(count: int) -> str:
    """A number of runs in words.

    Examples
    --------
    >>> told_runs(1), told_runs(1000)
    ('1 run', '1,000 runs')
    """
    return f"{count:,} {'run' if count == 1 else 'runs'}"


def efficiency(curves: pd.DataFrame, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """Mean best fitness so far against evaluations, with the 95% interval of the mean."""
    _require(curves, *by, "budget", "evaluations", "best_fitness")
    rows = []
    for key, group in _groups(curves, by):
        _one_budget(group, key)
        for count, part in group.groupby("evaluations"):
            rows.append(key | {"evaluations": count} | _mean_interval(part["best_fitness"]))
    return pd.DataFrame(rows, columns=[*by, "evaluations", "runs", "mean", "sd", "low", "high"])


def robustness(runs: pd.DataFrame, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """How many runs have solved against evaluations: a row at 0, at each solution and at the budget.

    Examples
    --------
    >>> runs = pd.DataFrame({"maze": "hard", "search": "surprise", "solved": [True, False, True],
    ...     "evaluations": [700, 1000, 300], "population": 250, "generations": 4})
    >>> robustness(runs)[["evaluations", "solved", "runs"]].values.tolist()
    [[0, 0, 3], [300, 1, 3], [700, 2, 3], [1000, 2, 3]]
    """
    runs = at_budget(runs, by)
    rows = []
    for key, group in _groups(runs, by):
        budget = _one_budget(group, key)
        ends = np.sort(group.loc[group["solved"], "evaluations"].to_numpy())
        for count in np.unique([0, *ends, budget]):
            solved = int(np.searchsorted(ends, count, side="right"))
            rows.append(key | {"evaluations": int(count), "solved": solved, "runs": len(group)})
    table = pd.DataFrame(rows, columns=[*by, "evaluations", "solved", "runs"])
    return table.assign(share=table["solved"] / table["runs"])


def successes(runs: pd.DataFrame, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """How many runs solved, and the 95% interval of the share that would (Wilson's)."""
    _require(runs, *by, "solved")
    rows = []
    for key, group in _groups(runs, by):
        solved, count = int(group["solved"].sum()), len(group)
        interval = stats.binomtest(solved, count).proportion_ci(method="wilson")
        share = {"share": solved / count, "low": interval.low, "high": interval.high}
        rows.append(key | {"runs": count, "solved": solved} | share)
    return pd.DataFrame(rows, columns=[*by, "runs", "solved", "share", "low", "high"])


def evaluations(runs: pd.DataFrame, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """Mean evaluations to a solution, runs without one counted at the budget, with the mean's 95% interval."""
    runs = at_budget(runs, by)
    rows = [
        key | {"budget": _one_budget(group, key)} | _mean_interval(group["evaluations"])
        for key, group in _groups(runs, by)
    ]
    return pd.DataFrame(rows, columns=[*by, "budget", "runs", "mean", "sd", "low", "high"])


def means(runs: pd.DataFrame, measure: str, by: Sequence[str] = ("maze", "search")) -> pd.DataFrame:
    """The mean of any column of a table of runs, with its 95% interval."""
    _require(runs, *by, measure)
    rows = [key | _mean_interval(group[measure]) for key, group in _groups(runs, by)]
    return pd.DataFrame(rows, columns=[*by, "runs", "mean", "sd", "low", "high"])


def typical(runs: pd.DataFrame, count: float) -> pd.Series | None:
    """The run that solved its maze closest to a number of evaluations; None if none solved it."""
    solved = runs[runs["solved"]].sort_values("seed")
    if solved.empty:
        return None
    return solved.loc[(solved["evaluations"] - count).abs().idxmin()]


def compare(runs: pd.DataFrame, measure: str = "evaluations", by: Sequence[str] = ("maze",)) -> pd.DataFrame:
    """Two-tailed Mann-Whitney U tests between every two searches, corrected by Holm's method within each group.

    The effect is the rank-biserial correlation: 1 if the first search's values are all larger, -1 if all are smaller,
    0 if either is larger equally often. Evaluations of runs without a solution count as the budget.
    """
    runs = at_budget(runs, by) if measure == "evaluations" else runs
    _require(runs, *by, "search", measure)
    tables = []
    for key, group in _groups(runs, by):
        if measure == "evaluations":
            _one_budget(group, key)
        samples = {search: part[measure].dropna().to_numpy() for search, part in _by_search(group)}
        rows = [
            key | {"first": first, "second": second} | _mann_whitney(samples[first], samples[second])
            for first, second in combinations(samples, 2)
        ]
        tables.append(_corrected(pd.DataFrame(rows)))
    columns = [*by, "first", "second", "runs_first", "runs_second", "u", "effect", "p", "p_corrected"]
    return _stack(tables, columns)


def order(runs: pd.DataFrame, claims: Sequence[paper.Claim] = paper.ORDERS) -> pd.DataFrame:
    """Whether the paper's order of searches holds: a Mann-Whitney U test on evaluations for each claim.

    Tests are corrected by Holm's method within a maze. A claim "better" holds if the first search needs significantly
    fewer evaluations, "equal" if there is no significant difference, "never" if the search solved no run.
    """
    runs = at_budget(runs, ("maze", "search"))
    tables = []
    for maze in dict.fromkeys(claim.maze for claim in claims):
        here = runs[runs["maze"] == maze]
        samples = dict(_by_search(here))
        nobody = here.iloc[:0]
        rows = []
        for claim in (claim for claim in claims if claim.maze == maze):
            first, second = samples.get(claim.first, nobody), samples.get(claim.second, nobody)
            if claim.second is not None:
                _one_budget(pd.concat([first, second]), {"maze": maze})
            rows.append(
                claim._asdict()
                | {"runs_first": len(first), "solved_first": int(first["solved"].sum())}
                | {"runs_second": len(second), "solved_second": int(second["solved"].sum())}
                | _mann_whitney(first["evaluations"].to_numpy(), second["evaluations"].to_numpy())
            )
        table = _corrected(pd.DataFrame(rows))
        tables.append(table.assign(verdict=[_order_verdict(row) for row in table.itertuples()]))
    columns = ["maze", "first", "relation", "second", "runs_first", "solved_first", "runs_second", "solved_second"]
    return _stack(tables, [*columns, "u", "effect", "p", "p_corrected", "verdict"])


def genotypes(
    runs: pd.DataFrame,
    by: Sequence[str] = ("maze", "search"),
    measures: Sequence[str] = paper.GENOTYPE_MEASURES,
) -> pd.DataFrame:
    """Size of the solving genomes and diversity of their populations, means over the runs that solved."""
    _require(runs, *by, "solved", *measures)
    solved = runs[runs["solved"]]
    rows = [
        key | {"measure": measure} | _mean_interval(group[measure])
        for key, group in _groups(solved, by)
        for measure in measures
    ]
    return pd.DataFrame(rows, columns=[*by, "measure", "runs", "mean", "sd", "low", "high"])


def between(solutions: Sequence[Genome]) -> pd.DataFrame:
    """How far each genome is from the others on average: compatibility and its parts, a row a genome.

    Genomes of different runs number their innovations independently, so that they share little but what they began
    with; what else has the same number is taken as the same, as in any distance by numbers. One genome alone has NaN.

    Examples
    --------
    >>> one = Genome([[0, 0, 2, 0.5, 1]], inputs=2, outputs=1)
    >>> other = Genome([[0, 0, 2, 1.5, 1], [1, 1, 2, 1.0, 1]], inputs=2, outputs=1)
    >>> between([one, other]).values.tolist()
    [[4.0, 0.0, 1.0, 1.0], [4.0, 0.0, 1.0, 1.0]]
    """
    count = len(solutions)
    parts = np.zeros((count, 4))
    for one, other in combinations(range(count), 2):
        parts[[one, other]] += diversity((solutions[one], solutions[other]))
    parts = parts / (count - 1) if count > 1 else np.full((count, 4), math.nan)
    return pd.DataFrame(parts, columns=list(DIVERSITY))


def rankings(runs: pd.DataFrame) -> pd.DataFrame:
    """In how many mazes each search solves strictly more runs than each other search.

    Two searches are compared over the seeds that both have run in a maze; `runs` is the smallest number of them.

    Examples
    --------
    >>> runs = pd.DataFrame({"maze": ["a", "a", "b", "b"], "search": ["novelty", "surprise"] * 2, "seed": 0,
    ...     "solved": [False, True, True, True]})
    >>> rankings(runs)[["first", "second", "mazes", "runs", "more", "share"]].values.tolist()
    [['novelty', 'surprise', 2, 1, 0, 0.0], ['surprise', 'novelty', 2, 1, 1, 0.5]]
    """
    _require(runs, "maze", "search", "seed", "solved")
    solved = runs.pivot_table(index=["maze", "seed"], columns="search", values="solved", aggfunc="first")
    rows = []
    for first, second in permutations(ordered(solved.columns, paper.SEARCHES), 2):
        both = solved[[first, second]].dropna().astype(bool).groupby(level="maze")
        count, sizes = both.sum(), both.size()
        more = int((count[first] > count[second]).sum())
        share = more / len(count) if len(count) else math.nan
        fewest = int(sizes.min()) if len(sizes) else 0
        rows.append(
            {"first": first, "second": second, "mazes": len(count), "runs": fewest, "more": more, "share": share}
        )
    return pd.DataFrame(rows, columns=["first", "second", "mazes", "runs", "more", "share"])


class Deceptiveness(NamedTuple):
    """How searches do in mazes that mislead objective search."""

    points: pd.DataFrame
    """A row a maze and search: the share of runs that solved, and the share in which objective search failed."""

    lines: pd.DataFrame
    """A row a search: the regression line through its points."""

    difference: float
    """How much higher the second search's intercept is at a common slope (ANCOVA)."""

    intercept_p: float
    """Of the hypothesis that the intercepts are equal (ANCOVA)."""

    slope_p: float
    """Of the hypothesis that the slopes are equal, which ANCOVA assumes."""


def deceptiveness(runs: pd.DataFrame, searches: tuple[str, str] = ("novelty", "surprise")) -> Deceptiveness:
    """Regress the successes of two searches on the failures of objective search, maze by maze.

    Shares of runs stand for numbers of runs, so that unequal numbers do no harm. What cannot be computed, for too few
    mazes or because all have the same successes or failures, is NaN.
    """
    _require(runs, "maze", "search", "solved")
    share = runs.pivot_table(index="maze", columns="search", values="solved", aggfunc="mean").astype(float)
    share = share.reindex(columns=["objective", *searches])
    points = pd.concat(
        [
            pd.DataFrame({"search": search, "failures": 1 - share["objective"], "successes": share[search]}).dropna()
            for search in searches
        ]
    ).reset_index(names="maze")
    lines = [{"search": search} | _line(points[points["search"] == search]) for search in searches]
    columns = ["search", "mazes", "slope", "intercept", "adjusted_r2", "p"]
    return Deceptiveness(points, pd.DataFrame(lines, columns=columns), *_ancova(points, searches))


def ahead_from(runs: pd.DataFrame, first: str, second: str, points: int = POINTS) -> float:
    """Evaluations from which on, to the end, one search has solved significantly more runs than another; NaN if none.

    Significance is by Fisher's exact test, two-tailed, at equally spaced numbers of evaluations.
    """
    runs = at_budget(runs, ("search",))
    parts = [runs[runs["search"] == search] for search in (first, second)]
    if any(part.empty for part in parts):
        return math.nan
    budget = _one_budget(pd.concat(parts), {"searches": f"{first} and {second}"})
    since = math.nan
    for count in grid(budget, points)[::-1]:
        solved = [int((part["solved"] & (part["evaluations"] <= count)).sum()) for part in parts]
        table = [[number, len(part) - number] for number, part in zip(solved, parts, strict=True)]
        larger = solved[0] / len(parts[0]) > solved[1] / len(parts[1])
        if not larger or stats.fisher_exact(table).pvalue >= LEVEL:
            break
        since = float(count)
    return since


def sensitivity(runs: pd.DataFrame) -> pd.DataFrame:
    """Successes and effort (mean evaluations / budget, with its 95% interval) for each setting that was tried."""
    by = ("maze", "search", "clusters", "neighbours")
    runs = at_budget(runs, by)
    rows = []
    for key, group in _groups(runs, by):
        effort = _mean_interval(group["evaluations"] / _one_budget(group, key))
        rows.append(
            key
            | {"runs": effort["runs"], "solved": int(group["solved"].sum()), "evaluations": group["evaluations"].mean()}
            | {"effort": effort["mean"], "low": effort["low"], "high": effort["high"]}
        )
    return pd.DataFrame(rows, columns=[*by, "runs", "solved", "evaluations", "effort", "low", "high"])


def best_settings(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of a sensitivity table with most successes for their runs, ties broken by fewest evaluations."""
    _require(table, "maze", "search", "runs", "solved", "evaluations")
    share = table.assign(share=table["solved"] / table["runs"])
    best = share.sort_values(["share", "evaluations"], ascending=[False, True]).groupby(["maze", "search"]).head(1)
    return table.loc[best.index].sort_index().reset_index(drop=True)


class Agreement(NamedTuple):
    """A verdict on our number beside another's, with the test's p and the number of our runs behind it."""

    verdict: str
    p: float
    runs: int

    def __str__(self):
        return f"{self.verdict} ({told_runs(self.runs)})" if self.verdict else ""


NO_VERDICT = "no verdict"


def agreement_of_counts(solved: int, runs: int, other: paper.Count, least: int = LEAST_RUNS) -> Agreement:
    """Whether successes agree: Fisher's exact test not significant at 5%.

    If the other count is one of several numbers, agreeing with one of them is enough; if it is only a word, there is
    no verdict.

    Examples
    --------
    >>> str(agreement_of_counts(97, 100, paper.Count("99", (99,))))
    'agrees (100 runs)'
    >>> str(agreement_of_counts(9, 12, paper.Count("99", (99,))))
    'no verdict (12 runs)'
    """
    p = max((_fisher(solved, runs, number, other.runs) for number in other.among), default=math.nan)
    return agreement(p, runs, least)


def agreement_of_means(values: Sequence[float], other: paper.Mean, least: int = LEAST_RUNS) -> Agreement:
    """Whether a mean agrees with another's mean and standard deviation: Welch's test not significant at 5%."""
    if len(values) < 2:
        return Agreement(NO_VERDICT, math.nan, len(values))
    mean, sd = float(np.mean(values)), float(np.std(values, ddof=1))
    if sd == 0 and other.sd == 0:
        p = float(mean == other.mean)
    else:
        test = stats.ttest_ind_from_stats(mean, sd, len(values), other.mean, other.sd, other.runs, equal_var=False)
        p = float(test.pvalue)
    return agreement(p, len(values), least)


def agreement(p: float, runs: int, least: int = LEAST_RUNS) -> Agreement:
    """The verdict that a test's p gives, if there are enough runs behind it."""
    if math.isnan(p) or runs < least:
        return Agreement(NO_VERDICT, p, runs)
    return Agreement("agrees" if p >= LEVEL else "differs", p, runs)


def _fisher(solved, runs, other_solved, other_runs):
    if runs == 0:
        return math.nan
    return float(stats.fisher_exact([[solved, runs - solved], [other_solved, other_runs - other_solved]]).pvalue)


def _require(table, *columns):
    for column in columns:
        if column not in table.columns:
            there = ", ".join(map(str, table.columns))
            raise ValueError(f"the table needs a column {column!r}; it has {there or 'none'}")


def _one_budget(group, key):
    budgets = sorted({int(budget) for budget in group["budget"]})
    if len(budgets) > 1:
        which = ", ".join(f"{name} {value}" for name, value in key.items())
        told = " and ".join(f"{budget:,}" for budget in budgets)
        raise ValueError(f"runs of different budgets cannot be put together: {which} has {told} evaluations")
    return budgets[0] if budgets else 0


def _groups(table, by):
    """Groups with their key as a dictionary, mazes and searches in the paper's order."""
    known = {"maze": paper.MAZES, "search": paper.SEARCHES}
    groups = [(dict(zip(by, key, strict=True)), group) for key, group in table.groupby(list(by), dropna=False)]
    groups.sort(key=lambda pair: [_place(part, known.get(name, ())) for name, part in pair[0].items()])
    return groups


def _by_search(table):
    return [(key["search"], group) for key, group in _groups(table, ("search",))]


def _place(value, known):
    """A sorting key: known names first, in their order, then numbered names by number, then the rest."""
    if value in known:
        return 0, known.index(value), ""
    if isinstance(value, str):
        name, _, number = value.rpartition(":")
        return (1, int(number), name) if number.isdecimal() else (2, 0, value)
    return 1, -1 if pd.isna(value) else value, ""


def _mean_interval(values):
    values = values.dropna().to_numpy(dtype=float)
    count = len(values)
    mean = float(values.mean()) if count else math.nan
    sd = float(values.std(ddof=1)) if count > 1 else math.nan
    reach = float(stats.t.ppf(1 - LEVEL / 2, count - 1)) * sd / math.sqrt(count) if count > 1 else math.nan
    return {"runs": count, "mean": mean, "sd": sd, "low": mean - reach, "high": mean + reach}


def _mann_whitney(first, second):
    sizes = {"runs_first": len(first), "runs_second": len(second)}
    if len(first) == 0 or len(second) == 0:
        return sizes | {"u": math.nan, "effect": math.nan, "p": math.nan}
    test = stats.mannwhitneyu(first, second, alternative="two-sided")
    effect = 2 * test.statistic / (len(first) * len(second)) - 1
    return sizes | {"u": float(test.statistic), "effect": float(effect), "p": float(test.pvalue)}


def _corrected(table):
    """The table with p corrected by Holm's method, over the rows that have a p."""
    from statsmodels.stats.multitest import multipletests

    if table.empty:
        return table
    known = table["p"].notna()
    corrected = pd.Series(math.nan, index=table.index)
    if known.any():
        corrected[known] = multipletests(table.loc[known, "p"], alpha=LEVEL, method="holm")[1]
    return table.assign(p_corrected=corrected)


def _stack(tables, columns):
    tables = [table for table in tables if not table.empty]
    return pd.concat(tables, ignore_index=True)[columns] if tables else pd.DataFrame(columns=columns)


def _order_verdict(row):
    fewest = row.runs_first if row.relation == "never" else min(row.runs_first, row.runs_second)
    if fewest < LEAST_RUNS:
        return f"{NO_VERDICT} ({told_runs(fewest)})"
    if row.relation == "never" and row.solved_first:
        return f"differs: solved {row.solved_first} of {fewest}"
    if row.relation == "never":
        return f"holds ({told_runs(fewest)})"
    significant = row.p_corrected < LEVEL
    if row.relation == "equal":
        return f"{'differs' if significant else 'holds'} ({told_runs(fewest)})"
    direction = "same" if row.effect < 0 else "opposite"
    if not significant:
        return f"not significant, {direction} direction ({told_runs(fewest)})"
    return f"{'holds' if direction == 'same' else 'reversed'} ({told_runs(fewest)})"


def _line(points):
    """The regression line of successes on failures."""
    from statsmodels.formula import api

    line = {"mazes": len(points), "slope": math.nan, "intercept": math.nan, "adjusted_r2": math.nan, "p": math.nan}
    if len(points) < 3 or points["failures"].nunique() < 2 or points["successes"].nunique() < 2:
        return line
    fit = api.ols("successes ~ failures", data=points).fit()
    numbers = {"slope": fit.params["failures"], "intercept": fit.params["Intercept"]}
    return line | numbers | {"adjusted_r2": fit.rsquared_adj, "p": fit.pvalues["failures"]}


def _ancova(points, searches):
    """Difference of the intercepts at a common slope, p of equal intercepts, p of equal slopes."""
    from statsmodels.formula import api
    from statsmodels.stats.anova import anova_lm

    parts = [points[points["search"] == search] for search in searches]
    if any(len(part) < 3 or part["failures"].nunique() < 2 for part in parts) or points["successes"].nunique() < 2:
        return math.nan, math.nan, math.nan
    points = points.assign(second=(points["search"] == searches[1]).astype(float))
    parallel = api.ols("successes ~ failures + second", data=points).fit()
    free = api.ols("successes ~ failures * second", data=points).fit()
    if free.ssr < 1e-20:  # both lines go through all their points, and there is no residual to test against
        return float(parallel.params["second"]), math.nan, math.nan
    intercepts = anova_lm(parallel, typ=2).loc["second", "PR(>F)"]
    slopes = anova_lm(free, typ=2).loc["failures:second", "PR(>F)"]
    return float(parallel.params["second"]), float(intercepts), float(slopes)

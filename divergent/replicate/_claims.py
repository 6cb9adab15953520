"""The claims of the paper, the primary test of each claim, and the outcome in confirmatory runs.

The decision rules were committed to the repository before the confirmatory runs. A claim states that one search
is better than another (or about equal) in one or several mazes. If a claim has several comparisons, the comparison
that supports the claim least decides the outcome. The function `evaluate` returns a table with the outcome of every
claim.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from divergent.analysis import LEVEL, POWER, SETTINGS, holm
from divergent.maze._rules import FIVE_RANGEFINDERS, SIX_RANGEFINDERS
from divergent.replicate import paper
from divergent.replicate._claim_tests import ALL_GENERATED, TESTS, Comparison
from divergent.replicate._experiments import (
    CLAIM_RUNS,
    CLAIM_RUNS_EXTREMELY_HARD,
    CLAIM_RUNS_GENERATED,
    FIRST_SEED,
    GENERATED_NAMES,
)
from divergent.replicate._results import OWN, Results
from divergent.runs.settings import Settings

LEHMAN, DEFAULT, SENSITIVITY = "as in Lehman's program", "default", "default, varied k and n"
LEHMAN_RULES, DEFAULT_RULES = "lehman2008", "divergent"  # reproduction rules of Lehman's program and of this package


class Planned(NamedTuple):
    """Planned runs of each search in a maze: the configuration and the seeds."""

    configuration: str
    seeds: range


def _seeds(runs: int) -> range:
    return range(FIRST_SEED, FIRST_SEED + runs)


PLAN = {
    "medium": Planned(LEHMAN, _seeds(CLAIM_RUNS)),
    "hard": Planned(LEHMAN, _seeds(CLAIM_RUNS)),
    "very_hard": Planned(DEFAULT, _seeds(CLAIM_RUNS)),
    "extremely_hard": Planned(DEFAULT, _seeds(CLAIM_RUNS_EXTREMELY_HARD)),
    ALL_GENERATED: Planned(DEFAULT, _seeds(CLAIM_RUNS_GENERATED)),  # number of runs per generated maze
}
COMMITTED = range(FIRST_SEED)

# fraction of simulated perfect replications in which each primary claim is replicated
PERFECT_REPLICATIONS = Path(__file__).with_name("perfect_replication.csv")

REPLICATED, NOT_CONFIRMED, CONTRADICTED = "replicated", "not confirmed", "contradicted"
UNDECIDED, PENDING, DESCRIPTIVE = "undecided", "pending", "descriptive"
OUTCOMES = (REPLICATED, NOT_CONFIRMED, CONTRADICTED, UNDECIDED, PENDING, DESCRIPTIVE)


@dataclass(frozen=True)
class Claim:
    """A claim of the paper, with the statistical test that decides the claim.

    Parameters
    ----------
    id : str
        Short unique name of the claim.
    statement : str
        The claim in one sentence.
    where : str
        Section, table or figure of the paper.
    test : str
        Name of the primary test, a key of `TESTS`.
    comparisons : tuple of Comparison
        Comparisons of two searches; the claim requires all comparisons to hold, so the weakest comparison decides.
    committed : str or None, default=None
        Configuration of exploratory runs, which were committed to the repository before the decision rules. Exploratory
        runs describe the claim but do not decide it. None if planned runs decide the claim.
    """

    id: str
    statement: str
    where: str
    test: str
    comparisons: tuple[Comparison, ...]
    committed: str | None = None

    @property
    def primary(self) -> bool:
        """Whether planned runs decide the claim, so that Holm's correction includes its test."""
        return self.committed is None

    def planned(self, maze: str) -> Planned:
        """Return the configuration and the seeds of the runs that the claim compares in a maze."""
        return PLAN[maze] if self.committed is None else Planned(self.committed, COMMITTED)


def _in_mazes(mazes: Sequence[str], *pairs: tuple[str, str]) -> tuple[Comparison, ...]:
    return tuple(Comparison(maze, *pair) for maze in mazes for pair in pairs)


_PAIR = ("surprise", "novelty")
_OBJECTIVE = (("novelty", "objective"), ("surprise", "objective"))

CLAIMS = (
    Claim(
        "beats-objective-published",
        "Novelty search and surprise search each need fewer evaluations than objective search in the medium and hard "
        "mazes.",
        "VII-A, VII-B", "faster", _in_mazes(paper.PUBLISHED, *_OBJECTIVE),
    ),
    Claim(
        "beats-objective-very-hard",
        "Novelty search and surprise search each solve the very hard maze in more runs than objective search, which "
        "never solves this maze.",
        "VII-A", "more successes", _in_mazes(("very_hard",), *_OBJECTIVE), DEFAULT,
    ),
    Claim(
        "beats-objective-generated",
        "Novelty search and surprise search each need fewer evaluations than objective search in the generated mazes.",
        "VIII-B", "faster over mazes", _in_mazes((ALL_GENERATED,), *_OBJECTIVE), DEFAULT,
    ),
    Claim(
        "faster-medium", "Surprise search needs fewer evaluations than novelty search in the medium maze.",
        "VII-B, abstract", "faster", _in_mazes(("medium",), _PAIR),
    ),
    Claim(
        "faster-hard", "Surprise search needs fewer evaluations than novelty search in the hard maze.",
        "VII-B, abstract", "faster", _in_mazes(("hard",), _PAIR),
    ),
    Claim(
        "faster-very-hard", "Surprise search needs fewer evaluations than novelty search in the very hard maze.",
        "VII-B, abstract", "faster", _in_mazes(("very_hard",), _PAIR),
    ),
    Claim(
        "faster-extremely-hard",
        "Surprise search needs fewer evaluations than novelty search in the extremely hard maze.",
        "VII-B, abstract", "faster", _in_mazes(("extremely_hard",), _PAIR),
    ),
    Claim(
        "faster-generated", "Surprise search needs fewer evaluations than novelty search in the generated mazes.",
        "VIII-B", "faster over mazes", _in_mazes((ALL_GENERATED,), _PAIR),
    ),
    Claim(
        "robust-hard", "Surprise search solves the hard maze in more runs than novelty search.",
        "VII-B, abstract", "more successes", _in_mazes(("hard",), _PAIR),
    ),
    Claim(
        "robust-very-hard", "Surprise search solves the very hard maze in more runs than novelty search.",
        "VII-B, abstract", "more successes", _in_mazes(("very_hard",), _PAIR),
    ),
    Claim(
        "robust-extremely-hard", "Surprise search solves the extremely hard maze in more runs than novelty search.",
        "VII-B, abstract", "more successes", _in_mazes(("extremely_hard",), _PAIR),
    ),
    Claim(
        "prediction",
        "Surprise search needs fewer evaluations than surprise search without prediction (SSnp) in the medium, hard "
        "and very hard mazes.",
        "VII-B, IX", "faster", _in_mazes(("medium", "hard", "very_hard"), ("surprise", "ssnp")),
    ),
    Claim(
        "prediction-extremely-hard",
        "Surprise search needs fewer evaluations than surprise search without prediction (SSnp) in the extremely hard "
        "maze.",
        "VII-B", "faster", _in_mazes(("extremely_hard",), ("surprise", "ssnp")), DEFAULT,
    ),
    Claim(
        "novelty-like-ssnp",
        "Novelty search and surprise search without prediction (SSnp) need about the same number of evaluations in the "
        "very hard maze.",
        "VII-A, VII-B", "about as fast", _in_mazes(("very_hard",), ("novelty", "ssnp")),
    ),
    Claim(
        "baselines-fail",
        "Surprise search solves the very hard and extremely hard mazes, but surprise search with random predictions "
        "(SSr) and random search never solve these mazes.",
        "VII-A, VII-B", "more successes",
        _in_mazes(("very_hard", "extremely_hard"), ("surprise", "ssr"), ("surprise", "random")), DEFAULT,
    ),
    Claim(
        "larger-networks",
        "In each hand-designed maze, solutions of surprise search have more connections than solutions of novelty "
        "search.",
        "VII-C, Table II", "larger networks", _in_mazes(paper.MAZES, _PAIR),
    ),
    Claim(
        "diverse-genotypes",
        "In each hand-designed maze, solutions of surprise search are genotypically more diverse than solutions of "
        "novelty search.",
        "VII-C, Table II, abstract", "more diverse", _in_mazes(paper.MAZES, _PAIR),
    ),
    Claim(
        "entropy",
        "Surprise search explores each hand-designed maze more uniformly (higher entropy of final positions) than "
        "novelty search.",
        "VII-C, Table I, abstract", "higher entropy", _in_mazes(paper.MAZES, _PAIR),
    ),
    Claim(
        "higher-k",
        "In the medium and hard mazes, the number of evaluations of surprise search decreases as the number of "
        "clusters k increases.",
        "VI-C, Fig. 5", "falls with k", _in_mazes(paper.PUBLISHED, ("surprise", "surprise")), SENSITIVITY,
    ),
    Claim(
        "more-generated",
        "The generated mazes in which surprise search has more successful runs than novelty search outnumber the "
        "generated mazes in which surprise search has fewer.",
        "VIII-B, Table III", "more mazes", _in_mazes((ALL_GENERATED,), _PAIR),
    ),
    Claim(
        "intercept-generated",
        "In regressions of success rates on the failure rate of objective search, surprise search has a higher "
        "intercept than novelty search.",
        "VIII-B, Fig. 9", "higher intercept", _in_mazes((ALL_GENERATED,), _PAIR),
    ),
    Claim(
        "scaling-generated",
        "The success rate of surprise search minus the success rate of novelty search increases with the deceptiveness "
        "of the maze (failure rate of objective search).",
        "VIII-B, Fig. 9", "scales better", _in_mazes((ALL_GENERATED,), _PAIR),
    ),
)  # fmt: skip

PRIMARY = tuple(claim for claim in CLAIMS if claim.primary)


def tables(experiments: Mapping[str, Results]) -> dict[str, pd.DataFrame]:
    """Return a table of runs for each configuration, with the columns that the tests need.

    Parameters
    ----------
    experiments : mapping of str to Results
        Results of each experiment, by the name of the experiment.

    Returns
    -------
    dict of str to pandas.DataFrame
        One table of runs per configuration. Runs with settings that differ from the paper are omitted. Only the
        configuration `SENSITIVITY` contains runs with varied numbers of clusters and neighbours. The column
        `solution_distance` is the mean compatibility distance of a solution to the other solutions of the same search.
    """
    runs = {name: _with_distances(results) for name, results in experiments.items()}
    varied = runs.pop("sensitivity-surprise", None)
    sources = {} if varied is None else {SENSITIVITY: varied}
    if runs:
        table = pd.concat(runs.values(), ignore_index=True)
        table = table[table["search"].isin(paper.SEARCHES)]
        table = table[_has_paper_settings(table)].drop_duplicates(["maze", "search", "robot", "rules", "seed"])
        lehman = (table["rules"] == LEHMAN_RULES) & (table["robot"] == FIVE_RANGEFINDERS)
        default = (table["rules"] == DEFAULT_RULES) & (table["robot"] == SIX_RANGEFINDERS)
        sources |= {LEHMAN: table[lehman], DEFAULT: table[default]}
    return {name: table.reset_index(drop=True) for name, table in sources.items()}


def compare(tables: Mapping[str, pd.DataFrame], claims: Sequence[Claim] = CLAIMS) -> pd.DataFrame:
    """Compute the effect size and the p-value of every comparison of each claim.

    Parameters
    ----------
    tables : mapping of str to pandas.DataFrame
        Table of runs for each configuration, as the function `tables` returns them.
    claims : sequence of Claim, default=CLAIMS
        Claims whose comparisons are computed.

    Returns
    -------
    pandas.DataFrame
        One row per comparison. The columns are claim, maze, first, second, n_first, n_second, effect, p, paper and
        margin. The effect and the p-value are NaN if a planned run is missing.
    """
    rows = []
    for claim in claims:
        test = TESTS[claim.test]
        for comparison in claim.comparisons:
            first, second = _samples(tables, claim, comparison)
            complete = _complete(claim, comparison, first) and _complete(claim, comparison, second)
            rows.append(
                {"claim": claim.id, **comparison._asdict(), "n_first": len(first), "n_second": len(second)}
                | {"effect": test.effect(first, second) if complete else math.nan}
                | {"p": test.p(first, second) if complete else math.nan}
                | {"paper": test.paper(comparison), "margin": test.margin(comparison)}
            )
    return pd.DataFrame(rows)


def decisive(comparisons: pd.DataFrame, claims: Sequence[Claim] = CLAIMS) -> pd.DataFrame:
    """Return the weakest comparison of each claim with its p-value, raw and corrected by Holm's method.

    If all comparisons of a claim have the claimed direction, the largest p-value counts (intersection-union test).
    If a comparison has the opposite direction, the smallest p-value in the opposite direction counts. The smallest
    p-value in the opposite direction is multiplied by the number of comparisons (Bonferroni correction). Holm's method
    corrects the p-values of all primary tests together. If runs of a claim are missing, its p-value enters Holm's
    correction as 1.
    """
    rows = []
    for claim in claims:
        group = comparisons[comparisons["claim"] == claim.id].reset_index(drop=True)
        if group["p"].isna().any():
            rows.append({**group.iloc[0], "effect": math.nan, "p": math.nan})
            continue
        against = TESTS[claim.test].direction * group["effect"] < 0
        place = group.loc[against, "p"].idxmin() if against.any() else group["p"].idxmax()
        row = group.loc[place].to_dict()
        rows.append({**row, "p": min(1.0, row["p"] * len(group)) if against.any() else row["p"]})
    table = pd.DataFrame(rows)
    primary = np.array([claim.primary for claim in claims])
    known = table["p"].where(table["p"].notna(), 1.0)
    table["p_holm"] = np.nan
    table.loc[primary, "p_holm"] = holm(known[primary].to_list())
    table["tests"] = [int((known[primary] >= p).sum()) if main else 1 for p, main in zip(known, primary, strict=True)]
    return table.assign(p_holm=table["p_holm"].where(table["p"].notna()))


def evaluate(tables: Mapping[str, pd.DataFrame], claims: Sequence[Claim] = CLAIMS) -> pd.DataFrame:
    """Decide every claim from its planned runs.

    Parameters
    ----------
    tables : mapping of str to pandas.DataFrame
        Table of runs for each configuration, as the function `tables` returns them.
    claims : sequence of Claim, default=CLAIMS
        Claims to decide.

    Returns
    -------
    pandas.DataFrame
        One row per claim. The columns maze, first and second identify the weakest comparison. The columns low and high
        are the 95 % interval of the effect; the column paper is the effect in the paper. The columns n_first, n_second
        and n_paper count the runs of each search here and in the paper. If the outcome is undecided, the column
        n_needed is the sample size for 80 % power, otherwise NaN.
    """
    table = decisive(compare(tables, claims), claims)
    rows = []
    for claim, row in zip(claims, table.to_dict("records"), strict=True):
        test = TESTS[claim.test]
        comparison = Comparison(row["maze"], row["first"], row["second"])
        needed, low, high = math.nan, math.nan, math.nan
        outcome = PENDING if math.isnan(row["p"]) else UNDECIDED if claim.primary else DESCRIPTIVE
        if not math.isnan(row["effect"]):  # the effect is undefined if too few runs solved the maze
            samples = _samples(tables, claim, comparison)
            low, high = test.interval(*samples, 1 - LEVEL)
            if claim.primary:
                inner = test.interval(*samples, 1 - 2 * LEVEL)
                numbers = row["effect"], (low, high), inner, row["p_holm"], row["paper"], row["margin"]
                outcome = judge(test.direction, *numbers)
        if outcome == UNDECIDED and not math.isnan(row["effect"]):
            n = len(GENERATED_NAMES) if comparison.maze == ALL_GENERATED else min(row["n_first"], row["n_second"])
            smaller = 0 < test.direction * row["effect"] < abs(row["paper"])
            target = row["effect" if smaller else "paper"] if test.direction else row["margin"]
            needed = needed_for_power(high - low, n, target, row["tests"], equality=not test.direction)
        row |= {"outcome": outcome, "low": low, "high": high, "n_needed": needed}
        rows.append(row | {"n_paper": _paper_runs(claim), "unit": test.unit})
    columns = ["claim", "maze", "first", "second", "outcome", "effect", "low", "high", "paper", "margin", "p", "p_holm"]
    return pd.DataFrame(rows)[[*columns, "n_first", "n_second", "n_paper", "n_needed", "unit"]]


def judge(
    direction: int,
    effect: float,
    interval: tuple[float, float],
    inner: tuple[float, float],
    p: float,
    paper: float,
    margin: float,
) -> str:
    """Return the outcome of a primary test.

    Parameters
    ----------
    direction : int
        Sign of the claimed effect; 0 if the claim is equality.
    effect : float
        Effect in this replication.
    interval, inner : tuple of float
        95 % and 90 % interval of the effect; the 90 % interval shows equivalence if it lies within the margin.
    p : float
        The corrected p-value of the primary test.
    paper : float
        The effect in the paper.
    margin : float
        The equivalence margin.

    Returns
    -------
    str
        "replicated", "contradicted", "not confirmed" or "undecided".

    Examples
    --------
    >>> judge(-1, -0.3, (-0.4, -0.2), (-0.38, -0.22), 0.001, paper=-0.34, margin=0.17)
    'replicated'

    >>> judge(-1, 0.0, (-0.1, 0.1), (-0.08, 0.08), 0.9, paper=-0.34, margin=0.17)
    'contradicted'

    >>> judge(-1, 0.1, (-0.2, 0.4), (-0.15, 0.35), 0.5, paper=-0.34, margin=0.17)
    'not confirmed'

    >>> judge(-1, -0.1, (-0.4, 0.2), (-0.35, 0.15), 0.5, paper=-0.34, margin=0.17)
    'undecided'
    """
    low, high = interval
    if p < LEVEL:
        return CONTRADICTED if direction * effect < 0 else REPLICATED
    if direction == 0:
        return CONTRADICTED if low > 0 or high < 0 else UNDECIDED
    if -margin < inner[0] and inner[1] < margin:
        return CONTRADICTED
    weakest, strongest = (low, high) if direction > 0 else (-high, -low)
    return UNDECIDED if weakest > 0 or strongest >= abs(paper) else NOT_CONFIRMED


def expected_replications() -> pd.Series:
    """Return, for each primary claim, the probability that a perfect replication replicates the claim.

    Returns
    -------
    pandas.Series
        Fraction of simulations that replicate each claim. The sum is the expected number of replicated claims.

    See Also
    --------
    divergent.replicate._perfect_replication.fractions : Simulate the perfect replications.
    """
    return pd.read_csv(PERFECT_REPLICATIONS).set_index("claim")["replicated"].reindex([claim.id for claim in PRIMARY])


def needed_for_power(width: float, n: int, target: float, tests: int = 1, *, equality: bool = False) -> int:
    """Return the sample size that gives 80 % power to detect an effect, from the width of a 95 % interval.

    Parameters
    ----------
    width : float
        Width of the 95 % interval, which is assumed to shrink with the square root of the sample size.
    n : int
        Sample size from which the interval was computed.
    target : float
        The effect to detect; if the claim is equality, the equivalence margin.
    tests : int, default=1
        Number by which Holm's method divides the significance level.
    equality : bool, default=False
        Whether the test consists of two one-sided tests of equivalence.

    Examples
    --------
    >>> needed_for_power(width=2 * 1.959964 * 0.1, n=100, target=0.28)
    101
    """
    error = width / (2 * stats.norm.isf(LEVEL / 2))
    level, power = (LEVEL / tests, (1 + POWER) / 2) if equality else (LEVEL / tests / 2, POWER)
    reach = stats.norm.isf(level) + stats.norm.ppf(power)
    return math.ceil(n * (reach * error / target) ** 2)


def _samples(
    tables: Mapping[str, pd.DataFrame], claim: Claim, comparison: Comparison
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the available planned runs of both searches of a comparison."""
    plan = claim.planned(comparison.maze)
    runs = tables.get(plan.configuration, pd.DataFrame(columns=["maze", "search", "seed"]))
    mazes = GENERATED_NAMES if comparison.maze == ALL_GENERATED else (comparison.maze,)
    runs = runs[runs["maze"].isin(mazes) & runs["seed"].isin(plan.seeds)]
    if comparison.maze == ALL_GENERATED:
        runs = runs.assign(failures=runs["maze"].map(_objective_failures(tables)))
    first, second = (runs[runs["search"] == search] for search in comparison[1:])
    return first, second


def _objective_failures(tables: Mapping[str, pd.DataFrame]) -> Mapping[str, float]:
    """Return the failure rate of objective search in each maze, from exploratory runs."""
    if DEFAULT not in tables:
        return {}
    runs = tables[DEFAULT]
    runs = runs[(runs["search"] == "objective") & runs["seed"].isin(COMMITTED)]
    return dict(1 - runs.groupby("maze")["solved"].mean())


def _complete(claim: Claim, comparison: Comparison, runs: pd.DataFrame) -> bool:
    """Return whether the runs suffice to evaluate a claim.

    A primary claim needs all planned runs, with the values that its statistical test uses. A descriptive claim, which
    has no decision rule, needs at least two runs, and runs in every maze.
    """
    mazes = len(GENERATED_NAMES) if comparison.maze == ALL_GENERATED else 1
    if not claim.primary:
        return len(runs) > 1 and runs["maze"].nunique() == mazes
    if len(runs) != mazes * len(claim.planned(comparison.maze).seeds):
        return False
    column = {"more diverse": "solution_distance", "scales better": "failures"}.get(claim.test, "evaluations")
    return column in runs and bool(runs.loc[runs["solved"], column].notna().all())


def _has_paper_settings(runs: pd.DataFrame) -> pd.Series:
    """Return a mask of the runs with the paper's settings; the settings `robot` and `rules` may have any value."""
    same = pd.Series(True, index=runs.index)
    kinds = runs["maze"].where(~runs["maze"].isin(GENERATED_NAMES), GENERATED_NAMES[0])
    for (maze, search), group in runs.groupby([kinds, "search"]):
        plan = Settings(maze=maze, search=search).resolve().to_json()
        plan |= plan.pop("options")
        for name in SETTINGS:
            if name not in ("robot", "rules"):
                column, value = group[name], plan.get(name)
                same[group.index] &= column.isna() if value is None else column.eq(value).fillna(False).astype(bool)
    return same


def _with_distances(results: Results) -> pd.DataFrame:
    """Add a column to the runs: the mean distance of each solution to the solutions of other runs."""
    keys = ["maze", "search", *OWN]
    distances = results.solutions[[*keys, "compatibility"]].rename(columns={"compatibility": "solution_distance"})
    runs = results.runs.merge(distances, on=keys, how="left", validate="one_to_one")
    return runs.assign(rules=runs["rules"].fillna(DEFAULT_RULES) if "rules" in runs else DEFAULT_RULES)


def _paper_runs(claim: Claim) -> int:
    """Return the number of runs of each search on which the paper bases a claim."""
    if claim.test in ("higher entropy", "falls with k"):
        settings = 2 * len(paper.SENSITIVITY_CLUSTERS)  # each number of clusters with one and two nearest predictions
        return 1 if claim.test == "higher entropy" else settings * paper.SENSITIVITY_RUNS
    generated = claim.comparisons[0].maze == ALL_GENERATED
    return paper.GENERATED_MAZES * paper.GENERATED_RUNS if generated else paper.RUNS

"""Simulation of perfect replications, which estimates how often such replications agree with the paper.

Simulated runs have the paper's means, standard deviations and success rates. For the claims, simulated runs have the
planned sample sizes, and the decision rules of `divergent.replicate._claims` are applied. For the comparisons with
numbers in the paper, they have the paper's sample sizes, and the rules of `divergent.replicate._paper_comparison` are
applied. The command `python -m divergent.replicate._perfect_replication` writes the files that
`divergent.replicate._claims.expected_replications` and `divergent.replicate._paper_comparison.expected_agreements`
read.
"""

import sys

import numpy as np
import pandas as pd

from divergent.analysis import LEVEL
from divergent.replicate import paper
from divergent.replicate._claim_tests import ALL_GENERATED, TESTS
from divergent.replicate._claims import CLAIMS, DEFAULT, PERFECT_REPLICATIONS, PLAN, PRIMARY, compare, decisive
from divergent.replicate._experiments import GENERATED_NAMES
from divergent.replicate._paper_comparison import AGREEMENTS, KINDS, compare_evaluations, compare_solved
from divergent.runs.defaults import POPULATION, default_budget

SIMULATIONS, AGREEMENT_SIMULATIONS = 300, 1000  # numbers of simulations for the claims and for the comparisons
SEED = 20261118

# the paper does not report two success rates, so the simulation estimates them from other numbers of the paper
# novelty search solves the medium maze in 49 of 50 runs of the paper's sensitivity analysis
# a success rate of 4 % of objective search in the hard maze agrees with the paper's mean and sd of evaluations
SUCCESS_RATES = {("medium", "novelty"): 0.98, ("hard", "objective"): 0.04}
ENTROPY_SD = 0.025  # standard deviation of entropy in runs of `divergent`; the paper reports one run per search

# the paper reports no success rate of an individual generated maze, so the simulation assumes distributions
# failure rates of objective search are assumed to have a U-shaped distribution over generated mazes
# success rates of the other searches are assumed to decrease with the failure rate of objective search
# in the simulation, surprise search has more successful runs than novelty search in 49 % of mazes (paper: 40 %)
# in the simulation, surprise search has fewer successful runs than novelty search in 7 % of mazes (paper: 8 %)
# in the simulation, mean evaluations are 76,500 for novelty search (paper: 76,225) and 72,200 for surprise search
# (paper: 71,865)
FAILURES = (0.11, 0.2)  # parameters of the beta distribution from which failure rates of objective search are drawn
# NOISE: standard deviation of novelty search's success rate in mazes where objective search fails in half of the runs
# NOISE_OF_ADVANTAGE is the standard deviation of surprise search's success rate minus novelty search's success rate
# NOISE_OF_ADVANTAGE applies to mazes in which objective search fails in half of the runs
NOISE, NOISE_OF_ADVANTAGE = 0.15, 0.06


def simulate(rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Simulate all planned runs of one perfect replication.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    dict of str to pandas.DataFrame
        Table of simulated runs for each configuration, in the format of `divergent.replicate._claims.tables`.
    """
    parts: dict[str, list[pd.DataFrame]] = {plan.configuration: [] for plan in PLAN.values()}
    searches = {(each.maze, search) for claim in PRIMARY for each in claim.comparisons for search in each[1:]}
    for maze, search in sorted(searches):
        if maze != ALL_GENERATED:
            parts[PLAN[maze].configuration].append(_authored(maze, search, PLAN[maze].seeds, rng))
    parts[DEFAULT] += _generated(rng)
    return {name: pd.concat(tables, ignore_index=True) for name, tables in parts.items()}


def fractions(simulations: int, seed: int = SEED) -> pd.DataFrame:
    """Return the fraction of simulated perfect replications in which each primary claim is replicated.

    Parameters
    ----------
    simulations : int
        Number of simulations.
    seed : int, default=20261118
        Seed of the simulations.

    Returns
    -------
    pandas.DataFrame
        One row per primary claim, with the columns `claim` and `replicated`.
    """
    counts = np.zeros(len(PRIMARY))
    for rng in np.random.default_rng(seed).spawn(simulations):
        table = decisive(compare(simulate(rng), PRIMARY), PRIMARY)
        directions = np.array([TESTS[claim.test].direction for claim in PRIMARY])
        counts += (table["p_holm"] < LEVEL) & (directions * table["effect"] >= 0)
    return pd.DataFrame({"claim": [claim.id for claim in PRIMARY], "replicated": counts / simulations})


def agreements(simulations: int, seed: int = SEED) -> pd.DataFrame:
    """Return the fraction of simulated perfect replications that agree with the paper in each comparison.

    The comparisons are those of success rates and mean evaluations in the published mazes. The simulated replications
    have the paper's number of runs of each search.

    Parameters
    ----------
    simulations : int
        Number of simulations.
    seed : int, default=20261118
        Seed of the simulations.

    Returns
    -------
    pandas.DataFrame
        One row per comparison, with the columns `measure`, `maze`, `search` and `agrees`.
    """
    cells = [(maze, search) for maze in paper.PUBLISHED for search in paper.MEASURED]
    tables = []
    for rng in np.random.default_rng(seed).spawn(simulations):
        runs = pd.concat([_authored(*cell, range(paper.RUNS), rng) for cell in cells], ignore_index=True)
        for measure, compare_runs in (("solved", compare_solved), ("evaluations", compare_evaluations)):
            table = compare_runs(runs)[["maze", "search", "verdict"]]
            tables.append(table.assign(measure=measure, kind=[verdict.kind for verdict in table["verdict"]]))
    table = pd.concat(tables, ignore_index=True)
    table = table[table["kind"].isin(KINDS)]
    table = table.assign(agrees=table["kind"] == "agrees")
    return table.groupby(["measure", "maze", "search"], sort=False, as_index=False)["agrees"].mean()


def _authored(maze: str, search: str, seeds: range, rng: np.random.Generator) -> pd.DataFrame:
    budget = default_budget(maze)
    count = paper.SOLVED[maze, search]
    rate = SUCCESS_RATES.get((maze, search)) or count.among[0] / count.runs
    mean, sd, _ = paper.EVALUATIONS[maze, search]
    # in the paper's mean and sd of evaluations, an unsuccessful run has as many evaluations as the budget
    # the first and second moment of successful runs follow from the paper's mean, sd and success rate
    first = (mean - (1 - rate) * budget) / rate
    second = (sd**2 + mean**2 - (1 - rate) * budget**2) / rate
    solved = rng.random(len(seeds)) < rate
    table = _table(maze, search, seeds, solved, _beta(first, second - first**2, budget, len(seeds), rng), budget)
    if search in paper.COMPARED:
        genotype = paper.GENOTYPES[maze, search]
        connections, distance = genotype["connections"], genotype["compatibility"]
        table["connections"] = _log_normal(connections.mean, connections.sd, len(seeds), rng)
        # assumption: mean distances of a solution to the other solutions have half the variance of pairwise distances
        table["solution_distance"] = _log_normal(distance.mean, distance.sd / np.sqrt(2), len(seeds), rng)
        table["entropy"] = rng.normal(paper.ENTROPY[maze, search].entropy, ENTROPY_SD, len(seeds))
    return table


def _generated(rng: np.random.Generator) -> list[pd.DataFrame]:
    intercept, slope = (TESTS[test].paper(CLAIMS[-1].comparisons[0]) for test in ("higher intercept", "scales better"))
    budget = default_budget(GENERATED_NAMES[0])
    failures = rng.beta(*FAILURES, len(GENERATED_NAMES))
    middle = 4 * failures * (1 - failures)
    novelty = np.clip(1 - failures + middle * rng.normal(0, NOISE, len(failures)), 0, 1)
    advantage = intercept + slope * (failures - failures.mean())
    advantage += middle * rng.normal(0, NOISE_OF_ADVANTAGE, len(failures))
    rates = {"novelty": novelty, "surprise": np.clip(novelty + advantage, 0, 1), "objective": 1 - failures}
    tables = []
    for search, by_maze in rates.items():
        seeds = range(10) if search == "objective" else PLAN[ALL_GENERATED].seeds
        for maze, rate in zip(GENERATED_NAMES, by_maze, strict=True):
            solved = rng.random(len(seeds)) < rate
            mean = budget * (0.2 + 0.3 * (1 - rate))
            ends = _beta(mean, (0.6 * mean) ** 2, budget, len(seeds), rng)
            tables.append(_table(maze, search, seeds, solved, ends, budget))
    return tables


def _table(maze: str, search: str, seeds: range, solved: np.ndarray, ends: np.ndarray, budget: int) -> pd.DataFrame:
    return pd.DataFrame(
        {"maze": maze, "search": search, "seed": list(seeds), "solved": solved}
        | {"evaluations": np.where(solved, ends, budget).astype(int)}
        | {"population": POPULATION, "generations": budget // POPULATION}
    )


def _beta(mean: float, variance: float, most: float, size: int, rng: np.random.Generator) -> np.ndarray:
    """Draw beta-distributed numbers between 0 and `most` with a given mean and variance."""
    centre, spread = mean / most, variance / most**2
    weight = centre * (1 - centre) / spread - 1
    return most * rng.beta(centre * weight, (1 - centre) * weight, size)


def _log_normal(mean: float, sd: float, size: int, rng: np.random.Generator) -> np.ndarray:
    variance = np.log1p((sd / mean) ** 2)
    return rng.lognormal(np.log(mean) - variance / 2, np.sqrt(variance), size)


if __name__ == "__main__":
    counts = [int(sys.argv[1])] * 2 if len(sys.argv) > 1 else [SIMULATIONS, AGREEMENT_SIMULATIONS]
    for path, result in ((PERFECT_REPLICATIONS, fractions(counts[0])), (AGREEMENTS, agreements(counts[1]))):
        result.to_csv(path, index=False, lineterminator="\n")
        print(result.to_string(index=False))
        print(f"expected: {result.iloc[:, -1].sum():.1f} of {len(result)}")

"""A planar robot arm of 12 links, a benchmark of quality diversity.

The command `divergent run examples/problems/arm.py --search novelty nslc dns` executes the runs. The behaviour is the
position of the hand. The fitness is the negative variance of the joint angles; it is highest if all angles are equal.
The report shows coverage and QD score of each search. The command `python examples/problems/arm.py [RUNS]` compares the
searches with CMA-ME and requires the package ribs.

The arm is from "Robots that can adapt like animals" (Cully et al., Nature, 2015). The fitness is from "Discovering the
Elite Hypervolume by Leveraging Interspecies Correlation" (Vassiliades and Mouret, GECCO 2018). CMA-ME is from
"Covariance Matrix Adaptation for the Rapid Illumination of Behavior Space" (Fontaine et al., GECCO 2020).
"""

import math
import random
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from deap import base, creator, tools

import divergent
from divergent import analysis

LINKS = 12
WORST = -(math.pi**2)  # lowest fitness; an elite with this fitness adds 0 to the QD score
SEARCHES = "objective", "novelty", "nslc", "dns"
CELLS, EMITTERS, BATCH, SIGMA = 20, 5, 20, 0.2  # `EMITTERS`, `BATCH` and `SIGMA` are settings of CMA-ME

creator.create("ArmBend", divergent.Fitness, weights=(1.0,))
creator.create("Arm", list, fitness=creator.ArmBend)


def hand(angles):
    """Return the position of the hand; the arm has a total length of 1."""
    directions = np.cumsum(angles)
    return np.cos(directions).sum() / LINKS, np.sin(directions).sum() / LINKS


def evaluate(angles):
    return divergent.Outcome((max(WORST, -float(np.var(angles))),), behaviour=hand(angles))


def make_toolbox(rng):
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: creator.Arm(random.uniform(-math.pi, math.pi) / 4 for _ in range(LINKS)))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=0.2, indpb=0.3)
    return toolbox


problem = divergent.Problem(
    "arm",
    make_toolbox,
    defaults={"population": 100, "generations": 100, "loop": "plus", "cxpb": 0.3, "mutpb": 0.7},
    axes=("x", "y"),
    limits=((-1, 1), (-1, 1)),
    title=f"Arm of {LINKS} links",
)


def run_cma_me(seed):
    """Return coverage and QD score of CMA-ME; grid and number of evaluations are the same as for the other searches."""
    from ribs.archives import GridArchive
    from ribs.emitters import EvolutionStrategyEmitter
    from ribs.schedulers import Scheduler

    archive = GridArchive(
        solution_dim=LINKS, dims=(CELLS, CELLS), ranges=problem.limits, qd_score_offset=WORST, seed=seed
    )
    emitters = [
        EvolutionStrategyEmitter(archive, x0=np.zeros(LINKS), sigma0=SIGMA, batch_size=BATCH, seed=seed + 1000 * number)
        for number in range(EMITTERS)
    ]
    scheduler = Scheduler(archive, emitters)
    for _ in range(problem.defaults["population"] * problem.defaults["generations"] // (EMITTERS * BATCH)):
        outcomes = [evaluate(angles) for angles in scheduler.ask()]
        scheduler.tell([outcome[0] for outcome in outcomes], [outcome.behaviour for outcome in outcomes])
    return float(archive.stats.coverage), float(archive.stats.qd_score)


def compare(runs, out="runs"):
    """Return a table of coverage and QD score of the searches and of CMA-ME, one row per run."""
    divergent.run_many(problem, SEARCHES, runs=runs, out=out, progress=False)
    rows = []
    for record in analysis.read_records(Path(out) / problem.name):
        elites = analysis.record_elites(record, CELLS, WORST)
        rows.append((record.settings.search, record.settings.seed, elites.coverage, elites.qd_score))
    rows += [("cma_me", seed, *run_cma_me(seed)) for seed in range(runs)]
    return pd.DataFrame(rows, columns=["search", "seed", "coverage", "qd_score"]).assign(problem=problem.name)


if __name__ == "__main__":
    table = compare(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
    for measure in ("coverage", "qd_score"):
        print(analysis.means(table, measure).to_string(index=False))

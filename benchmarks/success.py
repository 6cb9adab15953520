"""Count how often surprise and novelty solve the medium and hard mazes, beside the paper's numbers.

Usage: python benchmarks/success.py [RUNS] [JOBS]     (default: 20 runs with seeds 0 to 19, 2 at a time)
"""

import sys
import tempfile

import numpy as np

from divergent.experiment import run_many
from divergent.settings import Settings

# solved of 100, mean evaluations (sd), as the paper reports them
PAPER = {
    ("hard", "surprise"): (99, 23_566, 15_925),
    ("hard", "novelty"): (93, 28_493, 19_939),
    ("medium", "surprise"): (100, 16_084, 11_588),
    ("medium", "novelty"): (100, 19_814, 15_441),
}


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    print(f"{'maze':<8} {'search':<10} {'solved':>12} {'evaluations (sd)':>20}   the paper: solved, evaluations (sd)")
    for (maze, search), (solved, mean, deviation) in PAPER.items():
        settings = [Settings(maze=maze, search=search, seed=seed) for seed in range(runs)]
        with tempfile.TemporaryDirectory() as out:
            ends = list(run_many(settings, out, jobs=jobs))
        evaluations = np.array([end.evaluations for end in ends])
        ours = f"{evaluations.mean():,.0f} ({evaluations.std(ddof=1):,.0f})"
        print(
            f"{maze:<8} {search:<10} {sum(end.solved for end in ends):>5} of {runs:>3} {ours:>20}   "
            f"{solved} of 100, {mean:,} ({deviation:,})",
            flush=True,
        )


if __name__ == "__main__":
    main()

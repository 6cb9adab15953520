"""Count the runs of surprise and novelty search that solve the medium and hard mazes, compared with the paper.

Run the script with `python benchmarks/success.py [RUNS] [JOBS]`. The default is 20 runs with the seeds 0 to 19, and two
parallel runs.
"""

import sys
import tempfile

import numpy as np

from divergent import Settings
from divergent.replicate import paper
from divergent.runs import run_batch


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    print(f"{'maze':<8} {'search':<10} {'solved':>12} {'evaluations (sd)':>20}   the paper: solved, evaluations (sd)")
    for maze, search in ((maze, search) for maze in paper.PUBLISHED for search in paper.COMPARED):
        solved, mean = paper.SOLVED[maze, search], paper.EVALUATIONS[maze, search]
        settings = [Settings(maze=maze, search=search, seed=seed) for seed in range(runs)]
        with tempfile.TemporaryDirectory() as out:
            ends = list(run_batch(settings, out, jobs=jobs))
        evaluations = np.array([end.evaluations for end in ends])
        ours = f"{evaluations.mean():,.0f} ({evaluations.std(ddof=1):,.0f})"
        print(
            f"{maze:<8} {search:<10} {sum(end.solved for end in ends):>5} of {runs:>3} {ours:>20}   "
            f"{solved.text} of {solved.runs}, {mean.mean:,} ({mean.sd:,})",
            flush=True,
        )


if __name__ == "__main__":
    main()

"""Two studies: why surprise search works, and the effect of reference sets on novelty search.

The command `python -m divergent.studies` executes the runs, stores compact results and writes the pages of the studies.
The design of the studies was committed to the repository before the runs.

The module `_design` defines the experimental conditions (cells), the comparisons and the seeds. The module `_run`
executes the runs of a condition that have no results yet. The module `_comparisons` has the statistical tests. The
module `_describe` measures the dynamics and the evolvability of five searches. The module `_problems` compares
reference sets in two problems that are not mazes. The modules `_pages` and `_figures` write tables and figures to the
documentation.
"""

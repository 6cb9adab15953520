"""Two studies: why surprise search works, and the effect of reference sets on novelty search.

The command `python -m divergent.studies` executes the runs, stores compact results and writes the tables of both pages.
The design of the studies was committed to the repository before the runs.

Modules
-------
_design
    The cells of both studies, the steps between them and the seeds.
_run
    Runs of cells, skipped where results exist.
_comparisons
    The statistical tests that the pages specify.
_describe
    Dynamics and evolvability of five searches.
_pages, _figures
    The generated blocks and the figures of the pages.
"""

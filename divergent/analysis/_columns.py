"""Columns of tables of runs."""

from divergent.runs._row_measures import DIVERSITY

SETTINGS = (
    "population", "generations", "steps", "neighbours", "clusters", "weight", "history", "predictor", "deviation",
    "learn_from", "behaviour", "loop", "robot", "rules",
)  # fmt: skip
PROVENANCE = ("commit", "cpu_seconds", "processor")  # columns that are empty for records of earlier versions
RUN_COLUMNS = (
    "maze", "search", "seed", "solved", "evaluations", "best_fitness", "connections", "hidden_nodes", "entropy",
    "coverage", "qd_score", *DIVERSITY, *SETTINGS, "version", "seconds", *PROVENANCE,
)  # fmt: skip
PROBLEM_COLUMNS = (
    "problem", "search", "seed", "solved", "evaluations", "best_fitness", "mean_size", "entropy", "coverage",
    "qd_score", "failures", "population", "generations", "loop", "learn_from", "refresh", "batch", "cxpb", "mutpb",
    "version", "seconds", *PROVENANCE,
)  # fmt: skip

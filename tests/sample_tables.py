"""Sample tables of runs and sample results, generated without runs."""

import numpy as np
import pandas as pd

from divergent import analysis
from divergent.maze import read_maze
from divergent.replicate import _schema as schema
from divergent.replicate import paper
from divergent.replicate._experiments import parts_of
from divergent.replicate._results import NUMBERS, Results
from divergent.runs.settings import Settings


def runs_of(search, solved, *, maze="hard", budget=1000, **columns):
    """Runs of a search in a maze by their evaluations, None for a run without a solution."""
    table = pd.DataFrame({"evaluations": [budget if count is None else count for count in solved]})
    table["solved"] = [count is not None for count in solved]
    table["maze"], table["search"], table["seed"] = maze, search, range(len(solved))
    table["population"], table["generations"] = 10, budget // 10
    return table.assign(**columns)


def no_runs():
    """A table without rows."""
    return runs_of("surprise", []).astype({"solved": bool})


def curves_of(*values, search="surprise", budget=100):
    """A table of curves from arrays of best fitness, one per run."""
    settings = [Settings(maze="hard", search=search, seed=seed, population=10, generations=budget // 10).resolve()
                for seed in range(len(values))]  # fmt: skip
    return analysis.curve_table(settings, np.array(values, dtype=float))


def typical_visits(runs, visits):
    """Counts of the typical run of each maze and search of which the paper shows one."""
    counts = {}
    for (maze, search), known in paper.ENTROPY.items():
        run = analysis.typical_run(runs[runs["maze"].eq(maze) & runs["search"].eq(search)], known.evaluations)
        if run is not None:
            counts[f"{maze}/{search}/{run['seed']}"] = visits[f"{maze}/{search}"]
    return counts


def results_of(name, count, mazes=None, seed=0, searches=None):
    """Sample results of an experiment, from a random generator instead of runs."""
    generator = np.random.default_rng(seed)
    rows, curves, visits = [], [], {}
    for part in parts_of(name, mazes=mazes or (), searches=searches or ()):
        settings = part.settings.resolve()
        values = settings.to_json() | settings.options
        height = settings.budget // 250
        for number in range(count):
            solved = bool(generator.random() < 0.2 + 0.6 * (settings.search == "surprise"))
            end = int(generator.integers(250, settings.budget)) if solved else settings.budget
            fitness = 297.0 if solved else 260.0
            rows.append(
                {"maze": settings.maze, "search": settings.search, "seed": number, "solved": solved}
                | {"evaluations": end, "best_fitness": fitness}
                | {"connections": int(generator.integers(20, 50)), "hidden_nodes": int(generator.integers(1, 6))}
                | {"entropy": generator.uniform(0.5, 0.7), "compatibility": generator.uniform(30, 50)}
                | {"coverage": generator.uniform(0.2, 0.6), "qd_score": generator.uniform(100, 900)}
                | {"disjoint": 25.0 + number, "excess": 5.0 + number, "weight_difference": 1.0 + number / 100}
                | {column: values.get(column) for column in analysis.SETTINGS}
                | {"version": "0", "seconds": 36.0}
            )
            curves.append(np.linspace(200, fitness, 100) + height % 2)
            bounds = read_maze(settings.maze).bounds
            counts = analysis.visits(generator.uniform(bounds[:2], bounds[2:], (50, 2)), bounds)
            visits[f"{settings.maze}/{settings.search}"] = counts
    table = pd.DataFrame(rows, columns=list(analysis.RUN_COLUMNS))
    table = table.astype(NUMBERS)
    visits |= typical_visits(table, visits)
    solutions = table.loc[table["solved"], list(schema.SOLUTIONS)].reset_index(drop=True)
    commands = "python -m divergent.run_maze <hard> ...\n"
    return Results(table, np.array(curves, dtype="<f4"), visits, solutions, commands)

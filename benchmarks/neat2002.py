"""NEAT as in 2002 on the problems of its article, compared with its numbers: XOR and double pole balancing.

python benchmarks/neat2002.py [PROBLEM ...] [--runs N] [--jobs J]

Without `--runs` the number of runs is that of the article, and results and the table in docs are written.
"""

import argparse
import csv
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

import numpy as np
import two_poles
from deap import base

from divergent import Outcome, evolve, neat
from divergent.neat.genome import ENABLED

HOME = Path(__file__).parents[1]
RESULTS = HOME / "results" / "neat2002.csv"
PAGE = HOME / "docs" / "benchmarks" / "neat2002.md"
BEGIN, END = "<!-- the table, written by benchmarks/neat2002.py -->", "<!-- the end of the table -->"
LONG = 100_000  # decisions that a solution balances
CASES = np.array([(0, 0), (0, 1), (1, 0), (1, 1)], dtype=float)
WANTED = np.array([0, 1, 1, 0])
STARTS = 200  # initial states of 625 from which a solution without speeds must balance


class Row(NamedTuple):
    """Result of a run."""

    problem: str
    seed: int
    solved: bool
    generations: int
    evaluations: int
    """Evaluations up to the solution, including unchanged champions, since the article counts them."""
    hidden: int
    connections: int
    """Enabled connections."""
    first: int
    """Evaluations up to the first network that balances long enough, from any number of initial states."""
    starts: int
    """Initial states of 625 from which it balances; -1 if not tested."""


class Found(NamedTuple):
    """A network that solves its problem."""

    place: int
    """Index in its generation."""
    seen: int
    """Evaluations in its generation until it was found."""
    solves: bool = True
    """Whether it also passes the test of generalisation."""
    starts: int = -1


def exclusive_or(genome):
    network = neat.express(genome)
    said = [network(case)[0] for case in CASES]
    return Outcome(((4 - np.abs(said - WANTED).sum()) ** 2,), behaviour=said)


def is_exclusive_or(population):
    """Return the first network with four correct answers."""
    for place, genome in enumerate(population):
        if ((np.array(genome.fitness.behaviour) > 0.5) == WANTED).all():
            return Found(place, place + 1)
    return None


def two_poles_fitness(genome):
    return Outcome((float(two_poles.decisions(genome, LONG)[0]),))


def are_balanced(population):
    for place, genome in enumerate(population):
        if genome.fitness.values[0] == LONG:
            return Found(place, place + 1)
    return None


def calm_fitness(genome):
    return Outcome((two_poles.calmness(genome),))


def are_mastered(population):
    """Return the best network if it balances long enough, and whether it does so from enough initial states."""
    place = max(range(len(population)), key=lambda one: population[one].fitness.values)
    if two_poles.decisions(population[place], LONG)[0] < LONG:
        return None
    starts = two_poles.starts_mastered(population[place])
    return Found(place, len(population), starts >= STARTS, starts)


class Problem(NamedTuple):
    """A problem of the article with its published numbers."""

    inputs: int
    evaluate: object
    solution: object
    """What a generation has `Found`, or None."""
    population: int
    generations: int
    """When to give up."""
    rates: dict
    species: dict
    runs: int
    published: dict
    """Columns of the table."""


PROBLEMS = {
    "exclusive or": Problem(
        2, exclusive_or, is_exclusive_or, 150, 300, {"bias_node": True, "feed_forward": True}, {}, 100,
        {"solved": "100 of 100", "generations": 32, "evaluations": 4755, "sd": 2553, "worst": 13459, "hidden": 2.35,
         "connections": 7.48},
    ),
    "two poles": Problem(
        two_poles.SEEING_ALL, two_poles_fitness, are_balanced, 150, 300, {}, {}, 100,
        {"generations": 24, "evaluations": 3600},
    ),
    "two poles without speeds": Problem(
        two_poles.SEEING_PLACES, calm_fitness, are_mastered, 1000, 100,
        {"connection_rate": 0.3, "node_rate": 0.01, "recurrent": 0.2, "toggle_rate": 0.1, "reenable_rate": 0.05},
        {"threshold": 4.0, "weight": 3.0, "fraction": 0.4}, 20,
        {"evaluations": 33184, "starts": 286},
    ),
}  # fmt: skip


def run(name, seed):
    """Run until the first solution."""
    problem = PROBLEMS[name]
    rng = np.random.default_rng(seed)
    toolbox = base.Toolbox()
    neat.register(toolbox, problem.inputs, 1, preset="neat2002", rng=rng, **problem.rates)
    toolbox.register("evaluate", problem.evaluate)
    reproduction = neat.Reproduction(rng=rng, **problem.species)
    population, first = toolbox.population(n=problem.population), -1
    for step in evolve(population, toolbox, problem.generations, survive=reproduction):
        found = problem.solution(step.population) or Found(0, problem.population, solves=False)
        evaluations = step.generation * problem.population + found.seen
        if first < 0 and (found.solves or found.starts >= 0):
            first = evaluations
        if found.solves:
            break
    genome = step.population[found.place]
    return Row(
        name,
        seed,
        found.solves,
        step.generation + 1,
        evaluations,
        len(genome.hidden),
        int(genome.genes[:, ENABLED].sum()),
        first,
        found.starts,
    )


def run_all(names, runs, jobs):
    """Return the rows of all runs with seeds 0, 1, ..., by problem."""
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        pending = [pool.submit(run, name, seed) for name in names for seed in range(runs or PROBLEMS[name].runs)]
        return [one.result() for one in pending]


def write(rows, path=RESULTS):
    """Write rows, replacing those of the same problems."""
    rows = [
        row for row in (read(path) if path.is_file() else []) if row.problem not in {one.problem for one in rows}
    ] + rows
    rows.sort(key=lambda row: (list(PROBLEMS).index(row.problem), row.seed))
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([Row._fields, *rows])


def read(path=RESULTS):
    with path.open(encoding="utf-8") as file:
        return [
            Row(
                one["problem"], int(one["seed"]), one["solved"] == "True", *(int(one[name]) for name in Row._fields[3:])
            )
            for one in csv.DictReader(file)
        ]


def table(rows):
    """Compare our runs with the article in Markdown: means over all runs, and of networks over the runs that solved."""
    lines = [
        "| problem | | solved | generations | evaluations | sd | worst | hidden nodes | enabled connections "
        "| 100,000 steps after | starts of 625 |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, problem in PROBLEMS.items():
        ours = [row for row in rows if row.problem == name]
        if ours:
            for source, numbers in (("2002", problem.published), ("ours", summary(ours))):
                cells = [shown(column, numbers.get(column)) for column in COLUMNS]
                lines.append(f"| {name if source == '2002' else ''} | {source} | {' | '.join(cells)} |")
    return "\n".join(lines)


def summary(rows):
    """Return the columns of the table for the runs of one problem."""
    counts, solvers = [row.evaluations for row in rows], [row for row in rows if row.solved]
    numbers = {
        "solved": f"{len(solvers)} of {len(rows)}",
        "generations": mean(row.generations for row in rows),
        "evaluations": mean(counts),
        "sd": stdev(counts) if len(counts) > 1 else 0,
        "worst": max(counts),
    }
    if solvers:
        numbers["hidden"] = mean(row.hidden for row in solvers)
        numbers["connections"] = mean(row.connections for row in solvers)
    if solvers and solvers[0].starts >= 0:
        numbers["first"] = mean(row.first for row in rows if row.first >= 0)
        numbers["starts"] = mean(row.starts for row in solvers)
    return numbers


COLUMNS = "solved", "generations", "evaluations", "sd", "worst", "hidden", "connections", "first", "starts"


def shown(column, number):
    if number is None or isinstance(number, str):
        return number or ""
    return f"{number:.2f}" if column in ("hidden", "connections") else f"{number:,.0f}"


def write_table(page=PAGE, path=RESULTS):
    """Write the table between its markers on the page."""
    text = page.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n\n{table(read(path))}\n\n{END}{after}", encoding="utf-8")


def parser():
    words = argparse.ArgumentParser(prog="neat2002.py", description=__doc__.splitlines()[0])
    words.add_argument("problems", nargs="*", metavar="PROBLEM", help=f"{', '.join(PROBLEMS)}; all if none is named")
    words.add_argument("--runs", type=int, help="of each problem, seeds 0, 1, ...: a quick look, which is not kept")
    words.add_argument("--jobs", type=int, default=2, help="processes")
    return words


def main(arguments=None):
    words = parser()
    given = words.parse_args(arguments)
    for name in given.problems:
        if name not in PROBLEMS:
            words.error(f"unknown problem {name!r}; choose from {', '.join(PROBLEMS)}")
    for option in ("runs", "jobs"):
        if getattr(given, option) is not None and getattr(given, option) < 1:
            words.error(f"{option} must be at least 1, got {getattr(given, option)}")
    rows = run_all(given.problems or PROBLEMS, given.runs, given.jobs)
    print(table(rows))
    if given.runs is None:
        write(rows)
        write_table()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main()

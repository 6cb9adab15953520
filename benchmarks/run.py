"""Measure and profile complete runs in the hard maze, compared with neat-python and an uncompiled maze.

Run the script with `python benchmarks/run.py [EVALUATIONS]`. The default number of evaluations is 75000, the paper's
budget. Runs do not stop at a solution.
"""

import subprocess
import sys
import time

import neat
import numpy as np
from neat_python import POPULATION, population_of
from plain_maze import drive

from divergent import Settings, run
from divergent.maze import read_maze
from divergent.runs import assemble

START = 13  # number of connections of a network at the start of a run


class Watch:
    """Stopwatch that sums the time spent in functions, separately for each purpose such as "rollout" or "scoring"."""

    def __init__(self):
        self.seconds = {}

    def over(self, purpose, function):
        self.seconds.setdefault(purpose, 0.0)

        def timed(*arguments, **options):
            began = time.perf_counter()
            result = function(*arguments, **options)
            self.seconds[purpose] += time.perf_counter() - began
            return result

        return timed


def whole_run(search, evaluations, watch=None):
    """Execute a run that does not stop at a solution; return wall time, CPU time and mean number of connections."""
    plan = Settings(maze="hard", search=search, generations=evaluations // POPULATION).resolve()
    parts = assemble(plan, read_maze("hard"))
    toolbox, strategy, species = parts.toolbox, parts.strategy, parts.species
    if watch:
        toolbox.evaluate = watch.over("rollout", toolbox.evaluate)
        toolbox.breed = watch.over("breeding", toolbox.breed)
        for name in ("select_parents", "replace", "respeciate"):
            setattr(species, name, watch.over("species", getattr(species, name)))
        for name in ("score", "learn"):
            setattr(strategy, name, watch.over("scoring", getattr(strategy, name)))
    connections = []
    began, processor = time.perf_counter(), time.process_time()
    for step in parts.steps():
        if step.evaluations % POPULATION == 0:
            connections.append(np.mean([len(genome) for genome in step.population]))
    seconds, processor = time.perf_counter() - began, time.process_time() - processor
    return seconds, processor, float(np.mean(connections))


def neat_python_seconds(connections):
    """Return the seconds that neat-python and the uncompiled maze need per evaluation, and the mean network size.

    The time includes breeding, speciation and rollout. The networks have about `connections` connections.
    """
    population, _ = population_of(connections)
    maze = read_maze("hard")

    def drive_all(genomes, config):
        for _, genome in genomes:
            network = neat.nn.RecurrentNetwork.create(genome, config)
            x, y = drive(network.activate, maze, 400)
            genome.fitness = 300.0 - float(np.hypot(x - maze.goal[0], y - maze.goal[1]))

    began = time.perf_counter()
    population.run(drive_all, 1)
    seconds = time.perf_counter() - began
    return seconds / POPULATION, np.mean([len(genome.connections) for genome in population.population.values()])


def peak_memory(evaluations):
    """Return the peak memory, in megabytes, of a process that executes a run of `evaluations` evaluations."""
    code = (
        "import resource, divergent; "
        f"divergent.run(divergent.Settings(maze='very_hard', search='random', generations={evaluations // 250})); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def main():
    evaluations = int(sys.argv[1]) if len(sys.argv) > 1 else 75_000
    for search in ("surprise", "novelty", "objective"):
        run(Settings(maze="hard", search=search, population=100, generations=4))  # compile
    print(f"hard maze, {evaluations:,} evaluations of 400 steps, one core, no stop at a solution\n")
    purposes = ("rollout", "breeding", "species", "scoring", "loop")
    print("us of wall time a child".rjust(75))
    print(f"{'search':<10} {'evals/s':>8} {'evals/CPU s':>12}", *(f"{purpose:>9}" for purpose in purposes), end="")
    print(f" {'all but rollout':>16} {'connections':>12}")
    rates, means = {}, {}
    for search in ("surprise", "novelty", "objective"):
        seconds, processor, connections = whole_run(search, evaluations)
        means[search] = connections
        rates[search] = evaluations / seconds
        # Profiling slows a run, so the evaluations per second are measured in a run without profiling.
        # A second run with profiling measures the time per evaluation of each part of the loop.
        watch = Watch()
        watched, *_ = whole_run(search, evaluations, watch)
        watch.seconds["loop"] = watched - sum(watch.seconds.values())
        cost = [watch.seconds[purpose] / evaluations * 1e6 for purpose in purposes]
        print(f"{search:<10} {rates[search]:>8,.0f} {evaluations / processor:>12,.0f}", end=" ")
        print(*(f"{part:>9.1f}" for part in cost), f"{sum(cost[1:]):>16.1f} {connections:>12.1f}", flush=True)
    print(f"\nneat-python and a plain-Python maze, one generation of {POPULATION} measured:")
    for connections in (START, means["surprise"]):
        each, mean = neat_python_seconds(connections)
        print(
            f"  networks of {mean:.0f} connections: {1 / each:,.1f} evaluations/s, {each * evaluations / 60:,.0f} "
            f"minutes for {evaluations:,}; surprise search here is {rates['surprise'] * each:,.0f} times as fast"
        )
    print(
        f"\npeak memory of a process that does 250,000 evaluations: {peak_memory(250_000):,.0f} MB; "
        f"10,000 evaluations: {peak_memory(10_000):,.0f} MB"
    )


if __name__ == "__main__":
    main()

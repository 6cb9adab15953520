"""Time whole hard-maze runs, say where the time goes, and compare with neat-python and a plain-Python maze.

Usage: python benchmarks/run.py [EVALUATIONS]     (default: 75000, the paper's budget; runs do not stop at a solution)
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from deap import base

from divergent import batch_map, neat, run, steady_state
from divergent.experiment import make_strategy
from divergent.maze import read_maze
from divergent.robot import INPUTS, OUTPUTS
from divergent.settings import Settings
from divergent.task import MazeTask

POPULATION = 250
SLICE = 250  # evaluations of the neat-python stack that are really done

NEAT_PYTHON = """
[NEAT]
fitness_criterion = max
fitness_threshold = 1e9
pop_size = 250
reset_on_extinction = False
no_fitness_termination = True
[DefaultGenome]
activation_default = sigmoid
activation_mutate_rate = 0.0
activation_options = sigmoid
aggregation_default = sum
aggregation_mutate_rate = 0.0
aggregation_options = sum
bias_init_mean = 0.0
bias_init_stdev = 0.0
bias_init_type = gaussian
bias_max_value = 3.0
bias_min_value = -3.0
bias_mutate_power = 0.0
bias_mutate_rate = 0.0
bias_replace_rate = 0.0
compatibility_disjoint_coefficient = 1.0
compatibility_weight_coefficient = 3.0
conn_add_prob = 0.1
conn_delete_prob = 0.0
enabled_default = True
enabled_mutate_rate = 0.05
enabled_rate_to_true_add = 0.0
enabled_rate_to_false_add = 0.0
feed_forward = False
initial_connection = full_nodirect
node_add_prob = 0.005
node_delete_prob = 0.0
num_hidden = 1
num_inputs = 11
num_outputs = 2
response_init_mean = 1.0
response_init_stdev = 0.0
response_init_type = gaussian
response_max_value = 3.0
response_min_value = -3.0
response_mutate_power = 0.0
response_mutate_rate = 0.0
response_replace_rate = 0.0
single_structural_mutation = False
structural_mutation_surer = default
weight_init_mean = 0.0
weight_init_stdev = 1.0
weight_init_type = gaussian
weight_max_value = 3.0
weight_min_value = -3.0
weight_mutate_power = 0.8
weight_mutate_rate = 0.6
weight_replace_rate = 0.1
[DefaultSpeciesSet]
compatibility_threshold = 4.0
[DefaultStagnation]
species_fitness_func = max
max_stagnation = 2000
species_elitism = 0
[DefaultReproduction]
elitism = 0
survival_threshold = 0.4
min_species_size = 1
"""


class Watch:
    """Adds up the time spent in functions, by what they are for."""

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


def whole_run(search, evaluations):
    """One run that does not stop; its seconds, by purpose, and its mean connections."""
    settings = Settings(maze="hard", search=search).completed()
    maze = read_maze("hard")
    breeding, scoring, grouping = (np.random.default_rng(seed) for seed in (1, 2, 3))
    toolbox, watch = base.Toolbox(), Watch()
    neat.register(toolbox, INPUTS, OUTPUTS, rng=breeding)
    toolbox.register("evaluate", MazeTask(maze, settings.steps))
    toolbox.register("map", batch_map)
    strategy = make_strategy(settings, maze, scoring)
    species = neat.Species(target=POPULATION // 15, rng=grouping)
    population = toolbox.population(n=POPULATION)
    toolbox.evaluate = watch.over("rollout", toolbox.evaluate)
    toolbox.breed = watch.over("breeding", toolbox.breed)
    for name in ("couple", "admit", "bury", "regroup"):
        setattr(species, name, watch.over("species", getattr(species, name)))
    for name in ("score", "learn"):
        setattr(strategy, name, watch.over("scoring", getattr(strategy, name)))
    connections = []
    began, processor = time.perf_counter(), time.process_time()
    for step in steady_state(population, toolbox, strategy, species, generations=evaluations // POPULATION):
        if step.evaluations % POPULATION == 0:
            connections.append(np.mean([len(genome) for genome in step.population]))
    seconds, processor = time.perf_counter() - began, time.process_time() - processor
    watch.seconds["loop"] = seconds - sum(watch.seconds.values())
    return seconds, processor, watch.seconds, float(np.mean(connections))


def neat_python_run(evaluations):
    """Seconds for some evaluations with neat-python and the plain-Python maze, on generations of 250."""
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).parent]
    import neat as neat_python

    sys.path.insert(0, str(Path(__file__).parent))
    from plain_maze import drive

    maze = read_maze("hard")
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as file:
        file.write(NEAT_PYTHON)
        file.flush()
        config = neat_python.Config(
            neat_python.DefaultGenome, neat_python.DefaultReproduction, neat_python.DefaultSpeciesSet,
            neat_python.DefaultStagnation, file.name,
        )  # fmt: skip
    done = 0

    def evaluate(genomes, config):
        nonlocal done
        for _, genome in genomes:
            network = neat_python.nn.RecurrentNetwork.create(genome, config)
            x, y = drive(network.activate, maze, 400)
            genome.fitness = 300.0 - float(np.hypot(x - maze.goal[0], y - maze.goal[1]))
            done += 1

    population = neat_python.Population(config)
    began = time.perf_counter()
    population.run(evaluate, max(1, evaluations // 250))
    return (time.perf_counter() - began) / done


def peak_memory(evaluations):
    """Megabytes that a process needs at most for a run of so many evaluations that never solves."""
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
    print("us of wall time a birth".rjust(75))
    print(f"{'search':<10} {'evals/s':>8} {'evals/CPU s':>12}", *(f"{purpose:>9}" for purpose in purposes), end="")
    print(f" {'all but rollout':>16} {'connections':>12}")
    rates = {}
    for search in ("surprise", "novelty", "objective"):
        seconds, processor, parts, connections = whole_run(search, evaluations)
        rates[search] = evaluations / seconds
        cost = [parts[purpose] / evaluations * 1e6 for purpose in purposes]
        print(f"{search:<10} {rates[search]:>8,.0f} {evaluations / processor:>12,.0f}", end=" ")
        print(*(f"{part:>9.1f}" for part in cost), f"{sum(cost[1:]):>16.1f} {connections:>12.1f}", flush=True)
    each = neat_python_run(SLICE)
    print(
        f"\nneat-python and a plain-Python maze: {1 / each:,.1f} evaluations/s, measured on {SLICE} evaluations of "
        f"networks of 13 connections;\nextrapolated to {evaluations:,}: {each * evaluations / 60:,.0f} minutes. "
        f"Surprise search here is {rates['surprise'] * each:,.0f} times as fast."
    )
    print(f"\npeak memory of a process that does 250,000 evaluations: {peak_memory(250_000):,.0f} MB; "
          f"10,000 evaluations: {peak_memory(10_000):,.0f} MB")


if __name__ == "__main__":
    main()

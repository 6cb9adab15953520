"""Time NEAT: microseconds per operator and per steady-state birth, milliseconds per generation beside neat-python.

Run it as ``python benchmarks/neat.py``. Each number is CPU time, the smallest of several repeats. A generation is 250
children bred and divided into species, without evaluation, from a population of 16 families; neat-python does the same
work on a population of the same sizes, with the same rates where it has them.
"""

import platform
import sys
import tempfile
import time
from pathlib import Path

# this file is called neat too
sys.path[:] = [place for place in sys.path if Path(place).resolve() != Path(__file__).resolve().parent]

import neat as neat_python  # noqa: E402
import numpy as np  # noqa: E402
from deap import base  # noqa: E402

from divergent.neat import Species, add_connection, add_node, distance, express, register  # noqa: E402

POPULATION = 250
FAMILIES = 16
GENERATIONS = 5
REPEATS = 7
TARGETS = {"clone": 2.0, "birth": 45.0, "generation": 5.0, "ratio": 20.0}  # microseconds, microseconds, ms, times

CONFIG = """
[NEAT]
fitness_criterion = max
fitness_threshold = 1000
pop_size = {population}
reset_on_extinction = False
no_fitness_termination = True

[DefaultGenome]
num_inputs = 11
num_outputs = 2
num_hidden = 1
feed_forward = False
initial_connection = full_nodirect
activation_default = sigmoid
activation_options = sigmoid
activation_mutate_rate = 0.0
aggregation_default = sum
aggregation_options = sum
aggregation_mutate_rate = 0.0
bias_init_mean = 0.0
bias_init_stdev = 1.0
bias_init_type = gaussian
bias_max_value = 3.0
bias_min_value = -3.0
bias_mutate_power = 0.5
bias_mutate_rate = 0.0
bias_replace_rate = 0.0
response_init_mean = 1.0
response_init_stdev = 0.0
response_init_type = gaussian
response_max_value = 3.0
response_min_value = -3.0
response_mutate_power = 0.0
response_mutate_rate = 0.0
response_replace_rate = 0.0
time_constant_init_mean = 1.0
time_constant_init_stdev = 0.0
time_constant_init_type = gaussian
time_constant_max_value = 3.0
time_constant_min_value = 0.1
time_constant_mutate_power = 0.0
time_constant_mutate_rate = 0.0
time_constant_replace_rate = 0.0
weight_init_mean = 0.0
weight_init_stdev = 1.0
weight_init_type = gaussian
weight_max_value = 3.0
weight_min_value = -3.0
weight_mutate_power = 0.8
weight_mutate_rate = 0.6
weight_replace_rate = 0.1
enabled_default = True
enabled_mutate_rate = 0.01
enabled_rate_to_true_add = 0.0
enabled_rate_to_false_add = 0.0
node_add_prob = 0.005
node_delete_prob = 0.0
conn_add_prob = 0.1
conn_delete_prob = 0.0
single_structural_mutation = False
structural_mutation_surer = default
compatibility_excess_coefficient = 1.0
compatibility_disjoint_coefficient = 1.0
compatibility_weight_coefficient = 0.5

[DefaultSpeciesSet]
compatibility_threshold = 3.0

[DefaultStagnation]
species_fitness_func = mean
max_stagnation = 10000
species_elitism = 0

[DefaultReproduction]
elitism = 0
survival_threshold = 0.4
min_species_size = 2
"""


def fastest(action, count, repeats=REPEATS):
    """Seconds of CPU time for one call, the smallest mean of several rounds."""
    action()
    times = []
    for _ in range(repeats):
        begun = time.process_time()
        for _ in range(count):
            action()
        times.append((time.process_time() - begun) / count)
    return min(times)


def grow(genome, connections, innovations, rng):
    """Add structure until the genome has that many connections."""
    while len(genome) < connections:
        if rng.random() < 0.1:
            add_node(genome, innovations=innovations, rng=rng)
        else:
            add_connection(genome, innovations=innovations, rng=rng)
    return genome


def ours(connections, seed=0):
    """A toolbox and a population of 16 families of genomes with about that many connections."""
    rng = np.random.default_rng(seed)
    toolbox = base.Toolbox()
    innovations = register(toolbox, 11, 2, rng=rng)
    families = [grow(toolbox.individual(), connections, innovations, rng) for _ in range(FAMILIES)]
    population = [families[number % FAMILIES].copy() for number in range(POPULATION)]
    for genome in population:
        toolbox.mutate(genome)
    return toolbox, innovations, population, rng


def time_operators(connections):
    toolbox, _, population, rng = ours(connections)
    pairs = [(population[one], population[other]) for one, other in rng.integers(POPULATION, size=(200, 2))]
    count = len(pairs)
    clone = fastest(lambda: [first.copy() for first, _ in pairs], 5) / count
    cross = fastest(lambda: [toolbox.mate(first.copy(), second.copy()) for first, second in pairs], 5) / count
    change = fastest(lambda: [toolbox.mutate(first.copy()) for first, _ in pairs], 5) / count
    wire = fastest(lambda: [express(first) for first, _ in pairs], 5) / count
    apart = fastest(lambda: [distance(first, second) for first, second in pairs], 5) / count
    return {"clone": clone, "mate": cross - 2 * clone, "mutate": change - clone, "express": wire, "distance": apart}


def time_birth(connections):
    """One birth and death of the steady-state loop, without rollout and scoring."""
    toolbox, _, population, rng = ours(connections)
    species = Species(threshold=0.4 * connections, target=FAMILIES, rng=rng)
    species.assign(population)
    for _ in range(100):
        species.regroup()
    scores = rng.random(POPULATION + 1)
    births = 600

    def live():
        for birth, score in enumerate(rng.random(births).tolist()):
            if birth % 12 == 0:
                species.regroup()
            mother, father = species.couple(scores[:POPULATION])
            child = toolbox.breed(population[mother], population[father])
            express(child)
            species.admit(child)
            scores[POPULATION] = score
            dead = species.bury(scores)
            if dead < POPULATION:
                population[dead] = child
                scores[dead] = score

    seconds = fastest(live, 1) / births
    return seconds, np.mean([len(genome) for genome in population]), species.count


def time_generation(connections):
    """Breed 250 children by species and divide them into species."""
    toolbox, _, population, rng = ours(connections)
    species = Species(threshold=0.4 * connections, target=FAMILIES, rng=rng)
    species.assign(population)
    for _ in range(100):
        species.regroup()
    times, counts = [], []
    for _ in range(4 * GENERATIONS):
        scores = rng.random(POPULATION)
        begun = time.process_time()
        children = []
        for label, share in enumerate(species.shares(scores, POPULATION).tolist()):
            pool = species.parents(scores, label)
            for mother, father in pool[rng.integers(len(pool), size=(share, 2))].tolist():
                children.append(toolbox.breed(population[mother], population[father]))
        population = children
        species.assign(population)
        species.adapt()
        times.append(time.process_time() - begun)
        counts.append(species.count)
    return min(times), np.mean([len(genome) for genome in population]), np.mean(counts)


def theirs(connections):
    """A neat-python population of 16 families of genomes with about that many connections, and its config."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "config")
        path.write_text(CONFIG.format(population=POPULATION))
        config = neat_python.Config(
            neat_python.DefaultGenome,
            neat_python.DefaultReproduction,
            neat_python.DefaultSpeciesSet,
            neat_python.DefaultStagnation,
            path,
        )
    population = neat_python.Population(config, seed=0)
    genomes = list(population.population.values())
    rng = np.random.default_rng(0)
    for genome in genomes[:FAMILIES]:
        while len(genome.connections) < connections:
            if rng.random() < 0.1:
                genome.mutate_add_node(config.genome_config)
            else:
                genome.mutate_add_connection(config.genome_config)
        genome.fitness = 0.0
    for number, key in enumerate([genome.key for genome in genomes[FAMILIES:]]):
        family = genomes[number % FAMILIES]
        genome = population.population[key] = neat_python.DefaultGenome(key)
        genome.configure_crossover(family, family, config.genome_config)
        genome.mutate(config.genome_config)
    low, high = 0.0, 20.0
    for _ in range(20):  # the threshold that makes 16 species
        config.species_set_config.compatibility_threshold = (low + high) / 2
        population.species = config.species_set_type(config.species_set_config, population.reporters)
        population.species.speciate(config, population.population, 0)
        if len(population.species.species) == FAMILIES:
            break
        low, high = ((low + high) / 2, high) if len(population.species.species) > FAMILIES else (low, (low + high) / 2)
    return population, config


def time_their_generation(connections):
    population, config = theirs(connections)
    rng = np.random.default_rng(0)
    times, counts = [], []
    for generation in range(GENERATIONS):
        for genome, fitness in zip(population.population.values(), rng.random(POPULATION).tolist(), strict=True):
            genome.fitness = fitness
        begun = time.process_time()
        population.population = population.reproduction.reproduce(config, population.species, POPULATION, generation)
        population.species.speciate(config, population.population, generation)
        times.append(time.process_time() - begun)
        counts.append(len(population.species.species))
    sizes = [len(genome.connections) for genome in population.population.values()]
    return min(times), np.mean(sizes), np.mean(counts)


def verdict(value, target, at_most=True):
    met = value <= target if at_most else value >= target
    return f"target {'at most' if at_most else 'at least'} {target:g}: {'met' if met else 'missed'}"


def main():
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, CPU time of one core")
    print("\nmicroseconds per operator")
    sizes = (30, 60, 150)
    timings = {size: time_operators(size) for size in sizes}
    print(f"{'connections':<12}" + "".join(f"{size:>9}" for size in sizes))
    for name in timings[sizes[0]]:
        print(f"{name:<12}" + "".join(f"{timings[size][name] * 1e6:>9.2f}" for size in sizes))
    print(f"clone, {verdict(timings[60]['clone'] * 1e6, TARGETS['clone'])}")

    seconds, mean, count = time_birth(40)
    print(f"\none steady-state birth without rollout and scoring, {mean:.0f} connections, {count} species")
    print(f"{seconds * 1e6:.1f} microseconds, {verdict(seconds * 1e6, TARGETS['birth'])}")

    print(f"\nmilliseconds per generation of {POPULATION}: breed and speciate")
    print(f"{'connections':<12}{'ours':>9}{'species':>9}{'neat-python':>13}{'species':>9}{'ratio':>8}")
    for size in (30, 60):
        seconds, mean, count = time_generation(size)
        their_seconds, their_mean, their_count = time_their_generation(size)
        print(
            f"{mean:>5.0f} /{their_mean:>4.0f} {seconds * 1e3:>9.2f}{count:>9.1f}{their_seconds * 1e3:>13.1f}"
            f"{their_count:>9.1f}{their_seconds / seconds:>8.0f}"
        )
        print(f"  {verdict(seconds * 1e3, TARGETS['generation'])}")
        print(f"  ratio, {verdict(their_seconds / seconds, TARGETS['ratio'], at_most=False)}")


if __name__ == "__main__":
    main()

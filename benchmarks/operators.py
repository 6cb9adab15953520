"""Measure CPU times of NEAT: per operator, per child, and per generation compared with neat-python.

Usage: python benchmarks/operators.py

Each number is the smallest CPU time of several repeats. A generation breeds 250 children from a population of 16
clusters of genomes and divides the children into species, without evaluation. Populations of neat-python have the same
size and, as far as equivalent parameters exist, the same mutation rates.
"""

import platform
import time

import numpy as np
from deap import base
from neat_python import FAMILIES, POPULATION, population_of

from divergent.neat import Species, add_connection, add_node, distance, express, register

GENERATIONS = 5
REPEATS = 7
# The target times of a clone and a child are in microseconds; the target time of a generation is in milliseconds.
# The target "ratio" is the speed-up over neat-python.
TARGETS = {"clone": 2.0, "child": 45.0, "generation": 5.0, "ratio": 20.0}


def fastest(action, count, repeats=REPEATS):
    """Repeat a measurement of the mean CPU time per call, and return the smallest result in seconds."""
    action()
    times = []
    for _ in range(repeats):
        begun = time.process_time()
        for _ in range(count):
            action()
        times.append((time.process_time() - begun) / count)
    return min(times)


def grow(genome, connections, innovations, rng):
    """Add nodes and connections until the genome has the given number of connections."""
    while len(genome) < connections:
        if rng.random() < 0.1:
            add_node(genome, innovations=innovations, rng=rng)
        else:
            add_connection(genome, innovations=innovations, rng=rng)
    return genome


def ours(connections, seed=0):
    """Return a toolbox and a population; genomes form 16 clusters and have about `connections` connections."""
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
    pairs = [(population[first], population[second]) for first, second in rng.integers(POPULATION, size=(200, 2))]
    count = len(pairs)
    clone = fastest(lambda: [first.copy() for first, _ in pairs], 5) / count
    cross = fastest(lambda: [toolbox.mate(first.copy(), second.copy()) for first, second in pairs], 5) / count
    change = fastest(lambda: [toolbox.mutate(first.copy()) for first, _ in pairs], 5) / count
    wire = fastest(lambda: [express(first) for first, _ in pairs], 5) / count
    apart = fastest(lambda: [distance(first, second) for first, second in pairs], 5) / count
    return {"clone": clone, "mate": cross - 2 * clone, "mutate": change - clone, "express": wire, "distance": apart}


def settled(connections):
    """Return a toolbox, a population, and its division into about 16 species."""
    toolbox, _, population, rng = ours(connections)
    species = Species(threshold=0.4 * connections, target=FAMILIES, rng=rng)
    species.assign(population)
    for _ in range(100):
        species.respeciate()
    return toolbox, population, species, rng


def time_steady_state(connections):
    """Measure the CPU time per child of a steady-state loop without rollout and scoring."""
    toolbox, population, species, rng = settled(connections)
    scores = rng.random(POPULATION + 1)
    evaluations = 600

    def live():
        for evaluation, score in enumerate(rng.random(evaluations).tolist()):
            if evaluation % 12 == 0:
                species.respeciate()
            first, second = species.select_parents(scores[:POPULATION])
            child = toolbox.breed(population[first], population[second])
            express(child)
            scores[POPULATION] = score
            removed = species.replace(child, scores)
            if removed < POPULATION:
                population[removed] = child
                scores[removed] = score

    seconds = fastest(live, 1) / evaluations
    return seconds, np.mean([len(genome) for genome in population]), species.count


def time_generation(connections):
    """Measure the CPU time to breed a generation of 250 children and to divide the children into species."""
    toolbox, population, species, rng = settled(connections)
    times, counts = [], []
    for _ in range(4 * GENERATIONS):
        scores = rng.random(POPULATION)
        begun = time.process_time()
        children = []
        for label, share in enumerate(species.allocate_offspring(scores, POPULATION).tolist()):
            pool = species.parents(scores, label)
            for first, second in pool[rng.integers(len(pool), size=(share, 2))].tolist():
                children.append(toolbox.breed(population[first], population[second]))
        population = children
        species.assign(population)
        species.adapt()
        times.append(time.process_time() - begun)
        counts.append(species.count)
    return min(times), np.mean([len(genome) for genome in population]), np.mean(counts)


def time_their_generation(connections):
    population, config = population_of(connections)
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

    seconds, mean, count = time_steady_state(40)
    print(f"\none child of a steady-state loop without rollout and scoring, {mean:.0f} connections, {count} species")
    print(f"{seconds * 1e6:.1f} microseconds, {verdict(seconds * 1e6, TARGETS['child'])}")

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

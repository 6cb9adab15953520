"""Configuration of neat-python with the mutation rates of the maze experiments, as far as equivalents exist."""

import tempfile
from pathlib import Path

import neat
import numpy as np

POPULATION = 250
FAMILIES = 16

CONFIG = """
[NEAT]
fitness_criterion = max
fitness_threshold = 1000
pop_size = 250
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


def population_of(connections):
    """Return a neat-python population and its config.

    The genomes form 16 clusters and have about `connections` connections.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "config")
        path.write_text(CONFIG)
        config = neat.Config(
            neat.DefaultGenome,
            neat.DefaultReproduction,
            neat.DefaultSpeciesSet,
            neat.DefaultStagnation,
            path,
        )
    population = neat.Population(config, seed=0)
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
        genome = population.population[key] = neat.DefaultGenome(key)
        genome.configure_crossover(family, family, config.genome_config)
        genome.mutate(config.genome_config)
    low, high = 0.0, 20.0
    for _ in range(20):  # bisect the compatibility threshold until there are 16 species
        config.species_set_config.compatibility_threshold = (low + high) / 2
        population.species = config.species_set_type(config.species_set_config, population.reporters)
        population.species.speciate(config, population.population, 0)
        if len(population.species.species) == FAMILIES:
            break
        low, high = ((low + high) / 2, high) if len(population.species.species) > FAMILIES else (low, (low + high) / 2)
    return population, config

"""NEAT (NeuroEvolution of Augmenting Topologies) as DEAP operators.

`Genome` is the genotype, and `Innovations` assigns innovation numbers. Variation operators are `mate`, `mutate`, the
separate mutations that `mutate` combines, and `breed`. `Species`, `select` and `Reproduction` provide speciation.
Functions for genetic distance and diversity are `distance`, `compatibility`, `diversity` and `mean_distances`.
`express` builds the phenotype, a `Network` of nodes that each have an `Activation`. The function `register` adds all
operators to a toolbox, optionally with a preset from `PRESETS`.
"""

from divergent.neat.activation import Activation
from divergent.neat.breeding import breed
from divergent.neat.genetic_distance import Compatibility, Diversity, compatibility, distance, diversity, mean_distances
from divergent.neat.genome import Genome
from divergent.neat.innovation import Innovations
from divergent.neat.network import Network, express
from divergent.neat.operators import mate, mutate, mutate_activation, mutate_weights, reenable, toggle
from divergent.neat.registration import PRESETS, register
from divergent.neat.reproduction import Reproduction
from divergent.neat.selection import select
from divergent.neat.species import Species
from divergent.neat.structure import add_connection, add_node, delete_connection, delete_node

__all__ = [
    "PRESETS",
    "Activation",
    "Compatibility",
    "Diversity",
    "Genome",
    "Innovations",
    "Network",
    "Reproduction",
    "Species",
    "add_connection",
    "add_node",
    "breed",
    "compatibility",
    "delete_connection",
    "delete_node",
    "distance",
    "diversity",
    "express",
    "mate",
    "mean_distances",
    "mutate",
    "mutate_activation",
    "mutate_weights",
    "reenable",
    "register",
    "select",
    "toggle",
]

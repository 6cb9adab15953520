"""NEAT as DEAP operators: genomes, innovations, variation, species and the networks they become."""

from divergent.neat.activation import Activation
from divergent.neat.breeding import breed
from divergent.neat.distances import Compatibility, Diversity, compatibility, distance, diversity, mean_distances
from divergent.neat.genome import Genome
from divergent.neat.innovation import Innovations
from divergent.neat.network import Network, express
from divergent.neat.registration import register
from divergent.neat.species import Species, select
from divergent.neat.variation import (
    add_connection,
    add_node,
    delete_connection,
    delete_node,
    mate,
    mutate,
    mutate_weights,
    reenable,
    toggle,
)

__all__ = [
    "Activation",
    "Compatibility",
    "Diversity",
    "Genome",
    "Innovations",
    "Network",
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
    "mutate_weights",
    "reenable",
    "register",
    "select",
    "toggle",
]

"""NEAT (NeuroEvolution of Augmenting Topologies) as DEAP operators.

`Genome` is the genotype, and `Innovations` assigns innovation numbers. Variation operators are `mate`, `mutate`, the
separate mutations that `mutate` combines, and `breed`. `Species`, `select` and `Reproduction` provide speciation.
Functions for genetic distance and diversity are `distance`, `compatibility`, `diversity` and `mean_distances`.
`express` builds the phenotype, a `Network` of nodes that each have an `Activation`. The function `register` adds all
operators to a toolbox, optionally with a preset from `PRESETS`.
"""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index

if TYPE_CHECKING:
    from divergent.neat.activation import Activation as Activation
    from divergent.neat.breeding import breed as breed
    from divergent.neat.genetic_distance import (
        Compatibility as Compatibility,
        Diversity as Diversity,
        compatibility as compatibility,
        distance as distance,
        diversity as diversity,
        mean_distances as mean_distances,
    )
    from divergent.neat.genome import Genome as Genome
    from divergent.neat.innovation import Innovations as Innovations
    from divergent.neat.network import Network as Network, express as express
    from divergent.neat.operators import (
        mate as mate,
        mutate as mutate,
        mutate_activation as mutate_activation,
        mutate_weights as mutate_weights,
        reenable as reenable,
        toggle as toggle,
    )
    from divergent.neat.registration import PRESETS as PRESETS, register as register
    from divergent.neat.reproduction import Reproduction as Reproduction
    from divergent.neat.selection import select as select
    from divergent.neat.species import Species as Species
    from divergent.neat.structure import (
        add_connection as add_connection,
        add_node as add_node,
        delete_connection as delete_connection,
        delete_node as delete_node,
    )

__getattr__, __dir__, __all__ = lazy_index(
    __name__,
    {
        "activation": ("Activation",),
        "breeding": ("breed",),
        "genetic_distance": ("Compatibility", "Diversity", "compatibility", "distance", "diversity", "mean_distances"),
        "genome": ("Genome",),
        "innovation": ("Innovations",),
        "network": ("Network", "express"),
        "operators": ("mate", "mutate", "mutate_activation", "mutate_weights", "reenable", "toggle"),
        "registration": ("PRESETS", "register"),
        "reproduction": ("Reproduction",),
        "selection": ("select",),
        "species": ("Species",),
        "structure": ("add_connection", "add_node", "delete_connection", "delete_node"),
    },
    (
        "activation", "breeding", "genetic_distance", "genome", "innovation", "network", "operators", "registration",
        "reproduction", "selection", "species", "structure",
    ),
)  # fmt: skip

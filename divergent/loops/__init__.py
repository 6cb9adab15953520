"""Evolutionary loops `evolve` and `steady_state`, and their ask-and-tell implementations for `divergent.Search`."""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index
from divergent._lineage import NextGeneration

if TYPE_CHECKING:
    from divergent.loops._contract import LEARN_FROM as LEARN_FROM, REFRESHES as REFRESHES, Step as Step
    from divergent.loops._variation import batch_map as batch_map
    from divergent.loops.generators import evolve as evolve, steady_state as steady_state
    from divergent.loops.one_species import OneSpecies as OneSpecies

_HOMES = {
    "LEARN_FROM": "_contract",
    "OneSpecies": "one_species",
    "REFRESHES": "_contract",
    "Step": "_contract",
    "batch_map": "_variation",
    "evolve": "generators",
    "steady_state": "generators",
}
__all__ = ["NextGeneration", *_HOMES]
__getattr__, __dir__ = lazy_index(__name__, _HOMES, ("generators", "one_species"))

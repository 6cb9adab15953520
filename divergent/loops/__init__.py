"""Evolutionary loops `evolve` and `steady_state`, and their ask-and-tell implementations for `divergent.Search`."""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index

if TYPE_CHECKING:
    from divergent._lineage import NextGeneration as NextGeneration
    from divergent.loops._contract import LEARN_FROM as LEARN_FROM, REFRESHES as REFRESHES, Step as Step
    from divergent.loops._variation import batch_map as batch_map
    from divergent.loops.generators import evolve as evolve, steady_state as steady_state
    from divergent.loops.one_species import OneSpecies as OneSpecies

__getattr__, __dir__, __all__ = lazy_index(
    __name__,
    {
        "._lineage": ("NextGeneration",),
        "_contract": ("LEARN_FROM", "REFRESHES", "Step"),
        "_variation": ("batch_map",),
        "generators": ("evolve", "steady_state"),
        "one_species": ("OneSpecies",),
    },
    ("generators", "one_species"),
)  # fmt: skip

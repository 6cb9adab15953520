"""Evolutionary loops `evolve` and `steady_state`, and their ask-and-tell implementations for `divergent.Search`."""

from divergent._lineage import NextGeneration as NextGeneration
from divergent.loops._contract import LEARN_FROM as LEARN_FROM
from divergent.loops._contract import REFRESHES as REFRESHES
from divergent.loops._contract import Step as Step
from divergent.loops._variation import batch_map as batch_map
from divergent.loops.generators import evolve as evolve
from divergent.loops.generators import steady_state as steady_state
from divergent.loops.one_species import OneSpecies as OneSpecies

"""`Step`, the state that a loop yields, and the protocols of strategies and species."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from divergent.individual import Outcomes

SURVIVORS = ("generational", "comma", "plus")
LEARN_FROM = ("population", "offspring")
REFRESHES = 20  # default number of score updates of the population per generation in the steady-state loop


class Scoring(Protocol):
    """Protocol of strategies: the methods that a loop calls, documented in `divergent.selection.Strategy`."""

    learns_from: str

    def score(self, outcomes: "Outcomes", among: "Outcomes | None" = None) -> np.ndarray: ...

    def learn(self, outcomes: "Outcomes") -> None: ...


class Grouping(Protocol):
    """Protocol of species: the methods that the steady-state loop calls. Positions are indices into the population.

    `Step.species` contains the species of each child if the species object also has a method `species_id(position)`,
    like `divergent.neat.Species`.
    """

    def assign(self, individuals: Sequence[Any]) -> Any:
        """Divide the initial population into species."""

    def respeciate(self) -> None:
        """Divide the current population into species again."""

    def select_parents(self, scores: np.ndarray) -> tuple[int, int | None]:
        """Select two parents by score and return their positions, which may be equal; None means no second parent."""

    def replace(self, child: Any, scores: np.ndarray) -> int:
        """Insert a child, which has the last score in `scores`, and return the position of the replaced individual."""


class Step(NamedTuple):
    """State that a loop yields after each generation of `evolve` or after each child of `steady_state`.

    The first step is generation 0; its offspring are the individuals of the initial population that the loop evaluated.

    Parameters
    ----------
    generation : int
        Number of the generation, counted from 0.
    evaluations : int
        Number of evaluations so far.
    population : list
        The current population.
    offspring : list
        Individuals that were evaluated in this step.
    ends_generation : bool, default=True
        Whether the step ends a generation.
    parents : sequence of tuple of int, default=()
        For each child, the numbers of its parents; individuals are numbered in the order of their evaluation.
    species : sequence of int, default=()
        Species id of each child.
    """

    generation: int
    evaluations: int
    population: list
    offspring: list
    ends_generation: bool = True
    """Whether this step ends a generation: always in `evolve`, at the last child of a generation in `steady_state`."""
    parents: Sequence[tuple[int, ...]] = ()
    """For each child, the evaluation numbers of its parents, first parent first; empty if the parents are unknown.

    Individuals are numbered from 0 in the order of their evaluation; the first child of a step has the number
    ``evaluations - len(offspring)``. A parent that the loop did not evaluate has the number -1. Individuals of the
    initial population have no parents."""
    species: Sequence[int] = ()
    """For each child, the id of the species that it joined, or -1 if the child was removed at once.

    Empty if there are no species, and in `evolve`, which assigns species when it selects the next generation."""

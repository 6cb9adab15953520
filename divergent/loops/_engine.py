"""Ask-and-tell interface of all loops: propose individuals for evaluation, and insert evaluated individuals."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from divergent.loops._contract import Step

Proposal = tuple[Any, tuple[int, ...]]  # an individual to evaluate, and its parents, numbered in order of evaluation


class Engine(Protocol):
    """Ask-and-tell interface of a loop, called by `evolve`, `steady_state`, `map_elites` and `Search`."""

    population: list
    generation: int
    evaluations: int
    """Number of evaluated individuals that were inserted so far."""

    def propose(self, n: int) -> list[Proposal]:
        """Return at most n individuals to evaluate, or an empty list if the loop must wait for pending evaluations."""

    def insert(self, proposals: Iterable[Proposal]) -> Iterator[Step]:
        """Insert evaluated individuals in order, and yield each `Step` that they complete."""

    def discard(self, proposal: Proposal) -> None:
        """Discard a proposed individual that will not be evaluated."""

    def state(self) -> dict[str, Any]:
        """Return the state of the loop; `Checkpoint.save` saves population, strategies and species separately."""

    def restore(self, population: list, state: Mapping[str, Any]) -> None:
        """Restore the loop from a population and the result of `state`."""


class OpenGeneration:
    """Progress of the evaluation of one generation, with counts of proposed and of unevaluated individuals.

    Parameters
    ----------
    population : list
        Initial population or next generation.
    """

    def __init__(self, population: list):
        self.unevaluated = [individual for individual in population if not individual.fitness.valid]
        self._proposed = 0
        self._missing = len(self.unevaluated)

    @property
    def complete(self) -> bool:
        """Whether every individual of the generation was evaluated or discarded."""
        return self._missing == 0

    def propose(self, n: int) -> list[Proposal]:
        """Return up to n unevaluated individuals of the generation that were not proposed before."""
        chosen = self.unevaluated[self._proposed : self._proposed + n]
        self._proposed += len(chosen)
        return [(individual, ()) for individual in chosen]

    def insert(self, count: int) -> None:
        """Count evaluated individuals."""
        self._missing -= count

    def discard(self, individual: Any, population: list) -> None:
        """Remove an individual from the population; raise an error if no individual would remain."""
        remaining = without(population, individual)
        if not remaining:
            raise ValueError(
                "a generation must keep at least one individual, got a request to discard the last individual; "
                "evaluate this individual instead"
            )
        population[:] = remaining
        self.unevaluated = without(self.unevaluated, individual)
        self._proposed -= 1
        self._missing -= 1

    def state(self) -> dict[str, Any]:
        """Return the individuals that must be evaluated, and the numbers of proposed and of unevaluated individuals."""
        return {"unevaluated": self.unevaluated, "proposed": self._proposed, "missing": self._missing}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore the generation from the result of `state`."""
        self.unevaluated = state["unevaluated"]
        self._proposed, self._missing = state["proposed"], state["missing"]


def without(individuals: Sequence[Any], discarded: Any) -> list[Any]:
    """Return all individuals except `discarded`, found by identity because individuals may not support `==`."""
    return [individual for individual in individuals if individual is not discarded]

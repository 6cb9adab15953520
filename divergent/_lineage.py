"""Record the parents of each child when DEAP's `varAnd` or `varOr` calls an operator of the toolbox."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from deap import base

UNKNOWN = -1  # evaluation number of individuals that the loop did not evaluate
OPERATORS = ("clone", "mate", "mutate")


class NextGeneration(list):
    """List of individuals that also stores their parents; the callable `survive` of `evolve` may return it.

    Parameters
    ----------
    individuals : iterable
        Individuals of the next generation: survivors of the population, and offspring.
    parents : sequence of tuple of int
        For each individual, the positions of its parents in the population, first parent first; empty if it survived.
    """

    def __init__(self, individuals: Iterable[Any], parents: Sequence[tuple[int, ...]]):
        super().__init__(individuals)
        self.parents = parents


class Lineage:
    """Record of the evaluation number of each individual in a population, and of the parents of each child.

    Pass the attribute `toolbox` to DEAP's `varAnd` or `varOr` instead of the toolbox of the loop. The
    attribute `toolbox` calls the operators of the loop's toolbox and records the parents of each child. The loop's
    toolbox is not changed. Individuals need not be hashable: they are identified by `id`, and the lineage keeps
    references to them.

    Parameters
    ----------
    toolbox : base.Toolbox
        The loop's toolbox.
    population : sequence
        Initial population, whose evaluation numbers are unknown at first.
    """

    def __init__(self, toolbox: base.Toolbox, population: Sequence[Any]):
        self.toolbox: Any = _RecordingToolbox(toolbox, self._record)
        self._numbers: dict[int, tuple[Any, int]] = {}
        self._parents: dict[int, tuple[Any, tuple[int, ...]]] = {}
        # maps the `id` of each child to its first parent in the population
        self._sources: dict[int, Any] = {}
        self.advance(population, (), 0)

    def advance(self, population: Sequence[Any], offspring: Sequence[Any], first: int) -> list[tuple[int, ...]]:
        """Assign evaluation numbers to the offspring, starting at `first`.

        The method returns the evaluation numbers of each child's parents. A clone that was neither changed nor
        evaluated keeps the evaluation number of the cloned individual.
        """
        parents = self.parents_of(offspring)
        numbers = {id(child): (child, number) for number, child in enumerate(offspring, first)}
        for individual in population:
            if id(individual) not in numbers:
                numbers[id(individual)] = individual, (*self._numbers_of(individual), UNKNOWN)[0]
        self._numbers, self._parents, self._sources = numbers, {}, {}
        return parents

    def parents_of(self, offspring: Iterable[Any]) -> list[tuple[int, ...]]:
        """Return the evaluation numbers of the recorded parents of each child, the first parent first."""
        return [self._parents.get(id(child), (child, ()))[1] for child in offspring]

    def inherit(self, offspring: Iterable[Any]) -> None:
        """Set the `ancestors` of each child: the behaviours of the first parent and of the first parent's ancestors.

        This method is needed because a new individual that a variation operator creates has no ancestors. A clone of
        the first parent already has ancestors, because deleting the values of a `Fitness` moves the behaviour to
        `ancestors`.
        """
        for child in offspring:
            parent = self._sources.get(id(child))
            if parent is not None and hasattr(parent.fitness, "lineage"):
                child.fitness.ancestors = parent.fitness.lineage()

    def state(self, population: Sequence[Any], offspring: Sequence[Any]) -> dict[str, Any]:
        """Return the evaluation numbers of all individuals and of the parents of each child, for a checkpoint."""
        return {
            "numbers": [self._numbers[id(individual)][1] for individual in population],
            "parents": [list(numbers) for numbers in self.parents_of(offspring)],
        }

    def restore(self, population: Sequence[Any], offspring: Sequence[Any], state: dict[str, Any]) -> None:
        """Restore the evaluation numbers that `state` returned."""
        pairs = zip(population, state["numbers"], strict=True)
        self._numbers = {id(individual): (individual, number) for individual, number in pairs}
        lines = zip(offspring, state["parents"], strict=True)
        self._parents = {id(child): (child, tuple(numbers)) for child, numbers in lines}

    def trace(self, generation: Sequence[Any], population: Sequence[Any]) -> None:
        """Record the parents that a `NextGeneration` stores; do nothing if `generation` is any other sequence."""
        for child, positions in zip(generation, getattr(generation, "parents", ()), strict=False):
            if positions:
                self._parents[id(child)] = child, self._common(population[position] for position in positions)
                self._sources[id(child)] = population[positions[0]]

    def _numbers_of(self, individual: Any) -> tuple[int, ...]:
        """Return the evaluation number of an individual, or those of its parents if it is an unevaluated child."""
        if id(individual) in self._parents:
            return self._parents[id(individual)][1]
        return (self._numbers[id(individual)][1],) if id(individual) in self._numbers else ()

    def _source_of(self, individual: Any) -> Any:
        """Return the first parent of an unevaluated child, `individual` itself if it is in the population, or None."""
        if id(individual) in self._sources:
            return self._sources[id(individual)]
        return individual if id(individual) in self._numbers else None

    def _record(self, operator: Callable[..., Any], *individuals: Any, **options: Any) -> Any:
        """Call an operator and record the parents of the individuals that it returns."""
        sources = [self._source_of(individual) for individual in individuals]
        result = operator(*individuals, **options)
        parents = self._common(individuals)
        for position, child in enumerate(result if isinstance(result, tuple) else (result,)):
            # The parents of the second child are swapped: its first parent is the second parent of the crossover.
            self._parents[id(child)] = child, parents[::-1] if position and len(parents) == 2 else parents
            self._sources[id(child)] = sources[position] if position < len(sources) else sources[0]
        return result

    def _common(self, individuals: Iterable[Any]) -> tuple[int, ...]:
        """Return distinct evaluation numbers; an unevaluated child is represented by the numbers of its parents."""
        return tuple(dict.fromkeys(number for individual in individuals for number in self._numbers_of(individual)))


class _RecordingToolbox:
    """Toolbox wrapper that records the arguments of the variation operators."""

    def __init__(self, toolbox: base.Toolbox, record: Callable[..., Any]):
        self._toolbox = toolbox
        self._record = record

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._toolbox, name)
        return partial(self._record, value) if name in OPERATORS else value

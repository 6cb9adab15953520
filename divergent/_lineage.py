"""Recording of the parents of offspring during calls of the toolbox operators."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from deap import base

UNKNOWN = -1  # evaluation number of individuals that the loop did not evaluate
OPERATORS = ("clone", "mate", "mutate")


class NextGeneration(list):
    """A generation with known parents, which a callable `survive` of `evolve` may return.

    Parameters
    ----------
    individuals : iterable
        The generation: survivors of the population and offspring.
    parents : sequence of tuple of int
        Positions of the parents of each individual in the population, the first parent first; empty for survivors.
    """

    def __init__(self, individuals: Iterable[Any], parents: Sequence[tuple[int, ...]]):
        super().__init__(individuals)
        self.parents = parents


class Lineage:
    """Evaluation numbers of a population, and of the parents of its offspring.

    The attribute `toolbox` is passed to DEAP's variation; it calls the operators of the loop and records their
    arguments. The loop's toolbox is not changed. Individuals need not be hashable: they are identified by `id`, and the
    lineage keeps references to them.

    Parameters
    ----------
    toolbox : base.Toolbox
        The loop's toolbox.
    population : sequence
        Individuals that were evaluated before the loop; their evaluation numbers are unknown.
    """

    def __init__(self, toolbox: base.Toolbox, population: Sequence[Any]):
        self.toolbox: Any = _RecordingToolbox(toolbox, self._record)
        self._numbers: dict[int, tuple[Any, int]] = {}
        self._parents: dict[int, tuple[Any, tuple[int, ...]]] = {}
        # ancestor of each child in the population, along the line of first parents, by id of the child
        self._sources: dict[int, Any] = {}
        self.advance(population, (), 0)

    def advance(self, population: Sequence[Any], offspring: Sequence[Any], first: int) -> list[tuple[int, ...]]:
        """Number the offspring from `first` on and return the evaluation numbers of the parents of each child.

        A new member of the population that is not among the offspring is an unchanged copy. The copy has the evaluation
        number of the individual that it was copied from.
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
        """Set the ancestors of offspring to the behaviours of their first parents and of the parents' ancestors.

        The ancestors must be set because operators may return new individuals. Clones whose fitness DEAP's variation
        deletes keep their ancestors.
        """
        for child in offspring:
            parent = self._sources.get(id(child))
            if parent is not None and hasattr(parent.fitness, "lineage"):
                child.fitness.ancestors = parent.fitness.lineage()

    def state(self, population: Sequence[Any], offspring: Sequence[Any]) -> dict[str, Any]:
        """Return the evaluation numbers of the population and of the parents of its offspring."""
        return {
            "numbers": [self._numbers[id(individual)][1] for individual in population],
            "parents": [list(numbers) for numbers in self.parents_of(offspring)],
        }

    def restore(self, population: Sequence[Any], offspring: Sequence[Any], state: dict[str, Any]) -> None:
        """Continue from the result of `state`."""
        pairs = zip(population, state["numbers"], strict=True)
        self._numbers = {id(individual): (individual, number) for individual, number in pairs}
        lines = zip(offspring, state["parents"], strict=True)
        self._parents = {id(child): (child, tuple(numbers)) for child, numbers in lines}

    def trace(self, generation: Sequence[Any], population: Sequence[Any]) -> None:
        """Record the parents that a `NextGeneration` reports; other sequences do not report parents."""
        for child, positions in zip(generation, getattr(generation, "parents", ()), strict=False):
            if positions:
                self._parents[id(child)] = child, self._common(population[position] for position in positions)
                self._sources[id(child)] = population[positions[0]]

    def _numbers_of(self, individual: Any) -> tuple[int, ...]:
        """Return the evaluation numbers of a child's parents, or the number of a member of the population."""
        if id(individual) in self._parents:
            return self._parents[id(individual)][1]
        return (self._numbers[id(individual)][1],) if id(individual) in self._numbers else ()

    def _source_of(self, individual: Any) -> Any:
        """Return the member of the population from which a child descends; return a member unchanged."""
        if id(individual) in self._sources:
            return self._sources[id(individual)]
        return individual if id(individual) in self._numbers else None

    def _record(self, operator: Callable[..., Any], *individuals: Any, **options: Any) -> Any:
        """Call an operator and record the parents of the individuals that it returns."""
        sources = [self._source_of(individual) for individual in individuals]
        result = operator(*individuals, **options)
        parents = self._common(individuals)
        for position, child in enumerate(result if isinstance(result, tuple) else (result,)):
            # The second child of a crossover has the second parent as its first parent.
            self._parents[id(child)] = child, parents[::-1] if position and len(parents) == 2 else parents
            self._sources[id(child)] = sources[position] if position < len(sources) else sources[0]
        return result

    def _common(self, individuals: Iterable[Any]) -> tuple[int, ...]:
        """Return the evaluation numbers of members, or of the parents of children, without repetitions."""
        return tuple(dict.fromkeys(number for individual in individuals for number in self._numbers_of(individual)))


class _RecordingToolbox:
    """View of a toolbox whose variation operators are recorded."""

    def __init__(self, toolbox: base.Toolbox, record: Callable[..., Any]):
        self._toolbox = toolbox
        self._record = record

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._toolbox, name)
        return partial(self._record, value) if name in OPERATORS else value

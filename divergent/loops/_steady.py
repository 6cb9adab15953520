"""Steady-state loop with the ask-and-tell interface: each child replaces one individual of the population."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from deap import base

from divergent._behaviours import as_objects
from divergent._lineage import UNKNOWN
from divergent.individual import Outcomes, pack, write_row
from divergent.loops._checks import begin, check_population, check_tools
from divergent.loops._contract import LEARN_FROM, REFRESHES, Grouping, Scoring, Step
from divergent.loops._engine import OpenGeneration, Proposal
from divergent.loops._variation import breed_by_variation, drop_inherited_fitness
from divergent.loops.one_species import OneSpecies
from divergent.validation import brief, check_at_least, check_instance, check_scores


class SteadyState:
    """Ask-and-tell implementation of `steady_state`: each child of the current population replaces one individual.

    After every `refresh` children, the loop scores the population and divides it into species again. The arguments have
    the same meaning as in `steady_state`.
    """

    def __init__(
        self,
        population: list,
        toolbox: base.Toolbox,
        strategy: Scoring,
        species: Grouping | None = None,
        *,
        learn_from: str | None = None,
        refresh: int | None = None,
        done: int = 0,
    ):
        _check_parts(strategy, species)
        check_at_least(0, done=done)
        if refresh is not None:
            check_at_least(1, refresh=refresh)
        self._breed = getattr(toolbox, "breed", None)
        check_tools(toolbox, ("mate", "mutate") if self._breed is None else ())
        self.population = check_population(population)
        self._learn_from = _check_learn_from(learn_from, strategy)
        self._refresh = refresh or max(1, len(population) // REFRESHES)
        self._toolbox = toolbox
        self._strategy = strategy
        self._ancestors = getattr(strategy, "ancestors", 0)
        self._species: Grouping = OneSpecies() if species is None else species
        self._species_id = getattr(species, "species_id", None)
        self.generation = self.evaluations = 0
        self._first: OpenGeneration | None = OpenGeneration(population) if done == 0 else None
        begin([strategy], done)
        if done:
            self._start((done - 1) * len(population), [UNKNOWN] * len(population))

    @property
    def remaining(self) -> int:
        """Number of children that remain until the end of the generation."""
        return self._size - self._count % self._size

    def propose(self, n: int) -> list[Proposal]:
        """Return unevaluated individuals of the initial population, then n children of the current population."""
        if self._first:
            return self._first.propose(n)
        return [self.breed_child() for _ in range(n)]

    def insert(self, proposals: Iterable[Proposal]) -> Iterator[Step]:
        """Insert evaluated individuals, and yield one step for the initial population, then one step for each child."""
        if self._first:
            self._first.insert(len(list(proposals)))
            if self._first.complete:
                yield self._complete_first(self._first.unevaluated)
        else:
            for proposal in proposals:
                yield self.insert_child(proposal)

    def discard(self, proposal: Proposal) -> None:
        """Discard a proposed individual, and remove it from the initial population if it belongs to this population."""
        if self._first:
            self._first.discard(proposal[0], self.population)

    def _complete_first(self, offspring: list) -> Step:
        """Divide the evaluated initial population into species, and update the strategy from the population."""
        population, size = self.population, len(self.population)
        self._species.assign(population)
        self._strategy.learn(pack(population, self._ancestors))
        evaluated = {id(child): number for number, child in enumerate(offspring, size - len(offspring))}
        numbers = [evaluated.get(id(individual), UNKNOWN) for individual in population]
        species_ids = []
        if self._species_id is not None:
            species_ids = [self._species_id(position) for position, number in enumerate(numbers) if number != UNKNOWN]
        self._first = None
        self._start(0, numbers)
        return Step(0, size, population, offspring, parents=[()] * len(offspring), species=species_ids)

    def _start(self, count: int, numbers: list[int]) -> None:
        """Initialise the arrays of fitness values, behaviours and scores from the evaluated population."""
        size = self._size = len(self.population)
        self._count = count  # number of children so far, over all generations
        self._numbers = numbers  # evaluation number of each individual in the population
        self._scores = np.empty(size + 1)
        self._population_scores = self._scores[:size]
        # The arrays have one row for each individual, and a last row for the next child.
        rows = pack([*self.population, self.population[0]], self._ancestors)
        self._bind(rows, rows.take(slice(size)).copy())
        self.generation, self.evaluations = count // size, size + count
        self._due = True

    def _bind(self, rows: Outcomes, generation_offspring: Outcomes) -> None:
        """Store the arrays of fitness and behaviours; create views of the population's rows and of the child's row."""
        self._rows, self._generation_offspring = rows, generation_offspring
        self._current = rows.take(slice(self._size))
        self._child_row = rows.take(slice(self._size, None))
        columns = [column for column in rows if column is not None]
        offspring = [column for column in generation_offspring if column is not None]
        self._columns = (*columns, self._scores)
        self._offspring_columns = tuple(zip(offspring, columns, strict=True))

    def _score_population(self) -> None:
        """Score the population, and divide it into species again after every `refresh` children."""
        refresh, first_child = self._count % self._refresh == 0, self._count % self._size == 0
        self._population_scores[:] = check_scores(self._strategy, self._strategy.score(self._current), self._size)
        if first_child:
            for individual, score in zip(self.population, self._population_scores.tolist(), strict=True):
                individual.fitness.score = score
        if refresh:
            self._species.respeciate()
        self._due = False

    def breed_child(self) -> Proposal:
        """Breed a child of two parents of the current population."""
        if self._due:
            self._score_population()
        population, numbers, scores = self.population, self._numbers, self._scores
        first, second = self._species.select_parents(self._population_scores)
        parent = population[first]
        parent.fitness.score = scores.item(first)
        parents: tuple[int, ...] = (numbers[first],)
        if second is None:
            individuals: tuple[Any, ...] = (parent,)
        else:
            population[second].fitness.score = scores.item(second)
            individuals = parent, population[second]
        if self._breed is None:
            child, crossed = breed_by_variation(self._toolbox, *individuals)
        else:
            child, crossed = self._breed(*individuals), True
        if crossed and second is not None and second != first:
            parents = numbers[first], numbers[second]
        drop_inherited_fitness(child, parent)
        if self._ancestors:
            child.fitness.ancestors = parent.fitness.lineage()
        return child, parents

    def insert_child(self, proposal: Proposal) -> Step:
        """Score a child and let it replace an individual; update the strategy at the end of a generation."""
        if self._due:
            self._score_population()
        child, parents = proposal
        scores, strategy, size, count = self._scores, self._strategy, self._size, self._count
        place = count % size
        written = write_row(self._rows, size, child.fitness, "the child")
        # If the behaviour of a child does not fit into the behaviour matrix, `write_row` returns an object array.
        if written is not self._rows:
            offspring_before = self._generation_offspring
            self._bind(written, Outcomes(offspring_before.fitness, as_objects(offspring_before.behaviours)))
        score = strategy.score(self._child_row, among=self._current)
        scores[size] = child.fitness.score = value = float(score[0])
        if value != value:  # nan
            check_scores(strategy, score, 1)
        for offspring, column in self._offspring_columns:
            offspring[place] = column[size]

        replaced = self._species.replace(child, scores)
        if replaced < size:
            self.population[replaced] = child
            self._numbers[replaced] = size + count
            for column in self._columns:
                column[replaced] = column[size]
        self._count = count = count + 1
        self.evaluations = size + count
        ends_generation = place == size - 1
        if ends_generation:
            strategy.learn((self._generation_offspring if self._learn_from == "offspring" else self._current).copy())
        self._due = ends_generation or count % self._refresh == 0
        species_ids = []
        if self._species_id is not None:
            species_ids = [self._species_id(replaced) if replaced < size else UNKNOWN]
        self.generation = generation = (count - 1) // size + 1
        return Step(generation, size + count, self.population, [child], ends_generation, [parents], species_ids)

    def state(self) -> dict[str, Any]:
        """Return the state of the loop: counters, scores, and the offspring of the unfinished generation."""
        if self._first:
            return {"first": self._first.state()}
        return {
            "count": self._count,
            "numbers": self._numbers,
            "scores": self._scores,
            "offspring": [column for column in self._generation_offspring if column is not None],
            "due": self._due,
        }

    def restore(self, population: list, state: Mapping[str, Any]) -> None:
        """Restore the loop from a population and the result of `state`."""
        self.population = population
        if "first" in state:
            self._first = OpenGeneration([])
            self._first.restore(state["first"])
            return
        self._first = None
        self._start(state["count"], state["numbers"])
        self._scores[:] = state["scores"]
        for (offspring, _), saved in zip(self._offspring_columns, state["offspring"], strict=True):
            offspring[:] = saved
        self._due = state["due"]
        self.generation = (self._count - 1) // self._size + 1


def _check_parts(strategy: Any, species: Any) -> None:
    """Raise a TypeError unless strategy and species have the methods that the loop calls."""
    check_instance(strategy)
    for name in ("score", "learn"):
        if not callable(getattr(strategy, name, None)):
            raise TypeError(
                f"strategy must have all methods that the loop calls, including {name}, got {brief(strategy)}; "
                "pass a divergent.selection.Strategy"
            )
    for name in ("assign", "respeciate", "select_parents", "replace"):
        if species is not None and not callable(getattr(species, name, None)):
            raise TypeError(
                f"species must be None or have all methods that the loop calls, including {name}, "
                f"got {brief(species)}; pass a divergent.neat.Species"
            )


def _check_learn_from(learn_from: Any, strategy: Any) -> str:
    """Return the option `learn_from`, or the attribute `learns_from` of the strategy if the option is None."""
    learn_from = learn_from or getattr(strategy, "learns_from", "population")
    if not isinstance(learn_from, str) or learn_from not in LEARN_FROM:
        raise ValueError(
            f"learn_from must name the individuals that update the strategy, one of {', '.join(LEARN_FROM)}, "
            f"got {brief(learn_from)}"
        )
    return learn_from

"""Generational NEAT: each species has offspring in proportion to its mean score, unless the species stagnates."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from deap import base

from divergent._lineage import NextGeneration
from divergent.individual import FitnessValue, pack
from divergent.neat.species import Species
from divergent.validation import as_numbers, brief, check_at_least, is_finite

SPECIES = {"threshold": 3.0, "adjust": 0.0, "fraction": 0.2, "interspecies": 0.001, "weight": 0.4}
"""Options of `Species` as in the article of 2002; `fraction` comes from the settings of the original NEAT program."""


class SpeciesRecord(NamedTuple):
    """Record of a species across generations: founding, best score and last improvement."""

    founded: int
    """Generation of its founding."""
    best: float
    """Best score of any member so far."""
    improved: int
    """Generation of the best score."""


class Reproduction:
    """Generational reproduction of NEAT (2002), passed as argument `survive` to `divergent.evolve`.

    The population is divided into species. The number of offspring of a species is proportional to the mean score of
    its members (explicit fitness sharing). Parents are drawn from the best fraction of a species. The champion of a
    large species survives unchanged in place of one child; all other individuals are replaced.

    A species that stagnates has no offspring, unless the species contains the best individual of the population. If the
    population stagnates, only the two species with the best members have offspring, and their stagnation counts
    restart.

    Parameters
    ----------
    species : divergent.neat.Species or None, default=None
        Object that divides the population into species; its compatibility threshold is adapted in every generation.
        None creates a `Species` with `options`; all options that are not passed follow the article of 2002, including a
        constant threshold.
    strategy : divergent.selection.Strategy or None, default=None
        Strategy that scores the individuals of every generation and is then updated. None uses the fitness as score.
    stagnation : int, default=15
        Number of generations without a better score in a species after which the species has no offspring.
    refocus : int, default=20
        Number of generations without a better score in the population after which only two species have offspring.
    large : int, default=5
        Number of members above which a species keeps its champion.
    rng : numpy.random.Generator or None, default=None
        Source of random numbers if `species` is None. None makes an unseeded generator.
    **options : dict
        Options of `Species` by name.

    Attributes
    ----------
    species : divergent.neat.Species
        The species of the last generation.
    records : dict
        Record of each current species by id: generation of founding, best score, and generation of the best score.
    generation : int
        Number of generations so far.

    Raises
    ------
    TypeError
        If `species` or `strategy` has the wrong type, or `options` are combined with `species`.
    ValueError
        If a number is out of range.

    See Also
    --------
    register : Register the variation operators; the preset "neat2002" has the rates of the 2002 article.

    References
    ----------
    K. O. Stanley and R. Miikkulainen, "Evolving neural networks through augmenting topologies", Evolutionary
    Computation 10(2), 2002.

    Examples
    --------
    >>> from divergent import Outcome, evolve, neat
    >>> rng = np.random.default_rng(1)
    >>> toolbox = base.Toolbox()
    >>> innovations = neat.register(toolbox, inputs=3, outputs=1, preset="neat2002", rng=rng)
    >>> toolbox.register("evaluate", lambda genome: Outcome((float(genome.genes[:, 3].sum()),)))
    >>> reproduction = Reproduction(rng=rng)
    >>> for step in evolve(toolbox.population(n=50), toolbox, generations=20, survive=reproduction):
    ...     pass
    >>> len(step.population), max(genome.fitness.values[0] for genome in step.population) > 20
    (50, True)
    """

    def __init__(
        self,
        species: Species | None = None,
        *,
        strategy: Any = None,
        stagnation: int = 15,
        refocus: int = 20,
        large: int = 5,
        rng: np.random.Generator | None = None,
        **options: Any,
    ):
        check_at_least(1, stagnation=stagnation, refocus=refocus)
        check_at_least(0, large=large)
        if species is not None and not isinstance(species, Species):
            raise TypeError(f"species must be a Species or None, got {brief(species)}")
        if species is not None and (options or rng is not None):
            raise TypeError(
                f"options must not be combined with species, got {', '.join(options) or 'rng'}; "
                "pass these options to Species"
            )
        if strategy is not None and (
            isinstance(strategy, type) or not callable(getattr(strategy, "score_generation", None))
        ):
            raise TypeError(f"strategy must be a divergent.selection.Strategy, or None, got {brief(strategy)}")
        self.species = Species(**{**SPECIES, **options}, rng=rng) if species is None else species
        self.strategy = strategy
        self._fitness = FitnessValue(None, "Reproduction", "pass strategy=Objective(index=...)")
        self.stagnation = stagnation
        self.refocus = refocus
        self.large = large
        self.records: dict[int, SpeciesRecord] = {}
        self.generation = 0
        self._best, self._improved = -np.inf, 0

    def __call__(self, population: list, toolbox: base.Toolbox) -> NextGeneration:
        """Return the next generation, of the same size: evaluated champions, and children without fitness."""
        if not callable(getattr(toolbox, "breed", None)):
            raise TypeError("toolbox must have 'breed', got a toolbox without 'breed'; call neat.register first")
        scores = self._score_population(population)
        labels = self.species.assign(population)
        self._update_records(labels, scores)
        shares = self.species.allocate_offspring(
            scores, len(population), among=self._reproducing_species(labels, scores)
        ).tolist()
        pools = {label: self.species.parents(scores, label) for label, share in enumerate(shares) if share}
        sizes = self.species.sizes
        following: list[Any] = []
        parents: list[tuple[int, ...]] = []
        for label, pool in pools.items():
            children = shares[label]
            if sizes[label] > self.large:
                following.append(population[pool[0]])
                parents.append(())
                children -= 1
            for _ in range(children):
                first_parent, second_parent = self._draw_parents(label, pools)
                child = toolbox.breed(population[first_parent], population[second_parent])
                # Every child is evaluated, even a copy of a parent, because the 2002 article counts such evaluations.
                del child.fitness.values
                following.append(child)
                parents.append((first_parent, second_parent))
        self.species.adapt()
        self.generation += 1
        return NextGeneration(following, parents)

    @property
    def ages(self) -> dict[int, int]:
        """Age of each species in generations, by species id."""
        return {name: self.generation - 1 - line.founded for name, line in self.records.items()}

    def _score_population(self, population: list[Any]) -> np.ndarray:
        """Return one score for each individual of the population."""
        outcomes = pack(population, getattr(self.strategy, "ancestors", 0))
        if self.strategy is None:
            return self._fitness.of(outcomes)
        scores = as_numbers("scores", self.strategy.score_generation(outcomes), 1)
        for individual, score in zip(population, scores.tolist(), strict=True):
            individual.fitness.score = score
        return scores

    def _update_records(self, labels: np.ndarray, scores: np.ndarray) -> None:
        """Update the records of the current species and of the population."""
        lines = {}
        for label, name in enumerate(self.species.ids.tolist()):
            best = float(scores[labels == label].max())
            line = self.records.get(name, SpeciesRecord(self.generation, best, self.generation))
            lines[name] = line._replace(best=best, improved=self.generation) if best > line.best else line
        self.records = lines
        best = float(scores.max())
        if best > self._best:
            self._best, self._improved = best, self.generation

    def _reproducing_species(self, labels: np.ndarray, scores: np.ndarray) -> list[int]:
        """Return the labels of the species that may have offspring."""
        ids = self.species.ids.tolist()
        fertile = [
            label for label, name in enumerate(ids) if self.generation - self.records[name].improved < self.stagnation
        ]
        if self.generation - self._improved <= self.refocus:
            leading = int(labels[scores.argmax()])
            return sorted({*fertile, leading})
        best = [scores[labels == label].max() for label in range(len(ids))]
        two = np.argsort(-np.array(best), kind="stable")[:2].tolist()
        for label in two:
            self.records[ids[label]] = self.records[ids[label]]._replace(improved=self.generation)
        self._improved = self.generation
        return two

    def _draw_parents(self, label: int, pools: dict[int, np.ndarray]) -> tuple[int, int]:
        """Draw two parents; with probability `interspecies` the second parent is the champion of another species."""
        draw, pool = self.species.rng.random, pools[label]
        first_parent, second_parent = (pool[int(draw() * len(pool))] for _ in range(2))
        if draw() < self.species.interspecies and len(pools) > 1:
            others = [other for other in pools if other != label]
            second_parent = pools[others[int(draw() * len(others))]][0]
        return first_parent, second_parent

    def state(self) -> dict[str, Any]:
        """Return the complete state, including the state of the species.

        Returns
        -------
        dict
            JSON-serialisable data for `restore`.

        See Also
        --------
        Reproduction.restore : Resume from the state.
        """
        return {
            "generation": self.generation,
            "best": self._best if self.generation else None,
            "improved": self._improved,
            "lines": [[name, *line] for name, line in self.records.items()],
            "species": self.species.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore the state of reproduction and species; a strategy must be restored separately.

        Parameters
        ----------
        state : dict
            Dictionary that the method `state` returned.

        Raises
        ------
        ValueError
            If an entry of `state` is missing or inconsistent.

        See Also
        --------
        Reproduction.state : Return the state.
        """
        if not isinstance(state, Mapping) or not {"generation", "best", "improved", "lines", "species"} <= set(state):
            raise ValueError(f"state must be a dictionary that Reproduction.state() returned, got {brief(state)}")
        generation, best, improved = state["generation"], state["best"], state["improved"]
        check_at_least(0, generation=generation, improved=improved)
        if not is_finite(best) and (generation or best is not None):
            raise ValueError(f"best score of the state must be a finite number, got {brief(best)}")
        lines = {}
        for row in state["lines"]:
            if not isinstance(row, list | tuple) or len(row) != 4 or not is_finite(row[2]):
                raise ValueError(
                    f"each entry of the list 'lines' in a saved state of Reproduction must be [species id, founding "
                    f"generation, best score, generation of the best score], got {brief(row)}"
                )
            check_at_least(0, id=row[0], founded=row[1], improved=row[3])
            lines[row[0]] = SpeciesRecord(*row[1:])
        self.species.restore(state["species"])
        self.generation, self.records = generation, lines
        self._best, self._improved = (-np.inf if best is None else best), improved

"""Generational NEAT: every species has offspring in proportion to its mean score, as long as it improves."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from deap import base

from divergent._lineage import NextGeneration
from divergent.individual import FitnessValue, pack
from divergent.neat.species import Species
from divergent.validation import as_numbers, brief, check_at_least, is_finite

SPECIES = {"threshold": 3.0, "adjust": 0.0, "share": 0.2, "interspecies": 0.001, "weight": 0.4}
"""Options of `Species` in NEAT as it was published in 2002; the share stands only in the settings of its program."""


class Line(NamedTuple):
    """What is remembered of a species from one generation to the next."""

    founded: int
    """Generation in which it was first seen."""
    best: float
    """The best score of any member so far."""
    improved: int
    """Generation in which that was reached."""


class Reproduction:
    """NEAT's generations of 2002, as a way to survive in `divergent.evolve`.

    The population is divided into species and each gets a number of offspring in proportion to the mean score of its
    members: explicit fitness sharing. Parents are drawn from the best share of a species. Of a large species the
    champion stays as it is, in place of one child; everybody else dies. A species whose best score has not improved for
    too long has no offspring, unless the best of all is a member; when the whole population has not improved for
    longer, only the two species with the best members have some, and are given that time again.

    Parameters
    ----------
    species
        Divides the population, and draws; its threshold is adapted every generation, by its own rule. None makes one of
        the `options`, with the values of 2002 for the rest, among them a threshold that stays as it is.
    strategy
        Whose scores to follow, any `divergent.selection.Strategy`: it scores every generation, then learns from it.
        None follows the fitness.
    stagnation
        Generations without a better score after which a species has no more offspring.
    refocus
        Generations without a better score in the whole population after which only two species have offspring.
    large
        A species with more members than this keeps its champion.
    rng
        For species that are made here; None makes a fresh generator.
    options
        Of `Species`, by name.

    Attributes
    ----------
    species : Species
        The species, as they were divided for the generation that was born last.
    lines : dict
        For each of them, by its lasting id, when it was founded, its best score and when that was reached.
    generation : int
        How many generations were born.

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

    References
    ----------
    K. O. Stanley and R. Miikkulainen, "Evolving neural networks through augmenting topologies", Evolutionary
    Computation 10(2), 2002.
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
            raise TypeError(f"species must be a Species, or None to make one, got {brief(species)}")
        if species is not None and (options or rng is not None):
            raise TypeError(
                f"options of species are for those made here, got {', '.join(options) or 'rng'} and species"
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
        self.lines: dict[int, Line] = {}
        self.generation = 0
        self._best, self._improved = -np.inf, 0

    def __call__(self, population: list, toolbox: base.Toolbox) -> NextGeneration:
        """Return the next generation, as large as the population: evaluated champions and offspring without fitness."""
        if not callable(getattr(toolbox, "breed", None)):
            raise TypeError("the toolbox must have 'breed' registered, as neat.register does, for this reproduction")
        scores = self._scores(population)
        labels = self.species.assign(population)
        self._note(labels, scores)
        shares = self.species.shares(scores, len(population), among=self._fertile(labels, scores)).tolist()
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
                mother, father = self._couple(label, pools)
                child = toolbox.breed(population[mother], population[father])
                del child.fitness.values  # every child is evaluated, as the article counts, copies of a mother as well
                following.append(child)
                parents.append((mother, father))
        self.species.adapt()
        self.generation += 1
        return NextGeneration(following, parents)

    @property
    def ages(self) -> dict[int, int]:
        """For each species, by its id, how many generations ago it was first seen."""
        return {name: self.generation - 1 - line.founded for name, line in self.lines.items()}

    def _scores(self, population):
        outcomes = pack(population)
        if self.strategy is None:
            return self._fitness.of(outcomes)
        scores = as_numbers("scores", self.strategy.score_generation(outcomes), 1)
        for individual, score in zip(population, scores.tolist(), strict=True):
            individual.fitness.score = score
        return scores

    def _note(self, labels, scores):
        """See which species there are, and whether they and the population have improved."""
        lines = {}
        for label, name in enumerate(self.species.ids.tolist()):
            best = float(scores[labels == label].max())
            line = self.lines.get(name, Line(self.generation, best, self.generation))
            lines[name] = line._replace(best=best, improved=self.generation) if best > line.best else line
        self.lines = lines
        best = float(scores.max())
        if best > self._best:
            self._best, self._improved = best, self.generation

    def _fertile(self, labels, scores):
        """The species that may have offspring."""
        ids = self.species.ids.tolist()
        fertile = [
            label for label, name in enumerate(ids) if self.generation - self.lines[name].improved < self.stagnation
        ]
        if self.generation - self._improved <= self.refocus:
            leading = int(labels[scores.argmax()])
            return sorted({*fertile, leading})
        best = [scores[labels == label].max() for label in range(len(ids))]
        two = np.argsort(-np.array(best), kind="stable")[:2].tolist()
        for label in two:
            self.lines[ids[label]] = self.lines[ids[label]]._replace(improved=self.generation)
        self._improved = self.generation
        return two

    def _couple(self, label, pools):
        """Mother and father; rarely he is the champion of another species."""
        draw, pool = self.species.rng.random, pools[label]
        mother, father = (pool[int(draw() * len(pool))] for _ in range(2))
        if draw() < self.species.interspecies and len(pools) > 1:
            others = [other for other in pools if other != label]
            father = pools[others[int(draw() * len(others))]][0]
        return mother, father

    def state(self) -> dict[str, Any]:
        """What `restore` needs to continue exactly, that of the species included: plain data."""
        return {
            "generation": self.generation,
            "best": self._best if self.generation else None,
            "improved": self._improved,
            "lines": [[name, *line] for name, line in self.lines.items()],
            "species": self.species.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from what `state` returned; a strategy is restored by itself."""
        if not isinstance(state, Mapping) or not {"generation", "best", "improved", "lines", "species"} <= set(state):
            raise ValueError(f"a state of reproduction is what `state` gave, got {brief(state)}")
        generation, best, improved = state["generation"], state["best"], state["improved"]
        check_at_least(0, generation=generation, improved=improved)
        if not is_finite(best) and (generation or best is not None):
            raise ValueError(f"the best score of a state must be a finite number, got {brief(best)}")
        lines = {}
        for row in state["lines"]:
            if not isinstance(row, list | tuple) or len(row) != 4 or not is_finite(row[2]):
                raise ValueError(f"a species of a state is id, founded, best score, improved; got {brief(row)}")
            check_at_least(0, id=row[0], founded=row[1], improved=row[3])
            lines[row[0]] = Line(*row[1:])
        self.species.restore(state["species"])
        self.generation, self.lines = generation, lines
        self._best, self._improved = (-np.inf if best is None else best), improved

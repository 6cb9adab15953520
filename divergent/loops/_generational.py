"""Generational, (mu, lambda) and (mu + lambda) loops, and loops with custom survivor selection."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from deap import base
from deap.algorithms import varAnd, varOr

from divergent._lineage import Lineage
from divergent.loops._checks import begin, check_population, check_tools, followed
from divergent.loops._contract import SURVIVORS, Step
from divergent.loops._engine import OpenGeneration, Proposal
from divergent.validation import brief, check_at_least, check_instance, check_rate


class Generational:
    """Ask-and-tell implementation of `evolve`; a generation is bred when the previous generation is complete."""

    def __init__(
        self,
        population: list,
        toolbox: base.Toolbox,
        *,
        survive: str | Callable[[list, base.Toolbox], list] = "generational",
        offspring: int | None = None,
        cxpb: float = 0.7,
        mutpb: float = 0.3,
        done: int = 0,
        evaluations: int = 0,
    ):
        if not callable(survive) and not (isinstance(survive, str) and survive in SURVIVORS):
            raise ValueError(
                f"survive must be a callable or the name of a survivor selection, one of {', '.join(SURVIVORS)}, "
                f"got {brief(survive)}"
            )
        check_instance(survive, "survive")
        check_at_least(0, done=done, evaluations=evaluations)
        check_rate(cxpb=cxpb, mutpb=mutpb)
        varied = [name for name, rate in (("mate", cxpb), ("mutate", mutpb)) if rate > 0]
        check_tools(toolbox, () if callable(survive) else ("select", *varied))
        self.population = check_population(population)
        if survive in ("comma", "plus") and not cxpb + mutpb <= 1:
            raise ValueError(
                "cxpb + mutpb must be at most 1 if survive is 'comma' or 'plus', "
                f"got survive={survive!r}, cxpb={cxpb} and mutpb={mutpb}"
            )
        if offspring is not None:
            check_at_least(1, offspring=offspring)
        self._toolbox, self._survive = toolbox, survive
        self._size = len(population)
        self._offspring, self._cxpb, self._mutpb = offspring or self._size, cxpb, mutpb
        begin(followed(toolbox, survive), done)
        self._lineage = Lineage(toolbox, population)
        self.generation, self.evaluations = done, evaluations
        self._bred: list[Any] | None = None  # before survivor selection
        self._open: OpenGeneration | None = None

    def propose(self, n: int) -> list[Proposal]:
        """Return individuals of the next generation to evaluate; breed them if the previous generation is complete."""
        if self._open is None:
            self._bred = self._next_generation()
            self._open = OpenGeneration(self._bred)
            self._lineage.inherit(self._open.unevaluated)
        return self._open.propose(n)

    def insert(self, proposals: Iterable[Proposal]) -> Iterator[Step]:
        """Count evaluated individuals, and yield a step when the generation is complete."""
        if self._open is not None:
            self._open.insert(len(list(proposals)))
            if self._open.complete:
                yield self._complete(self._open.unevaluated)

    def discard(self, proposal: Proposal) -> None:
        """Discard a proposed individual and continue with a smaller generation."""
        assert self._open is not None
        assert self._bred is not None
        self._open.discard(proposal[0], self._bred)

    def _next_generation(self) -> list[Any]:
        """Return the individuals to evaluate next: the initial population, or the result of selection and variation."""
        if self.generation == 0:
            return self.population
        if callable(self._survive):
            following = check_population(self._survive(self.population, self._toolbox))
            self._lineage.trace(following, self.population)
            return following
        if self._survive == "generational":
            parents = check_population(self._toolbox.select(self.population, self._size))
            return varAnd(parents, self._lineage.toolbox, self._cxpb, self._mutpb)
        return varOr(self.population, self._lineage.toolbox, self._offspring, self._cxpb, self._mutpb)

    def _complete(self, offspring: list) -> Step:
        """Select the survivors of an evaluated generation, and return the `Step` that the loop yields."""
        assert self._bred is not None
        bred, self._bred, self._open = self._bred, None, None
        if self.generation and self._survive in ("comma", "plus"):
            candidates = bred if self._survive == "comma" else self.population + bred
            bred = check_population(self._toolbox.select(candidates, self._size))
        self.population = bred
        parents = self._lineage.advance(self.population, offspring, self.evaluations)
        self.evaluations += len(offspring)
        self.generation += 1
        return Step(self.generation - 1, self.evaluations, self.population, offspring, parents=parents)

    def state(self) -> dict[str, Any]:
        """Return the state of the loop: counters, next generation, and the parents of its individuals."""
        return {
            "generation": self.generation,
            "evaluations": self.evaluations,
            "bred": self._bred,
            "open": None if self._open is None else self._open.state(),
            "lineage": self._lineage.state(self.population, self._bred or ()),
        }

    def restore(self, population: list, state: Mapping[str, Any]) -> None:
        """Restore the loop from a population and the result of `state`."""
        self.population = population
        self.generation, self.evaluations = state["generation"], state["evaluations"]
        self._bred, self._open = state["bred"], None
        if self._bred is not None:
            self._open = OpenGeneration([])
            self._open.restore(state["open"])
        self._lineage.restore(population, self._bred or (), state["lineage"])

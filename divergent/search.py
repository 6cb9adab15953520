"""Loops with `ask` and `tell`, driven by an external simulator or scheduler."""

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from deap import base

from divergent.individual import Outcomes, pack, write_row
from divergent.loops._checks import followed
from divergent.loops._contract import SURVIVORS, Grouping, Scoring, Step
from divergent.loops._engine import Engine, Proposal
from divergent.loops._generational import Generational
from divergent.loops._steady import SteadyState
from divergent.validation import brief, check_at_least, check_instance

LOOPS = ("steady", *SURVIVORS)


class Search:
    """A loop without evaluation: `ask` for individuals, evaluate them anywhere, `tell` their outcomes.

    The available loops are those of `steady_state` and `evolve`. Alternating `ask` for one individual and `tell` gives
    exactly the results of these loops. Outcomes may arrive late, in any order and in any number. The method `forget`
    gives up an individual whose outcome never arrives.

    In the steady-state loop, `ask` always returns a child after the first population is evaluated. The other loops
    breed a generation when all outcomes of the previous generation have been passed to `tell`. Call the methods from
    one thread.

    Parameters
    ----------
    population : list
        The first population. Individuals with a valid fitness are not returned by `ask`.
    toolbox : deap.base.Toolbox
        The operators of the loop, see `steady_state` and `evolve`. `toolbox.evaluate` is not called and may be missing.
    strategy : Strategy or None, default=None
        Scores individuals and learns, in the steady-state loop. The other loops use the strategy of `toolbox.select`,
        see `by_score`.
    species : Species or None, default=None
        Parent selection and replacement within species, in the steady-state loop.
    loop : {"steady", "generational", "comma", "plus"} or callable, default="steady"
        The loop: "steady" is `steady_state`; other values are the argument `survive` of `evolve`.
    **options : dict
        Further arguments of the loop: `learn_from` and `refresh` in the steady-state loop, `offspring`, `cxpb` and
        `mutpb` in the others.

    Attributes
    ----------
    population : list
        The current population.
    generation : int
        The current generation, from 0 on.
    evaluations : int
        Number of evaluations of the individuals inserted so far.
    pending : list
        Individuals that `ask` returned and whose outcomes are missing, oldest first.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid or the toolbox lacks an operator.

    See Also
    --------
    steady_state : The steady-state loop as a generator.
    evolve : Generational, (mu, lambda) and (mu + lambda) loops as a generator.
    Checkpoint : Save a search to a file and resume it.

    Examples
    --------
    Outcomes may arrive in any order:

    >>> import random
    >>> from deap import base, creator, tools
    >>> import divergent
    >>> from divergent.selection import Novelty
    >>> creator.create("AskFitness", divergent.Fitness, weights=(-1.0,))
    >>> creator.create("AskPoint", list, fitness=creator.AskFitness)
    >>> toolbox = base.Toolbox()
    >>> toolbox.register("mate", tools.cxBlend, alpha=0.2)
    >>> toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=0.3, indpb=1)
    >>> random.seed(3)
    >>> start = [creator.AskPoint([random.random(), random.random()]) for _ in range(20)]
    >>> search = Search(start, toolbox, Novelty())
    >>> while search.evaluations < 100:
    ...     points = search.ask(8)
    ...     random.shuffle(points)
    ...     outcomes = [divergent.Outcome((abs(point[0]),), behaviour=point) for point in points]
    ...     steps = search.tell(points, outcomes)
    >>> search.generation, len(search.population), steps[-1].offspring[0] is points[-1]
    (4, 20, True)
    """

    def __init__(
        self,
        population: list,
        toolbox: base.Toolbox,
        strategy: Scoring | None = None,
        species: Grouping | None = None,
        *,
        loop: str | Callable[[list, base.Toolbox], list] = "steady",
        **options: Any,
    ):
        self._engine: Engine = _make_engine(population, toolbox, strategy, species, loop, options)
        self._strategies: Sequence[Any] = followed(toolbox, loop) if strategy is None else (strategy,)
        self._pending: dict[int, Proposal] = {}  # pending proposals by id, since individuals need not be hashable
        self._row: Outcomes | None = None  # the first outcome; later outcomes must have the same form

    @classmethod
    def of(cls, engine: Engine) -> "Search":
        """Return a search that drives another loop, such as `MapElites`.

        Parameters
        ----------
        engine : MapElites
            The loop.

        Returns
        -------
        Search
            The search.

        Raises
        ------
        TypeError
            If `engine` is not a loop.
        """
        check_instance(engine, "engine")
        if not all(callable(getattr(engine, name, None)) for name in ("propose", "insert", "discard")):
            raise TypeError(f"engine must be a loop such as a MapElites, got {brief(engine)}")
        search = cls.__new__(cls)
        search._engine = engine
        search._strategies = getattr(engine, "strategies", ())
        search._pending, search._row = {}, None
        return search

    @property
    def population(self) -> list:
        """The current population."""
        return self._engine.population

    @property
    def generation(self) -> int:
        """The current generation, from 0 on."""
        return self._engine.generation

    @property
    def evaluations(self) -> int:
        """Number of evaluations of the individuals inserted so far."""
        return self._engine.evaluations

    @property
    def pending(self) -> list:
        """Individuals that `ask` returned and whose outcomes are missing, oldest first."""
        return [individual for individual, _ in self._pending.values()]

    def ask(self, n: int = 1) -> list:
        """Return individuals to evaluate.

        Parameters
        ----------
        n : int, default=1
            Largest number of individuals.

        Returns
        -------
        list
            The individuals, without a fitness. The list has fewer than n individuals, perhaps none, if the loop must
            wait for the outcomes of `pending` individuals.
        """
        check_at_least(1, n=n)
        proposals = self._engine.propose(n)
        for proposal in proposals:
            individual, _ = proposal
            if individual.fitness.valid:  # the child is an unchanged copy of its first parent
                ancestors = individual.fitness.ancestors
                del individual.fitness.values
                individual.fitness.ancestors = ancestors
            self._pending[id(individual)] = proposal
        if not proposals and not self._pending:
            list(self._engine.insert(()))  # a generation without new individuals is already complete
        return [individual for individual, _ in proposals]

    def tell(self, individuals: Sequence[Any], outcomes: Iterable[Any]) -> list[Step]:
        """Insert evaluated individuals in the order in which they are passed.

        All arguments are checked first: after an error the search is unchanged.

        Parameters
        ----------
        individuals : sequence
            Individuals that `ask` returned (the same objects, not copies).
        outcomes : iterable of Outcome
            The outcome of each individual.

        Returns
        -------
        list of Step
            The steps that were completed: one for each child in the steady-state loop, one for each generation in the
            others. It may be empty.

        Raises
        ------
        TypeError
            If an outcome does not consist of numbers.
        ValueError
            If an individual is not pending or occurs twice, or if an outcome has another number of values or dimensions
            than earlier outcomes.
        """
        proposals = self._check_pending(individuals)
        if not isinstance(outcomes, Iterable):
            raise TypeError(f"outcomes must be a list of Outcome objects, got {brief(outcomes)}")
        outcomes = list(outcomes)
        if len(outcomes) != len(proposals):
            raise ValueError(
                f"outcomes must be one for each of {len(proposals)} individuals, got {len(outcomes)}; "
                "tell only individuals that were evaluated"
            )
        row = self._check_outcomes(proposals, outcomes)
        for (individual, _), outcome in zip(proposals, outcomes, strict=True):
            individual.fitness.values = outcome
            del self._pending[id(individual)]
        self._row = row
        return list(self._engine.insert(proposals))

    def forget(self, individuals: Sequence[Any]) -> list[Step]:
        """Give up individuals whose outcomes will never arrive, for example because the simulator crashed.

        Parameters
        ----------
        individuals : sequence
            Individuals that `ask` returned. These individuals are not counted and do not enter the population.

        Returns
        -------
        list of Step
            The steps that are complete without these individuals. It may be empty.

        Raises
        ------
        ValueError
            If an individual is not pending or occurs twice, or if no individual of the first population would remain.
        """
        for proposal in self._check_pending(individuals):
            self._engine.discard(proposal)
            del self._pending[id(proposal[0])]
        return list(self._engine.insert(()))

    def state(self) -> dict[str, Any]:
        """Return the state of the loop, without the population, the strategy, the species and random generators.

        Returns
        -------
        dict
            JSON-serialisable data and individuals, which `Checkpoint.save` converts.
        """
        pending = [[individual, list(parents)] for individual, parents in self._pending.values()]
        return {"engine": self._engine.state(), "pending": pending}

    def restore(self, population: list, state: Mapping[str, Any]) -> None:
        """Continue from the result of `state`; `Checkpoint.restore` restores all other components.

        The `pending` individuals are those of the interrupted process: pass their outcomes to `tell`, or call `forget`.

        Parameters
        ----------
        population : list
            The population of the state.
        state : Mapping
            The result of `state`.
        """
        self._engine.restore(population, state["engine"])
        self._pending = {id(individual): (individual, tuple(parents)) for individual, parents in state["pending"]}
        self._row = None

    def _check_pending(self, individuals: Sequence[Any]) -> list[Proposal]:
        """Return the proposals of individuals; raise an error unless each is pending and occurs once."""
        if not isinstance(individuals, Sequence):
            raise TypeError(f"individuals must be a list of individuals that ask returned, got {brief(individuals)}")
        seen: set[int] = set()
        for individual in individuals:
            if id(individual) in seen:
                raise ValueError(f"individuals must occur once, got {brief(individual)} twice")
            if id(individual) not in self._pending:
                raise ValueError(
                    f"individuals must be pending, got {brief(individual)}; "
                    "tell each of the objects that ask returned once, not a copy"
                )
            seen.add(id(individual))
        return [self._pending[id(individual)] for individual in individuals]

    def _check_outcomes(self, proposals: Sequence[Proposal], outcomes: Sequence[Any]) -> Outcomes | None:
        """Return a row of outcomes; raise an error unless all outcomes have the form of the first outcome."""
        row = self._row
        if row is None:
            evaluated = [individual for individual in self.population if individual.fitness.valid]
            row = pack(evaluated[:1]) if evaluated and proposals else None
        for number, (proposal, outcome) in enumerate(zip(proposals, outcomes, strict=True)):
            fitness = type(proposal[0].fitness)()
            if not isinstance(outcome, Sequence):
                raise TypeError(f"outcomes must be Outcome objects, got {brief(outcome)} for individual {number}")
            fitness.values = outcome
            if row is None:
                row = pack([_Evaluated(fitness)])
            row = write_row(row, 0, fitness, f"individual {number}")
            # The behaviour is not a vector of the previous length, so every strategy must support behaviours that are
            # not vectors.
            if row.behaviours.ndim == 1:
                for strategy in self._strategies:
                    if strategy is not None:
                        copy.deepcopy(strategy).score(row)
        return row


class _Evaluated:
    """An object that has only a fitness, passed to `pack` in place of an individual."""

    def __init__(self, fitness: Any):
        self.fitness = fitness


def _make_engine(
    population: list, toolbox: base.Toolbox, strategy: Any, species: Any, loop: Any, options: dict[str, Any]
) -> Engine:
    """Return the object that breeds and inserts the individuals of a loop."""
    if not callable(loop) and not (isinstance(loop, str) and loop in LOOPS):
        raise ValueError(f"loop must be one of {', '.join(LOOPS)}, or a callable, got {brief(loop)}")
    if loop == "steady":
        if strategy is None:
            raise TypeError("strategy must be a divergent.selection.Strategy in the steady-state loop, got None")
        return SteadyState(population, toolbox, strategy, species, **options)
    if strategy is not None or species is not None:
        raise TypeError(
            f"strategy and species must be None for loop {brief(loop)}, got {brief(strategy or species)}; "
            "register divergent.by_score with the strategy as toolbox.select"
        )
    return Generational(population, toolbox, survive=loop, **options)

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
    """Ask-and-tell loop: `ask` returns individuals to evaluate, and `tell` inserts them with their outcomes.

    The loops of `steady_state` and `evolve` are available. Outcomes may arrive late, in any order and in any number.
    The method `forget` discards an individual whose outcome never arrives.

    In the steady-state loop, alternating calls of `ask(1)` and `tell` give exactly the same results as `steady_state`
    with ``batch=1``. All other loops give exactly the same results as `evolve`, for any n and for any order of the
    outcomes within a generation. Both statements require that evaluations draw no random numbers and that no individual
    is discarded.

    In the steady-state loop, `ask(n)` always returns n children once the initial population is evaluated. All loops
    except the steady-state loop breed a generation when all outcomes of the previous generation have been passed to
    `tell`. Call all methods of a search from the same thread.

    Parameters
    ----------
    population : list
        Initial population. Individuals with a valid fitness are not returned by `ask`.
    toolbox : deap.base.Toolbox
        Variation and selection operators of the loop, see `steady_state` and `evolve`. `toolbox.evaluate` is not called
        and may be missing.
    strategy : Strategy or None, default=None
        Strategy that scores individuals in the steady-state loop. All loops except the steady-state loop use the
        strategy that is registered with `toolbox.select`, see `by_score`.
    species : Species or None, default=None
        Species for parent selection and replacement in the steady-state loop. None disables speciation.
    loop : {"steady", "generational", "comma", "plus"} or callable, default="steady"
        The value "steady" runs the loop of `steady_state`. Any value except "steady" runs the loop of `evolve` and is
        the argument `survive` of that loop.
    **options : dict
        Further arguments of the loop. The steady-state loop accepts `learn_from` and `refresh`; the other loops accept
        `offspring`, `cxpb` and `mutpb`.

    Attributes
    ----------
    population : list
        The current population.
    generation : int
        Number of the current generation, counted from 0.
    evaluations : int
        Number of evaluated individuals that were inserted so far.
    pending : list
        Individuals that `ask` returned and whose outcomes are still missing, oldest first.

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
        self._pending: dict[int, Proposal] = {}  # pending individuals by `id`, since individuals need not be hashable
        self._row: Outcomes | None = None  # an earlier outcome, with which the dimensions of later outcomes must agree

    @classmethod
    def of(cls, engine: Engine) -> "Search":
        """Return an ask-and-tell search for a loop object, such as `MapElites`.

        Parameters
        ----------
        engine : object
            Loop, such as a `MapElites`, with the methods `propose`, `insert` and `discard`.

        Returns
        -------
        Search
            Search that calls the methods of `engine`.

        Raises
        ------
        TypeError
            If `engine` lacks `propose`, `insert` or `discard`.
        """
        check_instance(engine, "engine")
        if not all(callable(getattr(engine, name, None)) for name in ("propose", "insert", "discard")):
            raise TypeError(f"engine must have the methods propose, insert and discard, got {brief(engine)}")
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
        """Number of the current generation, counted from 0."""
        return self._engine.generation

    @property
    def evaluations(self) -> int:
        """Number of evaluated individuals that were inserted so far."""
        return self._engine.evaluations

    @property
    def pending(self) -> list:
        """Individuals that `ask` returned and whose outcomes are still missing, oldest first."""
        return [individual for individual, _ in self._pending.values()]

    def ask(self, n: int = 1) -> list:
        """Return individuals to evaluate.

        Parameters
        ----------
        n : int, default=1
            Largest number of individuals to return.

        Returns
        -------
        list
            Individuals without a valid fitness. The list has fewer than n individuals, perhaps none, if the loop must
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

        All arguments are checked first, so that the search is unchanged if an error is raised.

        Parameters
        ----------
        individuals : sequence
            Individuals that `ask` returned (the same objects, not copies).
        outcomes : iterable of Outcome
            Outcome of each individual, in the order of `individuals`.

        Returns
        -------
        list of Step
            Completed steps, possibly none: one step per child in the steady-state loop, one step per generation in the
            other loops.

        Raises
        ------
        TypeError
            If an outcome does not consist of numbers.
        ValueError
            If an individual is not pending or occurs twice, or if outcomes differ in the number of fitness values or
            behaviour dimensions.
        """
        proposals = self._check_pending(individuals)
        if not isinstance(outcomes, Iterable):
            raise TypeError(f"outcomes must be a list of Outcome objects, got {brief(outcomes)}")
        outcomes = list(outcomes)
        if len(outcomes) != len(proposals):
            raise ValueError(
                f"outcomes must contain one outcome for each of the {len(proposals)} individuals, got {len(outcomes)}; "
                "pass only individuals that were evaluated"
            )
        row = self._check_outcomes(proposals, outcomes)
        for (individual, _), outcome in zip(proposals, outcomes, strict=True):
            individual.fitness.values = outcome
            del self._pending[id(individual)]
        self._row = row
        return list(self._engine.insert(proposals))

    def forget(self, individuals: Sequence[Any]) -> list[Step]:
        """Discard individuals whose outcomes will never arrive, for example because the simulator crashed.

        Parameters
        ----------
        individuals : sequence
            Individuals that `ask` returned. Discarded individuals do not count as evaluations and do not enter the
            population.

        Returns
        -------
        list of Step
            Steps that are complete without the discarded individuals, possibly none.

        Raises
        ------
        ValueError
            If an individual is not pending or occurs twice, or if it is the last individual of its generation. In the
            steady-state loop, children can always be discarded; only the last initial individual cannot.
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
            JSON-serialisable data and individuals; `Checkpoint.save` also converts the individuals to JSON.
        """
        pending = [[individual, list(parents)] for individual, parents in self._pending.values()]
        return {"engine": self._engine.state(), "pending": pending}

    def restore(self, population: list, state: Mapping[str, Any]) -> None:
        """Restore the loop from the result of `state`; `Checkpoint.restore` restores all other components.

        After `restore`, `pending` contains the individuals that were pending when `state` was called. Pass the
        outcomes of these individuals to `tell`, or discard the individuals with `forget`.

        Parameters
        ----------
        population : list
            Population at the time when `state` was called.
        state : mapping
            State that the method `state` returned.
        """
        self._engine.restore(population, state["engine"])
        self._pending = {id(individual): (individual, tuple(parents)) for individual, parents in state["pending"]}
        self._row = None

    def _check_pending(self, individuals: Sequence[Any]) -> list[Proposal]:
        """Return each individual with its parents; raise an error if an individual is not pending or occurs twice."""
        if not isinstance(individuals, Sequence):
            raise TypeError(f"individuals must be a list of individuals that ask returned, got {brief(individuals)}")
        seen: set[int] = set()
        for individual in individuals:
            if id(individual) in seen:
                raise ValueError(f"individuals must be distinct, got {brief(individual)} twice")
            if id(individual) not in self._pending:
                raise ValueError(
                    f"individuals must be pending, got {brief(individual)}; "
                    "pass the objects that ask returned, not copies, and each object only once"
                )
            seen.add(id(individual))
        return [self._pending[id(individual)] for individual in individuals]

    def _check_outcomes(self, proposals: Sequence[Proposal], outcomes: Sequence[Any]) -> Outcomes | None:
        """Raise an error unless outcomes have equal dimensions; return one outcome to compare with later outcomes."""
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
            # Behaviours that differ in length or type are valid only if all strategies of the search can score them.
            if row.behaviours.ndim == 1:
                for strategy in self._strategies:
                    if strategy is not None:
                        copy.deepcopy(strategy).score(row)
        return row


class _Evaluated:
    """Minimal individual that consists of a fitness, so that `pack` can convert a single outcome to arrays."""

    def __init__(self, fitness: Any):
        self.fitness = fitness


def _make_engine(
    population: list, toolbox: base.Toolbox, strategy: Any, species: Any, loop: Any, options: dict[str, Any]
) -> Engine:
    """Create the `SteadyState` or `Generational` object that breeds and inserts the individuals of a search."""
    if not callable(loop) and not (isinstance(loop, str) and loop in LOOPS):
        raise ValueError(f"loop must be a callable or one of the names {', '.join(LOOPS)}, got {brief(loop)}")
    if loop == "steady":
        if strategy is None:
            raise TypeError("strategy must be a divergent.selection.Strategy if loop is 'steady', got None")
        return SteadyState(population, toolbox, strategy, species, **options)
    if strategy is not None or species is not None:
        raise TypeError(
            f"strategy and species must be None unless loop is 'steady', got loop={brief(loop)} and "
            f"{brief(strategy or species)}; register divergent.by_score with the strategy as toolbox.select"
        )
    return Generational(population, toolbox, survive=loop, **options)

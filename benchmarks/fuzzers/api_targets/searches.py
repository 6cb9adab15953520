"""Functions of `divergent` to be fuzzed: ask and tell, MAP-Elites, constrained search and reporters."""

import io
from collections.abc import Iterator

import divergent
from divergent import neat, selection
from divergent.archives import Elites
from fuzzers.api_targets.target import NOT_GIVEN, Target, given, stepped
from fuzzers.api_targets.values import rng, toolbox, value, walked, walkers


def archive():
    return Elites(bounds=((0, 0), (100, 100)), cells=4)


def outcome_of(walker):
    return divergent.Outcome((walker[0],), behaviour=tuple(walker))


def run_rounds(search, n=5, rounds=4):
    """Execute several rounds of ask and tell with a search, and return the steps that `tell` returned."""
    steps = []
    for _ in range(rounds):
        asked = search.ask(n)
        steps += search.tell(asked, [outcome_of(walker) for walker in asked])
    return steps


def asked_for(count=4):
    """Return a search and the individuals that it proposes for evaluation."""
    search = divergent.Search(walkers()(), toolbox(), selection.Novelty())
    return search, search.ask(count)


def search_targets() -> Iterator[Target]:
    good = {"population": (walkers(), "walkers"), "toolbox": (toolbox, "toolbox"), "n": (value(5), "scalar")}
    yield Target(
        "Search",
        lambda n, **arguments: run_rounds(divergent.Search(**arguments), n),
        good
        | {
            "strategy": (selection.Novelty, "strategy"),
            "species": (value(None), "scalar"),
            "loop": (value("steady"), "scalar"),
            "learn_from": (value(None), "scalar"),
            "refresh": (value(None), "scalar"),
        },
        stepped,
    )
    yield Target(
        "Search with generations",
        lambda n, **arguments: run_rounds(divergent.Search(**arguments), n),
        good
        | {
            "loop": (value("plus"), "scalar"),
            "offspring": (value(None), "scalar"),
            "cxpb": (value(0.5), "scalar"),
            "mutpb": (value(0.3), "scalar"),
        },
        stepped,
    )

    def tell(individuals, outcomes):
        search, asked = asked_for()
        individuals = asked if individuals is NOT_GIVEN else individuals
        outcomes = [outcome_of(walker) for walker in asked] if outcomes is NOT_GIVEN else outcomes
        pending = len(search.pending)
        try:
            search.tell(individuals, outcomes)
        except (TypeError, ValueError):
            assert len(search.pending) == pending, "an error must leave the search as before"
            raise
        return len(search.pending) == pending - len(individuals)

    yield Target(
        "Search.tell", tell, {"individuals": (value(NOT_GIVEN), "walkers"), "outcomes": (value(NOT_GIVEN), "array")}
    )
    yield Target(
        "Search.tell one outcome",
        lambda outcome: (lambda search, asked: search.tell(asked, [outcome]) == [])(*asked_for(1)),
        {"outcome": (value(divergent.Outcome((1.0,), behaviour=(0.0, 1.0))), "array")},
    )

    def forget(individuals):
        search, asked = asked_for()
        individuals = asked if individuals is NOT_GIVEN else individuals
        search.forget(individuals)
        return len(search.pending) == len(asked) - len(individuals)

    yield Target("Search.forget", forget, {"individuals": (value(NOT_GIVEN), "walkers")})
    yield Target(
        "Search.of",
        lambda engine: run_rounds(divergent.Search.of(engine)),
        {"engine": (lambda: divergent.MapElites(walkers()(), toolbox(), archive()), "scalar")},
        stepped,
    )


def illumination_targets() -> Iterator[Target]:
    good = {
        "population": (walkers(), "walkers"),
        "toolbox": (toolbox, "toolbox"),
        "elites": (archive, "scalar"),
        "select": (value(None), "select"),
    }
    for parents in ("uniform", "curiosity", selection.Novelty):
        make = parents if callable(parents) else value(parents)
        yield Target(
            f"MapElites by {getattr(parents, '__name__', parents)}",
            lambda **arguments: run_rounds(divergent.Search.of(divergent.MapElites(**arguments))),
            good | {"parents": (make, "strategy")},
            stepped,
        )
        yield Target(
            f"map_elites by {getattr(parents, '__name__', parents)}",
            lambda **arguments: list(divergent.map_elites(**arguments)),
            good
            | {
                "parents": (make, "strategy"),
                "evaluations": (value(40), "scalar"),
                "batch": (value(10), "scalar"),
            },
            stepped,
        )


def constrained_toolbox():
    made = toolbox()
    made.register(
        "evaluate",
        lambda walker: divergent.Outcome((walker[0],), behaviour=tuple(walker), violation=max(0.0, 40.0 - walker[1])),
    )
    return made


def constrained_targets() -> Iterator[Target]:
    options = {
        "select": (value(None), "select any number"),
        "cxpb": (value(0.5), "scalar"),
        "mutpb": (value(0.3), "scalar"),
        "elites": (value(1), "scalar"),
        "boost": (value(True), "scalar"),
        "smallest": (value(1), "scalar"),
    }
    yield Target(
        "FeasibleInfeasible",
        lambda strategy, **arguments: list(
            divergent.evolve(
                walkers()(),
                constrained_toolbox(),
                3,
                survive=divergent.FeasibleInfeasible(strategy, **arguments),
            )
        ),
        {"strategy": (selection.Novelty, "strategy")} | options,
        lambda steps: [len(step.population) for step in steps] == [12, 12, 12],
    )
    yield Target(
        "FeasibleInfeasible of",
        lambda population, toolbox: divergent.FeasibleInfeasible(selection.Novelty())(population, toolbox),
        {"population": (walked, "walkers"), "toolbox": (constrained_toolbox, "toolbox")},
    )
    yield Target(
        "FeasibleInfeasible.allocate",
        lambda feasible, infeasible: (
            divergent.FeasibleInfeasible(selection.Random(rng=rng())).allocate(feasible, infeasible),
            feasible + infeasible,
        ),
        {"feasible": (value(10), "scalar"), "infeasible": (value(90), "scalar")},
        lambda answer: min(answer[0]) >= 0 and 0 <= answer[1] - sum(answer[0]) <= 2,
    )


def reporter_targets() -> Iterator[Target]:
    def watched(population, generation, evaluations, stream, **arguments):
        stream = io.StringIO() if stream is NOT_GIVEN else stream
        reporter = divergent.Reporter(stream=stream, **given(arguments))
        steps = [divergent.Step(generation, evaluations, population, [])]
        return list(reporter.watch(steps)) == steps and [row["best"] for row in reporter.rows]

    yield Target(
        "Reporter",
        watched,
        {
            "population": (walked, "walkers"),
            "generation": (value(3), "scalar"),
            "evaluations": (value(12), "scalar"),
            "stream": (value(NOT_GIVEN), "scalar"),
            "species": (neat.Species, "scalar"),
            "index": (value(0), "scalar"),
            "every": (value(1), "scalar"),
        },
    )


def top_targets() -> Iterator[Target]:
    yield from search_targets()
    yield from illumination_targets()
    yield from constrained_targets()
    yield from reporter_targets()

"""The operators in DEAP's loops and tools, and in worker processes."""

import copy
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest
from deap import algorithms, base, creator, tools

from divergent import Fitness, Outcome
from divergent.neat import Genome, Innovations, Species, breed, express, mate, mutate, register, select

CASES = [((1.0, 0.0, 0.0), 0.0), ((1.0, 0.0, 1.0), 1.0), ((1.0, 1.0, 0.0), 1.0), ((1.0, 1.0, 1.0), 0.0)]


def xor(genome):
    """Return four minus the squared error, after five passes for each case."""
    network = express(genome)
    error = 0.0
    for inputs, wanted in CASES:
        network.reset()
        error += (network.activate(inputs, passes=5)[0] - wanted) ** 2
    return (4.0 - error,)


def size_outcome(genome):
    return Outcome((float(len(genome)),), behaviour=(float(len(genome)), float(len(genome.hidden))))


def toolbox_for(evaluate, seed=0, **options):
    rng = np.random.default_rng(seed)
    random.seed(seed)
    toolbox = base.Toolbox()
    register(toolbox, 3, 1, hidden=0, rng=rng, **options)
    toolbox.register("evaluate", evaluate)
    toolbox.register("select", select, species=Species(rng=rng))
    return toolbox


@pytest.mark.parametrize("seed", [5, 7])
def test_deap_loop_solves_xor(seed):
    toolbox = toolbox_for(xor, seed)
    best = tools.HallOfFame(1)
    population = toolbox.population(n=150)
    for _ in range(150):
        population, _ = algorithms.eaSimple(population, toolbox, 0.5, 0.8, 1, halloffame=best, verbose=False)
        if best[0].fitness.values[0] >= 3.9:
            break
    assert best[0].fitness.values[0] >= 3.9
    for inputs, wanted in CASES:
        assert (express(best[0]).activate(inputs, passes=5)[0] > 0.5) == (wanted > 0.5)


def small_run(loop, toolbox, **options):
    population = toolbox.population(n=20)
    best = tools.HallOfFame(3)
    statistics = tools.MultiStatistics(
        fitness=tools.Statistics(lambda genome: genome.fitness.values[0]), size=tools.Statistics(len)
    )
    statistics.register("mean", np.mean)
    statistics.register("max", np.max)
    population, log = loop(population, toolbox, ngen=6, stats=statistics, halloffame=best, verbose=False, **options)
    return population, log, best


LOOPS = {
    "eaSimple": (algorithms.eaSimple, {"cxpb": 0.5, "mutpb": 0.5}),
    "eaMuPlusLambda": (algorithms.eaMuPlusLambda, {"mu": 20, "lambda_": 20, "cxpb": 0.4, "mutpb": 0.4}),
    "eaMuCommaLambda": (algorithms.eaMuCommaLambda, {"mu": 20, "lambda_": 30, "cxpb": 0.4, "mutpb": 0.4}),
}


@pytest.mark.parametrize("name", LOOPS)
def test_deap_loops_run_with_statistics_and_hall_of_fame(name):
    loop, options = LOOPS[name]
    toolbox = toolbox_for(size_outcome, connection_rate=0.5, node_rate=0.2)
    population, log, best = small_run(loop, toolbox, **options)
    assert len(log) == 7
    assert log.chapters["size"].select("max") == log.chapters["fitness"].select("max")
    assert len(best[0]) >= max(len(genome) for genome in population)
    assert all(genome.fitness.behaviour == (len(genome), len(genome.hidden)) for genome in population)
    assert len({genome.to_json() for genome in best}) == 3


def test_hall_of_fame_entries_do_not_change():
    toolbox = toolbox_for(size_outcome)
    best = tools.HallOfFame(1)
    genome = toolbox.individual()
    genome.fitness.values = (1.0,)
    best.update([genome])
    toolbox.mutate(genome)
    genome.genes[:, 3] = 2.0
    assert (best[0].genes[:, 3] != 2.0).all()


def test_var_and_and_var_or_do_not_change_parents():
    toolbox = toolbox_for(size_outcome, connection_rate=0.5)
    population = toolbox.population(n=10)
    for genome in population:
        genome.fitness.values = toolbox.evaluate(genome)
    before = copy.deepcopy(population)
    offspring = algorithms.varAnd(population, toolbox, 1.0, 1.0)
    offspring += algorithms.varOr(population, toolbox, 30, 0.4, 0.4)
    assert population == before
    assert any(not genome.fitness.valid for genome in offspring)
    assert all(type(genome) is Genome for genome in offspring)


def test_history_decorates_the_operators():
    toolbox = toolbox_for(size_outcome)
    history = tools.History()
    toolbox.decorate("mate", history.decorator)
    toolbox.decorate("mutate", history.decorator)
    population = toolbox.population(n=6)
    history.update(population)
    for genome in population:
        genome.fitness.values = toolbox.evaluate(genome)
    offspring = algorithms.varAnd(population, toolbox, 1.0, 1.0)
    assert len(history.genealogy_history) > 6
    assert history.getGenealogy(offspring[0])
    assert offspring[0].history_index in history.genealogy_tree


def test_operators_registered_separately_evolve():
    rng = np.random.default_rng(1)
    toolbox = base.Toolbox()
    toolbox.register("individual", Genome.start, 3, 1, rng=rng)
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("clone", Genome.copy)
    toolbox.register("mate", mate, average=0.0, rng=rng)
    toolbox.register("mutate", mutate, innovations=Innovations([toolbox.individual()]), node_rate=0.1, rng=rng)
    toolbox.register("select", tools.selTournament, tournsize=3)
    toolbox.register("evaluate", size_outcome)
    toolbox.register("breed", breed, mate=toolbox.mate, mutate=toolbox.mutate, rng=rng)
    population, _, _ = small_run(algorithms.eaSimple, toolbox, cxpb=0.5, mutpb=0.5)
    assert max(map(len, population)) > 4
    assert not toolbox.breed(*population[:2]).fitness.valid


def test_breed_uses_operators_registered_later():
    toolbox = toolbox_for(size_outcome)
    calls = []
    toolbox.register("mutate", lambda genome: calls.append(genome) or (genome,))
    parent = toolbox.individual()
    toolbox.breed(parent, parent)
    assert len(calls) == 1


def test_toolbox_pickle_and_copy_breed_equal_children():
    toolbox = toolbox_for(size_outcome)
    for duplicate in (pickle.loads(pickle.dumps(toolbox)), copy.deepcopy(toolbox)):
        first_parent, second_parent = duplicate.population(n=2)
        assert len(duplicate.breed(first_parent, second_parent)) >= 3


def test_registered_operators_share_innovations():
    toolbox = toolbox_for(size_outcome, connection_rate=1.0, node_rate=0.0, recurrent=1.0, loop=1.0)
    first, second = toolbox.population(n=2)
    toolbox.mutate(first)
    toolbox.mutate(second)
    assert first.genes[-1, :3].tolist() == second.genes[-1, :3].tolist() == [3, 3, 3]


def test_register_with_innovations_continues_their_numbers():
    toolbox = base.Toolbox()
    innovations = Innovations()
    assert register(toolbox, 3, 1, innovations=innovations) is innovations


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"node_rate": 1.5}, "NEAT option node_rate must be a rate between 0 and 1, got 1.5"),
        ({"power": -1}, "NEAT option power must be a finite number, at least 0, got -1"),
        ({"mutate_only": "often"}, "NEAT option mutate_only must be a rate between 0 and 1, got 'often'"),
        ({"inherit": "none"}, "NEAT option inherit must be one of both, fitter, got 'none'"),
        ({"bias": -1}, "NEAT option bias must be the index of an input, or None, got -1"),
    ],
)
def test_register_with_invalid_rate_raises(options, sentence):
    toolbox = base.Toolbox()
    with pytest.raises(ValueError) as error:  # noqa: PT011
        register(toolbox, 3, 1, **options)
    assert str(error.value) == sentence
    assert not hasattr(toolbox, "mate")


def test_register_with_unknown_rate_raises_its_name():
    with pytest.raises(
        TypeError, match="must be options of NEAT operators, got 'node_rat'; choose from activation_rate"
    ):
        register(base.Toolbox(), 3, 1, node_rat=0.1)


@pytest.fixture
def created():
    creator.create("CreatedFitness", Fitness, weights=(-1.0,))
    creator.create("CreatedIndividual", Genome, fitness=creator.CreatedFitness)
    yield creator.CreatedIndividual
    del creator.CreatedFitness, creator.CreatedIndividual


def test_creator_individuals_in_a_deap_loop_evolve(created):
    toolbox = toolbox_for(size_outcome, genome=created, connection_rate=0.5, node_rate=0.2)
    population, _, best = small_run(algorithms.eaMuPlusLambda, toolbox, mu=20, lambda_=20, cxpb=0.4, mutpb=0.4)
    assert all(type(genome) is created for genome in population)
    assert all(type(genome.fitness) is creator.CreatedFitness for genome in population)
    assert len(best[0]) == 3  # fewer connections are better here


def test_creator_individuals_pickled_keep_genes_and_fitness(created):
    genome = created.start(3, 1, rng=np.random.default_rng(0))
    genome.fitness.values = (2.0,)
    duplicate = pickle.loads(pickle.dumps(genome))
    assert duplicate == genome
    assert type(duplicate).__name__ == "CreatedIndividual"
    assert duplicate.fitness.values == (2.0,)


def history(toolbox):
    population, log, _ = small_run(algorithms.eaMuPlusLambda, toolbox, mu=20, lambda_=20, cxpb=0.4, mutpb=0.4)
    return [genome.to_json() for genome in population], [genome.fitness.behaviour for genome in population], str(log)


SCRIPT = """
import multiprocessing, random, sys
import numpy as np
from deap import algorithms, base
from joblib import Parallel, delayed
from divergent import Outcome
from divergent.neat import Species, register, select


def evaluate(genome):
    return Outcome((float(len(genome)),), behaviour=(len(genome), len(genome.hidden)))


def history(apply):
    rng = np.random.default_rng(0)
    random.seed(0)
    toolbox = base.Toolbox()
    register(toolbox, 3, 1, connection_rate=0.5, rng=rng)
    toolbox.register("evaluate", evaluate)
    toolbox.register("select", select, species=Species(rng=rng))
    toolbox.register("map", apply)
    population, _ = algorithms.eaMuPlusLambda(toolbox.population(n=20), toolbox, 20, 20, 0.4, 0.4, 5, verbose=False)
    return [(genome.to_json(), genome.fitness.values, genome.fitness.behaviour) for genome in population]


if __name__ == "__main__":
    wanted = history(map)
    if sys.argv[1] == "joblib":
        found = history(lambda function, items: Parallel(n_jobs=2)(delayed(function)(item) for item in items))
    else:
        with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
            found = history(pool.map)
    print("equal" if found == wanted and len(set(behaviour for _, _, behaviour in found)) > 1 else "different")
"""


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fork", "spawn", "joblib"])
def test_evolution_with_worker_processes_gives_the_same_history(method, tmp_path):
    script = tmp_path / "evolve_in_workers.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, script, method], capture_output=True, text=True, timeout=120)
    assert done.stdout == "equal\n", done.stderr


def test_evolution_with_equal_seeds_gives_equal_runs():
    assert history(toolbox_for(xor, 3)) == history(toolbox_for(xor, 3))
    assert history(toolbox_for(xor, 3))[0] != history(toolbox_for(xor, 4))[0]

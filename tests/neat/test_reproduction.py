"""Generational NEAT: allocation of offspring, survival of champions, stagnation of species."""

import json
from collections import Counter
from multiprocessing.pool import ThreadPool

import numpy as np
import pytest
from deap import base
from hypothesis import given, settings
from hypothesis import strategies as st

from divergent import Checkpoint, History, Outcome, evolve
from divergent.neat import Genome, Reproduction, Species, register
from divergent.plots import draw_species
from divergent.selection import Novelty, Objective

INPUTS = 90


def member(kind, fitness):
    """A genome of a species of its own kind, evaluated."""
    genes = [[10 * kind + number, 10 * kind + number, INPUTS, 1.0, 1.0] for number in range(5)]
    genome = Genome(genes, inputs=INPUTS, outputs=1)
    genome.fitness.values = (float(fitness),)
    return genome


def kind(genome):
    return int(genome.genes[0, 0]) // 10


def kinds(population):
    """Count the individuals of each kind."""
    return dict(sorted(Counter(map(kind, population)).items()))


class Copies:
    """A toolbox whose children are copies of their first parents, and that records the parents."""

    def __init__(self):
        self.couples = []

    def breed(self, first_parent, second_parent):
        self.couples.append((first_parent, second_parent))
        child = first_parent.copy()
        del child.fitness.values
        return child


def generations(population, reproduction, count, fitness):
    """Return the kinds of each generation; `fitness` maps a kind and a generation to its fitness."""
    for generation in range(1, count + 1):
        population = reproduction(population, Copies())
        for genome in population:
            genome.fitness.values = (float(fitness(kind(genome), generation)),)
        yield kinds(population)


def reproduction_of(**options):
    return Reproduction(threshold=1.0, rng=np.random.default_rng(1), **options)


def run(seed=1, generations=12, population=40, strategy=None, tool=None):
    """A small real run: the larger the sum of the weights, the better."""
    rng = np.random.default_rng(seed)
    toolbox = base.Toolbox()
    register(toolbox, 3, 1, preset="neat2002", node_rate=0.2, connection_rate=0.3, rng=rng)
    toolbox.register("evaluate", evaluate)
    if tool is not None:
        toolbox.register("map", tool)
    reproduction = Reproduction(strategy=strategy, rng=rng)
    steps = evolve(toolbox.population(n=population), toolbox, generations, survive=reproduction)
    return toolbox, reproduction, steps


def evaluate(genome):
    return Outcome((float(genome.genes[:, 3].sum()),), behaviour=(float(len(genome)), float(genome.genes[0, 3])))


def test_offspring_are_proportional_to_mean_fitness():
    population = [member(0, fitness) for fitness in (5, 1, 3, 3)] + [member(1, 1) for _ in range(4)]
    following = reproduction_of()(population, Copies())
    assert kinds(following) == {0: 6, 1: 2}
    assert not any(genome.fitness.valid for genome in following)


def test_reproduction_with_a_large_species_shares_its_fitness():
    population = [member(0, 2) for _ in range(9)] + [member(1, 2)]
    assert kinds(reproduction_of()(population, Copies())) == {0: 5, 1: 5}


def test_champion_of_a_species_above_five_survives():
    population = [member(0, fitness) for fitness in (1, 9, 2, 3, 4, 5)] + [
        member(1, fitness) for fitness in (8, 1, 1, 1, 1)
    ]
    champion, genes = population[1], population[1].genes.copy()
    following = reproduction_of()(population, Copies())
    assert [genome for genome in following if genome.fitness.valid] == [champion]
    assert following[0] is champion
    assert champion.fitness.values == (9.0,)
    assert np.array_equal(champion.genes, genes)
    assert len(following) == 11


def test_parents_are_the_best_fifth():
    population = [member(0, fitness) for fitness in range(11)]
    toolbox = Copies()
    reproduction_of()(population, toolbox)
    parents = {int(parent.fitness.values[0]) for couple in toolbox.couples for parent in couple}
    assert parents == {8, 9, 10}


def test_interspecies_parent_is_a_champion():
    population = [member(0, fitness) for fitness in (1, 4)] + [member(1, fitness) for fitness in (2, 3)]
    toolbox = Copies()
    reproduction_of(interspecies=1.0)(population, toolbox)
    assert {
        (kind(first_parent), second_parent.fitness.values[0]) for first_parent, second_parent in toolbox.couples
    } == {(0, 3.0), (1, 4.0)}


def test_stagnant_species_has_no_offspring():
    reproduction = reproduction_of(stagnation=3)
    population = [member(0, 2) for _ in range(4)] + [member(1, 2) for _ in range(4)]
    # both have nearly equal fitness; only the first improves
    sizes = list(generations(population, reproduction, 5, lambda kind, generation: 2 + (kind == 0) * generation / 1000))
    assert sizes == [{0: 4, 1: 4}] * 3 + [{0: 8}] * 2
    assert list(reproduction.records) == [0]
    assert reproduction.ages == {0: 4}


def test_reproduction_after_improvement_resets_stagnation():
    reproduction = reproduction_of(stagnation=3)
    population = [member(0, 2) for _ in range(4)] + [member(1, 2) for _ in range(4)]
    sizes = list(
        generations(
            population, reproduction, 5, lambda kind, generation: 2 + (kind == 0 or generation > 1) * generation / 1000
        )
    )
    assert sizes == [{0: 4, 1: 4}] * 5


def test_stagnant_species_of_the_best_has_offspring():
    reproduction = reproduction_of(stagnation=2, refocus=50)
    population = [member(0, 3) for _ in range(4)] + [member(1, 1) for _ in range(4)]
    sizes = list(generations(population, reproduction, 6, lambda kind, generation: (3, 1)[kind]))
    assert sizes[-1] == {0: 8}


def test_stagnant_population_keeps_the_two_best_species():
    reproduction = reproduction_of(stagnation=50, refocus=2)
    population = [member(which, which + 5) for which in (0, 1, 2) for _ in range(3)]
    sizes = list(generations(population, reproduction, 4, lambda kind, generation: kind + 5))
    assert all(set(counts) == {0, 1, 2} for counts in sizes[:3])
    assert set(sizes[3]) == {1, 2}


def test_refocus_resets_the_stagnation_of_two_species():
    reproduction = reproduction_of(stagnation=2, refocus=3)
    population = [member(which, which + 5) for which in (0, 1, 2) for _ in range(3)]
    sizes = list(generations(population, reproduction, 6, lambda kind, generation: kind + 5))
    assert [sorted(counts) for counts in sizes] == [[0, 1, 2]] * 2 + [[2]] * 4


def test_negative_fitness_is_shifted_by_the_lowest():
    population = [member(0, -1) for _ in range(2)] + [member(1, -3) for _ in range(2)]
    assert kinds(reproduction_of()(population, Copies())) == {0: 4}


@settings(max_examples=8)
@given(st.integers(0, 1000), st.integers(1, 60))
def test_generations_keep_their_size_and_only_champions_survive(seed, population):
    _, reproduction, steps = run(seed, generations=6, population=population)
    before = next(steps).population
    for step in steps:
        assert len(step.population) == population
        assert all(genome.fitness.valid for genome in step.population)
        labels, sizes = reproduction.species.labels, reproduction.species.sizes
        champions = {}
        for genome, label in zip(before, labels.tolist(), strict=True):
            if label not in champions or genome.fitness > champions[label].fitness:
                champions[label] = genome
        large = {id(champion) for label, champion in champions.items() if sizes[label] > 5}
        offspring = {id(genome) for genome in step.offspring}
        assert {id(genome) for genome in step.population} - offspring <= large
        assert len(offspring) + len(large) >= population
        before = step.population


def test_reproduction_with_strategy_uses_its_scores():
    strategy = Novelty(neighbours=3)
    _, _, steps = run(strategy=strategy, generations=4)
    before = next(steps).population
    assert all(np.isnan(genome.fitness.score) for genome in before)
    step = next(steps)
    assert not any(np.isnan(genome.fitness.score) for genome in before)
    assert len(strategy.archive) > 0
    assert len(step.population) == 40


def test_reproduction_with_objective_equals_fitness():
    ends = []
    for strategy in (None, Objective()):
        *_, last = run(strategy=strategy)[2]
        ends.append([genome.genes.tolist() for genome in last.population])
    assert ends[0] == ends[1]


def test_reproduction_with_a_pool_gives_the_same_run():
    *_, alone = run()[2]
    with ThreadPool(2) as pool:
        *_, together = run(tool=pool.map)[2]
    assert alone.evaluations == together.evaluations
    assert alone.population == together.population


def test_history_records_the_species_of_the_population():
    toolbox, reproduction, _ = run()
    history = History(species=reproduction.species)
    steps = evolve(toolbox.population(n=40), toolbox, 8, survive=reproduction)
    rivers = []
    for step in history.watch(steps):
        if step.generation:
            rivers.append(
                dict(zip(reproduction.species.ids.tolist(), reproduction.species.sizes.tolist(), strict=True))
            )
    assert all(sum(sizes.values()) == 40 for sizes in rivers)
    assert (history.parents[40:, 0] >= 0).all()
    ax = draw_species(rivers)
    assert ax.get_ylim() == (0, 40)
    ax.figure.clear()


def test_reproduction_state_resumes_exactly():
    toolbox, reproduction, steps = run(generations=6)
    *_, last = steps
    state = json.loads(json.dumps(reproduction.state()))
    generator = reproduction.species.rng.bit_generator.state
    through = list(evolve(last.population, toolbox, 9, survive=reproduction, done=6))
    # the innovations are restored, so the same numbers are assigned again
    other = Reproduction(rng=reproduction.species.rng)
    other.restore(state)
    assert reproduction.species.rng.bit_generator.state == generator
    again = list(evolve(last.population, toolbox, 9, survive=other, done=6))
    assert [genome.genes.tolist() for genome in again[-1].population] == [
        genome.genes.tolist() for genome in through[-1].population
    ]
    assert other.state() == reproduction.state()


def kept(path, generations):
    """Return the last generation of a run with a checkpoint in every third generation."""
    rng = np.random.default_rng(5)
    toolbox = base.Toolbox()
    innovations = register(toolbox, 3, 1, preset="neat2002", node_rate=0.2, rng=rng)
    toolbox.register("evaluate", evaluate)
    reproduction = Reproduction(stagnation=4, rng=rng)
    checkpoint = Checkpoint(path, reproduction=reproduction, innovations=innovations, rng=rng)
    start = checkpoint.restore(toolbox.population(n=30))
    for step in evolve(start.population, toolbox, generations, survive=reproduction, done=start.done):
        if step.generation % 3 == 2:
            checkpoint.save(step)
    return [genome.genes.tolist() for genome in step.population], reproduction.state()


def test_reproduction_checkpoint_resumes_exactly(tmp_path):
    whole = kept(tmp_path / "whole.npz", 12)
    kept(tmp_path / "stopped.npz", 8)
    assert kept(tmp_path / "stopped.npz", 12) == whole


def test_restore_with_invalid_state_raises():
    reproduction = reproduction_of()
    reproduction([member(0, 1), member(1, 2)], Copies())
    good = reproduction.state()
    for part, value, sentence in (
        ("generation", -1, "generation must be an integer, at least 0, got -1"),
        ("best", "much", "best score of the state must be a finite number, got 'much'"),
        ("lines", [[1, 2]], r"each entry of .* 'lines' in .* must be \[species id, .* best score\], got \[1, 2\]"),
    ):
        with pytest.raises(ValueError, match=sentence):
            Reproduction().restore({**good, part: value})
    with pytest.raises(ValueError, match=r"state must be a dictionary that Reproduction.state\(\) returned, got \{\}"):
        Reproduction().restore({})


def test_reproduction_with_invalid_arguments_raises():
    with pytest.raises(TypeError, match="toolbox must have 'breed'"):
        Reproduction()([member(0, 1)], base.Toolbox())
    with pytest.raises(ValueError, match="stagnation must be an integer, at least 1, got 0"):
        Reproduction(stagnation=0)
    with pytest.raises(TypeError, match="species must be a Species or None, got 3"):
        Reproduction(3)
    with pytest.raises(TypeError, match="options must not be combined with species, got threshold"):
        Reproduction(Species(), threshold=1.0)
    with pytest.raises(TypeError, match=r"strategy must be a divergent\.selection\.Strategy, or None, got <class"):
        Reproduction(strategy=Novelty)
    with pytest.raises(TypeError, match="unexpected keyword argument 'treshold'"):
        Reproduction(treshold=1.0)

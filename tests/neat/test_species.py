"""Species: membership, allocation of offspring, parents and replacement, compared with a reference implementation."""

import copy
import json
import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_species import PlainSpecies

from divergent import Outcome, by_score
from divergent.neat import Genome, Innovations, Species, mutate, select
from divergent.selection import Objective


def line(*weights, first=0):
    """A genome with one connection for each weight, innovations counted from `first`."""
    genes = [[first + n, first + n, 90, weight, 1] for n, weight in enumerate(weights)]
    return Genome(genes, inputs=90, outputs=1)


def relatives(count, steps=30, seed=0, innovations=None):
    rng = np.random.default_rng(seed)
    genomes = [Genome.start(4, 2, rng=rng) for _ in range(count)]
    innovations = innovations or Innovations(genomes[:1])
    for genome in genomes:
        for _ in range(int(rng.integers(1, steps))):
            mutate(genome, innovations=innovations, node_rate=0.1, connection_rate=0.3, rng=rng)
    return genomes


def test_assign_first_individual_founds_a_species():
    species = Species(threshold=4.0)
    near, far = line(0.0, 0.0), line(3.0, 3.0)
    assert species.assign([near, far, near, far]).tolist() == [0, 1, 0, 1]
    assert species.count == len(species) == 2
    assert species.sizes.tolist() == [2, 2]


def test_assign_chooses_the_first_compatible_species():
    # 1.25 is nearer to 2 than to 0, but 3 x 1.25 is below the threshold
    species = Species(threshold=4.0)
    assert species.assign([line(0.0), line(2.0), line(1.25)]).tolist() == [0, 1, 0]


def test_assign_requires_a_distance_below_the_threshold():
    assert Species(threshold=3.0).assign([line(0.0), line(1.0)]).tolist() == [0, 1]
    assert Species(threshold=3.001).assign([line(0.0), line(1.0)]).tolist() == [0, 0]


def test_assign_keeps_species_and_removes_empty_species():
    species = Species(threshold=1.0)
    species.assign([line(0.0), line(1.0), line(2.0)])
    assert species.assign([line(2.1), line(0.1), line(2.2)]).tolist() == [1, 0, 1]
    assert species.count == 2
    assert species.assign([line(1.0), line(2.0), line(0.0)]).tolist() == [2, 1, 0]


def test_parents_makes_the_champion_the_representative():
    species = Species(threshold=1.0)
    species.assign([line(0.0), line(0.3)])
    assert species.parents([1.0, 2.0], 0).tolist() == [1]
    assert species.representatives.tolist() == [1]
    assert species.assign([line(0.6), line(-0.2)]).tolist() == [0, 1]


@pytest.mark.parametrize("coefficients", [{}, {"disjoint": 0.5, "excess": 2.0, "weight": 0.4}, {"excess": 0.0}])
@pytest.mark.parametrize("threshold", [0.5, 3.0, 8.0, 40.0])
def test_assign_equals_the_reference(threshold, coefficients):
    species = Species(threshold=threshold, **coefficients)
    plain = PlainSpecies(threshold, **coefficients)
    innovations = Innovations([Genome.start(4, 2, rng=np.random.default_rng(0))])
    for seed in range(4):
        genomes = relatives(40 + 5 * seed, seed=seed, innovations=innovations)
        plain.assign(genomes)
        assert species.assign(genomes).tolist() == plain.labels(len(genomes))
        assert species.count == len(plain.models)
        assert species.representatives.tolist() == plain.champions
        assert species.ids.tolist() == plain.ids


def test_adapt_moves_the_threshold_towards_the_target():
    species = Species(target=2, threshold=4.0)
    species.assign([line(0.0)])
    species.adapt()
    assert species.threshold == 3.9
    species.assign([line(0.0), line(3.0)])
    species.adapt()
    assert species.threshold == 3.9
    species.assign([line(0.0), line(3.0), line(-3.0)])
    species.adapt()
    assert species.threshold == 4.0


def test_adapt_respects_the_floor():
    species = Species(threshold=0.35)
    species.assign([line(0.0)])
    for _ in range(3):
        species.adapt()
    assert species.threshold == 0.3


def test_allocate_offspring_is_proportional_and_sums_to_k():
    species = Species(threshold=1.0)
    species.assign([line(0.0), line(0.0), line(2.0), line(-2.0)])
    # means 3, 5 and 1
    assert species.allocate_offspring([2.0, 4.0, 5.0, 1.0], 9).tolist() == [3, 5, 1]
    assert species.allocate_offspring([2.0, 4.0, 5.0, 1.0], 4).tolist() == [1, 2, 1]
    assert species.allocate_offspring([5.0, 5.0, 5.0, 5.0], 7).tolist() == [3, 2, 2]
    assert species.allocate_offspring([0.0, 0.0, 0.0, 0.0], 7).tolist() == [3, 2, 2]


def test_allocate_offspring_with_negative_scores_subtracts_the_lowest():
    species = Species(threshold=1.0)
    species.assign([line(0.0), line(0.0), line(2.0), line(-2.0)])
    # above -9: means 2, 4 and 0
    assert species.allocate_offspring([-8.0, -6.0, -5.0, -9.0], 6).tolist() == [2, 4, 0]
    assert species.allocate_offspring([-7.0, -7.0, -7.0, -7.0], 7).tolist() == [3, 2, 2]
    # one negative score is enough: above -1, means 2, 3 and 0
    assert species.allocate_offspring([0.0, 2.0, 2.0, -1.0], 5).tolist() == [2, 3, 0]


def test_allocate_offspring_among_some_species_excludes_the_others():
    species = Species(threshold=1.0)
    species.assign([line(1.0), line(1.0, first=10), line(1.0, first=20)])
    assert species.allocate_offspring([4.0, 1.0, 1.0], 10, among=[1, 2]).tolist() == [0, 5, 5]
    assert species.allocate_offspring([4.0, 1.0, 4.0], 10, among=[0, 1]).tolist() == [8, 2, 0]
    assert species.allocate_offspring([4.0, 0.0, 0.0], 10, among=[1, 2]).tolist() == [0, 5, 5]
    with pytest.raises(ValueError, match="labels of species must be from 0 to 2, got 3"):
        species.allocate_offspring([4.0, 1.0, 1.0], 10, among=[3])
    with pytest.raises(ValueError, match="among must contain at least one species label, got none"):
        species.allocate_offspring([4.0, 1.0, 1.0], 10, among=[])


def test_parents_are_the_best_fraction_best_first():
    species = Species(threshold=100.0)
    species.assign([line(float(n % 3)) for n in range(16)])
    scores = [float(n * 7 % 16) for n in range(16)]
    parents = species.parents(scores, 0)
    assert len(parents) == 7  # ranks 0 to floor(0.4 x 15)
    assert [scores[index] for index in parents] == [15, 14, 13, 12, 11, 10, 9]


@pytest.mark.parametrize(("size", "pool"), [(1, 1), (2, 1), (3, 1), (4, 2), (6, 3)])
def test_parents_of_a_small_species_are_at_least_one(size, pool):
    species = Species()
    species.assign([line(0.0)] * size)
    assert species.parents(np.arange(size), 0).tolist() == list(range(size - 1, size - 1 - pool, -1))


def test_parents_of_equal_score_are_ordered_by_index():
    species = Species(fraction=1.0)
    species.assign([line(0.0)] * 40)
    scores = np.arange(40) % 3
    wanted = sorted(range(40), key=lambda row: (-scores[row], row))
    assert species.parents(scores, 0).tolist() == wanted


def test_select_parents_draws_species_in_proportion_to_their_means():
    species = Species(threshold=1.0, interspecies=0.0, rng=np.random.default_rng(0))
    labels = species.assign([line(0.0)] * 5 + [line(2.0)] * 10 + [line(-2.0)] * 5)
    scores = np.array([3.0] * 5 + [4.0] * 10 + [1.0] * 5)
    counts = np.zeros(3)
    for _ in range(3000):
        first_parent, second_parent = species.select_parents(scores)
        assert labels[first_parent] == labels[second_parent]
        counts[labels[first_parent]] += 1
    assert counts / 3000 == pytest.approx([3 / 8, 4 / 8, 1 / 8], abs=0.03)


def test_select_parents_with_negative_scores_subtracts_the_lowest():
    species = Species(threshold=1.0, interspecies=0.0, rng=np.random.default_rng(0))
    labels = species.assign([line(0.0)] * 5 + [line(2.0)] * 10 + [line(-2.0)] * 5)
    scores = np.array([-3.0] * 5 + [-2.0] * 10 + [-5.0] * 5)
    counts = np.zeros(3)
    for _ in range(3000):
        counts[labels[species.select_parents(scores)[0]]] += 1
    assert counts / 3000 == pytest.approx([0.4, 0.6, 0.0], abs=0.03)


def test_select_parents_is_uniform_in_the_pool():
    species = Species(interspecies=0.0, rng=np.random.default_rng(0))
    species.assign([line(0.0)] * 11)
    counts = np.zeros((11, 11))
    for _ in range(5000):
        counts[species.select_parents(np.arange(11.0))] += 1
    assert counts[:6].sum() == counts[:, :6].sum() == 0
    assert counts[6:, 6:] / 5000 == pytest.approx(np.full((5, 5), 0.04), abs=0.012)


@pytest.mark.parametrize("score", [-7.0, 0.0, 0.1])
def test_select_parents_with_equal_scores_draws_species_uniformly(score):
    species = Species(threshold=1.0, rng=np.random.default_rng(0))
    labels = species.assign([line(0.0)] * 9 + [line(2.0)])
    chosen = [labels[species.select_parents(np.full(10, score))[0]] for _ in range(2000)]
    assert np.mean(chosen) == pytest.approx(0.5, abs=0.04)


def test_select_parents_interspecies_parent_is_a_representative():
    species = Species(threshold=1.0, interspecies=1.0, rng=np.random.default_rng(0))
    labels = species.assign([line(0.0)] * 3 + [line(2.0)] * 3 + [line(-2.0)] * 3)
    second_parents = set()
    for _ in range(200):
        first_parent, second_parent = species.select_parents(np.ones(9))
        assert labels[first_parent] != labels[second_parent]
        assert second_parent in species.representatives
        second_parents.add(second_parent)
    assert second_parents == {0, 3, 6}
    species.assign([line(0.0)] * 9)
    assert max(species.select_parents(np.ones(9))) < 9  # a single species has both parents


def test_replace_removes_the_lowest_score_per_species_size():
    species = Species(threshold=1.0)
    species.assign([line(0.0), line(0.0), line(0.0), line(2.0)])
    # 3 / 3, 6 / 3, 9 / 3, 1.5 / 2, 4 / 2
    assert species.replace(line(2.0), np.array([3.0, 6.0, 9.0, 1.5, 4.0])) == 3
    assert species.labels.tolist() == [0, 0, 0, 1]


def test_replace_with_negative_scores_subtracts_the_lowest():
    species = Species(threshold=1.0)
    species.assign([line(0.0), line(0.0), line(2.0)])
    # above -4: 2 / 2, 3 / 2, 0 / 1, 4 / 1
    assert species.replace(line(-2.0), np.array([-2.0, -1.0, -4.0, 0.0])) == 2
    assert species.labels.tolist() == [0, 0, 1]
    assert species.count == 2


def test_replace_breaks_ties_by_index_and_may_remove_the_child():
    species = Species()
    species.assign([line(0.0)] * 3)
    assert species.replace(line(0.5), np.ones(4)) == 0
    assert species.replace(line(0.5), np.array([1.0, 1.0, 1.0, 0.5])) == 3
    assert species.sizes.tolist() == [3]


@pytest.mark.parametrize("lowest", [1.5 + 2**-52, 0.0])
def test_replace_ties_are_of_divided_scores(lowest):
    species = Species()
    species.assign([line(0.0)] * 2)
    above = math.nextafter(lowest, 9.0)
    assert above / 3 == lowest / 3
    assert species.replace(line(0.5), np.array([above, lowest, 2.0])) == 0
    assert species.replace(line(0.5), np.array([2.0, 2 * above + 1e-14, lowest])) == 2


def test_replace_of_the_representative_promotes_the_first_member():
    species = Species(threshold=4.0)
    species.assign([line(0.0), line(0.5), line(1.0)])
    species.select_parents(np.array([1.0, 2.0, 9.0]))
    assert species.representatives.tolist() == [2]
    assert species.replace(line(0.0), np.array([5.0, 5.0, 0.0, 5.0])) == 2
    assert species.representatives.tolist() == [0]


def test_replace_with_oldest_breaks_ties_by_age():
    species = Species(replacement_ties="oldest")
    species.assign([line(0.0)] * 3)
    assert species.replace(line(0.5), np.array([0.0, 1.0, 1.0, 1.0])) == 0  # the youngest now has the lowest index
    assert species.replace(line(0.5), np.ones(4)) == 1
    assert species.replace(line(0.5), np.ones(4)) == 2
    assert species.replace(line(0.5), np.ones(4)) == 0


def test_replace_with_oldest_breaks_ties_between_species_by_age():
    species = Species(threshold=1.0, replacement_ties="oldest")
    species.assign([line(0.0), line(0.0), line(9.0), line(9.0)])
    assert species.replace(line(0.0), np.array([0.0, 6.0, 6.0, 6.0, 6.0])) == 0
    assert species.labels.tolist() == [0, 0, 1, 1]
    # 4 / 2 in the first species, twice, and 6 / 3 in the second
    assert species.replace(line(9.0), np.array([4.0, 9.0, 6.0, 9.0, 9.0])) == 2


def test_next_representative_by_rank_is_the_next_best_of_the_last_ranking():
    species = Species(threshold=4.0, next_representative="rank")
    species.assign([line(0.0), line(0.5), line(1.0), line(1.2)])
    species.select_parents(np.array([1.0, 2.0, 9.0, 5.0]))
    assert species.representatives.tolist() == [2]
    # scores that changed since do not change the ranking 2, 3, 1, 0
    assert species.replace(line(0.0), np.array([9.0, 9.0, 0.0, 5.0, 9.0])) == 2
    assert species.representatives.tolist() == [3]
    assert species.replace(line(0.0), np.array([9.0, 9.0, 9.0, 0.0, 9.0])) == 3
    assert species.representatives.tolist() == [1]
    assert species.replace(line(0.0), np.array([9.0, 0.0, 9.0, 9.0, 9.0])) == 1
    assert species.representatives.tolist() == [0]
    # those that joined follow in their order: the children took the rows 2, 3 and 1
    assert species.replace(line(0.0), np.array([0.0, 9.0, 9.0, 9.0, 9.0])) == 0
    assert species.representatives.tolist() == [2]


def test_select_parents_with_self_crossover_and_one_candidate_has_no_second_parent():
    species = Species(self_crossover=True)
    species.assign([line(0.0)] * 3)  # of three the best 1 + int(0.4 * 2) reproduce
    assert [species.select_parents(np.arange(3.0)) for _ in range(20)] == [(2, None)] * 20
    species.assign([line(0.0)] * 4)
    assert {species.select_parents(np.arange(4.0)) for _ in range(200)} == {(3, 3), (3, 2), (2, 3), (2, 2)}


@pytest.mark.parametrize(
    "options", [{}, {"replacement_ties": "oldest", "next_representative": "rank", "self_crossover": True}]
)
def test_restore_without_orders_uses_the_indices(options):
    population = relatives(10)
    species = Species(**options)
    species.assign(population)
    state = species.state()
    assert state["birth_order"] == state["ranking"] == list(range(10))
    older = {name: value for name, value in state.items() if name not in ("birth_order", "ranking")}
    again = Species(**options)
    again.restore(older, population)
    assert again.state() == state


def test_replace_with_a_distant_child_founds_a_species():
    species = Species(threshold=1.0)
    species.assign([line(0.0)] * 3)
    assert species.replace(line(2.5), np.array([2.0, 1.0, 2.0, 2.0])) == 1
    assert species.labels.tolist() == [0, 1, 0]
    assert species.sizes.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("options", "digits"),
    [
        ({}, 15),
        ({"disjoint": 1.5, "excess": 0.5, "weight": 1.0}, 15),
        ({}, 0),
        ({"replacement_ties": "oldest"}, 0),
        ({"next_representative": "rank"}, 0),
        ({"replacement_ties": "oldest", "next_representative": "rank"}, 0),
    ],
)
def test_thousands_of_replacements_equal_the_reference(options, digits):
    rng = np.random.default_rng(7)
    innovations = Innovations([Genome.start(4, 2, rng=np.random.default_rng(0))])
    population = relatives(30, steps=4, innovations=innovations)
    species = Species(target=6, interspecies=0.05, rng=rng, **options)
    plain = PlainSpecies(species.threshold, **options)
    species.assign(population)
    plain.assign(population)
    scores = np.empty(31)
    seen = set()
    for step in range(1500):
        if step % 6 == 0:  # larger genomes score more; some scores are negative half of the time
            scores[:30] = [round(len(genome) * rng.random(), digits) - 10 * (step % 4) for genome in population]
            species.respeciate()
            plain.threshold = species.threshold
            plain.respeciate(population)
        draw = copy.deepcopy(rng).random()
        first_parent, second_parent = species.select_parents(scores[:30])
        chosen = plain.label(first_parent)
        assert chosen == plain.choose(scores[:30].tolist(), draw)
        ranked = plain.rank(chosen, scores)
        pool = ranked[: 1 + int(0.4 * (len(ranked) - 1))]
        assert first_parent in pool
        assert second_parent in pool or second_parent in plain.champions
        plain.crown(chosen, ranked[0], population)
        child = population[first_parent].copy()
        mutate(child, innovations=innovations, node_rate=0.2, connection_rate=0.6, rng=rng)
        plain.join(30, child, plain.place(child))
        scores[30] = round(len(child) * rng.random(), digits)
        removed = species.replace(child, scores)
        assert removed == plain.replace([*population, child], scores.tolist())
        if removed < 30:
            population[removed], scores[removed] = child, scores[30]
            plain.models = [population[row] for row in plain.champions]
        assert species.labels.tolist() == plain.labels(30)
        assert species.sizes.tolist() == [len(members) for members in plain.members]
        assert species.representatives.tolist() == plain.champions
        assert species.ids.tolist() == plain.ids
        assert species.state()["birth_order"] == sorted(range(30), key=lambda row: plain.insertions[row])
        seen.add(species.count)
    assert len(seen) > 3
    assert max(len(genome) for genome in population) > 64  # the packed rows have grown several times


def test_replace_enlarges_the_arrays():
    species = Species(threshold=1.5)
    species.assign([line(0.0), line(0.0)])
    long = line(*range(80))
    assert species.replace(long, np.array([0.0, 1.0, 1.0])) == 0
    assert species.labels.tolist() == [1, 0]
    assert species.replace(line(1.0, first=89), np.array([1.0, 0.0, 1.0])) == 1
    species.respeciate()
    assert species.labels.tolist() == [0, 1]
    assert species.replace(long, np.array([2.0, 0.0, 2.0])) == 1
    assert species.labels.tolist() == [0, 0]


def test_select_parents_with_equal_seeds_gives_equal_parents():
    genomes = relatives(20)
    couples = []
    for _ in range(2):
        species = Species(rng=np.random.default_rng(3))
        species.assign(genomes)
        couples.append([species.select_parents(np.arange(20.0)) for _ in range(50)])
    assert couples[0] == couples[1]


def test_divides_compares_the_genes_of_members():
    population = relatives(12)
    species = Species()
    assert not species.divides(population)
    species.assign(population)
    assert species.divides(population)
    assert species.divides([genome.copy() for genome in population])
    assert not species.divides(population[::-1])
    assert not species.divides(population[:-1])
    child = relatives(1, seed=9)[0]
    removed = species.replace(child, np.append(np.arange(12.0), 99.0))
    assert removed < 12
    assert not species.divides(population)
    population[removed] = child
    assert species.divides(population)
    child.genes[0, 3] += 1.0
    assert not species.divides(population)


@pytest.mark.parametrize("options", [{}, {"replacement_ties": "oldest", "next_representative": "rank"}])
def test_species_state_resumes_exactly(options):
    rng = np.random.default_rng(1)
    population = relatives(25)
    innovations = Innovations(population)
    species = Species(target=5, rng=rng, **options)
    species.assign(population)
    scores = np.append(np.random.default_rng(2).random(25).round(1), 0.0)

    def replacements(species, population, innovations, scores, count):
        history = []
        for step in range(count):
            if step % 5 == 0:
                species.respeciate()
            first_parent, second_parent = species.select_parents(scores[:25])
            child = population[first_parent].copy()
            mutate(child, innovations=innovations, node_rate=0.1, connection_rate=0.3, rng=species.rng)
            scores[25] = round(species.rng.random(), 1)
            removed = species.replace(child, scores)
            if removed < 25:
                population[removed], scores[removed] = child, scores[25]
            history.append((first_parent, second_parent, removed, species.labels.tolist(), species.threshold))
        return history

    replacements(species, population, innovations, scores, 60)
    state = json.loads(json.dumps(species.state()))
    numbering = json.loads(json.dumps(innovations.state()))
    written = [genome.to_json() for genome in population]
    kept = scores.copy()
    wanted = replacements(species, population, innovations, scores, 100)

    again = Species(target=5, rng=np.random.default_rng(99), **options)
    read = [Genome.from_json(text) for text in written]
    again.restore(state, read)
    renumbered = Innovations()
    renumbered.restore(numbering)
    assert replacements(again, read, renumbered, kept, 100) == wanted
    with pytest.raises(ValueError, match="individuals must be the 25 members of the saved state, got 3"):
        again.restore(state, read[:3])


def test_select_returns_pairs_of_one_species():
    genomes = relatives(40)
    for number, genome in enumerate(genomes):
        genome.fitness.values = (float(number),)
    species = Species(threshold=6.0, rng=np.random.default_rng(0))
    chosen = select(genomes, 31, species=species)
    assert len(chosen) == 31
    assert chosen[-1] is genomes[39]
    labels = {id(genome): label for genome, label in zip(genomes, species.labels.tolist(), strict=True)}
    pairs = [(labels[id(first)], labels[id(second)]) for first, second in zip(chosen[:-1:2], chosen[1::2], strict=True)]
    assert all(first == second for first, second in pairs)
    assert len(set(pairs)) > 1


def test_select_returns_the_given_objects():
    stand_ins = [SimpleNamespace(genes=line(0.0).genes, fitness=SimpleNamespace(wvalues=(-n,))) for n in range(10)]
    chosen = select(stand_ins, 20, species=Species(rng=np.random.default_rng(0)))
    assert {id(parent) for parent in chosen} == {id(stand_in) for stand_in in stand_ins[:4]}


def test_select_with_by_score_follows_a_strategy():
    genomes = [line(0.0) for _ in range(10)]
    for number, genome in enumerate(genomes):
        genome.fitness.values = Outcome((float(number),), behaviour=(-float(number),))
    towards_the_first = Objective()
    towards_the_first.score = lambda outcomes, among=None: outcomes.behaviours[:, 0]
    species = Species(rng=np.random.default_rng(0))
    chosen = by_score(genomes, 20, strategy=towards_the_first, select=select, species=species)
    assert {id(parent) for parent in chosen} == {id(genome) for genome in genomes[:4]}


def test_select_with_fit_attr_compares_another_attribute():
    genomes = [line(0.0) for _ in range(10)]
    for number, genome in enumerate(genomes):
        genome.fitness.values = (float(number),)
        genome.merit = SimpleNamespace(wvalues=(-number,))
    chosen = select(genomes, 20, species=Species(rng=np.random.default_rng(0)), fit_attr="merit")
    assert {id(parent) for parent in chosen} == {id(genome) for genome in genomes[:4]}


def test_select_of_an_unevaluated_individual_raises():
    genomes = [line(0.0), line(1.0), line(2.0)]
    genomes[0].fitness.values = (1.0,)
    with pytest.raises(ValueError, match="got individual 1 without fitness values in the attribute fitness"):
        select(genomes, 2, species=Species())


def test_species_ids_are_permanent_and_unique():
    species = Species(threshold=1.0)
    species.assign([line(0.0), line(1.0), line(2.0)])
    assert species.ids.tolist() == [0, 1, 2]
    species.assign([line(2.1), line(0.1), line(2.2)])
    assert species.ids.tolist() == [0, 2]
    assert species.labels.tolist() == [1, 0, 1]
    species.assign([line(1.0), line(2.0), line(0.0)])
    assert dict(zip(species.ids.tolist(), species.sizes.tolist(), strict=True)) == {0: 1, 2: 1, 3: 1}
    again = Species(threshold=1.0)
    again.restore(species.state())
    again.assign([line(5.0)])
    assert again.ids.tolist() == [4]


def generations(species, population, innovations, count, rng):
    """Return the history of a generational loop."""
    history = []
    for _ in range(count):
        for genome in population:
            genome.fitness.values = (float(len(genome)),)
        chosen = select(population, len(population), species=species)
        history.append((species.labels.tolist(), species.ids.tolist(), species.threshold))
        population[:] = [genome.copy() for genome in chosen]
        for genome in population:
            mutate(genome, innovations=innovations, node_rate=0.1, connection_rate=0.3, rng=rng)
    return history


@pytest.mark.parametrize("with_individuals", [True, False])
def test_generational_run_resumes_exactly_from_a_state(with_individuals):
    population = relatives(150)
    innovations = Innovations(population)
    species = Species(target=12, rng=np.random.default_rng(1))
    generations(species, population, innovations, 4, species.rng)
    assert species.count > 3
    state = json.loads(json.dumps(species.state()))
    duplicates, numbering = [genome.copy() for genome in population], copy.deepcopy(innovations)
    wanted = generations(species, population, innovations, 4, species.rng)

    again = Species(target=12, rng=np.random.default_rng(99))
    again.restore(state, duplicates if with_individuals else None)
    assert again.count == len(state["ids"])
    assert generations(again, duplicates, numbering, 4, again.rng) == wanted


def small_state():
    species = Species(threshold=1.0)
    population = [line(0.0), line(0.0), line(2.0)]
    species.assign(population)
    return json.loads(json.dumps(species.state())), population


@pytest.mark.parametrize(
    ("part", "value", "sentence"),
    [
        ("threshold", float("nan"), "threshold of species must be a finite number above 0, got nan"),
        ("threshold", None, "threshold of species must be a finite number above 0, got None"),
        ("labels", [0, 0, 2], "labels must be indices of species and include every species, got 2 species"),
        ("labels", [0, -1, 1], "labels must be indices of species and include every species, got 2 species"),
        ("labels", [0, 0, 0], "labels must be indices of species and include every species, got 2 species"),
        ("labels", [0, 0, 1.0], "entry labels of a Species state must be a list of integers"),
        ("labels", [0, 0, 10**400], "entry labels of a Species state must be a list of integers"),
        ("labels", "001", "entry labels of a Species state must be a list of integers"),
        ("representatives", [0, 3], "representatives must be members of their species"),
        ("representatives", [0, -1], "representatives must be members of their species"),
        ("representatives", [0, 1], "representatives must be members of their species"),
        ("representatives", [0], "representatives and genes must have one entry for each species, got 2 species"),
        ("genes", [[[0, 0.0]]], "representatives and genes must have one entry for each species, got 2 species"),
        ("genes", [[[0, 0.0]], [[2**40, 0.0]]], "a representative's genes must be rows of five numbers, sorted"),
        ("genes", [[[0, 0.0]], [[3, 0.0], [2, 0.0]]], "a representative's genes must be rows of five numbers, sorted"),
        ("genes", [[[0, 0.0]], [[0, float("inf")]]], "a representative's genes must be rows of five numbers, sorted"),
        ("genes", [[[0, 0.0]], [[0, 1, 2]]], "genes of representatives must be pairs of innovation and weight"),
        ("genes", [[[0, 0.0]], 7], "genes of representatives must be pairs of innovation and weight"),
        ("ids", [1, 0], "ids of species must be ascending integers from 0 to 1, got \\[1, 0\\]"),
        ("ids", [0, 2], "ids of species must be ascending integers from 0 to 1"),
        ("founded", -1, "number of founded species must be an integer, at least 0, got -1"),
        ("rng", {}, "rng must be the state of a generator of the same type"),
        ("rng", None, "rng must be the state of a generator of the same type"),
    ],
)
def test_restore_with_invalid_state_raises(part, value, sentence):
    state, population = small_state()
    species = Species()
    with pytest.raises(ValueError, match=sentence):
        species.restore(state | {part: value}, population)
    with pytest.raises(ValueError, match=f"got a state without the key '{part}'"):
        species.restore({name: entry for name, entry in state.items() if name != part}, population)
    species.restore(state, population)
    assert species.labels.tolist() == [0, 0, 1]


@pytest.mark.parametrize("order", [None, [0, 1], [0, 1, 1], [0, 1, 3], [0, 1, 2.0]])
@pytest.mark.parametrize("part", ["birth_order", "ranking"])
def test_restore_with_invalid_orders_raises(part, order):
    state, population = small_state()
    with pytest.raises(ValueError, match=f"entry {part} of a Species state must"):
        Species().restore(state | {part: order}, population)


json_like = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**70) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=8,
)


@settings(max_examples=200)
@given(st.sampled_from(["threshold", "labels", "representatives", "genes", "ids", "founded", "rng"]), json_like)
def test_restore_of_arbitrary_data_succeeds_or_raises(part, value):
    state, population = small_state()
    species = Species()
    try:
        species.restore(state | {part: value}, population)
    except ValueError:
        return
    first_parent, second_parent = species.select_parents(np.ones(3))
    assert 0 <= first_parent < 3
    assert 0 <= second_parent < 3
    assert 0 <= species.replace(line(1.0), np.ones(4)) <= 3
    species.respeciate()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"target": 0}, "target must be an integer, at least 1, got 0"),
        ({"threshold": 0.0}, "threshold must be a compatibility threshold, a finite number above 0, got 0.0"),
        ({"floor": float("nan")}, "floor must be a compatibility threshold, a finite number above 0, got nan"),
        ({"adjust": -0.1}, "adjust must be a finite number, at least 0, got -0.1"),
        ({"disjoint": -1}, "disjoint must be a finite number, at least 0, got -1"),
        ({"fraction": 1.2}, "fraction must be a rate between 0 and 1, got 1.2"),
        ({"interspecies": -0.1}, "interspecies must be a rate between 0 and 1, got -0.1"),
        (
            {"replacement_ties": "youngest"},
            "replacement_ties must be the name of a Species rule, one of index, oldest, got 'youngest'",
        ),
        (
            {"next_representative": []},
            "next_representative must be the name of a Species rule, one of index, rank, got []",
        ),
        ({"self_crossover": 1}, "self_crossover must be True or False, got 1"),
    ],
)
def test_species_with_invalid_parameter_raises_its_name(options, sentence):
    (name,) = options
    with pytest.raises(ValueError, match=f"^{name} must be ") as error:
        Species(**options)
    assert str(error.value).endswith(sentence)


def test_calls_of_another_size_raise():
    species = Species()
    with pytest.raises(ValueError, match="at least one genome"):
        species.assign([])
    species.assign([line(0.0)] * 2)
    with pytest.raises(ValueError, match="scores must equal the number of individuals, 2, got the shape \\(3,\\)"):
        species.select_parents(np.ones(3))
    with pytest.raises(ValueError, match="scores must equal the number of individuals, 3, got the shape \\(2,\\)"):
        species.replace(line(0.0), np.ones(2))
    with pytest.raises(ValueError, match="labels of species must be from 0 to 0, got 1"):
        species.parents(np.ones(2), 1)


@pytest.mark.parametrize(
    "call",
    [
        lambda species: species.select_parents(np.empty(0)),
        lambda species: species.replace(line(0.0), np.ones(1)),
        lambda species: species.respeciate(),
        lambda species: species.allocate_offspring([], 3),
        lambda species: species.parents([], 0),
    ],
)
def test_calls_before_assign_raise(call):
    with pytest.raises(ValueError, match="individuals must be divided into species first, got no species; call assign"):
        call(Species())


def unchecked(genes):
    return SimpleNamespace(genes=np.array(genes, dtype=float))


GOOD = [0, 0, 90, 1.0, 1.0]


@pytest.mark.parametrize(
    ("genes", "gene"),
    [
        ([[1, 0, 90, 1.0, 1.0], GOOD], 1),
        ([GOOD, GOOD], 1),
        ([GOOD, [float("nan"), 0, 90, 1.0, 1.0]], 1),
        ([GOOD, [1.5, 0, 90, 1.0, 1.0]], 1),
        ([[-1, 0, 90, 1.0, 1.0]], 0),
        ([GOOD, [2**20, 0, 90, 1.0, 1.0]], 1),
        ([GOOD, [2**31 - 1, 0, 90, 1.0, 1.0]], 1),
        ([GOOD, [float("inf"), 0, 90, 1.0, 1.0]], 1),
        ([[10**12, 0, 90, 1.0, 1.0], GOOD], 0),
        ([GOOD, [1, -1, 90, 1.0, 1.0]], 1),
        ([GOOD, [1, 0, float("nan"), 1.0, 1.0]], 1),
        ([GOOD, [1, 0, 2**31, 1.0, 1.0]], 1),
        ([GOOD, [1, 0, 91, float("nan"), 1.0]], 1),
        ([[0.0, 1.0]], 0),
    ],
)
def test_species_with_invalid_genes_raises(genes, gene):
    species = Species(threshold=1.0)
    population = [line(0.0), line(0.0), line(2.0)]
    species.assign(population)
    sentence = f"sorted by innovation, with integer innovations below 1048576.* as gene {gene}"
    with pytest.raises(ValueError, match=sentence):
        species.replace(unchecked(genes), np.ones(4))
    with pytest.raises(ValueError, match=f"individual 2: .*{sentence}"):
        species.assign([line(0.0), line(0.0), unchecked(genes)])
    assert species.labels.tolist() == [0, 0, 1]
    assert species.replace(line(2.0), np.array([1.0, 1.0, 0.0, 1.0])) == 2


@pytest.mark.parametrize("score", [float("nan"), float("inf"), -float("inf")])
def test_species_with_infinite_scores_raises(score):
    species = Species(threshold=1.0)
    species.assign([line(0.0), line(0.0), line(2.0)])
    sentence = f"scores must be finite numbers, got {score} for individual 1"
    scores = np.array([1.0, score, 2.0])
    for call in (
        species.select_parents,
        lambda scores: species.allocate_offspring(scores, 3),
        lambda scores: species.parents(scores, 0),
    ):
        with pytest.raises(ValueError, match=sentence):
            call(scores)
    with pytest.raises(ValueError, match=sentence):
        species.replace(line(0.0), np.append(scores, 1.0))
    with pytest.raises(ValueError, match="for individual 3"):
        species.replace(line(0.0), np.array([1.0, 1.0, 2.0, score]))
    assert species.sizes.tolist() == [2, 1]
    assert species.replace(line(0.0), np.array([1.0, 2.0, 2.0, 1.5])) == 0


def test_scores_changed_in_place_are_read():
    species = Species(threshold=1.0, interspecies=0.0, rng=np.random.default_rng(0))
    species.assign([line(0.0), line(0.0), line(2.0), line(2.0)])
    scores = np.array([1.0, 2.0, 0.0, 0.0])
    assert species.select_parents(scores) == (1, 1)
    scores[:] = 0.0, 0.0, 4.0, 3.0
    assert species.select_parents(scores) == (2, 2)
    scores[3] = 5.0
    assert species.select_parents(scores) == (3, 3)


def test_species_may_be_as_many_as_members():
    species = Species(threshold=0.5, target=100)
    genomes = [line(float(n)) for n in range(70)]
    assert species.assign(genomes).tolist() == list(range(70))
    species.threshold = 1000.0
    species.respeciate()
    assert species.count == 1
    species.threshold = 0.5
    species.respeciate()
    assert species.count == 70


@pytest.mark.parametrize("genes", [None, "genes", [[0, 0, 3, 1.0, 1]], np.ones((2, 5), int), np.ones((2, 10))[:, ::2]])
def test_replace_with_unreadable_genes_raises(genes):
    rng = np.random.default_rng(1)
    species = Species(rng=rng)
    species.assign([Genome.start(3, 1, rng=rng) for _ in range(4)])
    message = "individuals must have an array as attribute genes|genes must be a C-contiguous array"
    with pytest.raises(TypeError, match=message):
        species.replace(SimpleNamespace(genes=genes), np.arange(5.0))


@pytest.mark.parametrize("rng", [3, "x", np.random.RandomState(1)])
def test_species_with_another_rng_raises(rng):
    with pytest.raises(TypeError, match=r"rng must be a numpy\.random\.Generator"):
        Species(rng=rng)

"""Distances between genomes and their parts."""

import itertools

import numpy as np
import pytest

from divergent.neat import Genome, Innovations, compatibility, distance, diversity, mean_distances, mutate


def genome(weights):
    """A genome with these innovations, as a dictionary of weights; innovation n joins input n to the output."""
    return Genome([[number, number, 50, weight, 1] for number, weight in weights.items()], inputs=50, outputs=1)


def relatives(count, steps, seed=0):
    rng = np.random.default_rng(seed)
    genomes = [Genome.start(4, 2, rng=rng) for _ in range(count)]
    innovations = Innovations(genomes[:1])
    for individual in genomes:
        for _ in range(int(rng.integers(steps))):
            mutate(individual, innovations=innovations, node_rate=0.1, connection_rate=0.3, rng=rng)
    return genomes


def plain(first, second):
    """Disjoint, excess and mean weight difference, by sets."""
    mine, other = ({int(gene[0]): gene[3] for gene in individual.genes} for individual in (first, second))
    both = sorted(mine.keys() & other.keys())
    reach = min(max(mine, default=-1), max(other, default=-1))
    alone = mine.keys() ^ other.keys()
    difference = 0.0
    for number in both:
        difference += abs(mine[number] - other[number])
    return (
        sum(number <= reach for number in alone),
        sum(number > reach for number in alone),
        difference / len(both) if both else 0.0,
    )


def test_compatibility_of_a_hand_counted_case():
    first = genome({0: 1.0, 1: 2.0, 3: 0.5, 4: 1.0, 7: 0.0, 8: 0.0})
    second = genome({0: 0.5, 2: 9.0, 4: -1.0, 5: 0.0})
    # matching 0 and 4; disjoint 1, 2, 3, 5; excess 7, 8
    assert compatibility(first, second) == (4, 2, 1.25)
    assert distance(first, second) == 4 + 2 + 3 * 1.25
    assert distance(first, second, disjoint=2.0, excess=0.5, weight=1.0) == 8 + 1 + 1.25


def test_distance_without_matching_genes_counts_structure_only():
    assert compatibility(genome({0: 1.0}), genome({1: 5.0, 2: 1.0})) == (1, 2, 0.0)
    assert compatibility(genome({}), genome({1: 5.0})) == (0, 1, 0.0)


@pytest.mark.parametrize("seed", range(3))
def test_distance_equals_the_set_reference_and_is_symmetric(seed):
    genomes = relatives(12, 60, seed)
    for first, second in itertools.product(genomes, repeat=2):
        parts = compatibility(first, second)
        assert parts == pytest.approx(plain(first, second), abs=1e-12)
        assert distance(first, second) == distance(second, first)
    assert all(distance(individual, individual) == 0 for individual in genomes)


def test_diversity_is_the_mean_over_pairs():
    genomes = relatives(9, 50)
    pairs = list(itertools.combinations(genomes, 2))
    parts = np.mean([plain(*pair) for pair in pairs], axis=0)
    measured = diversity(genomes)
    assert measured[1:] == pytest.approx(parts)
    assert measured.compatibility == pytest.approx(np.mean([distance(*pair) for pair in pairs]))
    assert diversity(genomes, disjoint=0.0, excess=0.0, weight=1.0).compatibility == pytest.approx(parts[2])


@pytest.mark.parametrize("turned", [False, True])
def test_diversity_of_genomes_without_common_or_without_any_genes(turned):
    genomes = [genome({}), genome({3: 1.0}), genome({1: 2.0, 9: 0.5}), genome({})][:: -1 if turned else 1]
    pairs = list(itertools.combinations(genomes, 2))
    assert diversity(genomes)[1:] == pytest.approx(np.mean([compatibility(*pair) for pair in pairs], axis=0))
    assert diversity([genome({}), genome({})]) == (0, 0, 0, 0)


def test_diversity_of_fewer_than_two_genomes_is_zero():
    assert diversity([]) == diversity(relatives(1, 5)) == (0, 0, 0, 0)


def test_mean_distances_equal_the_pairwise_means():
    genomes = relatives(7, 12, seed=3)
    coefficients = {"disjoint": 2.0, "excess": 0.5, "weight": 1.5}
    for options in ({}, coefficients):
        expected = [
            sum(distance(individual, other, **options) for other in genomes if other is not individual) / 6
            for individual in genomes
        ]
        assert mean_distances(genomes, **options).tolist() == pytest.approx(expected)
    assert mean_distances(genomes).mean() == pytest.approx(diversity(genomes).compatibility)


def test_mean_distances_of_one_genome_is_zero():
    assert mean_distances(relatives(1, 3)).tolist() == [0.0]
    assert mean_distances([]).tolist() == []
    with pytest.raises(ValueError, match="weight must be a finite number, got nan"):
        mean_distances(relatives(2, 3), weight=float("nan"))

"""Kernels of species; `test_species.py` compares `Species` with a reference implementation."""

import numpy as np
import pytest

from divergent.neat._species_arrays import first_invalid_gene, member_rows

ABSENT = -1


def rows_of(*members, words=3):
    rows = np.zeros(words, np.uint64)
    for member in members:
        rows[member >> 6] |= np.uint64(1) << np.uint64(member & 63)
    return rows


@pytest.mark.parametrize("members", [(), (0,), (63, 64), (5, 70, 191), tuple(range(0, 192, 7))])
def test_member_rows_are_ascending(members):
    assert member_rows(rows_of(*members), len(members)).tolist() == list(members)


@pytest.mark.parametrize(
    ("gene", "column", "value"), [(1, 0, 0.0), (0, 0, np.nan), (2, 0, 1e9), (1, 0, 1.5), (0, 3, np.inf), (2, 0, -1.0)]
)
def test_first_invalid_gene_returns_its_index(gene, column, value):
    genes = np.array([[number, 0, 1, 0.5, 1] for number in range(3)], dtype=float)
    assert first_invalid_gene(genes, 2**20) == ABSENT
    genes[gene, column] = value
    assert first_invalid_gene(genes, 2**20) == gene

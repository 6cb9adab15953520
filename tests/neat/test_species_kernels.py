"""What species are computed with; `test_species.py` compares the whole with plain Python."""

import numpy as np
import pytest

from divergent.neat._species_kernels import _rows_of, faulty_gene

ABSENT = -1


def rows_of(*members, words=3):
    rows = np.zeros(words, np.uint64)
    for member in members:
        rows[member >> 6] |= np.uint64(1) << np.uint64(member & 63)
    return rows


@pytest.mark.parametrize("members", [(), (0,), (63, 64), (5, 70, 191), tuple(range(0, 192, 7))])
def test_the_members_of_a_set_of_rows_are_found_in_order(members):
    assert _rows_of(rows_of(*members), len(members)).tolist() == list(members)


@pytest.mark.parametrize(
    ("gene", "column", "value"), [(1, 0, 0.0), (0, 0, np.nan), (2, 0, 1e9), (1, 0, 1.5), (0, 3, np.inf), (2, 0, -1.0)]
)
def test_the_first_gene_that_cannot_be_computed_with_is_found(gene, column, value):
    genes = np.array([[number, 0, 1, 0.5, 1] for number in range(3)], dtype=float)
    assert faulty_gene(genes, 2**20) == ABSENT
    genes[gene, column] = value
    assert faulty_gene(genes, 2**20) == gene

"""Random numbers of compiled code equal those of the generator."""

import numpy as np
import pytest

from divergent.neat._random import source_of, uniforms


@pytest.mark.parametrize(
    "bits", [np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox, np.random.SFC64]
)
def test_uniforms_continue_the_stream_of_the_generator(bits):
    expected = np.random.Generator(bits(3)).random(9).tolist()
    rng = np.random.Generator(bits(3))
    drawn = [rng.random(), *uniforms(5, *source_of(rng)).tolist(), *rng.random(3).tolist()]
    assert drawn == expected


def test_uniforms_draw_from_a_restored_state():
    rng = np.random.default_rng(1)
    source = source_of(rng)
    state = rng.bit_generator.state
    first = uniforms(4, *source).tolist()
    rng.bit_generator.state = state
    assert uniforms(4, *source_of(rng)).tolist() == first

"""Draw from a numpy generator inside compiled code, the very numbers that its `random` would give."""

import ctypes

import numpy as np

from divergent._compile import njit
from divergent._intrinsics import uniform

_FUNCTIONS: dict[type, int] = {}


def source_of(rng: np.random.Generator) -> tuple[int, int]:
    """Where a generator's function for the next number and its state are, for `uniform` while the generator lives."""
    bits = rng.bit_generator
    interface = bits.ctypes
    kind = type(bits)
    if kind not in _FUNCTIONS:
        _FUNCTIONS[kind] = ctypes.cast(interface.next_double, ctypes.c_void_p).value or 0
    return _FUNCTIONS[kind], interface.state_address


@njit(cache=True)
def uniforms(count, function, state):
    """So many of them."""
    draws = np.empty(count)
    for position in range(count):
        draws[position] = uniform(function, state)
    return draws

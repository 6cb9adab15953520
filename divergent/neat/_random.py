"""Uniform random numbers for compiled code, identical to the results of `numpy.random.Generator.random`."""

import ctypes

import numpy as np

from divergent._compile import njit
from divergent._intrinsics import uniform

_FUNCTIONS: dict[type, int] = {}


def source_of(rng: np.random.Generator) -> tuple[int, int]:
    """Return the memory addresses of the C function and of the state from which a generator draws random numbers.

    The addresses are valid while the generator exists.
    """
    bits = rng.bit_generator
    interface = bits.ctypes
    kind = type(bits)
    if kind not in _FUNCTIONS:
        _FUNCTIONS[kind] = ctypes.cast(interface.next_double, ctypes.c_void_p).value or 0
    return _FUNCTIONS[kind], interface.state_address


@njit(cache=True)
def uniforms(count: int, function: int, state: int) -> np.ndarray:
    """Draw an array of uniform random numbers."""
    draws = np.empty(count)
    for position in range(count):
        draws[position] = uniform(function, state)
    return draws

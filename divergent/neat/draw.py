"""Draw from a numpy generator inside compiled code, the very numbers that its `random` would give."""

import ctypes

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

_FUNCTIONS: dict[type, int] = {}


def source_of(rng: np.random.Generator) -> tuple[int, int]:
    """Where a generator's function for the next number and its state are, for `uniform` while the generator lives."""
    bits = rng.bit_generator
    interface = bits.ctypes
    kind = type(bits)
    if kind not in _FUNCTIONS:
        _FUNCTIONS[kind] = ctypes.cast(interface.next_double, ctypes.c_void_p).value or 0
    return _FUNCTIONS[kind], interface.state_address


@intrinsic
def uniform(typing_context, function, state):
    """The next number from [0, 1); `function` and `state` are what `source_of` gives."""

    def generate(context, builder, signature, arguments):
        pointer = ir.IntType(8).as_pointer()
        called = ir.FunctionType(ir.DoubleType(), [pointer]).as_pointer()
        address, memory = arguments
        return builder.call(builder.inttoptr(address, called), [builder.inttoptr(memory, pointer)])

    return types.float64(types.int64, types.int64), generate


@njit(cache=True)
def uniforms(count, function, state):
    """So many of them."""
    draws = np.empty(count)
    for position in range(count):
        draws[position] = uniform(function, state)
    return draws

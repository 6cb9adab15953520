"""LLVM instructions for compiled kernels, each with a reference implementation in Python.

If NUMBA_DISABLE_JIT is 1, kernels run in Python and call the reference implementations. Results are bit-identical
except for `sum_block`, in which compiled code may fuse multiplications and additions. The tests compare every intrinsic
with its reference implementation.
"""

import ctypes
import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 8  # number of float64 values in a SIMD vector
TO_INTEGER = 1.5 * 2.0**52  # adding and subtracting this constant rounds a float to the nearest integer

_DOUBLE, _WORD, _SHORT = ir.DoubleType(), ir.IntType(64), ir.IntType(32)
_VECTOR = ir.VectorType(_DOUBLE, LANES)
_Typed = tuple[Any, Callable[..., Any]]  # signature of an intrinsic, and the function that generates its code


def _replaces(reference: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that creates a numba intrinsic, or returns `reference` if the JIT compiler is disabled."""

    def choose(definition: Callable[..., Any]) -> Callable[..., Any]:
        return reference if config.DISABLE_JIT else intrinsic(definition)

    return choose


def count_ones_reference(bits: int) -> int:
    """Count the bits that are set."""
    return int(bits).bit_count()


@_replaces(count_ones_reference)
def count_ones(typing_context: Any, bits: Any) -> _Typed:
    """Count the bits that are set, with one processor instruction."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Sequence[ir.Value]) -> ir.Value:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


def first_one_reference(bits: int) -> int:
    """Return the position of the lowest bit that is set; `bits` must not be 0."""
    return (int(bits) & -int(bits)).bit_length() - 1


@_replaces(first_one_reference)
def first_one(typing_context: Any, bits: Any) -> _Typed:
    """Return the position of the lowest bit that is set, with one processor instruction; `bits` must not be 0."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Sequence[ir.Value]) -> ir.Value:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), generate


def _binary(name: str) -> Callable[..., Any]:
    """Define a function of two floats that LLVM can vectorise in a reduction, unlike Python's `max`.

    The fast-math flags `nnan` and `nsz` promise that no argument is NaN and that the sign of zero is irrelevant. LLVM
    does not vectorise the function without the flags `nnan` and `nsz`.
    """

    def definition(typing_context: Any, first: Any, second: Any) -> _Typed:
        def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Sequence[ir.Value]) -> ir.Value:
            function = builder.module.declare_intrinsic(name, [_DOUBLE], ir.FunctionType(_DOUBLE, (_DOUBLE, _DOUBLE)))
            return builder.call(function, arguments, fastmath=("nnan", "nsz"))

        return types.float64(types.float64, types.float64), generate

    return definition


def larger_reference(first: float, second: float) -> float:
    """Return the larger of two numbers."""
    return first if first > second else second


def smaller_reference(first: float, second: float) -> float:
    """Return the smaller of two numbers."""
    return first if first < second else second


larger = _replaces(larger_reference)(_binary("llvm.maxnum"))
smaller = _replaces(smaller_reference)(_binary("llvm.minnum"))


def if_negative_reference(test: float, value: float, otherwise: float) -> float:
    """Return `value` if `test` is below 0, else `otherwise`."""
    return value if test < 0.0 else otherwise


@_replaces(if_negative_reference)
def if_negative(typing_context: Any, test: Any, value: Any, otherwise: Any) -> _Typed:
    """Return `value` if `test` is below 0, else `otherwise`, without a branch."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Sequence[ir.Value]) -> ir.Value:
        negative = builder.fcmp_ordered("<", arguments[0], ir.Constant(_DOUBLE, 0.0))
        return builder.select(negative, arguments[1], arguments[2])

    return types.float64(types.float64, types.float64, types.float64), generate


def power_of_two_reference(shifted: float) -> float:
    """Return ``2 ** n`` for ``shifted = n + 1.5 * 2 ** 52``, as the reference implementation of `power_of_two`.

    The integer n must be between -1022 and 1023. The result for NaN is NaN.
    """
    return math.ldexp(1.0, int(shifted - TO_INTEGER)) if shifted == shifted else shifted


@_replaces(power_of_two_reference)
def power_of_two(typing_context: Any, shifted: Any) -> _Typed:
    """Return ``2 ** n`` if `shifted` is ``n + 1.5 * 2 ** 52`` with an integer n from -1022 to 1023.

    The lowest bits of `shifted`, which contain n, become the exponent bits of the result.
    """

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Sequence[ir.Value]) -> ir.Value:
        exponent = builder.add(builder.bitcast(arguments[0], _WORD), ir.Constant(_WORD, 1023))
        return builder.bitcast(builder.shl(exponent, ir.Constant(_WORD, 52)), _DOUBLE)

    return types.float64(types.float64), generate


@lru_cache
def _function_at(address: int) -> Callable[[int], float]:
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(address)


def uniform_reference(function: int, state: int) -> float:
    """Return the next random number in [0, 1) by calling the C function of a NumPy generator.

    `divergent.neat._random.source_of` returns the addresses of the C function and of the generator's state.
    """
    return _function_at(function)(state)


@_replaces(uniform_reference)
def uniform(typing_context: Any, function: Any, state: Any) -> _Typed:
    """Return the next random number in [0, 1) by calling the generator's C function."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Sequence[ir.Value]) -> ir.Value:
        pointer = ir.IntType(8).as_pointer()
        function = ir.FunctionType(_DOUBLE, [pointer]).as_pointer()
        address, state = arguments
        return builder.call(builder.inttoptr(address, function), [builder.inttoptr(state, pointer)])

    return types.float64(types.int64, types.int64), generate


def sum_block_reference(weights: np.ndarray, block: int, activations: np.ndarray, sums: np.ndarray) -> None:
    """Compute the weighted input sums of a block of eight network nodes.

    As in `sum_block`, the two halves of the inputs are summed separately, so that the order of additions is the same.

    The reference implementation rounds each product before the addition. Compiled code rounds product and sum only once
    on processors with fused multiply-add.
    """
    sources = weights.shape[1]
    totals = np.zeros((2, LANES))
    for source in range(sources):
        totals[int(source >= sources // 2)] += weights[block, source] * activations[source]
    sums[LANES * block : LANES * (block + 1)] = totals[0] + totals[1]


@_replaces(sum_block_reference)
def sum_block(typing_context: Any, weights: Any, block: Any, activations: Any, sums: Any) -> _Typed:
    """Compute ``sums[8 b + i] = sum over j of weights[b, j, i] * activations[j]`` for block b and all eight i at once.

    Without this intrinsic, numba computes eight separate scalars. Loading eight scalars as one vector stalls, since the
    processor cannot forward eight separate stores to one load. The two halves of the inputs are summed separately,
    which shortens the chain of dependent additions.
    """

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Sequence[ir.Value]) -> ir.Value:
        weights, activations, sums = (
            context.make_array(signature.args[place])(context, builder, arguments[place]) for place in (0, 2, 3)
        )
        block = arguments[1]
        sources = builder.extract_value(weights.shape, 1)
        half = builder.lshr(sources, ir.Constant(_WORD, 1))
        rows = builder.gep(builder.bitcast(weights.data, _VECTOR.as_pointer()), [builder.mul(block, sources)])
        totals = [cgutils.alloca_once_value(builder, ir.Constant(_VECTOR, [0.0] * LANES)) for _ in range(2)]
        empty, everywhere = ir.Constant(_VECTOR, ir.Undefined), ir.Constant(ir.VectorType(_SHORT, LANES), [0] * LANES)

        def add(source: ir.Value, total: ir.Value) -> None:
            row = builder.load(builder.gep(rows, [source]), align=8)
            value = builder.load(builder.gep(activations.data, [source]))
            value = builder.insert_element(empty, value, ir.Constant(_SHORT, 0))
            value = builder.shuffle_vector(value, empty, everywhere)
            product = builder.fmul(row, value, flags=("contract",))
            builder.store(builder.fadd(builder.load(total), product, flags=("contract",)), total)

        with cgutils.for_range(builder, half) as loop:
            add(loop.index, totals[0])
            add(builder.add(loop.index, half), totals[1])
        with builder.if_then(builder.trunc(sources, ir.IntType(1))):
            add(builder.sub(sources, ir.Constant(_WORD, 1)), totals[1])
        place = builder.gep(builder.bitcast(sums.data, _VECTOR.as_pointer()), [block])
        builder.store(builder.fadd(builder.load(totals[0]), builder.load(totals[1])), place, align=8)
        return context.get_dummy_value()

    return types.void(weights, types.int64, activations, sums), generate


def add_squares_reference(sums: tuple[float, ...], x: np.ndarray, y: np.ndarray, first: int) -> tuple[float, ...]:
    """Add the squared differences between two rows in 32 columns to eight partial sums.

    The columns are added in groups of eight; the group with the last columns is added first.
    """
    totals = np.array(sums)
    for column in range(first + 3 * LANES, first - 1, -LANES):
        difference = x[column : column + LANES] - y[column : column + LANES]
        totals += difference * difference
    return tuple(totals.tolist())


@_replaces(add_squares_reference)
def add_squares(typing_context: Any, sums: Any, x: Any, y: Any, first: Any) -> _Typed | None:
    """Add the squared differences between two rows in 32 columns to eight partial sums.

    The columns are added in groups of eight; the group with the last columns is added first. Numba compiles the
    reference implementation to scalar code, which takes 1.5 times as long.
    """
    if x.dtype != types.float64 or y.dtype != types.float64:
        return None

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Sequence[ir.Value]) -> ir.Value:
        lanes = [ir.Constant(_SHORT, lane) for lane in range(LANES)]

        def vector_of(numbers: Iterable[ir.Value]) -> ir.Value:
            vector = ir.Constant(_VECTOR, ir.Undefined)
            for lane, number in zip(lanes, numbers, strict=True):
                vector = builder.insert_element(vector, number, lane)
            return vector

        def eight_columns(place: int, part: int) -> ir.Value:
            row = context.make_array(signature.args[place])(context, builder, arguments[place])
            column = builder.add(arguments[3], ir.Constant(_WORD, LANES * part))
            if signature.args[place].layout == "C":
                return builder.load(builder.bitcast(builder.gep(row.data, [column]), _VECTOR.as_pointer()), align=8)
            start, stride = builder.ptrtoint(row.data, _WORD), builder.extract_value(row.strides, 0)
            places = (builder.mul(builder.add(column, ir.Constant(_WORD, lane)), stride) for lane in range(LANES))
            double = _DOUBLE.as_pointer()
            return vector_of(builder.load(builder.inttoptr(builder.add(start, place), double)) for place in places)

        total = vector_of(builder.extract_value(arguments[0], lane) for lane in range(LANES))
        for part in (3, 2, 1, 0):
            difference = builder.fsub(eight_columns(1, part), eight_columns(2, part))
            total = builder.fadd(total, builder.fmul(difference, difference))
        result = context.get_constant_undef(signature.return_type)
        for lane in range(LANES):
            result = builder.insert_value(result, builder.extract_element(total, lanes[lane]), lane)
        return result

    eight = types.UniTuple(types.float64, LANES)
    return eight(eight, x, y, types.int64), generate

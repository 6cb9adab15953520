"""Compiled kernels: squared distances in a fixed order of summation, insertion into sorted lists, bucket sort."""

import math
from typing import NamedTuple

import numpy as np

from divergent._compile import njit
from divergent._intrinsics import add_squares

INSERTION_SORT_SIZE = 16  # largest size of a bucket that is sorted by insertion


@njit(cache=True, inline="always")
def square(number: float) -> float:
    """Return a number times itself, because `number ** 2` may round differently if the JIT is disabled."""
    return number * number


@njit(cache=True)
def squared_in_plane(a: np.ndarray, i: int, b: np.ndarray, j: int) -> float:
    """Return the squared distance between row i of `a` and row j of `b`, which are points in the plane."""
    x = a[i, 0] - b[j, 0]
    y = a[i, 1] - b[j, 1]
    return x * x + y * y


@njit(cache=True)
def squared_in_parts(a: np.ndarray, i: int, b: np.ndarray, j: int, limit: float) -> float:
    """Return the squared distance between rows of any dimension, or a partial sum if this sum exceeds `limit`.

    Eight partial sums let LLVM vectorise the loop and fix the order of additions for all callers. The sum starts with
    the last columns, where trajectories with a common start differ most.
    """
    x, y = a[i], b[j]
    s = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    c = a.shape[1]
    while c >= 32:
        c -= 32
        s = add_squares(s, x, y, c)
        total = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
        if total > limit:
            return total
    s0, s1, s2, s3, s4, s5, s6, s7 = s
    while c >= 8:
        c -= 8
        s0 += square(x[c] - y[c])
        s1 += square(x[c + 1] - y[c + 1])
        s2 += square(x[c + 2] - y[c + 2])
        s3 += square(x[c + 3] - y[c + 3])
        s4 += square(x[c + 4] - y[c + 4])
        s5 += square(x[c + 5] - y[c + 5])
        s6 += square(x[c + 6] - y[c + 6])
        s7 += square(x[c + 7] - y[c + 7])
    total = ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
    for k in range(c):
        total += square(x[k] - y[k])
    return total


@njit(cache=True)
def insert(best: np.ndarray, value: float) -> float:
    """Insert `value` into the sorted array `best`, drop the last value and return the new last value."""
    last = best.shape[0] - 1
    j = last
    while j > 0 and best[j - 1] > value:
        best[j] = best[j - 1]
        j -= 1
    best[j] = value
    return best[last]


@njit(cache=True)
def insert_with_id(best: np.ndarray, ids: np.ndarray, value: float, new_id: int) -> float:
    """Insert `value` into the sorted array `best` and its id into `ids`; return the new last value."""
    last = best.shape[0] - 1
    j = last
    while j > 0 and best[j - 1] > value:
        best[j] = best[j - 1]
        ids[j] = ids[j - 1]
        j -= 1
    best[j] = value
    ids[j] = new_id
    return best[last]


@njit(cache=True)
def mean_root(squares: np.ndarray) -> float:
    """Return the mean of the square roots of an array; the roots are added in order."""
    total = 0.0
    for value in squares:
        total += math.sqrt(value)
    return total / squares.shape[0]


@njit(cache=True)
def mean_roots(squares: np.ndarray, count: int) -> np.ndarray:
    """Return the mean of the square roots of the first `count` values of each row; 0 if `count` is 0."""
    means = np.zeros(squares.shape[0])
    if count > 0:
        for i in range(squares.shape[0]):
            means[i] = mean_root(squares[i, :count])
    return means


@njit(cache=True)
def square_above(threshold: float) -> float:
    """Return a number slightly above the squared threshold, so that its rounded root exceeds the threshold."""
    return max(threshold * threshold * (1 + 1e-9), 1e-300)


@njit(cache=True)
def select_in_order(rows: np.ndarray, nearest: np.ndarray, threshold: float) -> np.ndarray:
    """Select rows, in order, that are farther than `threshold` from all points and earlier selected rows.

    `nearest` contains the squared distance from each row to the nearest point.
    """
    is_selected = np.zeros(rows.shape[0], dtype=np.bool_)
    selected = np.empty(rows.shape[0], dtype=np.int64)
    count = 0
    limit = square_above(threshold)
    for i in range(rows.shape[0]):
        is_selected[i] = math.sqrt(nearest[i]) > threshold
        for j in selected[:count]:
            if not is_selected[i]:
                break
            is_selected[i] = math.sqrt(squared_in_parts(rows, i, rows, j, limit)) > threshold
        if is_selected[i]:
            selected[count] = i
            count += 1
    return is_selected


class Buckets(NamedTuple):
    """Division of the range of n values into n buckets of equal width."""

    low: float
    """Lower bound of the first bucket."""
    scale: float
    """Buckets per unit; 0 if all values are equal or their range overflows."""
    begins: np.ndarray
    """Number of values before each bucket, and the total at the end."""


@njit(cache=True)
def make_buckets(values: np.ndarray) -> Buckets:
    """Divide the range of an array of values into buckets."""
    count = len(values)
    low = high = values[0] if count else 0.0
    for value in values:
        low, high = min(low, value), max(high, value)
    scale = count / (high - low) if high > low else 0.0
    begins = np.zeros(count + 1, np.int64)
    for value in values:
        begins[1 + bucket_index(value, low, scale, count)] += 1
    for bucket in range(count):
        begins[bucket + 1] += begins[bucket]
    return Buckets(low, scale, begins)


@njit(cache=True)
def bucket_index(value: float, low: float, scale: float, count: int) -> int:
    """Return the bucket index of a value; larger values never have a smaller index, and nan has the last index."""
    if value <= low:
        return 0
    bucket = (value - low) * scale
    return int(bucket) if bucket < count else count - 1


@njit(cache=True)
def lower_bound(ordered: np.ndarray, column: int, x: float, low: int, high: int) -> int:
    """Find by bisection the first index from `low` whose coordinate is at least `x`; return `high` if there is none."""
    while low < high:
        middle = (low + high) // 2
        if ordered[middle, column] < x:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True)
def bucket_argsort(values: np.ndarray) -> np.ndarray:
    """Return the indices that sort an array of values by bucket sort; nan values come last.

    For evenly distributed values, bucket sort is several times as fast as a comparison sort. Buckets with many values
    are sorted by comparison.
    """
    buckets = make_buckets(values)
    count = len(values)
    free = buckets.begins.copy()
    order = np.empty(count, np.int64)
    for position in range(count):
        bucket = bucket_index(values[position], buckets.low, buckets.scale, count)
        order[free[bucket]] = position
        free[bucket] += 1
    for bucket in range(count):
        begin, end = buckets.begins[bucket], buckets.begins[bucket + 1]
        if end - begin > INSERTION_SORT_SIZE or bucket == count - 1:  # the last bucket may contain nan
            members = order[begin:end]
            members[:] = members[np.argsort(values[members])]
            continue
        for k in range(begin + 1, end):
            position, j = order[k], k
            while j > begin and values[order[j - 1]] > values[position]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = position
    return order

"""Squared distances, each summed in one fixed order, the smallest of them, and who is further than all from others."""

import math

import numpy as np

from divergent._compile import njit
from divergent._intrinsics import add_squares


@njit(cache=True, inline="always")
def square(number):
    """Multiply a number by itself; `number ** 2` calls pow without the JIT, which may round differently."""
    return number * number


@njit(cache=True)
def squared_in_plane(a, i, b, j):
    """Squared distance between row i of `a` and row j of `b`, both of two columns."""
    x = a[i, 0] - b[j, 0]
    y = a[i, 1] - b[j, 1]
    return x * x + y * y


@njit(cache=True)
def squared_in_parts(a, i, b, j, enough):
    """Squared distance between rows of any number of columns, or something above `enough` once it is past that.

    Eight sums side by side, so that a processor adds several at a time and yet in one order, wherever this is called.
    It begins with the last columns: trails begin at one place, and differ most where they end.
    """
    x, y = a[i], b[j]
    s = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    c = a.shape[1]
    while c >= 32:
        c -= 32
        s = add_squares(s, x, y, c)
        total = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
        if total > enough:
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
def insert(best, value):
    """Put `value` where it belongs among the sorted `best`, pushing the last out; returns the new last."""
    last = best.shape[0] - 1
    j = last
    while j > 0 and best[j - 1] > value:
        best[j] = best[j - 1]
        j -= 1
    best[j] = value
    return best[last]


@njit(cache=True)
def insert_one(best, whose, value, one):
    """The same, with a second array that says whose each value is."""
    last = best.shape[0] - 1
    j = last
    while j > 0 and best[j - 1] > value:
        best[j] = best[j - 1]
        whose[j] = whose[j - 1]
        j -= 1
    best[j] = value
    whose[j] = one
    return best[last]


@njit(cache=True)
def mean_root(squares):
    """Mean of the roots of the squares, added in their order."""
    total = 0.0
    for square in squares:
        total += math.sqrt(square)
    return total / squares.shape[0]


@njit(cache=True)
def mean_roots(squares, count):
    """Mean of the roots of the first `count` of each row; 0 if that is none."""
    means = np.zeros(squares.shape[0])
    if count > 0:
        for i in range(squares.shape[0]):
            means[i] = mean_root(squares[i, :count])
    return means


@njit(cache=True)
def square_beyond(threshold):
    """A square whose root is surely above the threshold, even where that is 0, and hardly any more than that."""
    return max(threshold * threshold * (1 + 1e-9), 1e-300)


@njit(cache=True)
def keep_beyond(rows, nearest, threshold):
    """Which rows, taken in order and kept, are further than `threshold` from everyone kept and from the nearest point.

    The squared distance from each row to that point is given.
    """
    kept = np.zeros(rows.shape[0], dtype=np.bool_)
    whom = np.empty(rows.shape[0], dtype=np.int64)
    count = 0
    enough = square_beyond(threshold)
    for i in range(rows.shape[0]):
        kept[i] = math.sqrt(nearest[i]) > threshold
        for j in whom[:count]:
            if not kept[i]:
                break
            kept[i] = math.sqrt(squared_in_parts(rows, i, rows, j, enough)) > threshold
        if kept[i]:
            whom[count] = i
            count += 1
    return kept

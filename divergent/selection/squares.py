"""Squared distances, each summed in one fixed order, and the smallest of them."""

import math

import numpy as np
from numba import njit


@njit(cache=True)
def squared_in_plane(a, i, b, j):
    """Squared distance between row i of `a` and row j of `b`, both of two columns."""
    x = a[i, 0] - b[j, 0]
    y = a[i, 1] - b[j, 1]
    return x * x + y * y


@njit(cache=True)
def squared_in_parts(a, i, b, j, enough):
    """Squared distance between rows of any number of columns, or something above `enough` once it is past that.

    Eight sums side by side, written out, so that a processor adds several at a time and yet in one order, wherever this
    is called. It begins with the last columns: trails begin at one place, and differ most where they end.
    """
    d = a.shape[1]
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
    for part in range(d // 8):
        c = d - 8 * (part + 1)
        x = a[i, c : c + 8]
        y = b[j, c : c + 8]
        x0 = x[0] - y[0]
        x1 = x[1] - y[1]
        x2 = x[2] - y[2]
        x3 = x[3] - y[3]
        x4 = x[4] - y[4]
        x5 = x[5] - y[5]
        x6 = x[6] - y[6]
        x7 = x[7] - y[7]
        s0 += x0 * x0
        s1 += x1 * x1
        s2 += x2 * x2
        s3 += x3 * x3
        s4 += x4 * x4
        s5 += x5 * x5
        s6 += x6 * x6
        s7 += x7 * x7
        if part % 4 == 3:
            total = ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
            if total > enough:
                return total
    total = ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
    for c in range(d % 8):
        x0 = a[i, c] - b[j, c]
        total += x0 * x0
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

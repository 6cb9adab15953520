"""Order among numbers, and places among those in order: by cells of equal width, with few comparisons."""

from typing import NamedTuple

import numpy as np

from divergent._compile import njit

FEW = 16  # numbers in a cell up to which they are put in order by insertion


class Cells(NamedTuple):
    """The range of some numbers, cut into as many cells of equal width as there are numbers."""

    low: float
    """Where the first cell begins."""
    scale: float
    """Cells a unit; 0 where all numbers are equal, or too far apart to tell."""
    begins: np.ndarray
    """For each cell how many of the numbers are in cells before it, and last how many there are."""


@njit(cache=True)
def cells_of(values):
    """The cells of some numbers."""
    count = len(values)
    low = high = values[0] if count else 0.0
    for value in values:
        low, high = min(low, value), max(high, value)
    scale = count / (high - low) if high > low else 0.0
    begins = np.zeros(count + 1, np.int64)
    for value in values:
        begins[1 + cell_of(value, low, scale, count)] += 1
    for cell in range(count):
        begins[cell + 1] += begins[cell]
    return Cells(low, scale, begins)


@njit(cache=True)
def cell_of(value, low, scale, count):
    """The cell of a number: never a later one than that of a larger number, the last for what is no number."""
    if value <= low:
        return 0
    cell = (value - low) * scale
    return int(cell) if cell < count else count - 1


@njit(cache=True)
def place(ordered, column, x, low, high):
    """The first row of some, from `low` up to `high`, whose coordinate is not below `x`."""
    while low < high:
        middle = (low + high) // 2
        if ordered[middle, column] < x:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True)
def in_order(values):
    """The places of numbers in increasing order, those of what is no number last.

    Sorting takes several times as long where numbers are spread; crowded cells are sorted all the same.
    """
    cells = cells_of(values)
    count = len(values)
    free = cells.begins.copy()
    order = np.empty(count, np.int64)
    for position in range(count):
        cell = cell_of(values[position], cells.low, cells.scale, count)
        order[free[cell]] = position
        free[cell] += 1
    for cell in range(count):
        begin, end = cells.begins[cell], cells.begins[cell + 1]
        if end - begin > FEW or cell == count - 1:  # where what is no number is
            some = order[begin:end]
            some[:] = some[np.argsort(values[some])]
            continue
        for k in range(begin + 1, end):
            position, j = order[k], k
            while j > begin and values[order[j - 1]] > values[position]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = position
    return order

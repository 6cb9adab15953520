"""Reference implementations of array computations of the package."""

import math

import numpy as np


def distances(points, walls):
    """Return the distance from every point to every wall, computed one by one."""
    result = np.empty((len(points), len(walls)))
    for i, (x, y) in enumerate(points):
        for j, (x1, y1, x2, y2) in enumerate(walls):
            fraction = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2)
            fraction = min(max(fraction, 0.0), 1.0)
            result[i, j] = math.hypot(x - x1 - fraction * (x2 - x1), y - y1 - fraction * (y2 - y1))
    return result

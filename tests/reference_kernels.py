"""Plain-Python twins of what the package computes on arrays."""

import math

import numpy as np


def distances(points, walls):
    """Twin of the package's own: from every point to every wall, one by one."""
    found = np.empty((len(points), len(walls)))
    for i, (x, y) in enumerate(points):
        for j, (x1, y1, x2, y2) in enumerate(walls):
            share = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2)
            share = min(max(share, 0.0), 1.0)
            found[i, j] = math.hypot(x - x1 - share * (x2 - x1), y - y1 - share * (y2 - y1))
    return found

"""Exact, compiled nearest-neighbour search (`NeighbourIndex`), k-means clustering (`kmeans`) and scaling (`Scale`).

`CachedDistance` calls a callable distance once for each pair of behaviours.
"""

from divergent.neighbours._cached_distance import CachedDistance
from divergent.neighbours._index import NeighbourIndex
from divergent.neighbours._kmeans import kmeans
from divergent.neighbours._scaling import Scale

__all__ = ["CachedDistance", "NeighbourIndex", "Scale", "kmeans"]

"""Exact nearest-neighbour search, k-means clustering and scaling of behaviours, compiled."""

from divergent.neighbours._kmeans import kmeans
from divergent.neighbours.index import NeighbourIndex
from divergent.neighbours.scaling import Scale

__all__ = ["NeighbourIndex", "Scale", "kmeans"]

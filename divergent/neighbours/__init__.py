"""Exact, compiled nearest-neighbour search (`NeighbourIndex`), k-means clustering (`kmeans`) and scaling (`Scale`)."""

from divergent.neighbours._index import NeighbourIndex
from divergent.neighbours._kmeans import kmeans
from divergent.neighbours._scaling import Scale

__all__ = ["NeighbourIndex", "Scale", "kmeans"]

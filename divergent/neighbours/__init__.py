"""Exact, compiled nearest-neighbour search (`NeighbourIndex`), k-means clustering (`kmeans`) and scaling (`Scale`).

`CachedDistance` calls a callable distance once for each pair of behaviours.
"""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index

if TYPE_CHECKING:
    from divergent.neighbours._cached_distance import CachedDistance as CachedDistance
    from divergent.neighbours._index import NeighbourIndex as NeighbourIndex
    from divergent.neighbours._kmeans import kmeans as kmeans
    from divergent.neighbours._scaling import Scale as Scale

_HOMES = {
    "CachedDistance": "_cached_distance",
    "NeighbourIndex": "_index",
    "Scale": "_scaling",
    "kmeans": "_kmeans",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = lazy_index(__name__, _HOMES)

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

__getattr__, __dir__, __all__ = lazy_index(
    __name__,
    {
        "_cached_distance": ("CachedDistance",),
        "_index": ("NeighbourIndex",),
        "_kmeans": ("kmeans",),
        "_scaling": ("Scale",),
    },
)  # fmt: skip

"""Quality diversity: novelty, surprise or both as objectives beside local competition."""

from typing import Any

import numpy as np

from divergent.neighbours.index import Distance
from divergent.selection._validation import check_clusters
from divergent.selection.local_competition import LocalCompetition
from divergent.selection.novelty import Novelty
from divergent.selection.novelty_surprise import NoveltyAndSurprise, ShowsSurprise
from divergent.selection.nsga2 import Fronts
from divergent.selection.strategy import Strategy
from divergent.selection.surprise import Surprise


class BesideCompetition(Fronts):
    """Strategies as objectives with local competition as the last of them, whose archive is there to be seen.

    Parameters
    ----------
    divergent
        The other strategies.
    options
        The arguments of `LocalCompetition`.
    """

    def __init__(self, *divergent: Strategy, **options: Any):
        self.competition = LocalCompetition(**options)
        super().__init__([*divergent, self.competition])
        self.rng = self.competition.rng

    @property
    def archive(self) -> np.ndarray:
        """Behaviours of the past that one competes with."""
        return self.competition.archive

    @property
    def threshold(self) -> float | None:
        """How far from the archive a behaviour must be to join it now."""
        return self.competition.threshold


class NoveltyWithCompetition(BesideCompetition):
    """Novelty and local competition as two objectives, in the order of NSGA-II (NSLC).

    Parameters
    ----------
    neighbours
        How many nearest behaviours novelty is averaged over, and how many one competes with.
    threshold
        As for `Novelty`: how far from the archive a behaviour must be to join it, at the start.
    distance
        "euclidean", another metric of `scipy.spatial.distance.cdist`, or a callable of two vectors.
    index
        As for `LocalCompetition`: which fitness value is compared.
    rng
        A `numpy.random.Generator`; None for a fresh one.

    Attributes
    ----------
    novelty, competition : Novelty, LocalCompetition
        The two parts, which have the same archive.

    References
    ----------
    J. Lehman and K. O. Stanley, "Evolving a diversity of virtual creatures through novelty search and local
    competition", GECCO 2011.

    Examples
    --------
    The first two are a front: one is the furthest from the others, one is fitter than its nearest. The last is neither:

    >>> from divergent.individual import Outcomes
    >>> search = NoveltyWithCompetition(neighbours=1)
    >>> outcomes = Outcomes(np.array([1.0, 3.0, 2.0]), np.array([[9.0], [1.0], [0.0]]))
    >>> search.score(outcomes).round(2)
    array([ 0.67,  0.67, -0.33])
    """

    def __init__(
        self,
        *,
        neighbours: int = 15,
        threshold: float | None = None,
        distance: Distance = "euclidean",
        index: int | None = None,
        rng: np.random.Generator | None = None,
    ):
        self.novelty = Novelty(neighbours=neighbours, threshold=threshold, distance=distance, rng=rng)
        shared = self.novelty.rng
        super().__init__(
            self.novelty, neighbours=neighbours, threshold=threshold, distance=distance, index=index, rng=shared
        )


class SurpriseWithCompetition(ShowsSurprise, BesideCompetition):
    """Surprise and local competition as two objectives, in the order of NSGA-II (SSLC).

    Parameters
    ----------
    neighbours
        How many nearest behaviours one competes with.
    threshold
        As for `LocalCompetition`: how far from its archive a behaviour must be to join it, at the start.
    clusters
        As for `Surprise`: local behaviours to predict from.
    nearest_predictions
        How many nearest predictions surprise is averaged over.
    distance, index, rng
        As for `NoveltyWithCompetition`.

    Attributes
    ----------
    surprise, competition : Surprise, LocalCompetition
        The two parts.

    References
    ----------
    D. Gravina, A. Liapis and G. N. Yannakakis, "Quality Diversity Through Surprise", IEEE Transactions on Evolutionary
    Computation, 2018.

    Examples
    --------
    A population that moved from 0 to 1 is expected at 2. One is far from there, one is fitter than its nearest:

    >>> from divergent.individual import Outcomes
    >>> search = SurpriseWithCompetition(neighbours=1, threshold=99.0, clusters=1, nearest_predictions=1)
    >>> search.learn(Outcomes(np.zeros(2), np.array([[0.0], [0.0]])))
    >>> search.learn(Outcomes(np.zeros(2), np.array([[1.0], [1.0]])))
    >>> search.score(Outcomes(np.array([-1.0, 3.0, 2.0]), np.array([[9.0], [3.0], [2.0]]))).round(2)
    array([ 0.67,  0.67, -0.33])
    """

    def __init__(
        self,
        *,
        neighbours: int = 15,
        threshold: float | None = None,
        clusters: int | None = None,
        nearest_predictions: int = 2,
        distance: Distance = "euclidean",
        index: int | None = None,
        rng: np.random.Generator | None = None,
    ):
        check_clusters(clusters, nearest_predictions, "nearest_predictions")
        self.surprise = Surprise(clusters=clusters, neighbours=nearest_predictions, distance=distance, rng=rng)
        shared = self.surprise.rng
        super().__init__(
            self.surprise, neighbours=neighbours, threshold=threshold, distance=distance, index=index, rng=shared
        )


class CoupledWithCompetition(ShowsSurprise, BesideCompetition):
    """The sum of novelty and surprise, and local competition, as two objectives in the order of NSGA-II (NSSLC).

    Parameters
    ----------
    weight
        As for `NoveltyAndSurprise`: the share of novelty in the sum, from 0 to 1.
    neighbours, threshold
        As for `NoveltyWithCompetition`.
    clusters, nearest_predictions
        As for `SurpriseWithCompetition`.
    distance, index, rng
        As for `NoveltyWithCompetition`.

    Attributes
    ----------
    coupled, competition : NoveltyAndSurprise, LocalCompetition
        The two parts.

    References
    ----------
    As for `SurpriseWithCompetition`.
    """

    def __init__(
        self,
        *,
        weight: float = 0.5,
        neighbours: int = 15,
        threshold: float | None = None,
        clusters: int | None = None,
        nearest_predictions: int = 2,
        distance: Distance = "euclidean",
        index: int | None = None,
        rng: np.random.Generator | None = None,
    ):
        alike: dict[str, Any] = {"neighbours": neighbours, "threshold": threshold, "distance": distance}
        self.coupled = NoveltyAndSurprise(
            weight=weight, clusters=clusters, nearest_predictions=nearest_predictions, **alike, rng=rng
        )
        self.surprise = self.coupled.surprise
        super().__init__(self.coupled, **alike, index=index, rng=self.coupled.rng)


class NoveltySurpriseAndCompetition(ShowsSurprise, BesideCompetition):
    """Novelty, surprise and local competition as three objectives, in the order of NSGA-II (NSSSLC).

    Parameters
    ----------
    neighbours, threshold
        As for `NoveltyWithCompetition`.
    clusters, nearest_predictions
        As for `SurpriseWithCompetition`.
    distance, index, rng
        As for `NoveltyWithCompetition`.

    Attributes
    ----------
    novelty, surprise, competition : Novelty, Surprise, LocalCompetition
        The three parts.

    References
    ----------
    As for `SurpriseWithCompetition`.
    """

    def __init__(
        self,
        *,
        neighbours: int = 15,
        threshold: float | None = None,
        clusters: int | None = None,
        nearest_predictions: int = 2,
        distance: Distance = "euclidean",
        index: int | None = None,
        rng: np.random.Generator | None = None,
    ):
        check_clusters(clusters, nearest_predictions, "nearest_predictions")
        alike: dict[str, Any] = {"neighbours": neighbours, "threshold": threshold, "distance": distance}
        self.novelty = Novelty(**alike, rng=rng)
        shared = self.novelty.rng
        self.surprise = Surprise(clusters=clusters, neighbours=nearest_predictions, distance=distance, rng=shared)
        super().__init__(self.novelty, self.surprise, **alike, index=index, rng=shared)

"""Quality-diversity strategies: NSGA-II ranking by local competition and by novelty, surprise or both."""

from typing import Any

import numpy as np

from divergent.neighbours._cached_distance import cached
from divergent.neighbours._index import Distance
from divergent.selection._local_competition import LocalCompetition
from divergent.selection._novelty import Novelty
from divergent.selection._novelty_surprise import NoveltyAndSurprise, SurpriseProperties
from divergent.selection._nsga2 import NSGA2Ranking
from divergent.selection._strategy import Strategy
from divergent.selection._surprise import Surprise
from divergent.selection._validation import check_clusters


class CompetitionRanking(NSGA2Ranking):
    """NSGA-II ranking with local competition as the last objective; exposes the archive of local competition.

    Parameters
    ----------
    divergent : Strategy
        Strategies, such as novelty search, whose scores are objectives in addition to local competition.
    options : dict
        Keyword arguments of `LocalCompetition`.
    """

    def __init__(self, *divergent: Strategy, **options: Any):
        self.competition = LocalCompetition(**options)
        super().__init__([*divergent, self.competition])
        self.rng = self.competition.rng

    @property
    def archive(self) -> np.ndarray:
        """Behaviours in the archive of local competition, oldest first."""
        return self.competition.archive

    @property
    def threshold(self) -> float | None:
        """Current archive threshold of local competition."""
        return self.competition.threshold


class NoveltyWithCompetition(CompetitionRanking):
    """NSGA-II ranking by novelty and local competition (NSLC).

    Parameters
    ----------
    neighbours : int, default=15
        Number of nearest neighbours, k, for novelty and for local competition.
    threshold : float or None, default=None
        Initial archive threshold. See `Novelty`.
    distance : str or callable, default="euclidean"
        Distance metric: euclidean, or another metric of `scipy.spatial.distance.cdist`. A symmetric function of two
        behaviours is also accepted; behaviours may then be strings, sets, sequences of different lengths or other
        objects.
    index : int or None, default=None
        Zero-based index of the fitness value to compare. None uses the first fitness value and warns if there are
        several.
    rng : numpy.random.Generator or None, default=None
        Source of random numbers. None creates an unseeded generator.

    Attributes
    ----------
    novelty : Novelty
        Strategy that scores novelty.
    competition : LocalCompetition
        Strategy that scores local competition.

    See Also
    --------
    NSGA2Ranking : NSGA-II ranking by the scores of any strategies.
    SurpriseWithCompetition : Surprise and local competition (SSLC).

    References
    ----------
    J. Lehman and K. O. Stanley, "Evolving a diversity of virtual creatures through novelty search and local
    competition", GECCO 2011.

    Examples
    --------
    The first two individuals are non-dominated: the first is the most novel, the second is fitter than its nearest
    neighbour:

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
        distance = cached(distance)  # novelty and local competition share one cache of distances
        self.novelty = Novelty(neighbours=neighbours, threshold=threshold, distance=distance, rng=rng)
        shared = self.novelty.rng
        super().__init__(
            self.novelty, neighbours=neighbours, threshold=threshold, distance=distance, index=index, rng=shared
        )


class SurpriseWithCompetition(SurpriseProperties, CompetitionRanking):
    """NSGA-II ranking by surprise and local competition (SSLC).

    Parameters
    ----------
    neighbours : int, default=15
        Number of nearest neighbours, k, for local competition.
    threshold : float or None, default=None
        Initial archive threshold. See `Novelty`.
    clusters : int or None, default=None
        Number of clusters whose centroids are predicted. See `Surprise`.
    nearest_predictions : int, default=2
        Number of nearest predictions over which surprise is averaged.
    distance : str or callable, default="euclidean"
        Distance metric: euclidean, or another metric of `scipy.spatial.distance.cdist`. A function of two vectors is
        also accepted.
    index : int or None, default=None
        Zero-based index of the fitness value to compare. None uses the first fitness value and warns if there are
        several.
    rng : numpy.random.Generator or None, default=None
        Source of random numbers. None creates an unseeded generator.

    Attributes
    ----------
    surprise : Surprise
        Strategy that scores surprise.
    competition : LocalCompetition
        Strategy that scores local competition.

    See Also
    --------
    NSGA2Ranking : NSGA-II ranking by the scores of any strategies.
    NoveltyWithCompetition : Novelty and local competition (NSLC).

    References
    ----------
    D. Gravina, A. Liapis and G. N. Yannakakis, "Quality Diversity Through Surprise", IEEE Transactions on Evolutionary
    Computation, 2018.

    Examples
    --------
    A population that moved from 0 to 1 is predicted to move to 2. The first individual is the farthest from this
    prediction, and the second individual is fitter than its nearest neighbour:

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


class CoupledWithCompetition(SurpriseProperties, CompetitionRanking):
    """NSGA-II ranking by the sum of novelty and surprise, and by local competition (NSSLC).

    The two objectives are the weighted sum of novelty and surprise, and local competition.

    Parameters
    ----------
    weight : float, default=0.5
        Weight of novelty in the sum, from 0 (surprise only) to 1 (novelty only).
    neighbours : int, default=15
        Number of nearest neighbours, k, for novelty and for local competition.
    threshold : float or None, default=None
        Initial archive threshold. See `Novelty`.
    clusters : int or None, default=None
        Number of clusters whose centroids are predicted. See `Surprise`.
    nearest_predictions : int, default=2
        Number of nearest predictions over which surprise is averaged.
    distance : str or callable, default="euclidean"
        Distance metric: euclidean, or another metric of `scipy.spatial.distance.cdist`. A function of two vectors is
        also accepted.
    index : int or None, default=None
        Zero-based index of the fitness value to compare. None uses the first fitness value and warns if there are
        several.
    rng : numpy.random.Generator or None, default=None
        Source of random numbers. None creates an unseeded generator.

    Attributes
    ----------
    coupled : NoveltyAndSurprise
        Strategy that scores the weighted sum of novelty and surprise.
    competition : LocalCompetition
        Strategy that scores local competition.

    See Also
    --------
    NSGA2Ranking : NSGA-II ranking by the scores of any strategies.
    NoveltySurpriseAndCompetition : Novelty, surprise and local competition (NSSSLC).

    References
    ----------
    D. Gravina, A. Liapis and G. N. Yannakakis, "Quality Diversity Through Surprise", IEEE Transactions on Evolutionary
    Computation, 2018.
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
        common: dict[str, Any] = {"neighbours": neighbours, "threshold": threshold, "distance": distance}
        self.coupled = NoveltyAndSurprise(
            weight=weight, clusters=clusters, nearest_predictions=nearest_predictions, **common, rng=rng
        )
        self.surprise = self.coupled.surprise
        super().__init__(self.coupled, **common, index=index, rng=self.coupled.rng)


class NoveltySurpriseAndCompetition(SurpriseProperties, CompetitionRanking):
    """NSGA-II ranking by novelty, surprise and local competition (NSSSLC).

    Novelty, surprise and local competition are three separate objectives.

    Parameters
    ----------
    neighbours : int, default=15
        Number of nearest neighbours, k, for novelty and for local competition.
    threshold : float or None, default=None
        Initial archive threshold. See `Novelty`.
    clusters : int or None, default=None
        Number of clusters whose centroids are predicted. See `Surprise`.
    nearest_predictions : int, default=2
        Number of nearest predictions over which surprise is averaged.
    distance : str or callable, default="euclidean"
        Distance metric: euclidean, or another metric of `scipy.spatial.distance.cdist`. A function of two vectors is
        also accepted.
    index : int or None, default=None
        Zero-based index of the fitness value to compare. None uses the first fitness value and warns if there are
        several.
    rng : numpy.random.Generator or None, default=None
        Source of random numbers. None creates an unseeded generator.

    Attributes
    ----------
    novelty : Novelty
        Strategy that scores novelty.
    surprise : Surprise
        Strategy that scores surprise.
    competition : LocalCompetition
        Strategy that scores local competition.

    See Also
    --------
    NSGA2Ranking : NSGA-II ranking by the scores of any strategies.
    CoupledWithCompetition : Weighted sum of novelty and surprise, and local competition (NSSLC).

    References
    ----------
    D. Gravina, A. Liapis and G. N. Yannakakis, "Quality Diversity Through Surprise", IEEE Transactions on Evolutionary
    Computation, 2018.
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
        common: dict[str, Any] = {"neighbours": neighbours, "threshold": threshold, "distance": distance}
        self.novelty = Novelty(**common, rng=rng)
        shared = self.novelty.rng
        self.surprise = Surprise(clusters=clusters, neighbours=nearest_predictions, distance=distance, rng=shared)
        super().__init__(self.novelty, self.surprise, **common, index=index, rng=shared)

"""Display names and descriptions of searches for the explorer page."""

# display name of each search, and its descriptions for mazes and for other problems
SEARCHES = {
    "objective": (
        "Objective search",
        "rewards robots for ending close to the goal, so it gathers in the dead end that lies nearest to the goal and "
        "stays there: every path out of it first leads away from the goal, and robots on it are not rewarded.",
        "rewards a better fitness and nothing else, so it climbs the nearest peak and stays there, even if a higher "
        "one is to be reached through lower ground.",
    ),
    "surprise": (
        "Surprise search",
        "never asks where the goal is: it predicts from the last two generations where robots will end next and "
        "rewards robots that end far from every prediction, so no place stays rewarding, the search keeps moving on, "
        "and on its way through the whole maze it may reach the goal.",
        "never asks for fitness: it predicts from the last two generations which behaviours come next and rewards "
        "those that are far from every prediction, so no behaviour stays rewarding and the search keeps moving on.",
    ),
    "novelty": (
        "Novelty search",
        "never asks where the goal is: it rewards robots for ending far from where others end now and from the places "
        "in its archive, so it spreads from the start over the maze, place by new place, and may reach the goal.",
        "never asks for fitness: it rewards behaviours that are far from those of others now and from those in its "
        "archive, so it spreads over everything that can be done.",
    ),
    "ssnp": (
        "Surprise without prediction",
        "rewards robots for ending far from where the groups of the current generation end, which asks for difference "
        "as surprise search does, but looks only at the present and foresees nothing.",
        "rewards behaviours that are far from the groups of the current generation, which asks for difference as "
        "surprise search does, but looks only at the present and foresees nothing.",
    ),
    "ssr": (
        "Surprise with random predictions",
        "rewards robots for ending far from points that are drawn at random, which shows how much of surprise search "
        "is owed to its predictions and how much to chance.",
        "rewards behaviours that are far from points drawn at random, which shows how much of surprise search is owed "
        "to its predictions and how much to chance.",
    ),
    "random": (
        "Random search",
        "gives every robot a random score, so nothing is rewarded and the population drifts.",
        "gives every individual a random score, so nothing is rewarded and the population drifts.",
    ),
    "nss": (
        "Novelty and surprise",
        "never asks where the goal is: it rewards robots for ending far from where others end and ended before and, at "
        "the same time, far from where it predicts robots to end next, so it both spreads over the maze and moves on.",
        "never asks for fitness: it rewards behaviours that are far from those of others, now and in its archive, and "
        "at the same time from those that it predicts, so it both spreads and moves on.",
    ),
    "nslc": (
        "Novelty with local competition",
        "keeps robots that end where few others do or did, and robots that end closer to the goal than their "
        "neighbours do: it spreads over the maze and improves each region of it, not only the one nearest to the goal.",
        "keeps individuals with rare behaviours and individuals that are fitter than their neighbours: it spreads "
        "over everything that can be done, and improves all of it.",
    ),
    "sslc": (
        "Surprise with local competition",
        "keeps robots that end far from where it predicts robots to end next, and robots that end closer to the goal "
        "than their neighbours do: it keeps moving on, and improves wherever it is.",
        "keeps individuals far from its predictions and individuals that are fitter than their neighbours: it keeps "
        "moving on, and improves wherever it is.",
    ),
    "nsslc": (
        "Novelty and surprise with local competition",
        "keeps robots that end far from where others end and from where it predicts robots to end next, taken "
        "together, and robots that end closer to the goal than their neighbours do.",
        "keeps individuals that are novel and far from its predictions, taken together, and individuals that are "
        "fitter than their neighbours.",
    ),
    "nssslc": (
        "Novelty, surprise and local competition",
        "keeps robots for one of three reasons: that few others end where they do, that none was predicted to end "
        "there, or that they end closer to the goal than their neighbours do.",
        "keeps individuals for one of three reasons: that few others do what they do, that it was not predicted, or "
        "that they are fitter than individuals that behave alike.",
    ),
    "dns": (
        "Dominated novelty search",
        "rewards robots for ending far from all that end closer to the goal than they do, so that a robot "
        "next to a better one is not kept, and the others spread.",
        "rewards individuals for behaving otherwise than all that are fitter, so that an individual next to a "
        "fitter one is not kept, and the others spread.",
    ),
}


def name_of(search: str | None) -> str:
    """Return the display name of a search.

    Examples
    --------
    >>> name_of("ssnp")
    'Surprise without prediction'

    The display name of an unknown search is derived from its name:

    >>> name_of("outskirts")
    'Outskirts search'
    """
    if search in SEARCHES:
        return SEARCHES[search][0]
    return f"{search.replace('_', ' ').capitalize()} search" if search else "This run"


def sentence_of(search: str | None, *, maze: bool) -> str:
    """Return a description that forms a sentence when it is appended to the display name of the search.

    The description of an unknown search is empty.

    Examples
    --------
    >>> "random score" in sentence_of("random", maze=False), sentence_of("outskirts", maze=False)
    (True, '')
    """
    return SEARCHES[search][1 if maze else 2] if search in SEARCHES else ""

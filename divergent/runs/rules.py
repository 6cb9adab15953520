"""Rules of NEAT and of the robot that belong together, by name: this package's own, or those of Lehman's program."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from divergent.maze import FIVE_RANGEFINDERS, SIX_RANGEFINDERS


class Rules(NamedTuple):
    """Options of the parts of a run, each by the names of the part."""

    meaning: str
    """One sentence for the help of the command line."""
    robot: str
    """A name in `divergent.maze.ROBOTS`, used where a run names no robot."""
    innovations: Mapping[str, Any]
    """Options of `divergent.neat.Innovations`."""
    network: Mapping[str, Any]
    """Options of `divergent.neat.express`."""
    species: Mapping[str, Any]
    """Options of `divergent.neat.Species`."""
    breeding: Mapping[str, Any]
    """Options of `divergent.neat.breed`."""


DEFAULT, LEHMAN_2008 = "divergent", "lehman2008"
RULES: dict[str, Rules] = {
    DEFAULT: Rules("the rules of this package, with the six-rangefinder robot", SIX_RANGEFINDERS, {}, {}, {}, {}),
    LEHMAN_2008: Rules(
        "as in Lehman's program of 2008, in all that docs/fidelity.md lists as an option, with its five-rangefinder "
        "robot",
        FIVE_RANGEFINDERS,
        innovations={"reuse_weights": True, "match_recurrent": False},
        network={"silence_unreached": True, "round_weights": 3},
        species={"replacement_ties": "oldest", "next_representative": "rank", "self_crossover": True},
        breeding={"self_crossover": True},
    ),
}
"""What `Settings(rules=...)` may be."""

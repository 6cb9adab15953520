"""Names of the robots, and rule sets for NEAT and the robot: those of this package and of Lehman's program."""

from collections.abc import Mapping
from typing import Any, NamedTuple

SIX_RANGEFINDERS, FIVE_RANGEFINDERS = "six-rangefinder", "five-rangefinder"
ROBOTS = {
    SIX_RANGEFINDERS: "six rangefinders and four radars, as the papers describe it",
    FIVE_RANGEFINDERS: "as in Lehman's program: radars replace the rear rangefinder, and the last input is always 0",
}


class Rules(NamedTuple):
    """A rule set: the robot, and the options of NEAT's innovations, networks, species and reproduction."""

    meaning: str
    """Short description of the rule set for the command-line help."""
    robot: str
    """Name of the default robot, in `divergent.maze.ROBOTS`, which is used if the settings specify no robot."""
    innovations: Mapping[str, Any]
    """Options of `divergent.neat.Innovations`."""
    network: Mapping[str, Any]
    """Options of `divergent.neat.express`."""
    species: Mapping[str, Any]
    """Options of `divergent.neat.Species`."""
    breeding: Mapping[str, Any]
    """Options of `divergent.neat.breed`."""


DEFAULT_RULES, LEHMAN_2008 = "divergent", "lehman2008"
RULES: dict[str, Rules] = {
    DEFAULT_RULES: Rules("the rules of this package, with the six-rangefinder robot", SIX_RANGEFINDERS, {}, {}, {}, {}),
    LEHMAN_2008: Rules(
        "the rules of Lehman's program of 2008 (docs/benchmarks/fidelity.md) and its five-rangefinder robot",
        FIVE_RANGEFINDERS,
        innovations={"reuse_weights": True, "match_recurrent": False},
        network={"silence_unreached": True, "round_weights": 3},
        species={"replacement_ties": "oldest", "next_representative": "rank", "self_crossover": True},
        breeding={"self_crossover": True},
    ),
}
"""Valid values of `Settings.rules`."""

"""Everything that decides a maze run, with the paper's values where nothing else is said."""

import dataclasses
import difflib
from dataclasses import dataclass
from typing import Any

from divergent.loops import LEARN_FROM
from divergent.selection import DEVIATIONS, PREDICTORS, SEARCHES

LOOPS = ("steady", "generational")

# generations, steps, novelty's neighbours, surprise's clusters and neighbours
PAPER: dict[str, dict[str, Any]] = {
    "medium": {"generations": 300, "steps": 400, "novelty": 15, "clusters": 200, "surprise": 1},
    "hard": {"generations": 300, "steps": 400, "novelty": 15, "clusters": 100, "surprise": 1},
    "very_hard": {"generations": 1000, "steps": 500, "novelty": 15, "clusters": 200, "surprise": 2},
    "extremely_hard": {"generations": 1000, "steps": 1000, "novelty": 10, "clusters": 220, "surprise": 2},
    "generated": {"generations": 600, "steps": 200, "novelty": 15, "clusters": 200, "surprise": 2},
}
OWN_MAZE = {"generations": 300, "steps": 400, "novelty": 15, "clusters": 200, "surprise": 2}

# what can be said to each search beyond maze, seed and size; a search that is not here takes nothing
OPTIONS = {
    "objective": (),
    "random": (),
    "novelty": ("neighbours", "clusters", "learn_from"),
    "surprise": ("neighbours", "clusters", "history", "predictor", "deviation", "learn_from"),
    "ssnp": ("neighbours", "clusters", "learn_from"),
    "ssr": ("neighbours", "clusters"),
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that decides a run: the same settings give the same record.

    What is None takes the paper's value for the maze and search, as `completed` fills it in.

    Parameters
    ----------
    maze
        A maze's name, the path of a maze file, or "generated:SEED".
    search
        A name in `divergent.selection.SEARCHES`.
    seed
        Seeds every random choice of the run.
    population, generations
        A run ends at the first solution, or after `population * generations` evaluations.
    steps
        Simulation steps of one evaluation.
    neighbours
        Behaviours (novelty) or predictions (surprise and its variants) that a score is averaged over.
    clusters
        Local behaviours that surprise and its variants predict from; for novelty, optional centroids to be novel among.
    history, predictor, deviation
        Generations that surprise looks back on, and the names of its predictor and deviation.
    learn_from
        What a search that remembers learns from when a generation of the steady loop is over: the standing "population"
        (novelty) or all its "births" (surprise and its variants).
    behaviour
        "end", the final position, or "trail:M", the positions at M moments of the way.
    loop
        "steady" (one birth, one death) or "generational" (every parent dies; surprise works poorly in it).

    Examples
    --------
    >>> settings = Settings(maze="hard", search="surprise").completed()
    >>> settings.clusters, settings.neighbours, settings.budget
    (100, 1, 75000)
    """

    maze: str = "hard"
    search: str = "surprise"
    seed: int = 0
    population: int = 250
    generations: int | None = None
    steps: int | None = None
    neighbours: int | None = None
    clusters: int | None = None
    history: int | None = None
    predictor: str | None = None
    deviation: str | None = None
    learn_from: str | None = None
    behaviour: str = "end"
    loop: str = "steady"

    def completed(self) -> "Settings":
        """The same settings with the paper's values for whatever is None, checked."""
        _check_choice("search", self.search, SEARCHES)
        options = OPTIONS.get(self.search, ())
        kind = "generated" if self.maze.startswith("generated:") else self.maze
        usual = PAPER.get(kind, OWN_MAZE)
        for option in OPTIONS["surprise"]:
            if getattr(self, option) is not None and option not in options:
                takes = ", ".join(options) or "no options of its own"
                raise ValueError(f"search {self.search} has no {option}; it takes {takes}")
        values = {"generations": usual["generations"], "steps": usual["steps"]}
        if self.search == "novelty":
            values |= {"neighbours": usual["novelty"]}
        elif self.search in ("surprise", "ssnp", "ssr"):
            clusters = usual["clusters"]
            if clusters > self.population or usual is OWN_MAZE:
                clusters = max(1, min(clusters, self.population * 4 // 5))
            values |= {"clusters": clusters, "neighbours": min(usual["surprise"], self.clusters or clusters)}
        if self.search == "surprise":
            predictor = PREDICTORS.get(self.predictor or "linear")
            values |= {"history": getattr(predictor, "history", 2), "predictor": "linear", "deviation": "nearest"}
        if "learn_from" in options and self.loop == "steady":
            values |= {"learn_from": SEARCHES[self.search].learns_from}
        missing = {name: value for name, value in values.items() if getattr(self, name) is None}
        complete = dataclasses.replace(self, **missing)
        complete._check()
        return complete

    @property
    def budget(self) -> int:
        """Evaluations after which a run gives up."""
        return self.population * (self.generations or self.completed().budget // self.population)

    @property
    def samples(self) -> int | None:
        """How many positions of the way make up the behaviour; None for the final position alone."""
        return None if self.behaviour == "end" else int(self.behaviour.removeprefix("trail:"))

    @property
    def name(self) -> str:
        """A folder name for runs that differ in their seed alone."""
        maze = self.maze.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".txt").replace(":", "-")
        return f"{maze}-{self.search}"

    def differences(self, other: "Settings") -> list[str]:
        """What differs from other settings, a phrase each."""
        return [
            f"{field.name} {getattr(self, field.name)} there, {getattr(other, field.name)} now"
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != getattr(other, field.name)
        ]

    def _check(self):
        for name, least in {
            "population": 2,
            "generations": 1,
            "steps": 1,
            "neighbours": 1,
            "clusters": 1,
            "history": 2,
            "seed": 0,
        }.items():
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < least):
                raise ValueError(f"{name} must be a whole number, at least {least}, got {value!r}")
        if self.clusters is not None and self.clusters > self.population:
            raise ValueError(f"clusters must be at most the population ({self.population}), got {self.clusters}")
        if self.clusters is not None and self.neighbours is not None and self.neighbours > self.clusters:
            raise ValueError(f"neighbours must be at most clusters ({self.clusters}), got {self.neighbours}")
        _check_choice("loop", self.loop, LOOPS)
        if self.learn_from is not None:
            _check_choice("learn_from", self.learn_from, LEARN_FROM)
            if self.loop != "steady":
                raise ValueError(f"learn_from is of the steady loop, got loop {self.loop}")
        if self.search == "surprise":
            _check_choice("predictor", self.predictor, PREDICTORS)
            _check_choice("deviation", self.deviation, DEVIATIONS)
            needed = getattr(PREDICTORS[self.predictor], "history", 2)
            if self.history < needed:
                raise ValueError(f"predictor {self.predictor} needs a history of at least {needed}, got {self.history}")
            if self.deviation == "heatmap" and self.behaviour != "end":
                raise ValueError(f"deviation heatmap is of final positions, behaviour end; got {self.behaviour!r}")
        samples = self.behaviour.removeprefix("trail:")
        if self.behaviour != "end" and not (self.behaviour != samples and samples.isdecimal() and int(samples) > 0):
            raise ValueError(f"behaviour must be end or trail:M with M at least 1, got {self.behaviour!r}")


def _check_choice(name, value, choices):
    if value not in choices:
        close = difflib.get_close_matches(str(value), list(choices), n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        raise ValueError(f"unknown {name} {value!r}{hint}; choose from {', '.join(choices)}")

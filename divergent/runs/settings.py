"""Settings of a maze run: what a user says, and the complete and checked plan that is made of it."""

import dataclasses
import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from divergent.loops import LEARN_FROM, REFRESHES
from divergent.maze import FIVE_RANGEFINDERS, ROBOTS, SIX_RANGEFINDERS
from divergent.maze.files import locate_maze
from divergent.maze.task import usual_steps
from divergent.runs.defaults import CROSSOVER, MUTATION, POPULATION, SPECIES_OF, usual_in, usual_options
from divergent.runs.options import make_strategy, needs_of_parts, options_of, told
from divergent.runs.rules import DEFAULT, RULES
from divergent.selection import SEARCHES, Strategy

LOOPS = ("steady", "generational", "plus")
# settings that not every loop has
OF_LOOPS = {
    "learn_from": ("steady",),
    "refresh": ("steady",),
    "cxpb": ("generational",),
    "mutpb": ("generational",),
    "species": ("steady", "generational"),
}
LEAST = {"population": 2, "generations": 1, "steps": 1, "seed": 0, "species": 1, "refresh": 1}
# present names of values and options in records of earlier versions
EARLIER_NAMES = {
    "learn_from": {"births": "offspring"},
    "robot": {"described": SIX_RANGEFINDERS, "original": FIVE_RANGEFINDERS},
}
EARLIER_OPTIONS = {"stale": "keep_empty_clusters"}
# sizes beyond which a run could not end, or not be kept in memory, on any machine of today
MOST = {"population": 10**6, "steps": 10**6}
MOST_EVALUATIONS = 10**9
# what a run takes, by order of magnitude: enough to say what a refused one would
BYTES = {"population": 4000, "steps": 16}  # of a genome with its network, of a step of the trail
BYTES_OF_EVALUATION = 8  # its final position
EVALUATIONS_A_SECOND = 6000


@dataclass(frozen=True, init=False)
class Settings:
    """What decides a run, as far as anybody has said it: the same settings give the same record.

    What is None, and every option of the search that is not given, takes the paper's value for the maze and search, or
    else the search's own default, as `resolve` fills it in.

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
    robot
        A name in `divergent.maze.ROBOTS`: "six-rangefinder", or "original"; that of the rules if None.
    rules : {"divergent", "lehman2008"}, default="divergent"
        A name in `divergent.runs.rules.RULES`: "lehman2008" has the rules of Lehman's program of 2008 for innovations,
        networks, species and breeding, and its five-rangefinder robot ("original").
    behaviour
        "end", the final position, or "trail:M", the positions at M moments of the way.
    loop
        "steady" (one birth, one death), "generational" (every parent dies) or "plus" (as many children as parents, and
        the better half of all by score survives; no species, any two may have a child, bred as in the steady loop but
        that it gets the genes that only one parent has from the one with the better score); the search's own if None.
        Surprise by itself works poorly in the last two.
    learn_from
        What a search that remembers learns from when a generation of the steady loop is over: the standing "population"
        (novelty) or all its "offspring" (surprise and its variants).
    refresh
        Births of the steady loop between two scorings of everybody; a twentieth of the population if None.
    cxpb, mutpb
        Probabilities of crossover and mutation in the generational loop; 0.7 and 0.8 if None.
    species
        How many species are aimed at, in loops that have species; one for 15 individuals if None.
    options
        Arguments of the search's class, which may also be given as keywords: those that are numbers or words.

    Examples
    --------
    >>> settings = Settings(maze="hard", search="surprise", neighbours=2)
    >>> plan = settings.resolve()
    >>> plan.options["clusters"], plan.options["neighbours"], plan.budget
    (100, 2, 75000)
    """

    maze: str
    search: str
    seed: int
    population: int
    generations: int | None
    steps: int | None
    robot: str | None
    rules: str
    behaviour: str
    loop: str | None
    learn_from: str | None
    refresh: int | None
    cxpb: float | None
    mutpb: float | None
    species: int | None
    options: dict[str, Any] = field(hash=False)

    def __init__(
        self,
        *,
        maze: str = "hard",
        search: str = "surprise",
        seed: int = 0,
        population: int = POPULATION,
        generations: int | None = None,
        steps: int | None = None,
        robot: str | None = None,
        rules: str = DEFAULT,
        behaviour: str = "end",
        loop: str | None = None,
        learn_from: str | None = None,
        refresh: int | None = None,
        cxpb: float | None = None,
        mutpb: float | None = None,
        species: int | None = None,
        options: Mapping[str, Any] | None = None,
        **more_options: Any,
    ):
        values = locals()
        for name in _fields():
            object.__setattr__(self, name, values[name])
        given = dict(options or {}) | more_options
        object.__setattr__(self, "options", {name: value for name, value in given.items() if value is not None})

    def resolve(self) -> "Plan":
        """Fill in the defaults of whatever is None, and check the settings.

        Returns
        -------
        Plan
            The complete settings of the run.

        Raises
        ------
        ValueError, OSError
            If a setting is invalid, or the maze does not exist.
        """
        locate_maze(self.maze)
        _check_choice("search", self.search, SEARCHES)
        loop = SEARCHES[self.search].loop if self.loop is None else self.loop
        _check_choice("loop", loop, LOOPS)
        _check_choice("rules", self.rules, RULES)
        if self.robot is not None:
            _check_choice("robot", self.robot, ROBOTS)
        for name, loops in OF_LOOPS.items():
            if getattr(self, name) is not None and loop not in loops:
                raise ValueError(f"{name} is of the {' or '.join(loops)} loop, got loop {loop}")
        learns = SEARCHES[self.search].learn is not Strategy.learn
        if self.learn_from is not None and not learns:
            raise ValueError(f"search {self.search} remembers nothing, so it has no learn_from")
        _check_numbers(self, {name: least for name, least in LEAST.items() if getattr(self, name) is not None})
        usual: dict[str, Any] = {
            "generations": usual_in(self.maze).generations,
            "steps": usual_steps(self.maze),
            "robot": RULES[self.rules].robot,
            "loop": loop,
        }
        of_loops = {
            "species": max(1, self.population // SPECIES_OF),
            "refresh": max(1, self.population // REFRESHES),
            "cxpb": CROSSOVER,
            "mutpb": MUTATION,
        }
        usual |= {name: value for name, value in of_loops.items() if loop in OF_LOOPS[name]}
        said = {name: getattr(self, name) for name in _fields() if getattr(self, name) is not None}
        plan = Plan(**usual | said, options=self._completed_options())
        check_size(plan)
        # building the strategy rejects options that it cannot use, before the first evaluations
        strategy = plan.strategy((0.0, 0.0, 1.0, 1.0), np.random.default_rng(0))
        if learns and loop in OF_LOOPS["learn_from"] and plan.learn_from is None:
            # a composed strategy decides this by its parts, so its class cannot say it
            plan = dataclasses.replace(plan, learn_from=strategy.learns_from)
        return plan

    @property
    def name(self) -> str:
        """A folder name for runs that differ in their seed alone."""
        maze = self.maze.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".txt").replace(":", "-")
        given = [] if self.robot in (None, RULES[self.rules].robot) else [self.robot]
        return "-".join([maze, self.search, *given, *([] if self.rules == DEFAULT else [self.rules])])

    def _completed_options(self) -> dict[str, Any]:
        offered = options_of(self.search)
        for name, value in self.options.items():
            if name not in offered:
                raise ValueError(f"search {self.search} has no {name}; it takes {told(offered)}")
            if not offered[name].fits(value):
                raise ValueError(f"{name} must be {offered[name].rule}, got {value!r}")
        usual = usual_options(self.maze, self.search, self.population, self.options)
        defaults = {name: option.default for name, option in offered.items()} | usual
        chosen = defaults | self.options
        chosen |= {
            name: value
            for name, value in needs_of_parts(chosen).items()
            if name in offered and name not in self.options
        }
        return {name: chosen[name] for name in offered if chosen[name] is not None}


@dataclass(frozen=True, init=False)
class Plan(Settings):
    """Everything that decides a run: settings without a gap.

    `learn_from` and `refresh` are None in any loop but the steady one, `cxpb` and `mutpb` in any but the generational
    one, `species` where the loop has none, and `learn_from` where a search remembers nothing.
    """

    generations: int
    steps: int
    robot: str
    loop: str

    def __init__(self, **settings: Any):
        super().__init__(**settings)
        for name in ("maze", "search", "robot", "behaviour"):
            if not isinstance(value := getattr(self, name), str):
                raise ValueError(f"{name} must be a string, got {value!r:.60}")
        _check_choice("loop", self.loop, LOOPS)
        _check_choice("rules", self.rules, RULES)
        open_in_some = {name for name, loops in OF_LOOPS.items() if self.loop not in loops}
        _check_numbers(self, {name: least for name, least in LEAST.items() if name not in open_in_some})
        if self.learn_from is not None:
            _check_choice("learn_from", self.learn_from, LEARN_FROM)
        samples = self.behaviour.removeprefix("trail:")
        if self.behaviour != "end" and not (self.behaviour != samples and samples.isdecimal() and int(samples) > 0):
            raise ValueError(f"behaviour must be end or trail:M with M at least 1, got {self.behaviour!r}")
        clusters = self.options.get("clusters", 0)
        if clusters > self.population:
            raise ValueError(f"clusters must be at most the population ({self.population}), got {clusters}")

    def resolve(self) -> "Plan":
        """This plan: nothing is left open."""
        return self

    @property
    def budget(self) -> int:
        """Evaluations after which a run gives up."""
        return self.population * self.generations

    @property
    def samples(self) -> int | None:
        """How many positions of the way make up the behaviour; None for the final position alone."""
        return None if self.behaviour == "end" else int(self.behaviour.removeprefix("trail:"))

    def strategy(self, bounds: tuple[float, float, float, float], rng: np.random.Generator) -> Strategy:
        """The search in a maze of these bounds."""
        left, top, right, bottom = bounds
        repeats = self.samples or 1
        return make_strategy(self.search, self.options, ((left, top) * repeats, (right, bottom) * repeats), rng)

    def to_json(self) -> dict[str, Any]:
        """The plan as plain data."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Plan":
        """The plan that `to_json` made data of; its search need not be known here.

        Data of an earlier version has the default rules, and other names for some values.
        """
        data = {"rules": DEFAULT} | {name: _current_name(name, value) for name, value in data.items()}
        for name in {*_fields(), "options"} ^ data.keys():
            raise ValueError(f"settings are {', '.join(_fields())} and options; {name!r} is missing or too many")
        return cls(**data)

    def differences(self, other: "Plan") -> list[str]:
        """What differs from another plan, a phrase each."""
        there, now = ({name: getattr(one, name) for name in _fields()} | one.options for one in (self, other))
        return [
            f"{name} {there.get(name)} there, {now.get(name)} now"
            for name in there | now
            if there.get(name) != now.get(name)
        ]


def _current_name(name: str, value: Any) -> Any:
    """The present name of a value in a record of an earlier version."""
    if name == "options" and isinstance(value, Mapping):
        return {EARLIER_OPTIONS.get(option, option): chosen for option, chosen in value.items()}
    return EARLIER_NAMES.get(name, {}).get(value, value) if isinstance(value, str) else value


def _fields() -> list[str]:
    """The names of all settings but the options."""
    return [one.name for one in dataclasses.fields(Settings) if one.name != "options"]


def _check_numbers(settings: Settings, least: Mapping[str, int]) -> None:
    for name, smallest in least.items():
        value = getattr(settings, name)
        if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < smallest:
            raise ValueError(f"{name} must be a whole number, at least {smallest}, got {value!r}")
    for name in ("cxpb", "mutpb"):
        value = getattr(settings, name)
        if value is not None and not 0 <= value <= 1:
            raise ValueError(f"{name} must be from 0 to 1, got {value!r}")


def check_size(plan: Plan) -> None:
    """Refuse at once what no machine could finish, and say what it would need."""
    for name, most in MOST.items():
        if (size := getattr(plan, name)) > most:
            raise ValueError(f"{name} must be at most {most:,}, got {size:,}: {_memory(size * BYTES[name])} of memory")
    if plan.samples is not None and plan.samples * plan.population > MOST_EVALUATIONS:
        memory = _memory(2 * BYTES_OF_EVALUATION * plan.samples * plan.population)
        raise ValueError(f"behaviour {plan.behaviour} of a population of {plan.population:,} takes {memory} of memory")
    if plan.budget > MOST_EVALUATIONS:
        days = plan.budget // EVALUATIONS_A_SECOND // 86_400
        raise ValueError(
            f"population times generations must be at most {MOST_EVALUATIONS:,} evaluations, got {plan.budget:,}: "
            f"about {days:,} days on one core, and {_memory(plan.budget * BYTES_OF_EVALUATION)} of memory"
        )


def _memory(count: int) -> str:
    return f"{max(1, count // 10**9):,} GB"


def _check_choice(name: str, value: Any, choices: Iterable[str]) -> None:
    if value not in choices:
        close = difflib.get_close_matches(str(value), list(choices), n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        raise ValueError(f"unknown {name} {value!r}{hint}; choose from {', '.join(choices)}")

"""Write the lists of public names in the pages of the reference: python docs/reference/write.py.

The Sphinx configuration `docs/conf.py` writes the lists before every build, so that the pages list all public names.
"""

import importlib
import inspect
import json
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).parent
# page: module, title
PAGES = {
    "divergent": ("divergent", "Core"),
    "selection": ("divergent.selection", "Search strategies"),
    "neat": ("divergent.neat", "NEAT"),
    "maze": ("divergent.maze", "Mazes"),
    "gym": ("divergent.problems.gymnasium", "Gymnasium environments"),
    "soft_robots": ("divergent.problems.soft_robots", "Soft robots"),
    "robot_figures": ("divergent.problems.robot_figures", "Figures of soft robots"),
    "levels": ("divergent.problems.levels", "Grid levels"),
    "runs": ("divergent.runs", "Runs and records"),
    "archives": ("divergent.archives", "Archives"),
    "neighbours": ("divergent.neighbours", "Nearest neighbours and clusters"),
    "persistence": ("divergent.persistence", "Checkpoints and files"),
    "analysis": ("divergent.analysis", "Statistics of runs"),
    "plots": ("divergent.plots", "Figures"),
}
BEGIN, END = "<!-- names of {} -->", "<!-- end of names -->"
# groups of functions by the private module that defines them, for packages with many functions
GROUPS = {
    "divergent.analysis": {
        "Tables of runs": ("_tables", "_record_elites", "_grouping", "_budgets"),
        "Success rates, survival analysis and means": ("_summaries", "_survival"),
        "Tests and comparisons": ("_comparisons", "_two_samples", "_agreement"),
        "Intervals": ("_intervals",),
        "Mazes and behaviours": ("_occupancy", "_regression", "_maze_features"),
        "Dynamics of a search and genotypes": ("_search_dynamics", "_evolvability", "_genotype_distances"),
    }
}
# meaning of every exported constant
MEANINGS = {
    "divergent.selection": {
        "DEVIATIONS": "Deviation measures of surprise search, by name.",
        "PREDICTORS": "Predictors of surprise search, by name.",
        "SEARCHES": "Strategy class of each search.",
    },
    "divergent.neat": {"PRESETS": "Named sets of options for `register`."},
    "divergent.maze": {
        "FIVE_RANGEFINDERS": "Name of the robot with five rangefinders, as Lehman's program implements it.",
        "GENERATED": "Prefix of the names of generated mazes, such as `generated:7`.",
        "GOAL_RADIUS": "Distance to the goal, in maze units, below which the maze is solved.",
        "INPUTS": "Number of network inputs.",
        "OUTPUTS": "Number of network outputs.",
        "ROBOT_RADIUS": "Radius of the robot in maze units.",
        "ROBOTS": "Description of each robot.",
        "SENSOR_RANGE": "Range of a rangefinder in maze units.",
        "SIX_RANGEFINDERS": "Name of the robot with six rangefinders, as the papers describe it.",
    },
    "divergent.problems.gymnasium": {"BEHAVIOURS": "Predefined behaviour descriptors of `GymTask`, by name."},
    "divergent.analysis": {
        "CELL_SIZE": "Side length, in maze units, of the grid cells in which positions are counted.",
        "DIVERSITY": "Measures of genotypic diversity in the record of a maze run.",
        "FEATURES": "Maze features in the regression of success rates.",
        "LEAST_RUNS": "Smallest sample size with which `decide` gives a verdict on a comparison (see `Verdict`).",
        "LEAST_RUNS_TO_RANK": "Smallest number of runs per search and maze for a verdict on a claimed ranking.",
        "LEVEL": "Significance level of tests. The confidence level of intervals is 1 - `LEVEL`.",
        "MARGIN": "Equivalence margin of the difference between two means, as a fraction of the second mean.",
        "POWER": "Probability of a conclusive result with the number of runs that `runs_to_decide` returns.",
        "PROBLEM_COLUMNS": "Columns of a table of runs on problems.",
        "PROPORTION_MARGIN": "Equivalence margin of the difference between two proportions.",
        "RESAMPLES": "Number of bootstrap resamples for a confidence interval.",
        "RUN_COLUMNS": "Columns of a table of maze runs.",
        "SETTINGS": "Columns with settings in a table of maze runs.",
        "STRATA": "Default number of quantile intervals of each covariate in `matched_means`.",
    },
    "divergent.plots": {
        "MARKERS": "Matplotlib marker of each search.",
        "STYLE": "Matplotlib settings of all figures of results.",
    },
}


def names(module_name: str) -> tuple[list[str], list[str], list[str]]:
    """Return the public classes, functions and constants that a module exports.

    If several modules export a name, only the page of the package that defines the name lists it.
    """
    module = importlib.import_module(module_name)
    others = {other: importlib.import_module(other) for other, _ in PAGES.values() if other != module_name}
    exports = [
        (other, getattr(package, name)) for other, package in others.items() for name in getattr(package, "__all__", ())
    ]
    elsewhere = {id(value) for other, value in exports if module_name == "divergent" or is_defined_in(value, other)}
    kinds: tuple[list[str], list[str], list[str]] = ([], [], [])
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", None) == module_name]
    for name in sorted(getattr(module, "__all__", own), key=str.lower):
        value = getattr(module, name)
        if id(value) in elsewhere or name.startswith("_") or inspect.ismodule(value):
            continue
        kinds[0 if inspect.isclass(value) else 1 if callable(value) else 2].append(name)
    return kinds


def is_defined_in(value: object, package: str) -> bool:
    """Return whether a class or function is defined in a package other than `divergent` itself."""
    return package != "divergent" and f"{getattr(value, '__module__', '')}.".startswith(f"{package}.")


def block(module_name: str) -> str:
    """Return the generated part of a page: summaries that link to one page per class and function."""
    classes, functions, constants = names(module_name)
    lines = [BEGIN.format(module_name), ""]
    for title, group in (("Classes", classes), *grouped(module_name, functions).items()):
        if group:
            lines += [f"## {title}", "", "```{eval-rst}", f".. currentmodule:: {module_name}", "", ".. autosummary::"]
            lines += ["   :toctree: generated", "   :nosignatures:", "", *(f"   {name}" for name in group), "```", ""]
    if constants:
        module, meanings = importlib.import_module(module_name), MEANINGS[module_name]
        rows = [f"| `{name}` | {meanings[name]} | {shown(getattr(module, name))} |" for name in constants]
        lines += ["## Constants", "", "| name | meaning | value or keys |", "|---|---|---|", *rows, ""]
    return "\n".join([*lines, END])


def grouped(module_name: str, functions: list[str]) -> dict[str, list[str]]:
    """Divide functions into the groups of their package; a package without groups has the group "Functions"."""
    if module_name not in GROUPS:
        return {"Functions": functions}
    module = importlib.import_module(module_name)
    groups: dict[str, list[str]] = {title: [] for title in GROUPS[module_name]}
    homes = {home: title for title, modules in GROUPS[module_name].items() for home in modules}
    for name in functions:
        groups[homes[getattr(module, name).__module__.rpartition(".")[2]]].append(name)
    return groups


def shown(value: object) -> str:
    """Return the value of a constant as Markdown: a number or a string, or the names in a collection."""
    if isinstance(value, Mapping | tuple):
        return ", ".join(f"`{name}`" for name in value)
    return f"`{json.dumps(value)}`"


def write(page: str) -> str:
    """Return the text of a page with the current lists of public names."""
    module_name, title = PAGES[page]
    path = HERE / f"{page}.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if END not in text:
        summary = (importlib.import_module(module_name).__doc__ or "").split("\n\n")[0]
        text = f"# {title}\n\nModule `{module_name}`. {summary}\n\n{BEGIN.format(module_name)}\n{END}\n"
    before, rest = text.split(BEGIN.format(module_name))
    return before + block(module_name) + rest.split(END)[1]


def write_pages() -> None:
    """Write all pages whose lists of public names have changed."""
    for name in PAGES:
        path, text = HERE / f"{name}.md", write(name)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_pages()

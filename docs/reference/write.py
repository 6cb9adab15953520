"""Write the lists of public names in the pages of the reference: python docs/reference/write.py.

The Sphinx configuration `docs/conf.py` writes the lists before every build, so that the pages list all public names.
"""

import importlib
import inspect
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
    for title, group in (("Classes", classes), ("Functions", functions)):
        if group:
            lines += [f"## {title}", "", "```{eval-rst}", f".. currentmodule:: {module_name}", "", ".. autosummary::"]
            lines += ["   :toctree: generated", "   :nosignatures:", "", *(f"   {name}" for name in group), "```", ""]
    if constants:
        listed = ", ".join(f"`{name}`" for name in constants)
        opening = "these constants:" if len(constants) > 1 else "the constant"
        lines += ["## Constants", "", f"`{module_name}` exports {opening} {listed}.", ""]
    return "\n".join([*lines, END])


def write(page: str) -> str:
    """Return the text of a page with the current lists of public names."""
    module_name, title = PAGES[page]
    path = HERE / f"{page}.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if END not in text:
        summary = (importlib.import_module(module_name).__doc__ or "").split("\n\n")[0]
        text = f"# {title}: `{module_name}`\n\n{summary}\n\n{BEGIN.format(module_name)}\n{END}\n"
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

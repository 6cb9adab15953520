"""Create interactive HTML pages that show one run, two runs, an overview of many runs, or the history of a loop."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divergent.problem import Problem

if TYPE_CHECKING:
    from divergent.explorer._page import Page, PageData
    from divergent.explorer._scene import Scene


def explore(
    *runs: Any,
    out: str | os.PathLike | None = None,
    problem: Problem | None = None,
    title: str | None = None,
    axes: Sequence[str] | None = None,
    limits: Sequence[tuple[float, float]] | None = None,
    draw: Callable[[Any], Any] | None = None,
    render: Callable[[Any], Any] | None = None,
    individuals: Mapping[int, Any] | None = None,
    repeat: bool = False,
) -> "Page":
    """Create an interactive HTML page that shows one or more runs, in a browser or a notebook.

    Parameters
    ----------
    *runs : path-like, Record or History
        Records, folders of records, or histories of loops. The page animates one run, or two runs synchronously. Three
        or more records give an overview page of all runs. A record contains only the genome of the solution. The page
        obtains other genomes, parents, species and predictions by repeating the run exactly. If the page shows one or
        two runs, runs in mazes are always repeated. Runs on other problems are repeated only if the argument `problem`
        is given. The runs of an overview are repeated only if `repeat` is True.
    out : path-like or None, default=None
        Path of the HTML file to write; None writes no file.
    problem : Problem or None, default=None
        Problem that was used to create the histories or records. If `axes`, `limits`, `draw` or `render` are None, the
        attributes of the problem are used. The function `solved` of the problem identifies solutions in histories.
    title : str or None, default=None
        Title of a page with one or two runs; None derives the title from the runs.
    axes : sequence of str or None, default=None
        Names of the behaviour dimensions of histories.
    limits : sequence of (float, float) or None, default=None
        Ranges of the behaviour dimensions of histories.
    draw : callable or None, default=None
        Function that draws the background of the behaviour map on matplotlib axes. The axes show the two dimensions
        that the page displays initially.
    render : callable or None, default=None
        Function that returns an image array or a matplotlib figure of an individual, for the side panel of the page.
    individuals : mapping of int to object or None, default=None
        Maps evaluation numbers in the history to the individuals that are passed to `render`. None uses the individuals
        that the history keeps.
    repeat : bool, default=False
        Whether to repeat the runs of an overview to obtain species, predictions, archives and stepping stones.

    Returns
    -------
    Page
        The interactive page.

    Raises
    ------
    TypeError
        If a run is neither a record nor a history.
    ValueError
        If there are no runs, or `axes` or `limits` do not have one item per behaviour dimension.

    See Also
    --------
    divergent.History : Record all evaluations of a custom loop.

    Examples
    --------
    >>> from divergent import Settings, run
    >>> record = run(Settings(maze="medium", search="surprise", population=20, generations=3))
    >>> page = explore(record)
    >>> page.text.startswith("<!doctype html>"), "Surprise search in the medium maze" in page.text
    (True, True)
    """
    page = page_data(
        *runs,
        problem=problem,
        title=title,
        axes=axes,
        limits=limits,
        draw=draw,
        render=render,
        individuals=individuals,
        repeat=repeat,
    ).page()
    if out is not None:
        page.write(out)
    return page


def page_data(*runs: Any, title: str | None = None, repeat: bool = False, **view: Any) -> "PageData":
    """Return the compact data of a page, which can be stored instead of the page, for example in a repository.

    Parameters
    ----------
    *runs : path-like, Record or History
        Runs to show, see `explore`.
    title : str or None, default=None
        Title of a page with one or two runs; None derives the title from the runs.
    repeat : bool, default=False
        Whether to repeat the runs of an overview.
    **view : dict
        Other arguments of `explore`, except `out`.

    Returns
    -------
    PageData
        Data of the page. The method `write` saves the data in a file; the method `page` returns the page.

    See Also
    --------
    explore : Create the page itself.

    Examples
    --------
    >>> from divergent import Settings, run
    >>> record = run(Settings(maze="medium", search="random", population=20, generations=2))
    >>> page_data(record).title == "Random search in the medium maze"
    True
    """
    from divergent.explorer._page import MOST_RUNS, PageData

    if len(runs) > MOST_RUNS:
        return _overview(runs, repeat, view.get("problem"))
    shown = _View(title=title, **view)
    return PageData.of([shown.scene(run) for run in runs], title)


def _overview(runs: Sequence[Any], repeated: bool, problem: Problem | None) -> "PageData":
    """Return the data of an overview page of three or more records."""
    from divergent.explorer._batch import batch_data
    from divergent.runs import Record, read

    records = [read(run) if isinstance(run, str | Path) else run for run in runs]
    for record in records:
        if not isinstance(record, Record):
            raise TypeError(
                f"three or more runs must all be records, got a {type(record).__name__}; pass at most two histories"
            )
    return batch_data(records, repeated=repeated, problem=problem)


class _View:
    """Display options of a page; an option that is None is replaced by the problem's attribute of the same name."""

    def __init__(
        self,
        problem: Problem | None = None,
        title: str | None = None,
        axes: Sequence[str] | None = None,
        limits: Sequence[tuple[float, float]] | None = None,
        draw: Callable[[Any], Any] | None = None,
        render: Callable[[Any], Any] | None = None,
        individuals: Mapping[int, Any] | None = None,
    ) -> None:
        self.problem = problem
        self.axes = axes or getattr(problem, "axes", None) or None
        self.limits = limits or getattr(problem, "limits", None) or None
        self.draw = draw or getattr(problem, "draw", None)
        self.render = render or getattr(problem, "render", None)
        self.solved = getattr(problem, "solved", None)
        self.individuals = individuals

    def scene(self, run: Any) -> "Scene":
        """Return the page content of a run that is given as a record, as the folder of a record, or as a history."""
        from divergent.explorer._problem_scene import scene_of_problem_record
        from divergent.explorer._rerun import scene_of_record
        from divergent.explorer._scene import scene_of
        from divergent.history import History
        from divergent.runs import MazeRecord, ProblemRecord, read

        if isinstance(run, str | Path):
            run = read(run)
        if isinstance(run, MazeRecord):
            return scene_of_record(run)
        if isinstance(run, ProblemRecord):
            return self._add_images(scene_of_problem_record(run, self.problem))
        if not isinstance(run, History):
            raise TypeError(f"runs must be records, folders of records or histories, got {type(run).__name__}")
        return self._add_images(scene_of(run, axes=self.axes, limits=self.limits, solved=self.solved))

    def _add_images(self, scene: "Scene") -> "Scene":
        """Add the background image and the images of individuals to the page content."""
        from divergent.explorer._images import background_image, notable, render_images

        if self.draw is not None:
            across, up = (scene.dimensions[place] for place in scene.plane)
            scene.background = background_image(self.draw, [(across.low, across.high), (up.low, up.high)])
        individuals = self.individuals
        if individuals is None:
            individuals = dict(enumerate(scene.history.individuals))
        if self.render is not None and individuals:
            numbers = [*notable(scene.history), *(self.individuals or ())]
            scene.images = render_images(self.render, individuals, numbers)
        return scene

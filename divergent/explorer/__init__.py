"""Interactive HTML page of a run: `explore` for one record, for two, or for the history of any loop."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from divergent.explorer._page import Page
    from divergent.explorer._scene import Scene


def explore(*runs: Any, out: str | os.PathLike | None = None) -> "Page":
    """The page of one run or two, which shows itself in a notebook.

    Parameters
    ----------
    runs
        Records, folders of records, or histories (`divergent.History`); one, or two to be seen on one clock. The run
        of a record is done again, exactly, since the record does not hold everything that the page shows.
    out
        A file to write the page to.

    Examples
    --------
    >>> from divergent import Settings, run
    >>> record = run(Settings(maze="medium", search="surprise", population=20, generations=3))
    >>> page = explore(record)
    >>> page.text.startswith("<!doctype html>"), "Surprise search in the medium maze" in page.text
    (True, True)
    """
    from divergent.explorer._page import page_of

    page = page_of([_scene(run) for run in runs])
    if out is not None:
        page.write(out)
    return page


def _scene(run: Any) -> "Scene":
    from divergent.explorer._rerun import scene_of_record
    from divergent.explorer._scene import scene_of
    from divergent.history import History
    from divergent.runs import Record, read

    if isinstance(run, History):
        return scene_of(run)
    if isinstance(run, str | Path):
        run = read(run)
    if not isinstance(run, Record):
        raise TypeError(f"explore shows records, folders of records and histories, got {type(run).__name__}")
    return scene_of_record(run)

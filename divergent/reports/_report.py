"""Define `divergent.report`, which imports pandas and matplotlib on its first call."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any


def report(
    folder: str | os.PathLike,
    out: str | os.PathLike | None = None,
    *,
    draw: Callable[[Any], Any] | None = None,
) -> Path:
    """Write a report on all runs in a folder, as a self-contained HTML page with tables and figures.

    Parameters
    ----------
    folder : str or os.PathLike
        Folder of records, such as ``runs/roof``, which may contain runs of several problems and mazes.
    out : str, os.PathLike or None, default=None
        Output folder; None selects the subfolder `report` of the folder of records.
    draw : callable or None, default=None
        Function `draw(axes)` that draws the background of behaviour maps, like `Problem.draw`.

    Returns
    -------
    Path
        Path of the page ``report.html``. The output folder also contains ``tables/*.csv``, ``figures/*.png`` and
        ``figures/*.svg``.

    Raises
    ------
    FileNotFoundError
        If the folder does not exist.
    ValueError
        If the folder contains no record, or a record is damaged.

    See Also
    --------
    divergent.run_many : Run experiments and write their records.

    Examples
    --------
    >>> import tempfile
    >>> from divergent import Settings, run
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for seed in (0, 1):
    ...         settings = Settings(maze="medium", search="random", seed=seed, population=20, generations=2)
    ...         record = run(settings, out=folder)
    ...     page = report(folder)
    ...     page.name, sorted(path.name for path in (page.parent / "tables").iterdir())[:2]
    ('report.html', ['medium_best.csv', 'medium_best_comparisons.csv'])
    """
    from divergent.reports._records import write_report

    folder = Path(folder)
    return write_report(folder, folder / "report" if out is None else Path(out), draw)

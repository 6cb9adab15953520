"""Report of a replication: one page with tables and figures, compared with the paper."""

import os
from pathlib import Path

from divergent.replicate._replication import read_replication
from divergent.replicate._sections import (
    behaviours,
    generated_mazes,
    genotypes,
    overview,
    paper_mazes,
    qd_variants,
    sensitivity,
    variants,
)
from divergent.reports._page import write_page

SECTIONS = (
    paper_mazes.section,
    behaviours.section,
    genotypes.section,
    generated_mazes.section,
    variants.predictors_section,
    qd_variants.section,
    sensitivity.section,
    variants.section,
)


def report(results: str | os.PathLike, out: str | os.PathLike) -> Path:
    """Write `report.html`, and its tables and figures as files.

    Parameters
    ----------
    results : path_like
        A folder with a folder of results for each experiment, as `write_results` writes them; any may be missing.
    out : path_like
        Output folder.

    Returns
    -------
    Path
        Path of `report.html`.

    Raises
    ------
    FileNotFoundError
        If no experiment has results.
    """
    replication = read_replication(results)
    sections = [section for make in SECTIONS if (section := make(replication)) is not None]
    opening = overview.opening_section(replication, sections)
    closing = [overview.rules_section(), overview.provenance_section(replication)]
    return write_page("Surprise search, replicated", [opening, *sections, *closing], Path(out))

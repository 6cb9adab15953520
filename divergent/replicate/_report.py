"""Report of the replication: one HTML page with tables and figures that compare results with the paper."""

import os
from pathlib import Path

from divergent.replicate._replication import read_replication
from divergent.replicate._sections import (
    behaviours,
    claims,
    generated_mazes,
    genotypes,
    overview,
    paper_mazes,
    qd_variants,
    robots,
    sensitivity,
    variants,
)
from divergent.reports._page import write_page

DESCRIPTION = "Replication of the paper on surprise search: tables and figures that compare our results with the paper."
SECTIONS = (
    claims.section,
    paper_mazes.section,
    behaviours.section,
    genotypes.section,
    generated_mazes.section,
    variants.predictors_section,
    qd_variants.section,
    sensitivity.section,
    variants.section,
)


def report(results: str | os.PathLike, out: str | os.PathLike, home: str = "") -> Path:
    """Write the report as `report.html`, its tables as CSV files and its figures as image files.

    Parameters
    ----------
    results : path_like
        Folder that contains one subfolder of results per experiment; experiments may be missing.
    out : path_like
        Output folder of the report.
    home : str, default=""
        Address of the documentation page to which the report links, relative to the output folder; no link by default.

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
    opening = overview.opening_section(replication, sections, robots.robots_table(replication))
    closing = [overview.rules_section(), overview.provenance_section(replication)]
    return write_page("Surprise search, replicated", [opening, *sections, *closing], Path(out), home, DESCRIPTION)

"""Write a report on the runs in a folder: success rates, survival curves, comparisons and behaviour maps."""

import html
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Canvas

from divergent import analysis
from divergent.plots import STYLE, by_maze, draw_efficiency, draw_kaplan_meier, label
from divergent.reports import _formatting as formatting
from divergent.reports._page import Figure, Section, Table, write_page
from divergent.runs._many import read_batches

MOST_POINTS = 4000  # largest number of points per search in a behaviour map; behaviours are sampled at equal intervals


def write_report(folder: Path, out: Path, draw: Callable[[Any], Any] | None) -> Path:
    """Write the page, tables and figures of a report to a folder, and return the path of the page."""
    records = list(analysis.read_records(folder))
    if not records:
        raise ValueError(
            f"folder {folder} must contain records, got none; record runs in the folder with out={str(folder)!r}"
        )
    by_problem: dict[str, list[Any]] = {}
    for record in records:
        by_problem.setdefault(record.info.name, []).append(record)
    sections = [_overview(records, by_problem)]
    for name, runs in by_problem.items():
        sections += _problem_sections(name, runs, draw)
    sections.append(_commands(folder, records))
    title = ", ".join(dict.fromkeys(record.info.title for record in records))
    return write_page(f"Report: {title}", sections, out)


def _overview(records: Sequence[Any], by_problem: dict[str, list[Any]]) -> Section:
    """Return the section with the number of runs of each problem and search."""
    table = pd.DataFrame([analysis.problem_row(record) for record in records])
    counts = table.groupby(["problem", "search"], sort=False).agg(
        runs=("seed", "count"),
        solved=("solved", "sum"),
        evaluations=("evaluations", "sum"),
        failures=("failures", "sum"),
    )
    counts = counts.reset_index()
    versions = ", ".join(sorted({record.version for record in records}))
    text = (
        f"<p>{len(records):,} runs of {len(by_problem)} problem{'s' * (len(by_problem) > 1)}, "
        f"{table['evaluations'].sum():,} evaluations; version {html.escape(versions)} of divergent.</p>"
    )
    return Section("Overview", text, [Table("runs", "Runs of each problem and search", table, counts)])


def _problem_sections(name: str, records: Sequence[Any], draw: Callable[[Any], Any] | None) -> list[Section]:
    """Return the report sections on the runs of one problem."""
    table = pd.DataFrame([analysis.problem_row(record) for record in records])
    file = "".join(letter if letter.isalnum() else "_" for letter in name)
    minimised = records[0].info.weights[0] < 0
    sections = []
    if records[0].info.has_solution:
        sections.append(_success(name, file, table))
    sections.append(_fitness(name, file, table, records, minimised))
    if table["coverage"].notna().any():
        sections.append(_diversity(name, file, table))
    if len(records[0].info.axes) == 2 and isinstance(records[0].behaviours, np.ndarray):
        sections.append(_maps(name, file, records, draw or _background(records)))
    return sections


def _success(name: str, file: str, table: pd.DataFrame) -> Section:
    """Return the section on success rates, Kaplan-Meier curves and comparisons of evaluations."""
    rates = analysis.success_rates(table)
    shown = pd.DataFrame(
        {
            "search": formatting.labels(rates["search"]),
            "solved": [f"{row.solved} of {row.runs}" for row in rates.itertuples()],
            "success rate": formatting.numbers(rates["fraction"], ".0%"),
            "95% interval": [f"{row.low:.0%} to {row.high:.0%}" for row in rates.itertuples()],
        }
    )
    items: list[Table | Figure] = [Table(f"{file}_success", "Success rates with Wilson's 95% intervals", rates, shown)]
    text = "<p>Runs without a solution are censored at their budget.</p>"
    try:
        survival = analysis.kaplan_meier(table)
        axes = by_maze(draw_kaplan_meier, survival, columns=1, size=(5.5, 4.2))
        items.append(
            Figure(
                f"{file}_survival", "Fraction of successful runs over evaluations (Kaplan-Meier), with 95% bands", axes
            )
        )
        compared = analysis.compare(table)
    except ValueError as error:  # evaluations of runs with different budgets are not comparable
        text += f"<p>Searches are not compared: {html.escape(str(error))}.</p>"
    else:
        items.append(Table(f"{file}_comparisons", _CORRECTED.format("evaluations"), compared, _tests(compared, True)))
    return Section(f"{name}: success", text, items)


_CORRECTED = "Pairwise comparisons of {} (two-tailed Mann-Whitney U tests, corrected by Holm's method)"


def _tests(compared: pd.DataFrame, is_time: bool) -> pd.DataFrame:
    """Format the result of `analysis.compare` as a table of strings."""
    columns = formatting.tests(compared)
    if is_time:
        columns |= {"log-rank p, corrected": formatting.ps(compared["p_log_rank_corrected"])}
        columns |= {
            "in words": [
                analysis.describe_effect(label(row.first), label(row.second), row.effect)
                for row in compared.itertuples()
            ]
        }
    return pd.DataFrame(columns)


def _fitness(name: str, file: str, table: pd.DataFrame, records: Sequence[Any], minimised: bool) -> Section:
    """Return the section on the final best fitness and the best fitness over evaluations, with comparisons."""
    best = analysis.means(table, "best_fitness")
    shown = pd.DataFrame(
        {
            "search": formatting.labels(best["search"]),
            "runs": best["runs"],
            "best fitness, mean (sd)": formatting.means(best, ".4g"),
            "95% interval": formatting.intervals(best, ".4g"),
        }
    )
    items: list[Table | Figure] = [Table(f"{file}_best", "Best fitness at the end of a run", best, shown)]
    text = f"<p>The first fitness value is {'minimised' if minimised else 'maximised'}.</p>"
    curves = analysis.curves(records).rename(columns={"maze": "problem"})
    if curves.groupby("search")["budget"].first().nunique() == 1 and curves["best_fitness"].notna().all():
        axes = by_maze(draw_efficiency, analysis.efficiency(curves), columns=1, size=(5.5, 3.4))
        items.append(
            Figure(f"{file}_efficiency", "Best fitness so far, as the mean over runs with its 95% interval", axes)
        )
    compared = analysis.compare(table, "best_fitness")
    items.append(
        Table(f"{file}_best_comparisons", _CORRECTED.format("the best fitness"), compared, _tests(compared, False))
    )
    return Section(f"{name}: fitness", text, items)


def _diversity(name: str, file: str, table: pd.DataFrame) -> Section:
    """Return the section on coverage, QD score and entropy of the behaviours."""
    measures = ("coverage", "qd_score", "entropy")
    parts = {measure: analysis.means(table, measure) for measure in measures}
    numbers = pd.concat([part.assign(measure=measure) for measure, part in parts.items()], ignore_index=True)
    first = parts["coverage"]
    shown = pd.DataFrame({"search": formatting.labels(first["search"]), "runs": first["runs"]})
    for measure, part in parts.items():
        form = ".1%" if measure == "coverage" else ".4g"
        shown[measure.replace("_", " ")] = formatting.means(part, form)
        shown[f"{measure.replace('_', ' ')}, 95% interval"] = formatting.intervals(part, form)
    text = (
        "<p>Coverage is the fraction of cells of a grid over the limits of the behaviour that a run visits. "
        "The QD score sums the best fitness of each cell above the worst fitness of the run.</p>"
    )
    return Section(
        f"{name}: coverage", text, [Table(f"{file}_diversity", "Coverage, QD score and entropy", numbers, shown)]
    )


def _maps(name: str, file: str, records: Sequence[Any], draw: Callable[[Any], Any] | None) -> Section:
    """Return the section with a map of the behaviours of all evaluations, one panel for each search."""
    searches = list(dict.fromkeys(record.settings.search for record in records))
    columns = min(3, len(searches))
    rows = -(-len(searches) // columns)
    with matplotlib.rc_context(STYLE):
        figure = Canvas(figsize=(3.3 * columns, 3.2 * rows), layout="constrained")
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes, search in zip(panels, searches, strict=False):
            behaviours = np.concatenate([r.behaviours for r in records if r.settings.search == search])
            step = -(-len(behaviours) // MOST_POINTS)
            axes.plot(*behaviours[::step].T, ".", color="#0072B2", markersize=2, alpha=0.35, rasterized=True)
            info = records[0].info
            if info.limits:
                axes.set(xlim=info.limits[0], ylim=info.limits[1])
            if draw is not None:
                draw(axes)
            axes.set(title=label(search), xlabel=info.axes[0], ylabel=info.axes[1])
        for axes in panels[len(searches) :]:
            axes.set_visible(False)
    caption = f"Behaviours of all evaluations; at most {MOST_POINTS:,} points for each search, at equal intervals"
    return Section(f"{name}: behaviours", "", [Figure(f"{file}_behaviours", caption, panels)])


def _background(records: Sequence[Any]) -> Callable[[Any], Any] | None:
    """Return the function that draws the maze, or None if the problem is not a maze.

    Reports do not execute problem files, so the function `draw` of a problem that is not a maze is unavailable.
    """
    maze = getattr(records[0], "maze", None)
    if maze is None:
        return None
    from divergent.maze._problem import maze_problem

    return maze_problem(maze).draw


def _commands(folder: Path, records: Sequence[Any]) -> Section:
    """Return the section on the commands and machines that produced the records."""
    batches = [batch for place in (folder, *sorted(folder.glob("*"))) for batch in read_batches(place)]
    lines = [batch.command for batch in batches]
    lines.append(f"divergent report {folder}")
    machines = {
        f"{record.machine.get('processor')}, {record.machine.get('system')}, commit {record.machine.get('commit')}"
        for record in records
        if record.machine
    }
    text = f"<pre>{html.escape(chr(10).join(lines))}</pre>"
    text += "".join(f"<p>{html.escape(machine)}</p>" for machine in sorted(machines))
    return Section("Commands", text)

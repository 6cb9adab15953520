"""Write the table and figure of docs/explanation/when_divergence_helps.md: python benchmarks/gallery.py [RECORDS].

RECORDS is the output directory of `divergent run FILE.py --runs 20` for the files in PROBLEMS. If a problem has 20 runs
of each search, these runs replace the results of the problem in results/gallery. Without RECORDS, the table and the
figure are made from the committed results.
"""

import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
import numpy as np
import pandas as pd

from divergent import analysis
from divergent.persistence._files import digest
from divergent.plots import STYLE, by_maze, draw_kaplan_meier, label
from divergent.runs import load_problem
from divergent.runs.record import TEXT

HOME = Path(__file__).parents[1]
RESULTS = HOME / "results" / "gallery"
PAGE = HOME / "docs" / "explanation" / "when_divergence_helps.md"
FIGURE = HOME / "docs" / "images" / "gallery.png"
MARKS = {
    "runs": ("<!-- the table, written by benchmarks/gallery.py -->", "<!-- the end of the table -->"),
    "arm": ("<!-- the arm, written by benchmarks/gallery.py -->", "<!-- the end of the arm -->"),
}
COLUMNS = [
    "problem", "search", "seed", "solved", "evaluations", "measure", "mean_size", "coverage", "population",
    "generations", "version", "commit", "cpu_seconds", "record",
]  # fmt: skip
RUNS = 20  # of each search
ROUNDING = 1e-12
VARIANT_LOOKS = {  # colour and line style of each variant of novelty search
    "novelty, archive only": ("#E69F00", (0, (1, 1))),
    "novelty, population only": ("#882255", (0, (6, 1.5, 1, 1.5))),
    "novelty, along the spiral": ("#CC79A7", (0, (3, 1))),
    "novelty, no archive": ("#332288", (0, (6, 1.5, 1, 1.5, 1, 1.5))),
}
VISITED = 90  # the spiral counts as solved if at least this number of its 100 segments was visited


class Entry(NamedTuple):
    """Gallery problem, with its file, the meaning of its performance measure, and the unit of its genome size."""

    file: str
    measure: str
    """Meaning of the measure."""
    size: str = ""
    """Unit of genome size; empty if all genomes have the same size."""


PROBLEMS = {
    "mountain_car": Entry("examples/gallery/mountain_car.py", "return", "connections"),
    "acrobot": Entry("examples/gallery/acrobot.py", "return", "connections"),
    "santa_fe_ant": Entry("examples/gallery/santa_fe_ant.py", "pellets of 89", "nodes"),
    "regression": Entry("examples/gallery/regression.py", "mean error", "nodes"),
    "spiral": Entry("examples/gallery/spiral.py", "fraction visited"),
    "tartarus": Entry("examples/gallery/tartarus.py", "score of 10"),
    "reference_sets": Entry("examples/gallery/reference_sets.py", "300 minus the distance", "connections"),
    "trap": Entry("examples/problems/trap.py", "value of 80"),
    "strings": Entry("examples/problems/strings.py", "balanced of 24"),
}


def collect(records: Path, results: Path = RESULTS, runs: int = RUNS) -> None:
    """Write one CSV file of runs for each problem that has enough recorded runs of each search."""
    results.mkdir(parents=True, exist_ok=True)
    for name in PROBLEMS:
        rows = [row(record) for record in analysis.read_records(records / name)] if (records / name).is_dir() else []
        table = pd.DataFrame(rows, columns=COLUMNS)
        order = {search: place for place, search in enumerate(searches(name))}
        if table.groupby("search")["seed"].nunique().reindex(list(order), fill_value=0).min() >= runs:
            table = table.sort_values(["search", "seed"], key=lambda column: column.map(order).fillna(column))
            table.to_csv(results / f"{name}.csv", index=False, float_format="%.6g")


def searches(name: str) -> list[str]:
    """Return the names of the searches of a problem, in the order of the table."""
    return list(load_problem(HOME / PROBLEMS[name].file).searches) or ["objective", "novelty", "surprise"]


def row(record: Any) -> dict[str, Any]:
    """Return the table row of a run, with a digest of the run record so that repeated runs can be compared."""
    numbers = analysis.problem_row(record)
    numbers |= {"measure": record.best_fitness, "record": digest(record.files()[TEXT])[:16]}
    if record.info.name == "spiral":
        visits = visited_parts(record.behaviours)
        solved = bool(visits[-1] >= VISITED)
        evaluations = int(np.argmax(visits >= VISITED)) + 1 if solved else record.evaluations
        numbers |= {"solved": solved, "evaluations": evaluations, "measure": visits[-1] / 100}
    return {name: numbers[name] for name in COLUMNS}


def visited_parts(places: np.ndarray) -> np.ndarray:
    """Return the number of visited spiral segments after each evaluation."""
    toolbox = load_problem(HOME / PROBLEMS["spiral"].file).toolbox
    return toolbox.__globals__["visited"](places.astype(float))  # type: ignore[attr-defined]


def read(results: Path = RESULTS) -> pd.DataFrame:
    """Return the runs of all problems; a seed is omitted unless it was run with every search of its problem."""
    tables = []
    for name in PROBLEMS:
        if (results / f"{name}.csv").is_file():
            table = pd.read_csv(results / f"{name}.csv")
            complete = table.groupby("seed")["search"].transform("nunique") == table["search"].nunique()
            tables.append(table[complete])
    return pd.concat(tables, ignore_index=True)


def make_table(runs: pd.DataFrame) -> str:
    """Return the results as a Markdown table, one row per search."""
    lines = [
        "| problem | search | solved | 95% interval | evaluations | log-rank p | best | 95% interval | p | size |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    times, measures = p_values(runs, "evaluations", "p_log_rank_corrected"), p_values(runs, "measure", "p_corrected")
    for name, group in runs.groupby("problem", sort=False):
        entry = PROBLEMS[str(name)]
        rates, means = (by_search(table) for table in (analysis.success_rates(group), analysis.means(group, "measure")))
        spent, sizes = by_search(analysis.evaluations(group)), group.groupby("search")["mean_size"].mean()
        title = capitalise_names(str(name).replace("_", " "))
        link = f"[{title}](../../{entry.file}), {entry.measure}"
        for search in dict.fromkeys(group["search"]):
            rate, best = rates[search], means[search]
            cells = [
                link,
                search,
                f"{rate.solved} of {rate.runs}",
                f"{rate.low:.0%} to {rate.high:.0%}",
                f"{spent[search].mean:,.0f}",
                times.get((name, search), ""),
                number(best.mean),
                f"{number(best.low)} to {number(best.high)}",
                measures.get((name, search), ""),
                f"{sizes[search]:.0f} {entry.size}" if entry.size else "",
            ]
            lines.append(f"| {' | '.join(cells)} |")
            link = ""
    return "\n".join(lines)


def number(value: float) -> str:
    """Format a number with four significant digits; a number below the rounding error becomes 0."""
    return "0" if abs(value) < ROUNDING else f"{value:.4g}"


def by_search(table: pd.DataFrame) -> dict[str, Any]:
    """Return a dictionary that maps the name of each search to the table row of the search."""
    return {row.search: row for row in table.itertuples()}


def p_values(runs: pd.DataFrame, measure: str, column: str) -> dict[tuple[Any, str], str]:
    """Format the p-values of tests that compare each search with objective search, corrected by Holm's method."""
    formatted = {}
    for test in analysis.compare(runs, measure).itertuples():
        if "objective" in (test.first, test.second):
            other = test.second if test.first == "objective" else test.first
            p = getattr(test, column)
            formatted[test.problem, other] = "" if np.isnan(p) else "<0.001" if p < 0.001 else f"{p:.3f}"
    return formatted


def make_arm_table(results: Path = RESULTS) -> str:
    """Return a Markdown table of coverage and QD score of all searches on the planar arm."""
    runs = pd.read_csv(results / "arm.csv")
    lines = ["| search | runs | coverage | 95% interval | QD score | 95% interval |", "|---|---|---|---|---|---|"]
    scores = by_search(analysis.means(runs, "qd_score"))
    for part in analysis.means(runs, "coverage").itertuples():
        score = scores[part.search]
        lines.append(
            f"| {part.search} | {part.runs} | {part.mean:.1%} | {part.low:.1%} to {part.high:.1%} | "
            f"{score.mean:,.0f} | {score.low:,.0f} to {score.high:,.0f} |"
        )
    return "\n".join(lines)


def capitalise_names(title: str) -> str:
    """Return the title of a problem with capitalised proper names."""
    return re.sub("santa fe", "Santa Fe", title, flags=re.IGNORECASE)


def draw_panel(table: pd.DataFrame, ax: Any) -> None:
    """Draw the Kaplan-Meier curves of one problem, with distinct colours for variants of novelty search."""
    draw_kaplan_meier(table, ax=ax)
    looks = {label(search): look for search, look in VARIANT_LOOKS.items()}
    for line, band in zip(ax.get_lines(), ax.collections, strict=True):
        if line.get_label() in looks:
            shade, style = looks[line.get_label()]
            line.set(color=shade, linestyle=style)
            band.set_facecolor((shade, band.get_alpha()))


def draw(runs: pd.DataFrame, path: Path = FIGURE) -> None:
    """Draw the fraction of successful runs over evaluations, one panel for each problem with a successful run."""
    solvable = runs[runs.groupby("problem")["solved"].transform("any")]
    with matplotlib.rc_context(STYLE | {"font.size": 10}):
        panels = by_maze(draw_panel, analysis.kaplan_meier(solvable), columns=2, size=(4.4, 3.3))
        for panel in panels:
            panel.set_title(capitalise_names(panel.get_title("left")))
        panels[0].figure.savefig(path, dpi=100)


def write_part(part: str, text: str, page: Path = PAGE) -> None:
    """Replace a table on the documentation page."""
    begin, end = MARKS[part]
    content = page.read_text(encoding="utf-8")
    before, after = content.split(begin)[0], content.split(end)[1]
    page.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Add the runs of the folder RECORDS to the results, and write the table and the figure."""
    if arguments:
        collect(Path(arguments[0]))
    runs = read()
    write_part("runs", make_table(runs))
    if (RESULTS / "arm.csv").is_file():
        write_part("arm", make_arm_table())
    draw(runs)
    print(make_table(runs))


if __name__ == "__main__":
    main(sys.argv[1:])

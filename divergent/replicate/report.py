"""Report the paper's experiments from compact results: ours beside the paper's, with a verdict."""

import html
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from divergent import analysis
from divergent.analysis import Deceptiveness, Verdict
from divergent.maze import GENERATED, Maze, read_maze
from divergent.maze.task import usual_steps
from divergent.plots import results as plots
from divergent.plots.style import label
from divergent.replicate import paper
from divergent.replicate.experiments import KEPT
from divergent.replicate.page import Figure, Section, Table, write_page
from divergent.replicate.results import COMMANDS, Results, read_results
from divergent.runs.usual import usual_budget

NOTHING = Verdict("")
BY_ORDER = Verdict("compared by order")
OTHER_BUDGET = Verdict("no verdict, another budget")


def report(results: str | os.PathLike, out: str | os.PathLike) -> Path:
    """Write `report.html`, and its tables and figures as files; return the page's path.

    Parameters
    ----------
    results
        A folder with a folder of compact results for each experiment, as `write_results` writes them.
    out
        The folder to write to.
    """
    results = Path(results)
    found = {name: read_results(results / name) for name in KEPT if (results / name).is_dir()}
    if not found:
        raise FileNotFoundError(f"{results}: no results there; it needs a folder {' or '.join(KEPT)}")
    found = {name: one._replace(runs=analysis.at_budget(one.runs)) for name, one in found.items()}
    sections = []
    if "authored" in found:
        sections += [_authored(found["authored"]), _behaviours(found["authored"]), _genotypes(found["authored"])]
    if "generated" in found:
        sections.append(_generated(found["generated"]))
    if sensitivity := [one.runs for name, one in found.items() if name.startswith("sensitivity")]:
        sections.append(_sensitivity(sensitivity))
    sections = [_summary(found, sections), *sections, _making(found)]
    return write_page("Surprise search, replicated", sections, Path(out))


def _summary(found: Mapping[str, Results], sections: Sequence[Section]) -> Section:
    """What agrees and what differs, in one table."""
    rows = []
    for item in (item for section in sections for item in section.items):
        if isinstance(item, Table) and "verdict" in item.numbers:
            verdicts = [verdict.good for verdict in item.numbers["verdict"] if verdict != NOTHING]
            rows.append((item.name, *(verdicts.count(good) for good in (True, False, None))))
    table = pd.DataFrame(rows, columns=["table", "agree", "differ", "without"])
    shown = table.rename(columns={"agree": "agree or hold", "differ": "differ", "without": "no verdict"})
    shown["table"] = [label(name) for name in table["table"]]
    count = sum(len(results.runs) for results in found.values())
    text = f"""
<p>{count:,} runs, set beside the numbers of D. Gravina, A. Liapis and G. N. Yannakakis, <cite>Surprise Search for
Evolutionary Divergence</cite>. Every number says how many runs are behind it.</p>
<p><strong>Agrees</strong> means: for solved runs, Fisher's exact test against the paper's count is not significant at
5%; for evaluations, best fitness and genotypes, Welch's test with the paper's mean and standard deviation is not
significant at 5%. There is no verdict below {analysis.LEAST_RUNS} runs, nor on rankings below
{analysis.LEAST_RUNS_TO_RANK} runs of each search in each maze, nor where the paper has no number or only says
<q>few</q>. Evaluations are means over all runs, those without a solution counted at the budget.</p>
<p>The paper's very hard and extremely hard mazes are described but not published. Ours are others of their kind, so
there the order of the searches is compared, and not the numbers.</p>"""
    return Section("Ours beside the paper's", text, [Table("summary", "Verdicts in each table.", table, shown)])


def _making(found: Mapping[str, Results]) -> Section:
    versions = sorted({str(version) for results in found.values() for version in results.runs["version"]})
    text = f"""
<p>By divergent {html.escape(", ".join(versions))}. The records come from these commands, which are also in {COMMANDS}
beside each experiment's results; the results come from the records by <code>python -m divergent.replicate
collect</code>, and this page from the results by <code>python -m divergent.replicate report</code>.</p>"""
    for name, results in found.items():
        text += (
            f"<details><summary>{html.escape(name)}: {len(results.runs):,} runs</summary>"
            f"<pre>{html.escape(results.commands)}</pre></details>"
        )
    return Section("How it was made", text)


def _authored(results: Results) -> Section:
    runs = results.runs
    solved = _solved(runs)
    evaluations = _beside_means(analysis.evaluations(runs), runs, "evaluations", paper.EVALUATIONS)
    fitness = _beside_means(analysis.means(runs, "best_fitness"), runs, "best_fitness", paper.BEST_FITNESS)
    rows = list(runs.itertuples(index=False))
    efficiency = analysis.efficiency(analysis.curve_table(rows, results.curves.astype(float)))
    small, large = usual_budget("medium"), usual_budget("very_hard")
    text = f"""<p>Four mazes, six searches. A run ends with its first solution or with its budget: {small:,} evaluations
in the medium and hard maze, {large:,} in the others.</p>"""
    items: list[Table | Figure] = [
        Table(
            "solved",
            "Runs that solved the maze, with Wilson's 95% interval of the share that would.",
            solved,
            pd.DataFrame(
                _names(solved)
                | {"ours": [f"{row.solved} of {row.runs}" for row in solved.itertuples()]}
                | {"95% interval": _spans(solved, ".0%"), "paper, of 100": solved["paper"]}
                | {"p": _ps(solved["p"]), "verdict": solved["verdict"]}
            ),
        ),
        Table(
            "evaluations",
            "Evaluations to a solution: mean (standard deviation) and 95% interval of the mean.",
            evaluations,
            _shown_means(evaluations, ",.0f"),
        ),
        Figure(
            "efficiency",
            "Efficiency: best fitness so far, the mean over runs with its 95% interval. After its solution a run keeps "
            "its fitness.",
            plots.by_maze(plots.draw_efficiency, efficiency),
        ),
        Figure(
            "robustness",
            "Robustness: share of runs that have solved the maze.",
            plots.by_maze(plots.draw_robustness, analysis.robustness(runs)),
        ),
        Table(
            "best_fitness",
            "Best fitness at the end of a run: mean (standard deviation) and 95% interval of the mean.",
            fitness,
            _shown_means(fitness, ".2f"),
        ),
    ]
    if set(runs["maze"]) - set(paper.PUBLISHED):
        items.append(_order(runs))
    return Section("Authored mazes", text, [*items, _comparisons(runs)])


def _solved(runs: pd.DataFrame) -> pd.DataFrame:
    table = analysis.successes(runs)
    rows = []
    for row in table.itertuples():
        theirs = paper.SOLVED.get((row.maze, row.search), paper.Count("", ()))
        verdict = (_authored_reason(row, runs) if theirs.among else NOTHING) or analysis.agreement_of_counts(
            row.solved, row.runs, theirs.among, theirs.runs
        )
        rows.append((theirs.text, verdict.p, verdict))
    return table.join(pd.DataFrame(rows, columns=["paper", "p", "verdict"]))


def _authored_reason(row: Any, runs: pd.DataFrame) -> Verdict | None:
    """Why a number in an authored maze is not compared with the paper's; None if it is."""
    if row.maze not in paper.MAZES:
        return NOTHING
    here = runs[(runs["maze"] == row.maze) & (runs["search"] == row.search)]
    if set(here["budget"]) != {usual_budget(row.maze)}:
        return OTHER_BUDGET
    return None if row.maze in paper.PUBLISHED else BY_ORDER


def _beside_means(
    table: pd.DataFrame,
    runs: pd.DataFrame,
    measure: str,
    theirs: Mapping[Any, paper.Mean],
    reason: Callable[[Any, pd.DataFrame], Verdict | None] = _authored_reason,
) -> pd.DataFrame:
    """The table of means with the paper's, Welch's p and the verdict, or the reason why there is none."""
    by = [name for name in ("maze", "search") if name in table]
    groups = dict(list(runs.groupby(by[0] if len(by) == 1 else by)))
    rows = []
    for row in table.itertuples():
        key = tuple(getattr(row, name) for name in by)
        key = key[0] if len(by) == 1 else key
        other = theirs.get(key)
        if other is None:
            rows.append((math.nan, math.nan, math.nan, NOTHING))
            continue
        verdict = reason(row, runs) or analysis.agreement_of_means(groups[key][measure], *other)
        rows.append((other.mean, other.sd, verdict.p, verdict))
    return table.join(pd.DataFrame(rows, columns=["paper_mean", "paper_sd", "p", "verdict"]))


def _order(runs: pd.DataFrame) -> Table:
    claims = [claim for claim in paper.ORDERS if claim[0] in set(runs["maze"])]
    table = analysis.order(runs, claims)
    words = {"better": "faster than", "equal": "about as fast as", "never": "never solves it"}
    told, solved = [], []
    for row in table.itertuples():
        pair = row.relation != "never"
        told.append(f"{label(row.first)} {words[row.relation]}{f' {label(row.second)}' if pair else ''}")
        other = f"; {row.solved_second} of {row.runs_second}" if pair else ""
        solved.append(f"{row.solved_first} of {row.runs_first}{other}")
    shown = pd.DataFrame(
        {"maze": _labels(table["maze"]), "the paper's order": told, "solved": solved}
        | {"effect": _numbers(table["effect"], "+.2f"), "p, corrected": _ps(table["p_corrected"])}
        | {"verdict": table["verdict"]}
    )
    caption = (
        "The order of the searches in the mazes that are not published. Mann-Whitney U test on evaluations, p "
        "corrected by Holm's method within a maze; effect: rank-biserial correlation, negative if the first is faster."
    )
    return Table("order", caption, table, shown)


def _comparisons(runs: pd.DataFrame) -> Table:
    table = analysis.compare(runs)
    caption = (
        "Every two searches: Mann-Whitney U test, two-tailed, on evaluations, p corrected by Holm's method within a "
        "maze; effect: rank-biserial correlation, negative if the first is faster."
    )
    shown = pd.DataFrame({"maze": _labels(table["maze"])} | _shown_tests(table, "p_corrected"))
    return Table("comparisons", caption, table, shown, folded=True)


def _behaviours(results: Results) -> Section:
    runs = results.runs
    rows, pictures = [], []
    for maze in (maze for maze in paper.MAZES if maze in set(runs["maze"])):
        for search in paper.COMPARED:
            here = runs[(runs["maze"] == maze) & (runs["search"] == search)]
            if here.empty:
                continue
            theirs = paper.ENTROPY[maze, search]
            one = analysis.typical(here, theirs.evaluations)
            spread = here.loc[here["solved"], "entropy"]
            run = (pd.NA, pd.NA, math.nan) if one is None else (one["seed"], one["evaluations"], one["entropy"])
            rows.append((maze, search, *run, theirs.entropy, len(spread), spread.mean(), spread.std()))
            title = f"{label(maze)}, {label(search)}\n"
            if one is None:
                title, counts = f"{title}all {len(here)} runs, none solved", results.visits[f"{maze}/{search}"]
            else:
                title = f"{title}E = {one['evaluations']:,}, H = {one['entropy']:.2f}"
                counts = results.visits[f"{maze}/{search}/{one['seed']}"]
            pictures.append((title, read_maze(maze), counts))
    items: list[Table | Figure] = []
    if pictures:
        names = ["maze", "search", "seed", "evaluations", "entropy", "paper", "solved", "mean", "sd"]
        table = pd.DataFrame(rows, columns=names).astype({"seed": "Int64", "evaluations": "Int64"})
        caption = (
            "Where robots ended in the run that solved the maze closest to the paper's number of evaluations; E "
            "evaluations, entropy H. The darker the more often, on a logarithmic scale; white is never."
        )
        items = [Figure("heatmaps", caption, plots.draw_heatmaps(pictures)), *_entropies(table, runs)]
    columns = max(2, runs.groupby("maze")["search"].nunique().max())
    every: list[tuple[str, Maze, np.ndarray] | None] = []
    for maze, found in analysis.successes(runs).groupby("maze", sort=False):
        every += [
            (f"{label(maze)}, {label(search)}", read_maze(maze), results.visits[f"{maze}/{search}"])
            for search in found["search"]
        ]
        every += [None] * (columns - len(found))  # the next maze begins a row
    caption = "Where robots ended, over all evaluations of all runs."
    items.append(Figure("visits", caption, plots.draw_heatmaps(every, columns=columns)))
    text = f"""<p>Entropy is that of final positions counted in cells of {analysis.CELL:g} by {analysis.CELL:g} units
over the maze's bounding box, from 0 (all in one cell) to 1 (all cells alike). The paper does not tell the size of its
cells, so only the order can be compared: surprise above novelty in every maze.</p>"""
    return Section("Behaviours", text, items)


def _entropies(table: pd.DataFrame, runs: pd.DataFrame) -> list[Table]:
    shown = pd.DataFrame(
        {"maze": _labels(table["maze"]), "search": _labels(table["search"])}
        | {
            "typical run": [
                "none solved" if pd.isna(row.seed) else f"{row.entropy:.2f} (seed {row.seed}, {row.evaluations:,})"
                for row in table.itertuples()
            ]
        }
        | {"paper's typical run": _numbers(table["paper"], ".2f"), "runs that solved": table["solved"]}
        | {"their mean": [_mean(row.mean, row.sd, ".3f") for row in table.itertuples()]}
    )
    caption = (
        "Entropy of final positions: of a typical run (its seed and evaluations), and mean (standard deviation) over "
        "all runs that solved."
    )
    tests = analysis.compare(runs[runs["solved"] & runs["search"].isin(paper.COMPARED)], "entropy")
    tests["verdict"] = [
        analysis.order_of_two(row.p, row.effect, min(row.runs_first, row.runs_second)) for row in tests.itertuples()
    ]
    test_caption = (
        "Whether surprise's entropy is above novelty's in runs that solved: Mann-Whitney U test; effect: rank-biserial "
        "correlation, negative if surprise's is larger. Runs that take longer visit more, whichever the search."
    )
    shown_tests = pd.DataFrame(
        {"maze": _labels(tests["maze"])} | _shown_tests(tests, None) | {"verdict": tests["verdict"]}
    )
    return [Table("entropy", caption, table, shown), Table("entropy_tests", test_caption, tests, shown_tests)]


def _genotypes(results: Results) -> Section:
    solved = results.runs[results.runs["solved"]]
    here = solved[solved["search"].isin(paper.COMPARED)]
    tests = pd.concat(
        [analysis.compare(here, measure).assign(measure=measure) for measure in paper.GENOTYPE_MEASURES],
        ignore_index=True,
    )
    shown_tests = pd.DataFrame(
        {"measure": _labels(tests["measure"]), "maze": _labels(tests["maze"])} | _shown_tests(tests, None)
    )
    text = """<p>Complexity (connections, hidden nodes) is that of the genome that solved the maze, every gene counted,
disabled ones too. Diversity (compatibility and its parts: disjoint genes, excess genes, weight difference) is given
twice, because the paper does not say of whom: of the pairs of a final population, and of the pairs of solutions of
different runs. All are means over the runs that solved.</p>"""
    caption = (
        "Genotypes, with the diversity of final populations: mean (standard deviation) and 95% interval of the mean."
    )
    between_caption = (
        "The same paper's numbers beside the diversity of solutions: how far a solution is from those of the other "
        "runs of its maze and search."
    )
    test_caption = (
        "Novelty against surprise: Mann-Whitney U test; effect: rank-biserial correlation, negative if surprise's "
        "values are larger."
    )
    items = [
        _genotype_table("genotypes", caption, solved, results, paper.GENOTYPE_MEASURES),
        _genotype_table(
            "solutions", between_caption, results.solutions.assign(solved=True), results, analysis.DIVERSITY
        ),
        Table("genotype_tests", test_caption, tests, shown_tests, folded=True),
    ]
    return Section("Genotypes", text, items)


def _genotype_table(name: str, caption: str, solved: pd.DataFrame, results: Results, measures: Sequence[str]) -> Table:
    """Measures of solved runs beside the paper's."""
    means = analysis.genotypes(solved, measures=measures)
    tables = []
    for measure in measures:
        theirs = {key: known[measure] for key, known in paper.GENOTYPES.items()}
        table = means[means["measure"] == measure].reset_index(drop=True)
        tables.append(_beside_means(table, solved, measure, theirs, lambda row, _: _authored_reason(row, results.runs)))
    table = pd.concat(tables, ignore_index=True)
    compared = table[table["search"].isin(paper.COMPARED)].reset_index(drop=True)
    shown = _shown_means(compared, ".2f")
    shown.insert(0, "measure", _labels(compared["measure"]))
    return Table(name, caption, table, shown)


def _generated(results: Results) -> Section:
    runs = results.runs
    count = runs.groupby(["maze", "search"]).size()
    line = analysis.deceptiveness(runs, paper.COMPARED)
    ahead = analysis.ahead_from(runs, "surprise", "novelty")
    since = "at no point up to the end" if math.isnan(ahead) else f"from {ahead:,.0f} evaluations to the end"
    steps, budget = usual_steps(GENERATED), usual_budget(GENERATED)
    text = f"""<p>{runs["maze"].nunique()} mazes of 200 by 200 units, made by recursive division, with {steps} steps for
the robot and {budget:,} evaluations for the search; {_range(count)} runs of each search in each maze. The mazes are
ours, made as the paper describes; theirs are not published.</p>
<p>Surprise has solved significantly more runs than novelty (Fisher's exact test, 5%) {since}; in the paper from
{paper.FASTER_FROM:,} evaluations on.</p>"""
    robustness = analysis.robustness(runs, by=("search",))
    items: list[Table | Figure] = [
        Figure("generated_mazes", "Generated mazes.", plots.draw_examples(_examples(runs["maze"].unique()))),
        _generated_evaluations(runs),
        Figure(
            "generated_robustness",
            "Robustness: share of all runs in all generated mazes that have solved their maze.",
            plots.draw_robustness(robustness),
        ),
        _rankings(runs),
        _regression(line),
    ]
    if line.lines["slope"].notna().all():
        caption = (
            "Deceptiveness: a search's successes in a maze against objective search's failures in it; the larger a "
            "point, the more mazes are there."
        )
        items.append(Figure("regression", caption, plots.draw_regression(line)))
    return Section("Generated mazes", text, items)


def _examples(names: Iterable[str]) -> list[tuple[str, Maze]]:
    """The first maze of each number of subdivisions: each makes two walls beside the four around."""
    found: dict[int, Maze] = {}
    for maze in map(read_maze, analysis.ordered(names, ())):
        found.setdefault((len(maze.walls) - 4) // 2, maze)
    return [(f"{count} subdivisions", found[count]) for count in sorted(found)]


def _generated_evaluations(runs: pd.DataFrame) -> Table:
    def reason(row: Any, runs: pd.DataFrame) -> Verdict | None:
        return None if row.budget == usual_budget(GENERATED) else OTHER_BUDGET

    table = analysis.evaluations(runs, by=("search",))
    table = table.assign(solved=analysis.successes(runs, by=("search",))["solved"])
    table = _beside_means(table, runs, "evaluations", paper.GENERATED_EVALUATIONS, reason)
    shown = _shown_means(table, ",.0f")
    shown.insert(2, "solved", [f"{row.solved:,} ({row.solved / row.runs:.0%})" for row in table.itertuples()])
    caption = (
        "Evaluations over all runs in all generated mazes: mean (standard deviation) and 95% interval of the mean. "
        "Both interval and test take runs as independent, but runs in the same maze are alike; and the mazes are not "
        "the paper's."
    )
    return Table("generated_evaluations", caption, table, shown)


def _rankings(runs: pd.DataFrame) -> Table:
    table = analysis.rankings(runs)
    rows = []
    for row in table.itertuples():
        percent = paper.RANKINGS[row.first, row.second]
        theirs = round(percent / 100 * paper.GENERATED_MAZES)
        p = analysis.agreement_of_counts(row.more, row.mazes, [theirs], paper.GENERATED_MAZES).p
        rows.append((percent, p, analysis.agreement(p, row.runs, analysis.LEAST_RUNS_TO_RANK)))
    table = table.join(pd.DataFrame(rows, columns=["paper_percent", "p", "verdict"]))
    searches = list(dict.fromkeys(table["first"]))
    cells = {(row.first, row.second): f"{row.share:.0%} / {row.paper_percent}%" for row in table.itertuples()}
    shown = pd.DataFrame(
        [
            {"solves more than": label(first)} | {label(second): cells.get((first, second), "") for second in searches}
            for first in searches
        ]
    )
    fewest = int(table["runs"].min()) if len(table) else 0
    verdict = "Verdicts by Fisher's exact test on the number of mazes are in the table's CSV file."
    if fewest < analysis.LEAST_RUNS_TO_RANK:
        verdict = f"No verdict below {analysis.LEAST_RUNS_TO_RANK} runs: the fewer runs, the more ties."
    caption = (
        "Rankings, ours / the paper's: share of mazes in which the search of the row solves strictly more runs than "
        f"the search of the column. Ours with {fewest} runs of each search in each maze, the paper's with "
        f"{paper.GENERATED_RUNS}. {verdict}"
    )
    return Table("rankings", caption, table, shown)


def _regression(result: Deceptiveness) -> Table:
    table = result.lines.assign(difference=result.difference, intercept_p=result.intercept_p, slope_p=result.slope_p)
    shown = pd.DataFrame(
        {"search": _labels(table["search"]), "mazes": table["mazes"], "slope": _numbers(table["slope"], ".2f")}
        | {"intercept": _numbers(table["intercept"], ".2f"), "adjusted R²": _numbers(table["adjusted_r2"], ".2f")}
        | {"p": _ps(table["p"])}
    )
    caption = (
        "Deceptiveness: share of runs that solved a maze, regressed on objective search's share of failures in it. The "
        f"paper: adjusted R² above {paper.ADJUSTED_R2} for both, surprise's intercept higher (ANCOVA, p < 0.05). Ours: "
        f"surprise's intercept less novelty's is {_number(result.difference, '+.3f')} at a common slope (ANCOVA, p = "
        f"{_p(result.intercept_p) or 'none'}); equal slopes, which ANCOVA assumes: p = {_p(result.slope_p) or 'none'}."
    )
    return Table("regression", caption, table, shown)


def _sensitivity(found: Sequence[pd.DataFrame]) -> Section:
    tables = [analysis.sensitivity(runs) for runs in found]
    items = []
    for table in tables:
        search = table["search"].iloc[0]
        caption = f"{label(search)}: mean evaluations / budget, with the 95% interval of the mean."
        items.append(Figure(f"sensitivity_{search}", caption, plots.by_maze(plots.draw_sensitivity, table)))
    table = pd.concat(tables, ignore_index=True)
    shown = pd.DataFrame(
        {"maze": _labels(table["maze"]), "search": _labels(table["search"]), "setting": _settings(table)}
        | {"runs": table["runs"], "solved": table["solved"], "evaluations": _numbers(table["evaluations"], ",.0f")}
        | {"evaluations / budget": _numbers(table["effort"], ".2f"), "95% interval": _spans(table, ".2f")}
    )
    every = Table("sensitivity", "Every setting that was tried.", table, shown, folded=True)
    text = """<p>Novelty: the number of neighbours n. Surprise: the number of clusters k, with the distance taken to the
nearest prediction (n = 1) or the two nearest (n = 2).</p>"""
    return Section("Sensitivity", text, [*items, _best(table, pd.concat(found)), every])


def _best(table: pd.DataFrame, runs: pd.DataFrame) -> Table:
    best = analysis.best_settings(table)
    rows = []
    for row in best.itertuples():
        theirs = paper.SENSITIVITY[row.maze, row.search]
        same = table[(table["maze"] == row.maze) & (table["search"] == row.search)]
        same = same[(same["neighbours"] == theirs.neighbours) & (same["clusters"].fillna(0) == (theirs.clusters or 0))]
        ours, count = (same["solved"].iloc[0], same["runs"].iloc[0]) if len(same) else (pd.NA, 0)
        verdict = NOTHING
        if count and theirs.solved is not None:
            verdict = _authored_reason(row, runs) or analysis.agreement_of_counts(
                ours, count, [theirs.solved], paper.SENSITIVITY_RUNS
            )
        rows.append((theirs.clusters, theirs.neighbours, theirs.solved, ours, count, verdict))
    names = ["paper_clusters", "paper_neighbours", "paper_solved", "solved_there", "runs_there", "verdict"]
    beside = pd.DataFrame(rows, columns=names).astype(dict.fromkeys(names[:5], "Int64"))
    best = best.join(beside)
    theirs = best[["paper_clusters", "paper_neighbours"]].set_axis(["clusters", "neighbours"], axis=1)
    shown = pd.DataFrame(
        {"maze": _labels(best["maze"]), "search": _labels(best["search"]), "our best": _settings(best)}
        | {"solved": [f"{row.solved} of {row.runs}" for row in best.itertuples()]}
        | {"evaluations": _numbers(best["evaluations"], ",.0f"), "paper's best": _settings(theirs)}
        | {
            "paper solved": [
                "" if pd.isna(value) else f"{value} of {paper.SENSITIVITY_RUNS}" for value in best["paper_solved"]
            ]
        }
        | {
            "ours with it": [
                "" if row.runs_there == 0 else f"{row.solved_there} of {row.runs_there}" for row in best.itertuples()
            ]
        }
        | {"verdict": best["verdict"]}
    )
    caption = (
        "The best setting in each maze: most successes, ties by fewest evaluations. The verdict is on our successes "
        "with the paper's best setting."
    )
    return Table("sensitivity_best", caption, best, shown)


def _names(table: pd.DataFrame) -> dict[str, Any]:
    """The first columns of a table for a reader."""
    return {name: _labels(table[name]) for name in ("maze", "search") if name in table} | {"runs": table["runs"]}


def _shown_means(table: pd.DataFrame, form: str) -> pd.DataFrame:
    ours = [_mean(row.mean, row.sd, form) for row in table.itertuples()]
    theirs = [_mean(row.paper_mean, row.paper_sd, form) for row in table.itertuples()]
    return pd.DataFrame(
        _names(table)
        | {"ours": ours, "95% interval": _spans(table, form), "paper": theirs}
        | {"p": _ps(table["p"]), "verdict": table["verdict"]}
    )


def _shown_tests(table: pd.DataFrame, corrected: str | None) -> dict[str, Any]:
    columns = {
        "searches": [f"{label(row.first)}, {label(row.second)}" for row in table.itertuples()],
        "runs": [f"{row.runs_first}, {row.runs_second}" for row in table.itertuples()],
        "effect": _numbers(table["effect"], "+.2f"),
        "p": _ps(table["p"]),
    }
    return columns | ({"p, corrected": _ps(table[corrected])} if corrected else {})


def _settings(table: pd.DataFrame) -> list[str]:
    return [
        f"n = {row.neighbours}" if pd.isna(row.clusters) else f"k = {row.clusters}, n = {row.neighbours}"
        for row in table.itertuples()
    ]


def _labels(names: Iterable[str]) -> list[str]:
    return [label(name) for name in names]


def _mean(mean: float, sd: float, form: str) -> str:
    return _number(mean, form) + ("" if pd.isna(sd) else f" ({sd:{form}})")


def _spans(table: pd.DataFrame, form: str) -> list[str]:
    return ["" if pd.isna(row.low) else f"{row.low:{form}} to {row.high:{form}}" for row in table.itertuples()]


def _numbers(values: Iterable[float], form: str) -> list[str]:
    return [_number(value, form) for value in values]


def _number(value: float, form: str) -> str:
    return "" if pd.isna(value) else f"{value:{form}}"


def _ps(values: Iterable[float]) -> list[str]:
    return [_p(value) for value in values]


def _p(value: float) -> str:
    if pd.isna(value):
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _range(counts: pd.Series) -> str:
    return f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"

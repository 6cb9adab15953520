"""Report the paper's experiments from compact results: ours beside the paper's, with a verdict."""

import html
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from divergent import analysis
from divergent.analysis import Deceptiveness, Evidence, FeatureRegression, Verdict
from divergent.analysis.grouping import groups
from divergent.maze import GENERATED, Maze, read_maze
from divergent.maze.task import usual_steps
from divergent.plots import results as plots
from divergent.plots.style import label
from divergent.replicate import formatting, paper, qd_variants, schema
from divergent.replicate.experiments import EXPERIMENTS, KEPT
from divergent.replicate.page import Figure, Section, Table, write_page
from divergent.replicate.paper_comparison import (
    NOTHING,
    OTHER_BUDGET,
    ROBOTS,
    authored_reason,
    by_robot,
    conclusion,
    differences,
    evaluations_beside,
    means_beside,
    paper_2016,
    paper_itself,
    solved_beside,
    yardstick,
)
from divergent.replicate.results import COMMANDS, VISITS, Results, has_results, read_results
from divergent.runs.defaults import usual_budget

VARIANTS = "variants.csv"
RULE = "the rule"  # what variants of it are compared with
TWO_ROBOTS = ("original", "authored")  # the experiments in the paper's mazes


def report(results: str | os.PathLike, out: str | os.PathLike) -> Path:
    """Write `report.html`, and its tables and figures as files; return the page's path.

    Parameters
    ----------
    results
        A folder with a folder of compact results for each experiment, as `write_results` writes them; any may be
        missing.
    out
        The folder to write to.
    """
    found = read_all(results)
    sections = []
    if any(name in found for name in TWO_ROBOTS):
        sections.append(_authored(found))
    if "authored" in found:
        sections += [_behaviours(found["authored"]), _genotypes(found["authored"])]
    if "generated" in found and len(runs := analysis.in_every_maze(found["generated"].runs)):
        sections.append(_generated(runs))
    if "predictors" in found:
        text = "<p>Surprise search with the paper's linear predictor, and with others.</p>"
        sections.append(Section("Predictors", text, [predictors_table(found)]))
    if "family" in found:
        sections.append(qd_variants.section(found))
    if any(name.startswith("sensitivity") for name in found):
        sections.append(_sensitivity(found))
    if (variants := read_variants(results)) is not None:
        sections.append(_variants(variants, found))
    sections = [_opening(found, sections), *sections, _rules(), _making(found)]
    return write_page("Surprise search, replicated", sections, Path(out))


def read_all(results: str | os.PathLike) -> dict[str, Results]:
    """The results of every experiment that has any, by its name, refused if none has."""
    results = Path(results)
    found = {name: _read(results / name, EXPERIMENTS[name].searches) for name in KEPT if has_results(results / name)}
    if not found:
        raise FileNotFoundError(f"{results}: no results there; it needs a folder {' or '.join(KEPT)}")
    return {name: one._replace(runs=analysis.at_budget(one.runs)) for name, one in found.items()}


def _read(folder: Path, searches: Sequence[str]) -> Results:
    """The results of an experiment, refused if there are runs of a search that it does not have."""
    results = read_results(folder)
    if others := set(results.runs["search"]) - set(searches):
        raise ValueError(
            f"{folder}: runs must be of {', '.join(searches)}; there are some of {', '.join(sorted(others))}"
        )
    return results


def read_variants(results: str | os.PathLike) -> pd.DataFrame | None:
    """Runs with something changed, as `benchmarks/variants.py` leaves them; None if there are none."""
    path = Path(results) / VARIANTS
    return schema.read_table(path, schema.VARIANTS) if path.is_file() else None


def _beside_the_rule(variants: pd.DataFrame, found: Mapping[str, Results]) -> pd.DataFrame:
    """Runs of variants with those of the rule in the same mazes and with the same searches."""
    known = [found["authored"].runs.assign(variant=RULE)] if "authored" in found else []
    pairs = set(zip(variants["maze"], variants["search"], strict=True))
    same = [runs[[pair in pairs for pair in zip(runs["maze"], runs["search"], strict=True)]] for runs in known]
    return analysis.at_budget(pd.concat([*same, variants], ignore_index=True))


def variants_table(variants: pd.DataFrame, found: Mapping[str, Results]) -> Table:
    """The rule beside others that were tried."""
    table, shown = _against(RULE, _beside_the_rule(variants, found), "variant", ("maze", "variant", "search"))
    caption = "Every rule that was tried, with a log-rank test against the one there is."
    return Table("variants", caption, table, shown)


def _against(usual: str, runs: pd.DataFrame, column: str, by: tuple[str, ...]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Successes and evaluations of what a column says was tried, tested against the usual; as numbers and in words."""
    table = analysis.successes(runs, by)
    effort = analysis.evaluations(runs, by)
    table = table.assign(evaluations=effort["mean"], sd=effort["sd"], p_log_rank=math.nan)
    alike = [name for name in by if name != column]
    for place, row in table.iterrows():
        here = runs[(runs[alike] == row[alike]).all(axis=1)]
        usually = here[here[column] == usual]
        if row[column] != usual and len(usually):
            table.loc[place, "p_log_rank"] = analysis.log_rank(usually, here[here[column] == row[column]])
    shown = pd.DataFrame(
        {name: table[name] if name == column else formatting.labels(table[name]) for name in by}
        | {"solved": [f"{row.solved} of {row.runs}" for row in table.itertuples()]}
        | {"95% interval": formatting.spans(table, ".0%")}
        | {"evaluations": [formatting.mean(row.evaluations, row.sd, ",.0f") for row in table.itertuples()]}
        | {f"log-rank p, against {usual}": formatting.ps(table["p_log_rank"])}
    )
    return table, shown


def _variants(variants: pd.DataFrame, found: Mapping[str, Results]) -> Section:
    panels = analysis.kaplan_meier(_beside_the_rule(variants, found), by=("maze", "variant", "search"))
    panels = panels.assign(maze=[f"{label(row.maze)}, {row.variant}" for row in panels.itertuples()])
    text = """<p>Species are drawn in proportion to their mean score. Another rule subtracts the population's lowest
score first (<q>above-lowest</q>), which sharpens the choice. One in a thousand mates with another species; under
<q>within-species</q> nobody does.</p>"""
    figure = Figure(
        "variants", "The rule beside what else was tried: robustness.", plots.by_maze(plots.draw_kaplan_meier, panels)
    )
    return Section("Other rules", text, [figure, variants_table(variants, found)])


def _opening(found: Mapping[str, Results], sections: Sequence[Section]) -> Section:
    """The conclusion in a sentence and a picture, and what agrees and what differs in every table."""
    count = sum(len(results.runs) for results in found.values())
    text = f"""
<p class="lead">{html.escape(conclusion(found))}</p>
<p>{count:,} runs, set beside the numbers of D. Gravina, A. Liapis and G. N. Yannakakis, <cite>Surprise Search for
Evolutionary Divergence</cite>. Tables unfold when their caption is clicked.</p>"""
    items: list[Table | Figure] = []
    if any(name in found for name in TWO_ROBOTS):
        beside = differences(found)
        if len(beside):
            caption = (
                "Ours less the paper's in its two published mazes, with both robots. Left: percentage points of solved "
                "runs, with Newcombe's 95% interval. Right: evaluations, as a share of the paper's mean, with Welch's "
                "90% interval. A number agrees if its whole interval lies in the grey."
            )
            items.append(Figure("beside", caption, plots.draw_beside(beside)))
        items.append(robots_table(found))
    rows = []
    for item in (item for section in sections for item in section.items):
        if isinstance(item, Table) and "verdict" in item.numbers:
            kinds = [verdict.kind for verdict in item.numbers["verdict"] if verdict != NOTHING]
            known = [kinds.count(kind) for kind in ("agrees", "undecided", "differs")]
            rows.append((item.name, *known, len(kinds) - sum(known)))
    table = pd.DataFrame(rows, columns=["table", "agree", "undecided", "differ", "without"])
    shown = table.rename(columns={"without": "no verdict"}).assign(table=formatting.labels(table["table"]))
    return Section(
        "What came out", text, [*items, Table("summary", "Verdicts in each table of this page.", table, shown)]
    )


def robots_table(found: Mapping[str, Results]) -> Table:
    """The paper between the two robots."""
    solved, evaluations = by_robot(found, solved_beside), by_robot(found, evaluations_beside)
    rows = []
    for maze, search in ((maze, search) for maze in paper.MAZES for search in paper.SEARCHES):
        ours = [
            table[(table["maze"] == maze) & (table["search"] == search)].set_index("robot")
            for table in (solved, evaluations)
        ]
        if ours[0].empty:
            continue
        row: dict[str, Any] = {"maze": maze, "search": search}
        for robot in ROBOTS:
            there = robot in ours[0].index
            row[f"solved_{robot}"] = ours[0].loc[robot, "solved"] if there else pd.NA
            row[f"runs_{robot}"] = ours[0].loc[robot, "runs"] if there else pd.NA
            row[f"evaluations_{robot}"] = ours[1].loc[robot, "mean"] if there else math.nan
            row[f"sd_{robot}"] = ours[1].loc[robot, "sd"] if there else math.nan
        theirs = paper.EVALUATIONS.get((maze, search), paper.Mean(math.nan, math.nan))
        rows.append(
            row | {"paper_solved": paper.SOLVED[maze, search].text, "paper_mean": theirs.mean, "paper_sd": theirs.sd}
        )
    table = pd.DataFrame(rows)
    columns: dict[str, Any] = {"maze": formatting.labels(table["maze"]), "search": formatting.labels(table["search"])}
    names = [
        ("five-rangefinder", ROBOTS["five-rangefinder"]),
        ("", "the paper, of 100"),
        ("six-rangefinder", ROBOTS["six-rangefinder"]),
    ]
    for robot, name in names:
        columns[f"solved: {name}"] = (
            table["paper_solved"]
            if not robot
            else [
                "" if pd.isna(count) else f"{count} of {of}"
                for count, of in zip(table[f"solved_{robot}"], table[f"runs_{robot}"], strict=True)
            ]
        )
    for robot, name in names:
        mean, sd = ("paper_mean", "paper_sd") if not robot else (f"evaluations_{robot}", f"sd_{robot}")
        columns[f"evaluations: {name.removesuffix(', of 100')}"] = [
            formatting.mean(*pair, ",.0f") for pair in zip(table[mean], table[sd], strict=True)
        ]
    caption = (
        "The paper between the two robots: runs that solved the maze, and evaluations, mean (standard deviation). The "
        "very hard and extremely hard maze are ours."
    )
    return Table("robots", caption, table, pd.DataFrame(columns))


def _rules() -> Section:
    text = f"""
<p>The rules were fixed on 17 November 2026, before the runs were finished. A number <strong>agrees</strong> with the
paper's if a difference that matters is ruled out: evaluations, best fitness and genotypes if two one-sided Welch
tests at 5% say that the means differ by less than {analysis.MARGIN:.0%} of the paper's; solved runs if Newcombe's 95%
interval of the difference lies within {100 * analysis.POINTS:.0f} percentage points. It <strong>differs</strong> if
Welch's or Fisher's p, corrected by Holm's method over its table, is below 5%. Otherwise it is
<strong>undecided</strong>, with the number of runs of ours that would decide it with a probability of
{analysis.POWER:.0%} if the means and shares found are the true ones. There is no verdict below {analysis.LEAST_RUNS}
runs, nor on rankings below {analysis.LEAST_RUNS_TO_RANK} runs of each search in each maze, nor where the paper has no
number or only says <q>few</q>.</p>
<p>Evaluations are restricted means: a run without a solution counts with its budget, as in the paper. Medians,
expected running times and log-rank tests beside them treat it as what it is, a run of which only the budget is known.
Intervals of means are by bootstrap (bias-corrected and accelerated, {analysis.RESAMPLES:,} resamples), so that they
stay inside what is possible. Intervals of shares are Wilson's, also where the share is 0 of n; a mean of runs that all
end with the budget gets its interval from Wilson's interval of 0 of n, too.</p>
<p>The very hard and extremely hard mazes are not published in the paper. Ours are others of their kind, so there the
order of the searches is compared, and not the numbers.</p>"""
    return Section("By which rules", text)


def _making(found: Mapping[str, Results]) -> Section:
    versions = sorted({str(version) for results in found.values() for version in results.runs["version"]})
    runs = pd.concat([results.runs for results in found.values()], ignore_index=True)
    text = f"""
<p>By divergent {html.escape(", ".join(versions))}, in {formatting.hours(runs)}. The records come from these commands,
which are also in {COMMANDS} beside each experiment's results; the results come from the records by <code>python -m
divergent.replicate collect</code>, and this page from the results by <code>python -m divergent.replicate
report</code>.</p>"""
    for name, results in found.items():
        text += (
            f"<details><summary>{html.escape(name)}: {len(results.runs):,} runs, "
            f"{formatting.hours(results.runs)}</summary>"
            f"<pre>{html.escape(results.commands)}</pre></details>"
        )
    return Section("How it was made", text)


def _authored(found: Mapping[str, Results]) -> Section:
    solved, evaluations = by_robot(found, solved_beside), by_robot(found, evaluations_beside)
    times = by_robot(found, analysis.running_times)
    small, large = usual_budget("medium"), usual_budget("very_hard")
    text = f"""<p>Four mazes, six searches. A run ends with its first solution or with its budget: {small:,} evaluations
in the medium and hard maze, {large:,} in the others. {html.escape(yardstick())}</p>"""
    items: list[Table | Figure] = []
    for name, title in (("authored", ""), ("original", ", with the original program's robot")):
        if name not in found:
            continue
        runs, suffix = found[name].runs, "" if name == "authored" else f"_{name}"
        rows = list(runs.itertuples(index=False))
        efficiency = analysis.efficiency(analysis.curve_table(rows, found[name].curves.astype(float)))
        items += [
            Figure(
                f"robustness{suffix}",
                f"Robustness{title}: share of runs that have solved the maze (Kaplan-Meier), with 95% bands, and how "
                "many runs were at risk, that is, had not solved yet.",
                plots.by_maze(plots.draw_kaplan_meier, analysis.kaplan_meier(runs)),
            ),
            Figure(
                f"efficiency{suffix}",
                f"Efficiency{title}: best fitness so far, the mean over runs with its 95% interval. After its solution "
                "a run keeps its fitness.",
                plots.by_maze(plots.draw_efficiency, efficiency),
            ),
        ]
    items += [
        Table(
            "solved",
            "Runs that solved the maze, with Wilson's 95% interval of the share that would.",
            solved,
            pd.DataFrame(
                formatting.names(solved)
                | {"ours": [f"{row.solved} of {row.runs}" for row in solved.itertuples()]}
                | {"95% interval": formatting.spans(solved, ".0%"), "paper, of 100": solved["paper"]}
                | {"p": formatting.ps(solved["p"]), "p, corrected": formatting.ps(solved["p_corrected"])}
                | {"verdict": solved["verdict"]}
            ),
        ),
        Table(
            "evaluations",
            "Evaluations to a solution: restricted mean (standard deviation) and its 95% interval.",
            evaluations,
            _shown_means(evaluations, ",.0f"),
        ),
        _running_times(times),
    ]
    if "authored" in found:
        runs = found["authored"].runs
        means = analysis.means(runs, "best_fitness")
        fitness = means_beside(means, runs, paper.BEST_FITNESS, measure="best_fitness")
        caption = "Best fitness at the end of a run: mean (standard deviation) and 95% interval of the mean."
        items.append(Table("best_fitness", caption, fitness, _shown_means(fitness, ".2f")))
        if set(runs["maze"]) - set(paper.PUBLISHED):
            items.append(order_table(runs))
    return Section("Authored mazes", text, [*items, _comparisons(found), paper_itself_table(), _paper_2016_table()])


def _running_times(times: pd.DataFrame) -> Table:
    shown = pd.DataFrame(
        formatting.names(times)
        | {"solved": times["solved"], "median": [_time(value) for value in times["median"]]}
        | {"95% interval": [f"{_time(row.low)} to {_time(row.high)}" for row in times.itertuples()]}
        | {"expected running time": ["" if math.isinf(value) else f"{value:,.0f}" for value in times["expected"]]}
    )
    caption = (
        "Running times of censored runs: the median (half of the runs have solved by then, Kaplan-Meier) and the "
        "expected running time (all evaluations of all runs for each solution)."
    )
    return Table("running_times", caption, times, shown)


def _time(value: float) -> str:
    return "beyond the budget" if math.isinf(value) else f"{value:,.0f}"


def paper_itself_table() -> Table:
    """What the paper's own numbers support."""
    table = paper_itself()
    shown = pd.DataFrame(
        {"maze": formatting.labels(table["maze"])}
        | {"evaluations": [f"{row.surprise:,.0f} and {row.novelty:,.0f}" for row in table.itertuples()]}
        | {"Welch's p": formatting.ps(table["p_evaluations"], 5)}
        | {"solved": [f"{row.solved_surprise} and {row.solved_novelty}" for row in table.itertuples()]}
        | {"Fisher's p": formatting.ps(table["p_solved"], 5)}
    )
    caption = (
        "What the paper's own numbers support of surprise against novelty: better in the very hard maze, more "
        "successes in the extremely hard one; in the medium and hard one they do not exclude chance."
    )
    return Table("paper_itself", caption, table, shown)


def _paper_2016_table() -> Table:
    """The authors' evaluations in two papers."""
    table = paper_2016()
    shown = pd.DataFrame(
        {"maze": formatting.labels(table["maze"]), "search": formatting.labels(table["search"])}
        | {"evaluations in 2016": formatting.numbers(table["mean_2016"], ",.0f")}
        | {"in the paper": formatting.numbers(table["mean"], ",.0f")}
        | {"difference": formatting.numbers(table["relative_difference"], "+.0%")}
    )
    return Table("paper_2016", "The authors' evaluations in 2016 and in the paper.", table, shown)


def order_table(runs: pd.DataFrame) -> Table:
    """The paper's order of the searches in the mazes that it does not publish, with a verdict on each claim."""
    claims = [claim for claim in paper.ORDERS if claim[0] in set(runs["maze"])]
    table = analysis.order(runs, claims, paper.RUNS)
    relations = {"better": "faster than", "equal": "about as fast as", "never": "never solves it"}
    told, solved = [], []
    for row in table.itertuples():
        pair = row.relation != "never"
        told.append(f"{label(row.first)} {relations[row.relation]}{f' {label(row.second)}' if pair else ''}")
        other = f"; {row.solved_second} of {row.runs_second}" if pair else ""
        solved.append(f"{row.solved_first} of {row.runs_first}{other}")
    shown = pd.DataFrame(
        {"maze": formatting.labels(table["maze"]), "the paper's order": told, "solved": solved}
        | {"pairs of runs": formatting.pairs(table)}
        | {"p, corrected": formatting.ps(table["p_corrected"]), "verdict": table["verdict"]}
    )
    caption = (
        "The order of the searches in the mazes that are not published in the paper. Faster: Mann-Whitney U test on "
        "evaluations. About as fast: equivalent within a fifth, or different by Welch's test. Never: as for solved "
        "runs. All p corrected by Holm's method over the table."
    )
    return Table("order", caption, table, shown)


def _comparisons(found: Mapping[str, Results]) -> Table:
    table = analysis.corrected(by_robot(found, analysis.compare))
    caption = (
        "Every two searches: Mann-Whitney U test, two-tailed, and log-rank test on evaluations, both corrected by "
        "Holm's method over the table. Pairs of runs that end alike count half for each."
    )
    shown = pd.DataFrame(
        {"robot": formatting.labels(table["robot"]), "maze": formatting.labels(table["maze"])}
        | formatting.tests(table)
        | {
            "log-rank p, corrected": formatting.ps(table["p_log_rank_corrected"]),
            "pairs of runs": formatting.pairs(table),
        }
    )
    return Table("comparisons", caption, table, shown)


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
            rows.append((maze, search, *run, *theirs, len(spread), spread.mean(), spread.std()))
            title = f"{label(maze)}, {label(search)}\n"
            if one is None:
                title, counts = f"{title}all {len(here)} runs, none solved", _visits(results, f"{maze}/{search}")
            else:
                title = f"{title}E = {one['evaluations']:,}, H = {one['entropy']:.2f}"
                counts = _visits(results, f"{maze}/{search}/{one['seed']}")
            pictures.append((title, read_maze(maze), counts))
    items: list[Table | Figure] = []
    if pictures:
        names = ["maze", "search", "seed", "evaluations", "entropy", "paper", "paper_evaluations"]
        names += ["solved", "mean", "sd"]
        table = pd.DataFrame(rows, columns=names).astype({"seed": "Int64", "evaluations": "Int64"})
        caption = (
            "Where robots ended in the run that solved the maze closest to the paper's number of evaluations; E "
            "evaluations, entropy H. All have one logarithmic scale; white is never."
        )
        items = [Figure("heatmaps", caption, plots.draw_heatmaps(pictures)), *_entropies(table, runs)]
    columns = max(2, runs.groupby("maze")["search"].nunique().max())
    every: list[tuple[str, Maze, np.ndarray] | None] = []
    for maze, found in analysis.successes(runs).groupby("maze", sort=False):
        every += [
            (f"{label(maze)}, {label(search)}", read_maze(maze), _visits(results, f"{maze}/{search}"))
            for search in found["search"]
        ]
        every += [None] * (columns - len(found))  # the next maze begins a row
    caption = "Where robots ended, over all evaluations of all runs, of which there are not as many of each search."
    items.append(Figure("visits", caption, plots.draw_heatmaps(every, columns=columns)))
    text = f"""<p>Entropy is that of final positions counted in cells of {analysis.CELL:g} by {analysis.CELL:g} units
over the maze's bounding box, from 0 (all in one cell) to 1 (all cells alike). The paper does not tell the size of its
cells, so only the order can be compared: surprise above novelty in every maze.</p>"""
    return Section("Behaviours", text, items)


def _visits(results: Results, key: str) -> np.ndarray:
    if key not in results.visits:
        raise ValueError(f"{VISITS}: {key!r} is missing; collect the results again")
    return results.visits[key]


def _entropies(table: pd.DataFrame, runs: pd.DataFrame) -> list[Table]:
    shown = pd.DataFrame(
        {"maze": formatting.labels(table["maze"]), "search": formatting.labels(table["search"])}
        | {
            "typical run": [
                "none solved" if pd.isna(row.seed) else f"{row.entropy:.2f} (seed {row.seed}, {row.evaluations:,})"
                for row in table.itertuples()
            ]
        }
        | {"paper's typical run": [f"{row.paper:.2f} ({row.paper_evaluations:,})" for row in table.itertuples()]}
        | {"runs that solved": table["solved"]}
        | {"their mean": [formatting.mean(row.mean, row.sd, ".3f") for row in table.itertuples()]}
    )
    caption = (
        "Entropy of final positions: of a typical run (seed, evaluations), and mean (standard deviation) over "
        "all runs that solved."
    )
    tests = analysis.compare(runs[runs["solved"] & runs["search"].isin(paper.COMPARED)], "entropy")
    tests["verdict"] = analysis.judged(
        [
            analysis.evidence_of_order(row.p, row.effect, min(row.runs_first, row.runs_second))
            for row in tests.itertuples()
        ]
    )
    test_caption = (
        "Whether surprise's entropy is above novelty's in runs that solved: Mann-Whitney U test, corrected by Holm's "
        "method over the table; effect: rank-biserial correlation, negative if surprise's is larger. Runs that take "
        "longer visit more, whichever the search."
    )
    shown_tests = pd.DataFrame(
        {"maze": formatting.labels(tests["maze"])} | formatting.tests(tests) | {"verdict": tests["verdict"]}
    )
    return [Table("entropy", caption, table, shown), Table("entropy_tests", test_caption, tests, shown_tests)]


def _genotypes(results: Results) -> Section:
    solved = results.runs[results.runs["solved"]]
    here = solved[solved["search"].isin(paper.COMPARED)]
    tests = analysis.compare_measures(here, paper.GENOTYPE_MEASURES)
    shown_tests = pd.DataFrame(
        {"measure": formatting.labels(tests["measure"]), "maze": formatting.labels(tests["maze"])}
        | formatting.tests(tests)
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
        "Novelty against surprise: Mann-Whitney U test, corrected by Holm's method over the table; effect: "
        "rank-biserial correlation, negative if surprise's values are larger."
    )
    items = [
        _genotype_table("genotypes", caption, solved, results, paper.GENOTYPE_MEASURES),
        _genotype_table(
            "solutions", between_caption, results.solutions.assign(solved=True), results, analysis.DIVERSITY
        ),
        Table("genotype_tests", test_caption, tests, shown_tests),
    ]
    return Section("Genotypes", text, items)


def _genotype_table(name: str, caption: str, solved: pd.DataFrame, results: Results, measures: Sequence[str]) -> Table:
    """Measures of solved runs beside the paper's."""
    means = analysis.genotypes(solved, measures=measures)
    means = means.sort_values("measure", key=lambda names: names.map(measures.index), kind="stable", ignore_index=True)
    theirs = {(*key, measure): mean for key, known in paper.GENOTYPES.items() for measure, mean in known.items()}
    table = means_beside(means, solved, theirs, reason=lambda row, _: authored_reason(row, results.runs))
    compared = table[table["search"].isin(paper.COMPARED)].reset_index(drop=True)
    shown = _shown_means(compared, ".2f")
    shown.insert(0, "measure", formatting.labels(compared["measure"]))
    return Table(name, caption, table, shown)


def _generated(runs: pd.DataFrame) -> Section:
    count = runs.groupby(["maze", "search"]).size()
    steps, budget = usual_steps(GENERATED), usual_budget(GENERATED)
    text = f"""<p>{runs["maze"].nunique()} mazes of 200 by 200 units, made by recursive division, with {steps} steps for
the robot and {budget:,} evaluations for the search; {_range(count)} runs of each search in each maze. The mazes are
ours, made as the paper describes; its own are not published in the paper. How wide their holes are was set by objective
search alone.</p>"""
    robustness = analysis.kaplan_meier(runs, by=("search",))
    items: list[Table | Figure] = [
        Figure("generated_mazes", "Generated mazes.", plots.draw_examples(_examples(runs["maze"].unique()))),
        Figure(
            "generated_robustness",
            "Robustness: share of all runs in all generated mazes that have solved their maze (Kaplan-Meier, with 95% "
            "bands that take runs as independent).",
            plots.draw_kaplan_meier(robustness),
        ),
        generated_table(runs),
    ]
    if not set(paper.COMPARED) <= set(runs["search"]):
        return Section("Generated mazes", text, items)
    line = analysis.deceptiveness(runs, paper.COMPARED)
    items += [over_mazes_table(runs), _ahead_table(runs), _rankings(runs), _ranking_totals(runs), _regression(line)]
    if line.lines["slope"].notna().all():
        caption = (
            "Deceptiveness: a search's successes in a maze against objective search's failures in it; points of the "
            "two searches are moved aside a little."
        )
        items.append(Figure("regression", caption, plots.draw_regression(line)))
    features = analysis.regress_on_features(runs, paper.COMPARED)
    items.append(features_table(features))
    if features.lines["change"].notna().all():
        caption = (
            "Which mazes favour which search: how much the share of runs that solve a maze changes with one standard "
            "deviation of a feature, the others being equal, with 95% intervals."
        )
        items.append(Figure("maze_features", caption, plots.draw_features(features)))
    return Section("Generated mazes", text, items)


def _examples(names: Iterable[str]) -> list[tuple[str, Maze]]:
    """The first maze of each number of subdivisions: each makes two walls beside the four around."""
    found: dict[int, Maze] = {}
    for maze in map(read_maze, analysis.ordered(names, ())):
        found.setdefault((len(maze.walls) - 4) // 2, maze)
    return [(f"{count} subdivisions", found[count]) for count in sorted(found)]


def generated_table(runs: pd.DataFrame) -> Table:
    """Evaluations over all generated mazes, beside the paper's; runs of a maze are alike, so that it is one value."""

    def reason(row: Any, runs: pd.DataFrame) -> Verdict | None:
        return None if row.budget == usual_budget(GENERATED) else OTHER_BUDGET

    table = analysis.evaluations(runs, by=("search",))
    mazes = runs.groupby(["search", "maze"], as_index=False)["evaluations"].mean()
    over = analysis.means(mazes, "evaluations", by=("search",))
    ends = [
        analysis.bounded_interval(part["evaluations"], 0, table["budget"].max())
        for search in table["search"]
        for part in [mazes[mazes["search"] == search]]
    ]
    table = table.assign(
        mazes=over["runs"], low=[low for low, _ in ends], high=[high for _, high in ends],
        solved=analysis.successes(runs, by=("search",))["solved"],
    )  # fmt: skip
    theirs = {
        (search,): paper.Mean(mean.mean, mean.sd, paper.GENERATED_MAZES)
        for search, mean in paper.GENERATED_EVALUATIONS.items()
    }
    table = means_beside(table, mazes, theirs, measure="evaluations", reason=reason, unit="maze")
    shown = _shown_means(table, ",.0f")
    shown.insert(2, "solved", [f"{row.solved:,} ({row.solved / row.runs:.0%})" for row in table.itertuples()])
    caption = (
        "Evaluations over all runs in all generated mazes: restricted mean (standard deviation over runs), and its "
        "95% interval by bootstrap over mazes, because runs in the same maze are alike. Tests take our mazes' means "
        "for the sample, and the paper's as one of as many mazes as it has; and the mazes are not the paper's."
    )
    return Table("generated_evaluations", caption, table, shown)


def over_mazes_table(runs: pd.DataFrame) -> Table:
    """Every two searches, compared within generated mazes."""
    table = analysis.compare_over_mazes(runs)
    caption = (
        "Every two searches over all generated mazes: evaluations of the first less those of the second, the mean "
        "over mazes with its 95% interval by bootstrap over mazes and a paired t-test of the mazes' means; pairs of "
        "runs in the same maze, the mean over mazes, and a log-rank test stratified by maze. Both p are corrected by "
        "Holm's method."
    )
    return Table("generated_comparisons", caption, table, pd.DataFrame(formatting.tests_over_mazes(table)))


def features_table(result: FeatureRegression) -> Table:
    """How successes depend on what a maze is like."""
    table = result.lines
    shown = pd.DataFrame(
        {"successes of": [_outcome(name) for name in table["outcome"]], "feature": formatting.labels(table["feature"])}
        | {"mazes": table["mazes"], "change": formatting.numbers(table["change"], "+.1%")}
        | {"95% interval": formatting.spans(table, "+.1%"), "p": formatting.ps(table["p"])}
    )
    caption = (
        "Successes regressed on what a maze is like: the shortest way, how many right angles it turns, the share of "
        "the maze that is dead ends, and the number of subdivisions. Change with one standard deviation of the "
        "feature; linear regression with standard errors for unequal variances (HC3)."
    )
    return Table("maze_features", caption, table, shown)


def _outcome(name: str) -> str:
    first, second = (label(search) for search in paper.COMPARED)
    return f"{second} less {first}" if name == "difference" else label(name)


def _ahead_table(runs: pd.DataFrame) -> Table:
    """The evaluations from which on surprise has solved significantly more runs than novelty."""
    second, first = paper.COMPARED
    ours = analysis.ahead_from(runs, first, second)
    table = pd.DataFrame([{"first": first, "second": second, "ours": ours, "paper": paper.FASTER_FROM}])
    shown = pd.DataFrame(
        {"search": [label(first)], "has solved more runs than": [label(second)]}
        | {
            "ours": [f"{ours:,.0f}" if math.isfinite(ours) else "at no point up to the budget"],
            "paper": [f"{paper.FASTER_FROM:,}"],
        }
    )
    caption = (
        "Evaluations from which to the end one search has solved significantly more runs than the other (Fisher's "
        "exact test, 5%)."
    )
    return Table("ahead_from", caption, table, shown)


def _rankings(runs: pd.DataFrame) -> Table:
    table = analysis.rankings(runs)
    evidence: list[Evidence | Verdict] = []
    percents = []
    for row in table.itertuples():
        percents.append(paper.RANKINGS[row.first, row.second])
        theirs = round(percents[-1] / 100 * paper.GENERATED_MAZES)
        found = analysis.evidence_of_counts(row.more, row.mazes, [theirs], paper.GENERATED_MAZES)
        enough = row.runs >= analysis.LEAST_RUNS_TO_RANK
        evidence.append(replace(found, unit="maze") if enough else Verdict("no verdict", found.p, row.runs))
    verdicts = analysis.judged(evidence)
    table = table.assign(
        paper_percent=percents, paper_mazes=paper.GENERATED_MAZES, paper_runs=paper.GENERATED_RUNS,
        p=[one.p for one in evidence], verdict=verdicts,
    )  # fmt: skip
    searches = list(dict.fromkeys(table["first"]))
    cells = {
        (row.first, row.second): f"{row.share:.0%} ({row.low:.0%} to {row.high:.0%}) / {row.paper_percent}%"
        for row in table.itertuples()
    }
    shown = pd.DataFrame(
        [
            {"solves more than": label(first)} | {label(second): cells.get((first, second), "") for second in searches}
            for first in searches
        ]
    )
    totals = _totals(runs).set_index("search")
    told = {
        search: [f"{row[name]:.1%} / {row[f'paper_{name}']:g}%" for name in ("more", "fewer")]
        for search, row in totals.iterrows()
    }
    shown["Total"] = [told[search][0] for search in searches]
    last = {"solves more than": "Total"} | {label(search): told[search][1] for search in searches} | {"Total": ""}
    shown = pd.concat([shown, pd.DataFrame([last])], ignore_index=True)
    fewest = int(table["runs"].min()) if len(table) else 0
    verdict = "Verdicts on the number of mazes are in the table's CSV file."
    if fewest < analysis.LEAST_RUNS_TO_RANK:
        verdict = f"No verdict below {analysis.LEAST_RUNS_TO_RANK} runs: the fewer runs, the more ties."
    caption = (
        "Rankings, ours (Wilson's 95% interval) / the paper's: share of mazes in which the search of the row solves "
        "strictly more runs than that of the column. Totals are averages of rows and columns. Ours with "
        f"{fewest} runs or more of each search in each maze, the paper's with {paper.GENERATED_RUNS}. {verdict}"
    )
    return Table("rankings", caption, table, shown)


def _totals(runs: pd.DataFrame) -> pd.DataFrame:
    """The averages of each search's rankings with the paper's, which are in percent."""
    table = analysis.ranking_totals(runs)
    theirs = [paper.RANKING_TOTALS[search] for search in table["search"]]
    return table.assign(paper_more=[one.more for one in theirs], paper_fewer=[one.fewer for one in theirs])


def _ranking_totals(runs: pd.DataFrame) -> Table:
    """The averages of each search's rankings with their intervals."""
    table = _totals(runs)
    columns: dict[str, Any] = {"search": formatting.labels(table["search"]), "mazes": table["mazes"]}
    for name, title in (("more", "solves more than others"), ("fewer", "others solve more")):
        ends = table[[f"{name}_low", f"{name}_high"]].set_axis(["low", "high"], axis=1)
        columns |= {
            title: formatting.numbers(table[name], ".1%"),
            f"{title}, 95% interval": formatting.spans(ends, ".1%"),
        }
        columns |= {f"{title}, paper": [f"{value:g}%" for value in table[f"paper_{name}"]]}
    caption = (
        "Totals of the rankings: the share of mazes in which a search solves strictly more runs than another, and in "
        "which another solves strictly more, averaged over the other searches; 95% interval by bootstrap over mazes."
    )
    return Table("ranking_totals", caption, table, pd.DataFrame(columns))


def _regression(result: Deceptiveness) -> Table:
    table = result.lines.assign(
        paper_adjusted_r2_above=paper.ADJUSTED_R2, difference=result.difference, intercept_p=result.intercept_p,
        slope_p=result.slope_p,
    )  # fmt: skip
    shown = pd.DataFrame(
        {"search": formatting.labels(table["search"]), "mazes": table["mazes"]}
        | {
            "slope": formatting.numbers(table["slope"], ".2f"),
            "intercept": formatting.numbers(table["intercept"], ".2f"),
        }
        | {"adjusted R²": formatting.numbers(table["adjusted_r2"], ".2f"), "p": formatting.ps(table["p"])}
    )
    caption = (
        "Deceptiveness: share of runs that solved a maze, regressed on objective search's share of failures in it. The "
        f"paper: adjusted R² above {paper.ADJUSTED_R2} for both, surprise's intercept higher (ANCOVA, p < 0.05). Ours: "
        f"surprise's intercept less novelty's is {formatting.number(result.difference, '+.3f')} at a common slope "
        f"(ANCOVA, p = {formatting.p(result.intercept_p) or 'none'}); equal slopes, which ANCOVA assumes: p = "
        f"{formatting.p(result.slope_p) or 'none'}."
    )
    return Table("regression", caption, table, shown)


def predictors_table(found: Mapping[str, Results]) -> Table:
    """Surprise search with other predictors, beside the linear one in the same mazes."""
    tried = found["predictors"].runs
    known = [found["authored"].runs] if "authored" in found else []
    beside = [runs[runs["maze"].isin(tried["maze"]) & runs["search"].isin(tried["search"])] for runs in known]
    runs = pd.concat([*(part for part in beside if len(part)), tried], ignore_index=True)
    table, shown = _against("linear", runs, "predictor", ("maze", "predictor"))
    caption = (
        "Surprise search by its predictor: runs that solved, with Wilson's interval, evaluations (restricted mean and "
        "standard deviation), and a log-rank test against the linear one."
    )
    return Table("predictors", caption, table, shown)


def _sensitivity_runs(found: Mapping[str, Results]) -> pd.DataFrame:
    """All runs of the sensitivity analyses, and whether each repeats a run of `authored`."""
    runs = pd.concat([one.runs for name, one in found.items() if name.startswith("sensitivity")], ignore_index=True)
    if "authored" not in found:
        return runs.assign(repeated=False)
    same = ["maze", "search", "clusters", "neighbours", "seed", "evaluations", "solved"]
    known = found["authored"].runs[same].assign(repeated=True)
    return runs.merge(known, how="left", on=same).assign(repeated=lambda table: table["repeated"].notna())


def _sensitivity_table(runs: pd.DataFrame) -> pd.DataFrame:
    """The table of settings with the number of runs that repeat runs of `authored`."""
    parts = groups(runs, ("maze", "search", "clusters", "neighbours"))
    return analysis.sensitivity(runs).assign(runs_of_authored=[int(part["repeated"].sum()) for _, part in parts])


def _sensitivity(found: Mapping[str, Results]) -> Section:
    table = _sensitivity_table(_sensitivity_runs(found))
    items = []
    for search, part in table.groupby("search", sort=False):
        caption = f"{label(search)}: mean evaluations / budget, with the 95% interval of the mean."
        items.append(Figure(f"sensitivity_{search}", caption, plots.by_maze(plots.draw_sensitivity, part)))
    shown = pd.DataFrame(
        {
            "maze": formatting.labels(table["maze"]),
            "search": formatting.labels(table["search"]),
            "setting": _settings(table),
        }
        | {"runs": table["runs"], "of them in authored": [value or "" for value in table["runs_of_authored"]]}
        | {"solved": table["solved"], "evaluations": formatting.numbers(table["evaluations"], ",.0f")}
        | {
            "evaluations / budget": formatting.numbers(table["effort"], ".2f"),
            "95% interval": formatting.spans(table, ".2f"),
        }
    )
    caption = (
        "Every setting that was tried. Runs with the default setting of their maze have the seeds of authored, and are "
        "the same runs."
    )
    every = Table("sensitivity", caption, table, shown)
    text = """<p>Novelty: the number of neighbours n. Surprise: the number of clusters k, with the distance taken to the
nearest prediction (n = 1) or the two nearest (n = 2).</p>"""
    return Section("Sensitivity", text, [*items, best_table(found), every])


def best_table(found: Mapping[str, Results]) -> Table:
    """The best setting of each search in each maze, beside the paper's."""
    runs = _sensitivity_runs(found)
    table = _sensitivity_table(runs)
    best = analysis.best_settings(table)
    rows: list[tuple[Any, ...]] = []
    evidence: list[Evidence | Verdict] = []
    for row in best.itertuples():
        theirs = paper.SENSITIVITY[row.maze, row.search]
        same = table[(table["maze"] == row.maze) & (table["search"] == row.search)]
        same = same[(same["neighbours"] == theirs.neighbours) & (same["clusters"].fillna(0) == (theirs.clusters or 0))]
        ours, count = (same["solved"].iloc[0], same["runs"].iloc[0]) if len(same) else (pd.NA, 0)
        judged: Evidence | Verdict = NOTHING
        if count and theirs.solved is not None:
            among = [theirs.solved]
            judged = authored_reason(row, runs) or analysis.evidence_of_counts(
                ours, count, among, paper.SENSITIVITY_RUNS
            )
        evidence.append(judged)
        repeated = same["runs_of_authored"].iloc[0] if count else pd.NA
        rows.append((*theirs, paper.SENSITIVITY_RUNS, ours, count, repeated))
    names = [*(f"paper_{name}" for name in paper.Best._fields), "paper_runs", "solved_there", "runs_there"]
    names += ["runs_of_authored_there"]
    beside = pd.DataFrame(rows, columns=names).astype(dict.fromkeys(names, "Int64"))
    best = best.join(beside).assign(verdict=analysis.judged(evidence))
    theirs = best[["paper_clusters", "paper_neighbours"]].set_axis(["clusters", "neighbours"], axis=1)
    shown = pd.DataFrame(
        {
            "maze": formatting.labels(best["maze"]),
            "search": formatting.labels(best["search"]),
            "our best": _settings(best),
        }
        | {"solved": [f"{row.solved} of {row.runs}" for row in best.itertuples()]}
        | {"evaluations": formatting.numbers(best["evaluations"], ",.0f"), "paper's best": _settings(theirs)}
        | {
            "paper solved": [
                "" if pd.isna(row.paper_solved) else f"{row.paper_solved} of {row.paper_runs}"
                for row in best.itertuples()
            ]
        }
        | {
            "ours with it": [
                "" if row.runs_there == 0 else f"{row.solved_there} of {row.runs_there}" for row in best.itertuples()
            ]
        }
        | {"of these in authored": best["runs_of_authored_there"]}
        | {"verdict": best["verdict"]}
    )
    caption = (
        "The best setting in each maze: most successes, ties by fewest evaluations. The verdict is on our successes "
        "with the paper's best setting."
    )
    return Table("sensitivity_best", caption, best, shown)


def _shown_means(table: pd.DataFrame, form: str) -> pd.DataFrame:
    ours = [formatting.mean(row.mean, row.sd, form) for row in table.itertuples()]
    theirs = [formatting.mean(row.paper_mean, row.paper_sd, form) for row in table.itertuples()]
    return pd.DataFrame(
        formatting.names(table)
        | {"ours": ours, "95% interval": formatting.spans(table, form), "paper": theirs}
        | {
            "p": formatting.ps(table["p"]),
            "p, corrected": formatting.ps(table["p_corrected"]),
            "verdict": table["verdict"],
        }
    )


def _settings(table: pd.DataFrame) -> list[str]:
    return [
        f"n = {row.neighbours}" if pd.isna(row.clusters) else f"k = {row.clusters}, n = {row.neighbours}"
        for row in table.itertuples()
    ]


def _range(counts: pd.Series) -> str:
    return f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"

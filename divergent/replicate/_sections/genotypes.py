"""Report section on genotypes: size of solutions, diversity of final populations and of solutions."""

from collections.abc import Sequence

import pandas as pd

from divergent import analysis
from divergent.neat.genome import Genome
from divergent.replicate import paper
from divergent.replicate._claims import PLAN
from divergent.replicate._experiments import CONFIRMATORY
from divergent.replicate._paper_comparison import compare_means, exclusion
from divergent.replicate._replication import Replication, computed_once, needs_runs
from divergent.reports import _formatting as formatting
from divergent.reports._page import Section, Table


@needs_runs("authored")
def section(replication: Replication) -> Section:
    """Return the report section on genotypes, or None if the experiment `authored` has no runs."""
    runs = replication.runs("authored")
    solved = runs[runs["solved"]]
    solutions = replication.experiments["authored"].solutions.assign(solved=True)
    text = """<p>Complexity is the number of connections and hidden nodes of the genome that solved the maze; disabled
genes count. Diversity is the compatibility distance and its parts: disjoint genes, excess genes and weight difference.
The paper does not specify the pairs of genomes that it compares. Diversity is therefore reported twice: between members
of a final population, and between solutions of different runs. All numbers are means over successful runs. The tables
<q>genotypes</q>, <q>solutions</q> and <q>genotype_tests</q> are computed from exploratory runs (seeds 0 to 99).</p>"""
    caption = (
        "Complexity, and diversity of final populations: mean (standard deviation), and the 95% interval of the mean."
    )
    solutions_caption = (
        "Diversity of solutions, compared with the same numbers of the paper. The diversity is the distance of a "
        "solution to the solutions of other runs with the same maze and search. The tests treat the distances of "
        "different solutions as independent, although each distance is shared by two solutions. Their p-values are "
        "therefore too small."
    )
    items = [
        _means_table("genotypes", caption, solved, runs, paper.GENOTYPE_MEASURES),
        _means_table("solutions", solutions_caption, solutions, runs, analysis.DIVERSITY),
        pairs_table(replication),
        _tests_table(solved),
    ]
    return Section("Genotypes", text, [item for item in items if item is not None])


@computed_once
def pairs_table(replication: Replication) -> Table | None:
    """Return a table of the diversity over pairs of solutions of confirmatory runs, or None without genomes."""
    tables = []
    for maze, search in ((maze, search) for maze in paper.MAZES for search in paper.COMPARED):
        solutions = _solutions(replication, maze, search)
        if len(solutions) > 1:
            table = analysis.pairwise_diversity(solutions)
            reported = [paper.GENOTYPES[maze, search][measure] for measure in table["measure"]]
            table = table.assign(paper_mean=[mean.mean for mean in reported], paper_sd=[mean.sd for mean in reported])
            names = {"configuration": PLAN[maze].configuration, "maze": maze, "search": search}
            tables.append(pd.DataFrame(names | {"solutions": len(solutions)}, index=table.index).join(table))
    if not tables:
        return None
    table = pd.concat(tables).sort_values(
        "measure", key=lambda names: names.map(analysis.DIVERSITY.index), kind="stable", ignore_index=True
    )
    shown = pd.DataFrame(
        {name: formatting.labels(table[name]) for name in ("measure", "maze", "search")}
        | {"configuration": table["configuration"], "solutions": table["solutions"]}
        | {"ours": formatting.means(table, ".2f"), "95% interval": formatting.intervals(table, ".2f")}
        | {"paper": formatting.means(table, ".2f", "paper_mean", "paper_sd")}
    )
    caption = (
        "Diversity of solutions of confirmatory runs: mean (standard deviation) over all pairs of solutions of "
        "different runs, compared with the same numbers of the paper. Pairs that share a solution are not independent. "
        "Therefore, the 95% interval of the mean resamples solutions (bootstrap), and the table has no tests."
    )
    return Table("solution_pairs", caption, table, shown)


def _solutions(replication: Replication, maze: str, search: str) -> list[Genome]:
    """Return the solutions of the confirmatory runs of a search in a maze; an empty list if genomes are not stored."""
    if not replication.has(CONFIRMATORY[maze]):
        return []
    genomes = replication.experiments[CONFIRMATORY[maze]].genomes
    return [Genome.from_json(text) for name, text in genomes.items() if name.startswith(f"{maze}/{search}/")]


def _means_table(name: str, caption: str, solved: pd.DataFrame, runs: pd.DataFrame, measures: Sequence[str]) -> Table:
    """Return a table that compares the genotype measures of successful runs with the paper."""
    means = analysis.genotypes(solved, measures=measures)
    means = means.sort_values("measure", key=lambda names: names.map(measures.index), kind="stable", ignore_index=True)
    reported = {(*key, measure): mean for key, known in paper.GENOTYPES.items() for measure, mean in known.items()}
    table = compare_means(means, solved, reported, reason=lambda row, _: exclusion(row, runs))
    compared = table[table["search"].isin(paper.COMPARED)].reset_index(drop=True)
    shown = formatting.compared_means(compared, ".2f")
    shown.insert(0, "measure", formatting.labels(compared["measure"]))
    return Table(name, caption, table, shown)


def _tests_table(solved: pd.DataFrame) -> Table:
    """Return a table of tests that compare the genotype measures of novelty and surprise search."""
    table = analysis.compare_measures(solved[solved["search"].isin(paper.COMPARED)], paper.GENOTYPE_MEASURES)
    shown = pd.DataFrame(
        {"measure": formatting.labels(table["measure"]), "maze": formatting.labels(table["maze"])}
        | formatting.tests(table)
    )
    caption = (
        "Novelty search compared with surprise search: Mann-Whitney U test, corrected by Holm's method over the table. "
        "The effect is the rank-biserial correlation, which is negative if the values of surprise search are larger."
    )
    return Table("genotype_tests", caption, table, shown)

"""Report section on genotypes: size of solutions, diversity of final populations and of solutions."""

from collections.abc import Sequence

import pandas as pd

from divergent import analysis
from divergent.replicate import paper
from divergent.replicate._paper_comparison import compare_means, exclusion
from divergent.replicate._replication import Replication, needs_runs
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
of a final population, and between solutions of different runs. All numbers are means over successful runs.</p>"""
    caption = (
        "Complexity, and diversity of final populations: mean (standard deviation), and the 95% interval of the mean."
    )
    solutions_caption = (
        "Diversity of solutions, compared with the same numbers of the paper. The diversity is the distance of a "
        "solution to the solutions of other runs with the same maze and search."
    )
    items = [
        _means_table("genotypes", caption, solved, runs, paper.GENOTYPE_MEASURES),
        _means_table("solutions", solutions_caption, solutions, runs, analysis.DIVERSITY),
        _tests_table(solved),
    ]
    return Section("Genotypes", text, items)


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

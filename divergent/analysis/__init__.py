"""Compute tables and statistics from the records of runs, as tidy pandas tables.

A table of runs has one row per run, with the columns `RUN_COLUMNS` if all runs are in mazes, otherwise
`PROBLEM_COLUMNS`. Result tables report the number of runs from which each statistic is computed. A statistic is NaN if
there are too few runs.
"""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index

if TYPE_CHECKING:
    from divergent.analysis._agreement import (
        LEAST_RUNS as LEAST_RUNS,
        LEAST_RUNS_TO_RANK as LEAST_RUNS_TO_RANK,
        POWER as POWER,
        PROPORTION_MARGIN as PROPORTION_MARGIN,
        Evidence as Evidence,
        Verdict as Verdict,
        decide as decide,
        evidence_of_counts as evidence_of_counts,
        evidence_of_means as evidence_of_means,
        evidence_of_order as evidence_of_order,
        format_count as format_count,
        runs_to_decide as runs_to_decide,
    )
    from divergent.analysis._budgets import censor_at_budget as censor_at_budget, evaluation_grid as evaluation_grid
    from divergent.analysis._comparisons import (
        Claim as Claim,
        check_order as check_order,
        compare as compare,
        compare_measures as compare_measures,
        compare_over_mazes as compare_over_mazes,
        correct_p_values as correct_p_values,
        describe_effect as describe_effect,
        lead_onset as lead_onset,
        ranking_totals as ranking_totals,
        rankings as rankings,
    )
    from divergent.analysis._evolvability import (
        STRATA as STRATA,
        matched_means as matched_means,
        mutant_behaviours as mutant_behaviours,
    )
    from divergent.analysis._genotype_distances import solution_distances as solution_distances
    from divergent.analysis._grouping import (
        complete_seeds as complete_seeds,
        order_names as order_names,
        problem_column as problem_column,
    )
    from divergent.analysis._intervals import (
        LEVEL as LEVEL,
        RESAMPLES as RESAMPLES,
        bounded_interval as bounded_interval,
        proportion_interval as proportion_interval,
    )
    from divergent.analysis._record_elites import elites_of_record as elites_of_record
    from divergent.analysis._maze_features import (
        FEATURES as FEATURES,
        FeatureRegression as FeatureRegression,
        compute_features as compute_features,
        regress_on_features as regress_on_features,
    )
    from divergent.analysis._occupancy import CELL_SIZE as CELL_SIZE, entropy as entropy, visits as visits
    from divergent.analysis._regression import Deceptiveness as Deceptiveness, deceptiveness as deceptiveness
    from divergent.analysis._search_dynamics import (
        count_cells as count_cells,
        generation_numbers as generation_numbers,
        growth_rate as growth_rate,
        occupancy_over_time as occupancy_over_time,
        prediction_errors as prediction_errors,
        return_times as return_times,
        score_correlations as score_correlations,
        selection_intensity as selection_intensity,
    )
    from divergent.analysis._summaries import (
        best_settings as best_settings,
        efficiency as efficiency,
        evaluations as evaluations,
        genotypes as genotypes,
        means as means,
        sensitivity as sensitivity,
        success_rates as success_rates,
        typical_run as typical_run,
    )
    from divergent.analysis._survival import (
        kaplan_meier as kaplan_meier,
        log_rank as log_rank,
        running_times as running_times,
    )
    from divergent.analysis._tables import (
        curve_table as curve_table,
        curves as curves,
        problem_row as problem_row,
        read_records as read_records,
        run_curve as run_curve,
        run_row as run_row,
        tabulate as tabulate,
    )
    from divergent.analysis._record_elites import record_elites as record_elites
    from divergent.analysis._columns import (
        PROBLEM_COLUMNS as PROBLEM_COLUMNS,
        RUN_COLUMNS as RUN_COLUMNS,
        SETTINGS as SETTINGS,
    )
    from divergent.analysis._two_samples import (
        MARGIN as MARGIN,
        difference_of_means as difference_of_means,
        difference_of_proportions as difference_of_proportions,
        equivalence as equivalence,
        fisher as fisher,
        holm as holm,
        mann_whitney as mann_whitney,
        welch as welch,
    )
    from divergent.runs._row_measures import DIVERSITY as DIVERSITY

_HOMES = {
    "CELL_SIZE": "_occupancy",
    "Claim": "_comparisons",
    "DIVERSITY": "_columns",
    "Deceptiveness": "_regression",
    "Evidence": "_agreement",
    "FEATURES": "_maze_features",
    "FeatureRegression": "_maze_features",
    "LEAST_RUNS": "_agreement",
    "LEAST_RUNS_TO_RANK": "_agreement",
    "LEVEL": "_intervals",
    "MARGIN": "_two_samples",
    "POWER": "_agreement",
    "PROBLEM_COLUMNS": "_columns",
    "PROPORTION_MARGIN": "_agreement",
    "RESAMPLES": "_intervals",
    "RUN_COLUMNS": "_columns",
    "SETTINGS": "_columns",
    "STRATA": "_evolvability",
    "Verdict": "_agreement",
    "best_settings": "_summaries",
    "bounded_interval": "_intervals",
    "censor_at_budget": "_budgets",
    "check_order": "_comparisons",
    "compare": "_comparisons",
    "compare_measures": "_comparisons",
    "compare_over_mazes": "_comparisons",
    "complete_seeds": "_grouping",
    "compute_features": "_maze_features",
    "correct_p_values": "_comparisons",
    "count_cells": "_search_dynamics",
    "curve_table": "_tables",
    "curves": "_tables",
    "deceptiveness": "_regression",
    "decide": "_agreement",
    "describe_effect": "_comparisons",
    "difference_of_means": "_two_samples",
    "difference_of_proportions": "_two_samples",
    "efficiency": "_summaries",
    "elites_of_record": "_record_elites",
    "entropy": "_occupancy",
    "equivalence": "_two_samples",
    "evaluation_grid": "_budgets",
    "evaluations": "_summaries",
    "evidence_of_counts": "_agreement",
    "evidence_of_means": "_agreement",
    "evidence_of_order": "_agreement",
    "fisher": "_two_samples",
    "format_count": "_agreement",
    "generation_numbers": "_search_dynamics",
    "genotypes": "_summaries",
    "growth_rate": "_search_dynamics",
    "holm": "_two_samples",
    "kaplan_meier": "_survival",
    "lead_onset": "_comparisons",
    "log_rank": "_survival",
    "mann_whitney": "_two_samples",
    "matched_means": "_evolvability",
    "means": "_summaries",
    "mutant_behaviours": "_evolvability",
    "occupancy_over_time": "_search_dynamics",
    "order_names": "_grouping",
    "prediction_errors": "_search_dynamics",
    "problem_column": "_grouping",
    "problem_row": "_tables",
    "proportion_interval": "_intervals",
    "ranking_totals": "_comparisons",
    "rankings": "_comparisons",
    "read_records": "_tables",
    "record_elites": "_record_elites",
    "regress_on_features": "_maze_features",
    "return_times": "_search_dynamics",
    "run_curve": "_tables",
    "run_row": "_tables",
    "running_times": "_survival",
    "runs_to_decide": "_agreement",
    "score_correlations": "_search_dynamics",
    "selection_intensity": "_search_dynamics",
    "sensitivity": "_summaries",
    "solution_distances": "_genotype_distances",
    "success_rates": "_summaries",
    "tabulate": "_tables",
    "typical_run": "_summaries",
    "visits": "_occupancy",
    "welch": "_two_samples",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = lazy_index(__name__, _HOMES)

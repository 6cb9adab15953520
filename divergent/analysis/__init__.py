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
    from divergent.analysis._genotype_distances import (
        pairwise_diversity as pairwise_diversity,
        solution_distances as solution_distances,
    )
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
    from divergent.analysis._record_elites import elites_of_record as elites_of_record, record_elites as record_elites
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

__getattr__, __dir__, __all__ = lazy_index(
    __name__,
    {
        "_agreement": (
            "LEAST_RUNS", "LEAST_RUNS_TO_RANK", "POWER", "PROPORTION_MARGIN", "Evidence", "Verdict", "decide",
            "evidence_of_counts", "evidence_of_means", "evidence_of_order", "format_count", "runs_to_decide",
        ),
        "_budgets": ("censor_at_budget", "evaluation_grid"),
        "_comparisons": (
            "Claim", "check_order", "compare", "compare_measures", "compare_over_mazes", "correct_p_values",
            "describe_effect", "lead_onset", "ranking_totals", "rankings",
        ),
        "_evolvability": ("STRATA", "matched_means", "mutant_behaviours"),
        "_genotype_distances": ("pairwise_diversity", "solution_distances"),
        "_grouping": ("complete_seeds", "order_names", "problem_column"),
        "_intervals": ("LEVEL", "RESAMPLES", "bounded_interval", "proportion_interval"),
        "_record_elites": ("elites_of_record", "record_elites"),
        "_maze_features": ("FEATURES", "FeatureRegression", "compute_features", "regress_on_features"),
        "_occupancy": ("CELL_SIZE", "entropy", "visits"),
        "_regression": ("Deceptiveness", "deceptiveness"),
        "_search_dynamics": (
            "count_cells", "generation_numbers", "growth_rate", "occupancy_over_time", "prediction_errors",
            "return_times", "score_correlations", "selection_intensity",
        ),
        "_summaries": (
            "best_settings", "efficiency", "evaluations", "genotypes", "means", "sensitivity", "success_rates",
            "typical_run",
        ),
        "_survival": ("kaplan_meier", "log_rank", "running_times"),
        "_tables": ("curve_table", "curves", "problem_row", "read_records", "run_curve", "run_row", "tabulate"),
        "_columns": ("PROBLEM_COLUMNS", "RUN_COLUMNS", "SETTINGS"),
        "_two_samples": (
            "MARGIN", "difference_of_means", "difference_of_proportions", "equivalence", "fisher", "holm",
            "mann_whitney", "welch",
        ),
        ".runs._row_measures": ("DIVERSITY",),
    },
)  # fmt: skip

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from divergent import analysis
from divergent.analysis._agreement import MOST_RUNS


def kind(*evidence):
    return [verdict.kind for verdict in analysis.decide(evidence)]


def counts(solved, runs, *among):
    return analysis.evidence_of_counts(solved, runs, among, 100)


def values_of(mean, sd, runs):
    """A sample of that very mean and standard deviation."""
    values = np.random.default_rng(5).normal(size=runs)
    return (values - values.mean()) / values.std(ddof=1) * sd + mean


def test_evidence_of_counts_within_ten_points_agrees():
    assert kind(counts(99, 100, 99)) == ["agrees"]
    low, high = analysis.difference_of_proportions(99, 100, 99, 100)
    assert -0.1 < low < 0 < high < 0.1


def test_evidence_of_counts_with_significant_fisher_test_differs():
    (verdict,) = analysis.decide([counts(80, 100, 93)])
    assert (verdict.kind, verdict.runs) == ("differs", 100)
    assert verdict.p == pytest.approx(stats.fisher_exact([[80, 20], [93, 7]]).pvalue)


def test_evidence_of_counts_with_few_differences_is_undecided():
    assert kind(counts(28, 30, 93), counts(65, 100, 71)) == ["undecided", "undecided"]


def test_evidence_of_counts_with_two_numbers_uses_the_closest():
    assert kind(counts(75, 100, 61)) == ["differs"]
    assert kind(counts(75, 100, 61, 62)) == ["undecided"]


def test_evidence_of_counts_without_number_or_with_few_runs_has_no_verdict():
    verdicts = analysis.decide([counts(3, 100), counts(19, 19, 100), counts(0, 0, 100)])
    assert list(map(str, verdicts)) == ["no verdict (100 runs)", "no verdict (19 runs)", "no verdict (0 runs)"]


def test_evidence_of_means_with_equivalent_means_agrees():
    other = values_of(20_000, 8_000, 100)
    for mean, expected in ((20_100, "agrees"), (25_000, "differs"), (22_150, "undecided")):
        values = values_of(mean, 8_000, 100)
        up = stats.ttest_ind(values - 4_000, other, equal_var=False, alternative="less").pvalue
        down = stats.ttest_ind(values + 4_000, other, equal_var=False, alternative="greater").pvalue
        evidence = analysis.evidence_of_means(values, 20_000, 8_000, 100)
        assert evidence.equivalent == (max(up, down) < 0.05)
        assert evidence.p == pytest.approx(stats.ttest_ind(values, other, equal_var=False).pvalue)
        assert kind(evidence) == [expected]


def test_decide_significant_but_equivalent_test_agrees():
    evidence = analysis.evidence_of_means(values_of(103, 10, 1000), 100, 10, 1000)
    assert evidence.p < 0.05
    assert kind(evidence) == ["agrees"]


@pytest.mark.parametrize("mean", [17_000, 19_000, 20_500, 22_000, 24_000])
def test_equivalence_is_significant_if_the_interval_is_within_the_margin(mean):
    summary = (mean, 9_000, 80, 20_000, 7_000, 100)
    low, high = analysis.difference_of_means(*summary)
    assert (low > -4_000 and high < 4_000) == (analysis.equivalence(*summary) < 0.05)
    assert analysis.difference_of_means(3, 0, 5, 2, 0, 5) == (1, 1)


@pytest.mark.parametrize("count", [0, 1, 19])
def test_evidence_of_means_with_few_runs_has_no_verdict(count):
    assert kind(analysis.evidence_of_means([5.0] * count, 5, 1, 100)) == ["no verdict"]


def test_evidence_of_means_without_variance_has_a_verdict():
    evidence = analysis.evidence_of_means([75_000] * 100, 73_643, 7_542, 100)
    assert evidence.p == pytest.approx(0.075, abs=1e-3)
    assert kind(evidence) == ["agrees"]
    assert kind(analysis.evidence_of_means([5.0] * 20, 5, 0, 100)) == ["agrees"]
    assert kind(analysis.evidence_of_means([7.0] * 20, 5, 0, 100)) == ["differs"]


def test_decide_corrects_p_over_tests_with_verdicts():
    alone = analysis.evidence_of_means(values_of(24_500, 14_000, 100), 20_000, 14_000, 100)
    assert 0.02 < alone.p < 0.05
    assert kind(alone) == ["differs"]
    assert kind(alone, counts(65, 100, 71), counts(65, 100, 71)) == ["undecided"] * 3
    assert kind(alone, counts(1, 9, 71), analysis.Verdict("compared by order"))[0] == "differs"


def test_decide_undecided_test_reports_the_runs_to_decide():
    evidence = analysis.evidence_of_means(values_of(21_000, 14_000, 40), 20_000, 7_000, 100)
    (verdict,) = analysis.decide([evidence])
    needed = analysis.runs_to_decide(evidence)
    assert str(verdict) == f"undecided (40 runs; {needed} would decide)"


def power_of_means(runs, mean, sd, other):
    """The proportion of 4,000 samples of that many runs that are decided."""
    rng = np.random.default_rng(1)
    ends = mean + rng.standard_normal(4_000) * sd / math.sqrt(runs)
    decided = [
        analysis.welch(end, sd, runs, *other) < 0.05 or analysis.equivalence(end, sd, runs, *other) < 0.05
        for end in ends
    ]
    return np.mean(decided)


@pytest.mark.parametrize(
    ("mean", "sd", "other"),
    [(20_000, 14_000, (20_000, 7_000, 100)), (18_000, 14_000, (15_000, 7_000, 100))],
    ids=["equivalence", "difference"],
)
def test_runs_to_decide_on_means_have_a_power_of_80_percent(mean, sd, other):
    needed = analysis.runs_to_decide(analysis.evidence_of_means(values_of(mean, sd, 30), *other))
    assert 0.79 < power_of_means(needed, mean, sd, other) < 0.84
    assert power_of_means(needed // 2, mean, sd, other) < 0.6


@pytest.mark.parametrize("solved", [16, 25])
def test_runs_to_decide_on_counts_have_a_power_of_at_least_80_percent(solved):
    needed = analysis.runs_to_decide(analysis.evidence_of_counts(solved, 30, [75], 100))

    def power(runs):
        numbers = np.arange(runs + 1)
        likely = stats.binom.pmf(numbers, runs, solved / 30)
        decided = [counts(int(number), runs, 75).p < 0.05 or counts(int(number), runs, 75).equivalent
                   for number in numbers[likely > 1e-6]]  # fmt: skip
        return likely[likely > 1e-6][decided].sum()

    assert power(needed) >= 0.8 > power(needed - needed // 5)


def test_runs_to_decide_on_an_order_have_a_power_of_80_percent():
    evidence = analysis.evidence_of_order(0.05, -0.2, 100)
    assert analysis.runs_to_decide(evidence) == math.ceil(100 * ((1.959964 + 0.841621) / 1.959964) ** 2)
    assert analysis.runs_to_decide(evidence, factor=5) > analysis.runs_to_decide(evidence)


def test_runs_to_decide_against_few_other_runs_is_none():
    evidence = analysis.evidence_of_means(values_of(23_000, 20_000, 40), 20_000, 20_000, 30)
    assert analysis.runs_to_decide(evidence) is None
    assert str(analysis.decide([evidence])[0]) == f"undecided (40 runs; {MOST_RUNS:,} would not decide)"


def test_evidence_of_order_needs_significance_for_a_verdict():
    tests = [analysis.evidence_of_order(p, effect, 30) for p, effect in ((0.001, -0.5), (0.001, 0.5), (0.2, -0.1))]
    assert kind(*tests) == ["agrees", "differs", "undecided"]
    assert analysis.decide(tests)[2].note.endswith("would decide; same direction")


@settings(max_examples=25)  # statsmodels collects garbage every time
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_of_random_p_values_equals_statsmodels(ps):
    assert analysis.holm(ps) == pytest.approx(multipletests(ps, method="holm")[1].tolist())


def test_holm_with_nan_leaves_it_out():
    assert analysis.holm([0.01, math.nan, 0.03, 0.02]) == pytest.approx([0.03, math.nan, 0.04, 0.04], nan_ok=True)
    assert analysis.holm([]) == []


@pytest.mark.parametrize(
    ("verdict", "text", "good"),
    [
        (analysis.Verdict("agrees", 0.01, 1), "agrees (1 run)", True),
        (analysis.Verdict("differs", runs=60, unit="maze"), "differs (60 mazes)", False),
        (analysis.Verdict("undecided", 0.5, 40, "90 would decide"), "undecided (40 runs; 90 would decide)", None),
        (analysis.Verdict("compared by order"), "compared by order", None),
        (analysis.Verdict(""), "", None),
    ],
)  # fmt: skip
def test_verdict_is_hashable_and_prints_its_details(verdict, text, good):
    assert str(verdict) == text
    assert verdict.good is good

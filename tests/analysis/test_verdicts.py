import numpy as np
import pytest
from scipy import stats

from divergent import analysis


def test_counts_agree_by_fishers_exact_test():
    other = (93,), 100
    p = stats.fisher_exact([[80, 20], [93, 7]]).pvalue
    assert analysis.agreement_of_counts(80, 100, *other) == analysis.Verdict("differs", p, 100)
    assert analysis.agreement_of_counts(90, 100, *other).kind == "agrees"


def test_a_count_of_two_numbers_agrees_if_it_agrees_with_one():
    one, two = (analysis.agreement_of_counts(75, 100, among, 100) for among in ((61,), (61, 62)))
    assert (one.kind, two.kind) == ("differs", "agrees")


def test_there_is_no_verdict_on_a_word_nor_on_few_runs():
    assert str(analysis.agreement_of_counts(3, 100, (), 100)) == "no verdict (100 runs)"
    assert str(analysis.agreement_of_counts(19, 19, (100,), 100)) == "no verdict (19 runs)"
    assert analysis.agreement_of_counts(20, 20, (100,), 100).kind == "agrees"
    assert analysis.agreement_of_counts(0, 0, (100,), 100).kind == "no verdict"


def test_means_agree_by_welchs_test():
    values = np.linspace(12_000, 34_000, 50)
    mean, sd = 23_566, 15_925
    generator = np.random.default_rng(5)
    theirs = generator.normal(size=100)
    theirs = (theirs - theirs.mean()) / theirs.std(ddof=1) * sd + mean  # of that very mean and sd
    expected = stats.ttest_ind(values, theirs, equal_var=False).pvalue
    verdict = analysis.agreement_of_means(values, mean, sd, 100)
    assert (verdict.kind, verdict.p, verdict.runs) == ("agrees", pytest.approx(expected), 50)
    assert analysis.agreement_of_means(values + 20_000, mean, sd, 100).kind == "differs"


@pytest.mark.parametrize("count", [0, 1, 19])
def test_there_is_no_verdict_on_means_of_few_runs(count):
    assert analysis.agreement_of_means([5.0] * count, 5, 1, 100).kind == "no verdict"


def test_runs_that_all_end_at_the_budget_can_be_compared():
    assert analysis.agreement_of_means([75_000] * 100, 73_643, 7_542, 100).p == pytest.approx(0.075, abs=1e-3)
    assert analysis.agreement_of_means([5.0] * 20, 5, 0, 100).kind == "agrees"
    assert analysis.agreement_of_means([6.0] * 20, 5, 0, 100).kind == "differs"


@pytest.mark.parametrize(
    ("verdict", "text", "good"),
    [
        (analysis.Verdict("holds", 0.01, 1), "holds (1 run)", True),
        (analysis.Verdict("differs", runs=20, note="solved 1 of 20"), "differs: solved 1 of 20", False),
        (analysis.Verdict("not significant, same direction", 0.5, 1000), None, None),
        (analysis.Verdict("compared by order"), "compared by order", None),
        (analysis.Verdict(""), "", None),
    ],
)
def test_a_verdict_is_a_value_whose_text_is_made_once(verdict, text, good):
    assert str(verdict) == (text if text is not None else f"{verdict.kind} (1,000 runs)")
    assert verdict.good is good

import pandas as pd
from sample_tables import runs_of

from divergent.replicate import _claim_tables as claim_tables
from divergent.replicate._claims import CLAIMS, DEFAULT, LEHMAN, PENDING, PLAN, PRIMARY, evaluate, expected_replications

EFFECT = "effect in the paper (margin)"
NO_BREAK_SPACE = claim_tables.NO_BREAK_SPACE


def test_summary_has_the_expected_number_next_to_the_count():
    summary = claim_tables.summary()
    assert summary.startswith(f"The primary tests on confirmatory runs cover {len(PRIMARY)} claims.")
    expected = f"{expected_replications().sum():.1f} of the {len(PRIMARY)} claims would be replicated"
    assert expected in summary


def test_conclusion_counts_the_outcomes_of_primary_claims_next_to_the_expected_number():
    table = evaluate({}).set_index("claim")
    table.loc[["faster-medium", "entropy", "higher-k"], "outcome"] = "replicated"  # higher-k is a descriptive claim
    text = claim_tables.conclusion(table.reset_index())
    assert f"these outcomes: replicated (2), pending ({len(PRIMARY) - 2})." in text
    assert f"{expected_replications().sum():.1f} of the {len(PRIMARY)} claims would be replicated" in text


def test_outcome_counts_without_runs_are_all_pending():
    assert claim_tables.outcome_counts(evaluate({})).to_dict("records") == [{PENDING: len(PRIMARY)}]


def test_statements_and_rules_have_a_row_for_every_claim():
    names = [f"`{claim.id}`" for claim in CLAIMS]
    assert claim_tables.statements()["claim"].tolist() == names
    assert claim_tables.rules()["claim"].tolist() == names


def test_rules_name_the_runs_and_the_configuration_of_the_test():
    runs = claim_tables.rules().set_index("claim")["runs"]
    assert runs["`faster-medium`"] == "medium: 150 of each search, seeds 1000 to 1149, as in Lehman's program"
    assert runs["`faster-generated`"].startswith("generated: 20 of each search in each of 60 mazes, seeds 1000 to 1019")
    assert runs["`higher-k`"] == "exploratory runs only (default, varied k and n): descriptive"


def test_outcomes_without_runs_have_no_numbers():
    table = claim_tables.outcomes(evaluate({})).set_index("claim")
    assert set(table["outcome"]) == {PENDING}
    row = table.loc["`faster-very-hard`"]
    assert (row["effect (95% interval)"], row["p (Holm)"], row["runs"]) == (f"paper:{NO_BREAK_SPACE}-34.0%", "", "")


def test_configurations_has_the_effects_of_both():
    ends = {LEHMAN: (10_000, 20_000), DEFAULT: (15_000, 20_000)}
    same = {"connections": 20, "entropy": 0.6}
    tables = {}
    for configuration, counts in ends.items():
        searches = zip(("surprise", "novelty"), counts, strict=True)
        parts = [runs_of(search, [count] * 150, maze="medium", budget=75_000, **same) for search, count in searches]
        tables[configuration] = pd.concat(part.assign(seed=list(PLAN["medium"].seeds)) for part in parts)
    row = claim_tables.configurations(tables).set_index("claim").loc["`faster-medium`"]
    assert (row["comparison"], row[LEHMAN], row[DEFAULT]) == ("Medium: Surprise, Novelty", "-50.0%", "-25.0%")
    assert row[f"p, {LEHMAN}"] == row[f"p, {DEFAULT}"] == "< 0.001"


def test_configurations_without_default_runs_have_no_default_columns():
    table = claim_tables.configurations({})
    assert table.columns.tolist() == ["claim", "comparison", "effect in the paper", LEHMAN, f"p, {LEHMAN}"]


def test_rules_with_several_comparisons_have_one_line_per_comparison():
    rules = claim_tables.rules().set_index("claim")
    assert rules.loc["`entropy`", EFFECT].splitlines()[:2] == ["Medium: +0.040 (0.020)", "Hard: +0.060 (0.030)"]
    assert not rules[EFFECT].str.contains(";").any()


def test_outcomes_of_undecided_claims_have_the_runs_for_80_percent_power():
    evaluated = evaluate({})
    first = evaluated.index[0]
    evaluated = evaluated.astype({"effect": float, "low": float, "high": float, "p": float, "p_holm": float})
    values = {"effect": -0.1, "low": -0.2, "high": 0.05, "p": 0.2, "p_holm": 0.9}
    values |= {"n_first": 150, "n_second": 140, "n_needed": 1234.0, "unit": "runs", "outcome": "undecided"}
    for name, value in values.items():
        evaluated.loc[first, name] = value
    row = claim_tables.outcomes(evaluated).iloc[0]
    assert row["outcome"] == "undecided; 1,234 runs for 80 % power"
    assert row["p (Holm)"] == "0.200\n(0.900)"
    assert row["runs"] == "150, 140\npaper: 100"
    assert row["effect (95% interval)"] == "-10.0%\n(-20.0% to +5.0%)\npaper: -58.9%".replace(" ", NO_BREAK_SPACE)

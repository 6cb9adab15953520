import pandas as pd
from sample_tables import runs_of

from divergent.replicate import _claim_tables as claim_tables
from divergent.replicate import _perfect_replication as perfect_replication
from divergent.replicate._claims import CLAIMS, DEFAULT, LEHMAN, PENDING, PLAN, PRIMARY, evaluate


def test_summary_has_the_expected_number_next_to_the_count():
    summary = claim_tables.summary(evaluate({}))
    claims = f"Of the {len(PRIMARY)} claims that runs with fresh seeds decide"
    assert summary.startswith(f"{claims}, {len(PRIMARY)} are pending.")
    assert f"{perfect_replication.expected().sum():.1f} of {len(PRIMARY)}" in summary


def test_statements_and_rules_have_a_row_for_every_claim():
    names = [f"`{claim.id}`" for claim in CLAIMS]
    assert claim_tables.statements()["claim"].tolist() == names
    assert claim_tables.rules()["claim"].tolist() == names


def test_rules_name_the_runs_and_the_configuration_that_decide():
    runs = claim_tables.rules().set_index("claim")["runs"]
    assert runs["`faster-medium`"] == "medium: 150 of each search, seeds 1000 to 1149, as in Lehman's program"
    assert runs["`faster-generated`"].startswith("generated: 20 of each search in each of 60 mazes, seeds 1000 to 1019")
    assert runs["`higher-k`"] == "committed runs only (default, varied k and n): descriptive"


def test_outcomes_without_runs_have_no_numbers():
    table = claim_tables.outcomes(evaluate({})).set_index("claim")
    assert set(table["outcome"]) == {PENDING}
    row = table.loc["`faster-very-hard`"]
    assert (row["effect"], row["95% interval"], row["p"], row["the paper's effect"]) == ("", "", "", "-34.0%")


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

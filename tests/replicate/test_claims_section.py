import pytest
from sample_tables import results_of

from divergent.replicate._claims import CLAIMS, FIRST_SEED, LEHMAN, PENDING, PRIMARY, expected_replications
from divergent.replicate._replication import Replication
from divergent.replicate._sections import claims
from divergent.reports._page import Figure, write_page


def confirmatory(name, count, **selection):
    """Sample results with the first seeds of the confirmatory runs of an experiment."""
    results = results_of(name, count, **selection)
    runs, solutions = (table.assign(seed=table["seed"] + FIRST_SEED) for table in (results.runs, results.solutions))
    return results._replace(runs=runs, solutions=solutions)


def row_of(table, maze, search, configuration=LEHMAN):
    (row,) = [
        row for row in table.itertuples() if (row.configuration, row.maze, row.search) == (configuration, maze, search)
    ]
    return row


@pytest.fixture(scope="module")
def medium():
    return confirmatory("lehman2008", 150, mazes=["medium"], searches=["surprise", "novelty"])


def test_claims_section_without_runs_has_pending_claims_only():
    section = claims.section(Replication({}))
    assert [item.name for item in section.items] == ["claim_counts", "claim_outcomes"]
    counts, outcomes = section.items
    assert counts.numbers.to_dict("records") == [{PENDING: len(PRIMARY)}]
    assert outcomes.numbers["outcome"].tolist() == [PENDING] * len(CLAIMS)
    assert f"{expected_replications().sum():.1f} of the {len(PRIMARY)} claims" in section.text


def test_claims_section_with_runs_of_one_maze_decides_only_the_claims_of_this_maze(medium):
    section = claims.section(Replication({"lehman2008": medium}))
    assert [item.name for item in section.items] == ["forest", "claim_counts", "claim_outcomes", "confirmatory"]
    outcomes = section.items[2].numbers.set_index("claim")["outcome"]
    assert outcomes[outcomes != PENDING].index.tolist() == ["faster-medium"]
    assert [label.get_text() for label in section.items[0].axes.get_yticklabels()] == ["faster-medium"]


def test_claims_section_with_a_missing_run_is_pending(medium):
    section = claims.section(Replication({"lehman2008": medium._replace(runs=medium.runs.iloc[1:])}))
    assert not any(isinstance(item, Figure) for item in section.items)
    assert section.items[0].numbers.to_dict("records") == [{PENDING: len(PRIMARY)}]


def test_claims_section_page_has_line_breaks_and_no_markdown(tmp_path):
    page = write_page("Claims", [claims.section(Replication({}))], tmp_path).read_text()
    assert "<td>Novelty search and surprise search each need fewer<br>evaluations than" in page
    assert "<td>faster-medium</td>" in page
    assert "&lt;br&gt;" not in page
    assert "`" not in page


def test_claims_section_with_few_exploratory_runs_has_no_effect_of_single_solutions():
    # with two runs of each search, several samples of solutions have fewer than two values
    section = claims.section(Replication({"authored": results_of("authored", 2)}))
    assert section.items[-1].name == "claim_outcomes"


def test_confirmatory_table_compares_complete_runs_with_the_paper(medium):
    table = claims.confirmatory_table(Replication({"lehman2008": medium})).numbers
    row = row_of(table, "medium", "surprise")
    runs = medium.runs[medium.runs["search"] == "surprise"]
    assert (row.planned, row.runs, row.solved) == (150, 150, runs["solved"].sum())
    assert (row.evaluations, row.evaluations_sd) == (runs["evaluations"].mean(), runs["evaluations"].std())
    assert row.connections == runs.loc[runs["solved"], "connections"].mean()
    assert row.entropy == runs.loc[runs["solved"], "entropy"].mean()
    assert (row.paper_solved, row.paper_evaluations, row.paper_connections) == ("100 of 100", 16_084, 33.76)
    assert row.paper_entropy == 0.67


def test_confirmatory_table_without_all_planned_runs_has_only_their_number(medium):
    partial = medium._replace(runs=medium.runs[medium.runs["seed"] > FIRST_SEED])
    table = claims.confirmatory_table(Replication({"lehman2008": partial}))
    shown = table.shown.set_index(["configuration", "maze", "search method"]).loc[(LEHMAN, "Medium", "Surprise")]
    assert (shown["runs (planned)"], shown["solved"], shown["evaluations (sd)"]) == ("149 (150)", "", "")
    assert shown["evaluations: the paper"] == "16,084 (11,588)"


def test_confirmatory_table_has_one_row_for_all_generated_mazes():
    results = confirmatory("fresh-generated", 20, mazes=["generated:0", "generated:1"])
    table = claims.confirmatory_table(Replication({"fresh-generated": results}))
    rows = table.numbers[table.numbers["maze"] == "generated"]
    assert rows["search"].tolist() == ["novelty", "surprise"]
    assert rows[["runs", "planned", "paper_evaluations"]].to_numpy().tolist() == [
        [40, 1200, 76_225],
        [40, 1200, 71_865],
    ]


def test_confirmatory_table_without_confirmatory_experiments_is_none():
    assert claims.confirmatory_table(Replication({})) is None

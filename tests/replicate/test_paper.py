from divergent.replicate import paper


def test_paper_numbers_cover_every_maze_and_search():
    pairs = {(maze, search) for maze in paper.MAZES for search in paper.SEARCHES}
    assert set(paper.SOLVED) == pairs
    assert len(paper.RANKINGS) == 30
    assert paper.RANKINGS["surprise", "novelty"] == 40
    assert all(count.among <= (100, 100) for count in paper.SOLVED.values())
    assert {len(measures) for measures in paper.GENOTYPES.values()} == {6}

from divergent.explorer._descriptions import SEARCHES as WORDS
from divergent.selection import SEARCHES


def test_every_search_has_its_sentence():
    assert WORDS.keys() >= SEARCHES.keys()

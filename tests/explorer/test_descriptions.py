from divergent.explorer._descriptions import SEARCHES as WORDS
from divergent.selection import SEARCHES


def test_sentence_of_each_search_is_not_empty():
    assert WORDS.keys() >= SEARCHES.keys()

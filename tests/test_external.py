"""The recipe for pyribs of docs/howto/external.md, where ribs is installed; all others run with the pages."""

import pytest
from documents import HOME, blocks_of, ran


def test_emitter_for_pyribs_prints_the_output_on_the_page(tmp_path):
    pytest.importorskip("ribs")
    text = (HOME / "docs" / "howto" / "external.md").read_text(encoding="utf-8")
    problem, (recipe,) = blocks_of(text, "python")[0], blocks_of(text, "py")
    assert ran(problem + recipe, tmp_path).splitlines(keepends=True)[-1] == blocks_of(text, "none")[0]

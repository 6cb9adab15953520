import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

HOME = Path(__file__).parents[1] / "notebooks"
SIZES = {
    "1_first_run": {"GENERATIONS": "2"},
    "2_searches_compared": {"GENERATIONS": "2", "RUNS": "2"},
    "3_your_own_problem": {"GENERATIONS": "3", "RUNS": "1"},
    "4_inside_surprise": {"GENERATIONS": "6"},
    "5_figures_of_the_paper": {},
    "6_quality_and_diversity": {"GENERATIONS": "2"},
    "7_mountain_car": {"GENERATIONS": "2"},
    "8_images": {"GENERATIONS": "2"},
}


@pytest.fixture(params=SIZES)
def name(request):
    return request.param


@pytest.fixture
def notebook(name):
    return nbformat.read(HOME / f"{name}.ipynb", as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_notebooks_are_all_tested():
    assert sorted(path.stem for path in HOME.glob("*.ipynb")) == sorted(SIZES)


@pytest.mark.slow
def test_notebook_in_a_clean_kernel_runs(name, notebook, monkeypatch):
    for variable, value in SIZES[name].items():
        monkeypatch.setenv(variable, value)
    for cell in code_cells(notebook):
        cell.outputs, cell.execution_count = [], None
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(HOME)}})
    client.execute()
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []


def test_notebook_is_saved_with_the_outputs_of_one_execution(name, notebook):
    nbformat.validate(notebook)
    assert [cell.execution_count for cell in code_cells(notebook)] == list(range(1, len(code_cells(notebook)) + 1))
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert not any(output.output_type == "error" for output in outputs)
    if name != "5_figures_of_the_paper" or (HOME.parent / "results").is_dir():
        assert any("image/png" in output.get("data", {}) for output in outputs)


def test_notebook_contains_no_machine_paths(notebook):
    assert notebook.metadata.kernelspec.name == "python3"
    for cell in notebook.cells:
        for text in (cell.source, *map(text_of, cell.get("outputs", []))):
            assert not re.search(r"(?<![\w.:/])/(?:tmp|home|root|work|usr|Users)/|\b0x[0-9a-f]{6,}", text), text


def text_of(output):
    """All that can be read in an output."""
    data = output.get("data", {})
    return output.get("text", "") + "".join(text for kind, text in data.items() if kind.startswith("text/"))


def test_notebook_sizes_come_from_the_environment(name, notebook):
    first = code_cells(notebook)[0].source
    for variable in SIZES[name]:
        assert f'os.environ.get("{variable}"' in first


def test_notebook_cells_fit_a_screen(notebook):
    assert max(cell.source.count("\n") + 1 for cell in notebook.cells) <= 35


def test_notebook_links_have_targets(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for link in re.findall(r"\]\(([^)]+)\)", cell.source):
                assert link.startswith("https://") or (HOME / link).exists(), link

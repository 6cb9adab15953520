"""The table for users of neat-python has all its keys, and names only what there is."""

import inspect
import re

import neat as neat_python
import pytest
from documents import HOME
from neat.config import Config
from neat.genes import DefaultConnectionGene, DefaultNodeGene

from divergent import neat

PAGE = (HOME / "docs" / "howto" / "neat_python.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.*?) \| (.*?) \|$", PAGE, flags=re.MULTILINE)
OPTIONS = {
    "neat.register": [neat.register, neat.Genome.start, neat.mate, neat.mutate, neat.breed],
    "neat.Reproduction": [neat.Reproduction, neat.Species],
    "neat.Activation": [neat.Activation],
}


def keys():
    """Every key that neat-python reads from a file, as its classes declare them."""
    parsed = [
        neat_python.DefaultSpeciesSet.parse_config({"compatibility_threshold": "3"}),
        neat_python.DefaultStagnation.parse_config(
            {"species_fitness_func": "max", "max_stagnation": "15", "species_elitism": "0"}
        ),
        neat_python.DefaultReproduction.parse_config(
            {"elitism": "0", "survival_threshold": "0.2", "min_species_size": "1"}
        ),
    ]
    names = {parameter.name for section in parsed for parameter in section._params}
    names |= {parameter.name for parameter in Config._Config__params}
    for gene in (DefaultNodeGene, DefaultConnectionGene):
        names |= {parameter.name for parameter in gene.get_config_params()}
    source = inspect.getsource(neat_python.genome.DefaultGenomeConfig)
    return names | set(re.findall(r"ConfigParameter\('(\w+)'", source))


@pytest.mark.skipif(not hasattr(neat_python, "innovation"), reason="the table is of neat-python from 2.0 on")
def test_neat_python_page_names_every_key_once():
    named = [key for row, _ in ROWS for key in re.findall(r"`(\w+)`", row)]
    assert len(named) == len(set(named))
    assert set(named) == keys()


def test_neat_python_page_names_existing_options():
    named = re.findall(r"`(neat\.\w+)\(([^`]*)\)`", PAGE)
    assert len(named) > 30
    for call, arguments in named:
        known = {name for function in OPTIONS[call] for name in inspect.signature(function).parameters}
        for name in re.findall(r"(\w+)=", arguments):
            assert name in known, f"{call}({name}=)"


def test_neat_python_page_has_an_answer_for_every_key():
    for row, answer in ROWS:
        if "`" in row:
            assert "`" in answer or answer.startswith(("not available", "always")), row

"""The tables for users of neat-python have all its keys, and name only what there is."""

import inspect
import re
from fnmatch import fnmatchcase

import neat as neat_python
import pytest
from documents import HOME
from neat.config import Config
from neat.genes import DefaultConnectionGene, DefaultNodeGene

from divergent import neat

PAGE = (HOME / "docs" / "howto" / "neat_python.md").read_text(encoding="utf-8")
KEYS = PAGE[PAGE.index("## Counterparts of configuration keys") : PAGE.index("## Options without")]
OPTIONS = {
    "neat.register": [neat.register, neat.Genome.start, neat.mate, neat.mutate, neat.breed],
    "neat.Reproduction": [neat.Reproduction, neat.Species],
    "neat.Activation": [neat.Activation],
}


def known(function):
    """The names of the arguments that a function of `divergent.neat` accepts."""
    return {name for part in OPTIONS[function] for name in inspect.signature(part).parameters}


def tables(text):
    """The tables of a text: the cells of the header, and the cells of each row."""
    for block in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
        header, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines())
        yield header, rows


ROWS = [row for _, rows in tables(KEYS) for row in rows]


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
    patterns = [pattern for row, _ in ROWS for pattern in re.findall(r"`([\w*]+)`", row)]
    matches = [(key, pattern) for key in keys() for pattern in patterns if fnmatchcase(key, pattern)]
    assert sorted(key for key, _ in matches) == sorted(keys())
    assert {pattern for _, pattern in matches} == set(patterns)


def test_neat_python_page_names_existing_options():
    called = [(call, name) for call, arguments in re.findall(r"`(neat\.\w+)\(([^`]*)\)`", PAGE)
              for name in re.findall(r"(\w+)=", arguments)]  # fmt: skip
    listed = [
        (title.split("`")[1], name)
        for header, rows in tables(PAGE)
        for column, title in enumerate(header)
        if title.startswith("argument of ")
        for row in rows
        for name in re.findall(r"`(\w+)`", row[column])
    ]
    assert len(listed) > 40
    for function, name in called + listed:
        assert name in known(function), f"{function}({name}=)"


def test_neat_python_page_has_an_answer_for_every_key():
    for row, answer in ROWS:
        assert "`" in answer or answer.startswith(("not available", "always")), row

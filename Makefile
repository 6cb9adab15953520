# make maze: set up, then run the main job.   make test: set up, then run every test.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python

.PHONY: maze test quick bounds fuzz lint docs check-pages report paper benchmarks clean help

maze: $(VENV)/installed
	$(RUN) -m divergent.run_maze hard --search surprise

test: $(VENV)/installed-for-tests
	$(RUN) -m pytest -n 2 --dist worksteal

quick: $(VENV)/installed-for-tests
	$(RUN) -m pytest -n 2 --dist worksteal -m "not slow"

# compiled code that looks where it should not raises an IndexError here; a cache of its own, for both kinds of code differ
BOUNDS_TESTS := tests/neat/test_species.py tests/neat/test_network.py tests/neat/test_breeding.py tests/neat/test_genetic_distance.py tests/neat/test_cppn.py \
	tests/maze/test_robot.py tests/neighbours/test_index.py tests/neighbours/test_incremental.py \
	tests/neighbours/test_kernels.py tests/neighbours/test_kmeans.py tests/test_individual.py \
	tests/problems/test_soft_body.py tests/problems/test_soft_robots.py

bounds: $(VENV)/installed-for-tests
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(VENV)/bounds-cache $(RUN) -m pytest -n 2 --dist worksteal -q -m "not slow" $(BOUNDS_TESTS)

fuzz: $(VENV)/installed-for-tests
	$(RUN) benchmarks/fuzz.py

lint: $(VENV)/installed-for-tests
	$(RUN) -m ruff check .
	$(RUN) -m mypy
	$(RUN) .ci/check_vocabulary.py
	$(RUN) .ci/check_docstrings.py

docs: $(VENV)/installed-for-docs
	$(RUN) -m sphinx --fresh-env --fail-on-warning --keep-going --quiet --conf-dir docs --doctree-dir build/doctrees . build/site
	@echo "the site begins at build/site/docs/index.html"

check-pages: $(VENV)/installed-for-docs
	$(RUN) .ci/check_pages.py

report: $(VENV)/installed
	$(RUN) -m divergent.replicate report

paper: $(VENV)/installed-for-docs
	$(RUN) paper/build.py

benchmarks: $(VENV)/installed-for-tests
	for name in rollout operators scoring scale run; do $(RUN) benchmarks/$$name.py || exit 1; done

clean:
	rm -rf $(VENV) build dist *.egg-info
	find divergent tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

help:
	@echo "make maze        set up, then evolve a controller for the hard maze"
	@echo "make test        set up, then run every test"
	@echo "make quick       only the fast tests"
	@echo "make bounds      the tests of compiled code, with every index checked"
	@echo "make fuzz        attack what reads files, kill runs and let system calls fail; takes an hour"
	@echo "make lint        ruff, mypy, vocabulary and docstrings"
	@echo "make docs        build the documentation site"
	@echo "make check-pages check every page of the built site in Chromium; takes half an hour"
	@echo "make report      tables, figures and results/report.html from the committed results"
	@echo "make paper       build the draft of the paper as HTML"
	@echo "make benchmarks  every timing, beside what it is compared with"
	@echo "make clean       remove the environment and what was built"

$(VENV)/bin/python:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
		{ echo "divergent needs Python 3.11 or later; $$($(PYTHON) --version) is too old: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: setup.cfg pyproject.toml | $(VENV)/bin/python
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-for-tests: setup.cfg pyproject.toml | $(VENV)/bin/python
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable ".[test]"
	@touch $@ $(VENV)/installed

$(VENV)/installed-for-docs: setup.cfg pyproject.toml | $(VENV)/bin/python
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	@touch $@ $(VENV)/installed

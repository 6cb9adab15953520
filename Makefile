# make maze: install the package, then run the main job.   make test: install the package, then run all tests.
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

# compiled code raises an IndexError if an index is out of bounds; code with bounds checking needs a separate cache
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
	@echo "make maze        install the package, then evolve a controller for the hard maze"
	@echo "make test        install the package, then run all tests"
	@echo "make quick       run the fast tests"
	@echo "make bounds      run the tests of compiled code with bounds checking"
	@echo "make fuzz        pass damaged files to all readers, kill runs and make system calls fail; takes an hour"
	@echo "make lint        check the code with ruff and mypy, and check vocabulary and docstrings"
	@echo "make docs        build the documentation site"
	@echo "make check-pages check every page of the built site in Chromium; takes half an hour"
	@echo "make report      write tables, figures and results/report.html from the committed results"
	@echo "make paper       build the draft of the paper as HTML"
	@echo "make benchmarks  measure run times and the reference values that they are compared with"
	@echo "make clean       remove the environment and all built files"

$(VENV)/bin/python:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
		{ echo "divergent needs Python 3.11 or later; $$($(PYTHON) --version) is too old: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# numba's cache files remain in the folder of an installed copy, which would hide the editable installation
REMOVE_COPY := rm -rf $(VENV)/lib/python*/site-packages/divergent

$(VENV)/installed: setup.cfg pyproject.toml | $(VENV)/bin/python
	$(REMOVE_COPY)
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-for-tests: setup.cfg pyproject.toml | $(VENV)/bin/python
	$(REMOVE_COPY)
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable ".[test]"
	@touch $@ $(VENV)/installed

$(VENV)/installed-for-docs: setup.cfg pyproject.toml | $(VENV)/bin/python
	$(REMOVE_COPY)
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	@touch $@ $(VENV)/installed

# Everything starts from Python >= 3.11, pip and make. The environment is made once, in .venv, and used again.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help demo paper playground choosing drift survey errata docs gallery test test-full exactness golden bench bench-service lint release clean

help:
	@echo "make paper      reproduce the paper's experiments (results/); it says first how long that takes and how much it writes"
	@echo "make playground write results/playground.html, a page to play with the policies (a minute); the report links it"
	@echo "make choosing   compare policies on all suites and write docs/choosing.md (long; goes on where it stopped)"
	@echo "make drift      measure what drift and delays cost, and write docs/studies/drift.md (minutes; goes on where it stopped)"
	@echo "make survey     try every algorithm of the field on a small bench and write docs/survey.md (minutes; goes on where it stopped)"
	@echo "make errata     write docs/errata.md from the errata of the report"
	@echo "make docs       build the site in docs/_build/html (minutes the first time; RISKBANDITS_DOCS=quick runs no examples)"
	@echo "make gallery    draw the pictures of README.md and examples/README.md (docs/figures/gallery/)"
	@echo "make demo       the decision service with a living bandit, to look at (Ctrl-C ends it)"
	@echo "make test       the tests that every change must pass"
	@echo "make test-full  the heavier checks too"
	@echo "make exactness  lazy against plain sampling, 30 000 runs per side (minutes)"
	@echo "make golden     keep the numbers of today as those that tests/golden compares with (two minutes); it names those that differ"
	@echo "make bench      speed of the simulation methods (results/bench/)"
	@echo "make bench-service  decisions per second of the service (results/bench/)"
	@echo "make lint       ruff, mypy, import-linter"
	@echo "make release    build a wheel and an sdist in dist/ and try both in clean environments"
	@echo "make clean      remove the environment and what was built"

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "riskbandits needs Python >= 3.11; call make with PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv .venv

# Two stamps: using the package needs less than testing it.
.venv/.installed: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/.installed-dev: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch .venv/.installed .venv/.installed-service .venv/.installed-docs $@

paper: .venv/.installed
	$(BIN)/riskbandits reproduce

playground: .venv/.installed-dev
	@mkdir -p results
	$(BIN)/riskbandits playground --out results/playground.html
.venv/.installed-service: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[service]'
	@touch .venv/.installed $@

demo: .venv/.installed-service
	$(BIN)/riskbandits serve --demo

choosing: .venv/.installed
	@mkdir -p results
	$(BIN)/riskbandits compare --suite full --horizon 1000,10000,100000,1000000,10000000 --runs 200,100,40,20,10 --costs --store results/choosing --markdown docs/choosing.md

drift: .venv/.installed
	$(BIN)/python -m studies.drift

survey: .venv/.installed
	$(BIN)/riskbandits survey --measure src/riskbandits/field/survey.json --markdown docs/survey.md

errata: .venv/.installed
	$(BIN)/python -c "from riskbandits.paper.report import errata; errata.write('docs/errata.md')"

.venv/.installed-docs: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch .venv/.installed $@

docs: .venv/.installed-docs
	$(BIN)/python -m sphinx --builder html --fail-on-warning --keep-going --quiet --jobs auto docs docs/_build/html
	@echo "The site: docs/_build/html/index.html"

gallery: .venv/.installed
	@mkdir -p docs/figures/gallery
	cd docs/figures/gallery && for script in ../../../examples/gallery/*.py; do \
	  SOURCE_DATE_EPOCH=0 MATPLOTLIBRC=$(abspath examples/gallery/matplotlibrc) $(abspath $(BIN))/python $$script || exit 1; done

release: .venv/.installed-dev
	.ci/release

test: .venv/.installed-dev
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not full"

test-full: .venv/.installed-dev
	$(BIN)/python -m pytest

exactness: .venv/.installed-dev
	$(BIN)/python -m pytest tests/simulation/test_exactness.py

golden: .venv/.installed-dev
	$(BIN)/python -m tests.golden

bench: .venv/.installed
	$(BIN)/python benchmarks/run.py

bench-service: .venv/.installed-service
	$(BIN)/python benchmarks/service.py

lint: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf .venv build dist docs/_build docs/gallery docs/notebooks docs/reference/api docs/project .pytest_cache .mypy_cache .ruff_cache .hypothesis
